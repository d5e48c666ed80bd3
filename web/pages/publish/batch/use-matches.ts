import { useCallback, useEffect, useRef } from 'react';
import { call } from '../../../api/client.ts';
import { isCancelled } from '../../../api/transport.ts';
import type { BatchRow, Match } from './batch-row.ts';

/** Longest name and id that the service takes for comparing. */
const COMPARED_MAX = 200;

type Matches = ReadonlyMap<number, Match>;

const NONE: Matches = new Map();

/**
 * Asks the service which plugins rows would become versions of. When it cannot say, there are no matches, and the
 * service decides as rows arrive.
 */
export function useMatches() {
  const running = useRef(new Set<AbortController>());
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers) controller.abort();
    };
  }, []);
  return useCallback(async (rows: readonly BatchRow[]): Promise<Matches> => {
    const known = rows.filter(({ item }) => item.package !== null);
    if (known.length === 0) return NONE;
    const controller = new AbortController();
    running.current.add(controller);
    const packages = known.map(({ item, name }) => ({
      external_id: item.package?.external_id?.slice(0, COMPARED_MAX) ?? null,
      name: name.slice(0, COMPARED_MAX),
    }));
    const { signal } = controller;
    const answer = await call('matchPackages', { packages }, { signal }).catch(() => undefined);
    running.current.delete(controller);
    if (!answer || isCancelled(answer)) return NONE;
    const pairs = known.flatMap(({ id }, place): [number, Match][] => {
      const match = answer.matches[place];
      return match ? [[id, match]] : [];
    });
    return new Map(pairs);
  }, []);
}
