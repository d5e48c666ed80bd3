import { useState } from 'react';
import { BATCH_ITEMS_MAX } from '../../../../shared/constants.ts';
import { isApiError } from '../../../api/api-error.ts';
import { isCancelled } from '../../../api/call.ts';
import { call } from '../../../api/client.ts';
import { usePackageReader } from '../../../features/packages/read-packages.ts';
import { type BatchRow, type CheckFailure, createRow, failureOf, isDone, type Match } from './batch-row.ts';
import {
  addRows,
  EMPTY_BATCH,
  matchRows,
  recheckRows,
  replaceRow,
  restoreRows,
  setUnmatched,
} from './batch-state.ts';
import { useLifetime } from './use-row-checks.ts';

/** Why files didn't become rows: the worker failed, or the batch is full. */
type ReadProblem = 'read_failed' | 'cut';

/** The rows of a batch, how files become rows, and the plugins they match. */
export function useBatchRows() {
  const [state, setState] = useState(EMPTY_BATCH);
  const [problem, setProblem] = useState<ReadProblem>();
  const [matching, setMatching] = useState(0);
  const reader = usePackageReader();
  const ask = useMatches();
  const match = async (rows: readonly BatchRow[]): Promise<ReadonlyMap<number, Match>> => {
    setMatching((count) => count + 1);
    const { matches, unmatched } = await ask(rows);
    setMatching((count) => count - 1);
    setState((now) => matchRows(now, matches));
    const ids = rows.map(({ id }) => id);
    if (unmatched) setState((now) => setUnmatched(now, ids, unmatched));
    return matches;
  };
  const recheck = async (): Promise<void> => {
    const again = state.rows.filter(failureOf);
    setState(recheckRows);
    await match(again.filter((row) => row.match === undefined));
  };
  /** Restores the last removed rows and matches those without a result. */
  const restore = async (): Promise<void> => {
    const back = state.removed.at(-1) ?? [];
    setState(restoreRows);
    await match(back.filter((row) => row.match === undefined && row.unmatched === undefined));
  };

  const read = async (files: readonly File[]): Promise<void> => {
    setProblem(undefined);
    const room = BATCH_ITEMS_MAX - state.rows.filter((row) => !isDone(row)).length;
    const found = await reader.read(files, room);
    if (found === 'cancelled') return;
    if (found === 'failed') return setProblem('read_failed');
    if (found.isCut) setProblem('cut');
    setState((now) => addRows(now, found.items));
    await match(found.items.map((item, index) => createRow(state.nextId + index, item)));
  };
  /** Replaces a row's package with one from a file: the one at the same index of a list. */
  const replace = async ({ id, item: before }: BatchRow, file: File): Promise<void> => {
    setProblem(undefined);
    const found = await reader.read([file], BATCH_ITEMS_MAX);
    if (found === 'cancelled') return;
    const item = found === 'failed' ? undefined : (found.items[before.index] ?? found.items[0]);
    if (!item) return setProblem('read_failed');
    setState((now) => replaceRow(now, id, item));
    await match([createRow(id, item)]);
  };
  return {
    rows: state.rows,
    removed: state.removed.at(-1),
    change: setState,
    match,
    isMatching: matching > 0,
    recheck,
    restore,
    read,
    replace,
    reader,
    problem,
  };
}

/** Maximum length of name and id in the match call. */
const COMPARED_MAX = 200;

/** Matches of rows, or why matching failed. */
type Matched = { matches: ReadonlyMap<number, Match>; unmatched?: 'absent' | CheckFailure };

const NONE: Matched = { matches: new Map() };

/** Statuses of a service without this call. */
const ABSENT: readonly number[] = [404, 405, 501];

/**
 * Asks the service which plugins the rows are versions of. If it can't say, there are no matches, and the service
 * decides on submission.
 */
function useMatches() {
  const lifetime = useLifetime();
  return async (rows: readonly BatchRow[]): Promise<Matched> => {
    const known = rows.filter(({ item }) => item.package !== null);
    if (known.length === 0) return NONE;
    const packages = known.map(({ item, name }) => ({
      external_id: item.package?.external_id?.slice(0, COMPARED_MAX) ?? null,
      name: name.slice(0, COMPARED_MAX),
    }));
    const answer = await call('matchPackages', { packages }, { signal: lifetime() }).catch(
      (error: unknown) => {
        if (!isApiError(error)) throw error;
        return error;
      },
    );
    if (isApiError(answer)) {
      const failure = { error: answer, at: Date.now() };
      return { ...NONE, unmatched: ABSENT.includes(answer.status) ? 'absent' : failure };
    }
    if (isCancelled(answer)) return NONE;
    const pairs = known.flatMap(({ id }, index): [number, Match][] => {
      const match = answer.matches[index];
      return match ? [[id, match]] : [];
    });
    return { matches: new Map(pairs), unmatched: { error: undefined, at: Date.now() } };
  };
}
