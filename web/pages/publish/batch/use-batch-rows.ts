import { useState } from 'react';
import { BATCH_ITEMS_MAX } from '../../../../shared/constants.ts';
import { usePackageReader } from '../../../features/packages/read-packages.ts';
import { type BatchRow, failureOf, isDone, type Match, newRow } from './batch-row.ts';
import {
  addRows,
  type BatchState,
  EMPTY_BATCH,
  matchRows,
  recheckRows,
  replaceRow,
  restoreRows,
  setUnmatched,
} from './batch-state.ts';
import { useMatches } from './use-matches.ts';

/** Why files did not become rows: the worker failed, or a batch cannot hold more. */
export type ReadProblem = 'read_failed' | 'cut';

/** The rows of a batch, how files become rows, and what they would become versions of. */
export function useBatchRows() {
  const [state, setState] = useState(EMPTY_BATCH);
  const [problem, setProblem] = useState<ReadProblem>();
  const [matching, setMatching] = useState(0);
  const reader = usePackageReader();
  const ask = useMatches();
  const change = (next: (now: BatchState) => BatchState): void => setState(next);
  const match = async (rows: readonly BatchRow[]): Promise<ReadonlyMap<number, Match>> => {
    setMatching((count) => count + 1);
    const { matches, unmatched } = await ask(rows);
    setMatching((count) => count - 1);
    change((now) => matchRows(now, matches));
    const ids = rows.map(({ id }) => id);
    if (unmatched) change((now) => setUnmatched(now, ids, unmatched));
    return matches;
  };
  /** Asks about all rows that could not be checked once more. */
  const recheck = async (): Promise<void> => {
    const again = state.rows.filter(failureOf);
    change(recheckRows);
    await match(again.filter((row) => row.match === undefined));
  };
  /** Brings back what was removed last; what rows of it would become may not have been known yet. */
  const restore = async (): Promise<void> => {
    const back = state.removed.at(-1) ?? [];
    change(restoreRows);
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
    await match(found.items.map((item, place) => newRow(state.nextId + place, item)));
  };
  /** Takes the package of a file in the place of a row's: of a list, the one that stood at the same place. */
  const replace = async ({ id, item: before }: BatchRow, file: File): Promise<void> => {
    setProblem(undefined);
    const found = await reader.read([file], BATCH_ITEMS_MAX);
    if (found === 'cancelled') return;
    const item = found === 'failed' ? undefined : (found.items[before.index] ?? found.items[0]);
    if (!item) return setProblem('read_failed');
    setState((now) => replaceRow(now, id, item));
    await match([newRow(id, item)]);
  };
  return {
    rows: state.rows,
    removed: state.removed.at(-1),
    change,
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
