import { useCallback, useEffect, useRef } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { isCancelled } from '../../../api/transport.ts';
import type { BatchRow, CheckFailure, Match } from './batch-row.ts';

/** Longest name and id that the service takes for comparing. */
const COMPARED_MAX = 200;

/** What rows would become, or why that is not known. */
type Matched = { matches: ReadonlyMap<number, Match>; unmatched?: 'absent' | CheckFailure };

const NONE: Matched = { matches: new Map() };

/** Statuses of a service that knows no such call. */
const ABSENT: readonly number[] = [404, 405, 501];

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
  return useCallback(async (rows: readonly BatchRow[]): Promise<Matched> => {
    const known = rows.filter(({ item }) => item.package !== null);
    if (known.length === 0) return NONE;
    const controller = new AbortController();
    running.current.add(controller);
    const packages = known.map(({ item, name }) => ({
      external_id: item.package?.external_id?.slice(0, COMPARED_MAX) ?? null,
      name: name.slice(0, COMPARED_MAX),
    }));
    const { signal } = controller;
    const answer = await call('matchPackages', { packages }, { signal }).catch((error: unknown) => {
      if (!isApiError(error)) throw error;
      return error;
    });
    running.current.delete(controller);
    if (isApiError(answer)) {
      const failure = { error: answer, at: Date.now() };
      return { ...NONE, unmatched: ABSENT.includes(answer.status) ? 'absent' : failure };
    }
    if (isCancelled(answer)) return NONE;
    const pairs = known.flatMap(({ id }, place): [number, Match][] => {
      const match = answer.matches[place];
      return match ? [[id, match]] : [];
    });
    return { matches: new Map(pairs), unmatched: { error: undefined, at: Date.now() } };
  }, []);
}
