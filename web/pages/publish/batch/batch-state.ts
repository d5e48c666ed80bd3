import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { PackageItem } from '../../../features/packages/package-item.ts';
import { type BatchRow, isDone, type Match, newRow, withMatch } from './batch-row.ts';

/** The rows of a batch; each keeps its number for as long as it is there. */
export type BatchState = { rows: BatchRow[]; nextId: number };

export type Edit = Partial<Pick<BatchRow, 'name' | 'version' | 'chosen'>>;

export const EMPTY_BATCH: BatchState = { rows: [], nextId: 1 };

export function addRows({ rows, nextId }: BatchState, items: readonly PackageItem[]): BatchState {
  const added = items.map((item, place) => newRow(nextId + place, item));
  return { rows: [...rows, ...added], nextId: nextId + added.length };
}

/** Another package in the place of one that could not be sent. */
export function replaceRow(state: BatchState, id: number, item: PackageItem): BatchState {
  return each(state, (row) => (row.id === id ? newRow(id, item) : row));
}

/** What is mended is as good as never sent. */
export function editRow(state: BatchState, id: number, edit: Edit): BatchState {
  return each(state, (row) => (row.id === id ? { ...row, ...edit, state: { kind: 'ready' } } : row));
}

export function removeRow({ rows, nextId }: BatchState, id: number): BatchState {
  return { rows: rows.filter((row) => row.id !== id), nextId };
}

export function withoutDone({ rows, nextId }: BatchState): BatchState {
  return { rows: rows.filter((row) => !isDone(row)), nextId };
}

export function matchRows(state: BatchState, matches: ReadonlyMap<number, Match>): BatchState {
  return each(state, (row) => {
    const match = matches.get(row.id);
    return match ? withMatch(row, match) : row;
  });
}

export function markSending(state: BatchState, ids: readonly number[]): BatchState {
  return each(state, (row) => (ids.includes(row.id) ? { ...row, state: { kind: 'sending' } } : row));
}

/** What was under way is not any more: as if never sent, or nobody knows. */
export function markStopped(state: BatchState, kind: 'ready' | 'unclear'): BatchState {
  return each(state, (row) => (row.state.kind === 'sending' ? { ...row, state: { kind } } : row));
}

export function setResults(state: BatchState, results: ReadonlyMap<number, BatchResult>): BatchState {
  return each(state, (row) => {
    const result = results.get(row.id);
    return result ? { ...row, state: { kind: result.ok ? 'done' : 'refused', result } } : row;
  });
}

function each({ rows, nextId }: BatchState, change: (row: BatchRow) => BatchRow): BatchState {
  return { rows: rows.map(change), nextId };
}
