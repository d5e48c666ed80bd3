import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { PackageItem } from '../../../features/packages/package-item.ts';
import { withText } from '../form/values.ts';
import {
  type BatchRow,
  bytesOfRows,
  type CheckFailure,
  createRow,
  type DryRunResult,
  failureOf,
  isDone,
  type Match,
  pluginOf,
  setAsideOf,
  targetOf,
  withMatch,
  withOwnEdits,
  withStashedEdits,
} from './batch-row.ts';
import { editsForOtherPlugin, type RowEdits, type StashedEdits } from './row-edits.ts';
import { isDryRunPending, isSendable } from './row-findings.ts';

/** The rows of a batch; each has a stable number. */
export type BatchState = {
  rows: BatchRow[];
  nextId: number;
  /** Removed rows that can be restored, last ones at the end. */
  removed: readonly (readonly BatchRow[])[];
};

export type Edit = Partial<Pick<BatchRow, 'name' | 'version' | 'chosen' | 'edits'>>;

export const EMPTY_BATCH: BatchState = { rows: [], nextId: 1, removed: [] };

export function addRows(state: BatchState, items: readonly PackageItem[]): BatchState {
  const { rows, nextId } = state;
  const added = items.map((item, index) => createRow(nextId + index, item));
  return { ...state, rows: [...rows, ...added], nextId: nextId + added.length };
}

/**
 * Replaces a row's package. Edits stay for the same plugin; for another plugin they are set aside, and the user decides
 * whether to apply them.
 */
export function replaceRow(state: BatchState, id: number, item: PackageItem): BatchState {
  return change(state, id, (row) => {
    const typed = setAsideOf(row);
    const setAsides = typed ? [...row.setAsides, typed] : row.setAsides;
    const next = createRow(id, item);
    const own = setAsides.find(({ plugin }) => plugin === pluginOf(next));
    const others = setAsides.filter((setAside) => setAside !== own && setAside.fields.length > 0);
    return { ...(own ? withOwnEdits(next, own) : next), setAsides: others };
  });
}

/** Applies the edits that were set aside to the row's current plugin. */
export function applyStashedEdits(state: BatchState, id: number, setAside: StashedEdits): BatchState {
  return change(discardStashedEdits(state, id, setAside), id, (row) => {
    const taken: BatchRow = { ...withStashedEdits(row, setAside), state: { kind: 'ready' } };
    return { ...taken, edits: renamed(taken) };
  });
}

export function discardStashedEdits(state: BatchState, id: number, setAside: StashedEdits): BatchState {
  return change(state, id, (row) => ({ ...row, setAsides: row.setAsides.filter((one) => one !== setAside) }));
}

/** An edited row counts as never sent. */
export function editRow(state: BatchState, id: number, edit: Edit): BatchState {
  return change(state, id, (row) => {
    const edits = edit.chosen === undefined ? row.edits : editsForOtherPlugin(row.edits);
    const edited: BatchRow = { ...row, edits, ...edit, state: { kind: 'ready' } };
    return edit.name === undefined || edit.edits ? edited : { ...edited, edits: renamed(edited) };
  });
}

/** A name typed in the table is the one in the plugin's own language. */
function renamed({ edits, name }: BatchRow): RowEdits {
  const { default_lang: own, name: names } = edits.values;
  if (!own || !names) return edits;
  return { ...edits, values: { ...edits.values, name: withText(names, own, name.trim()) } };
}

export function removeRow(state: BatchState, id: number): BatchState {
  return withoutRows(state, (row) => row.id === id);
}

export function removeAll(state: BatchState): BatchState {
  return withoutRows(state, () => true);
}

function withoutRows(state: BatchState, isRemoved: (row: BatchRow) => boolean): BatchState {
  const removedRows = state.rows.filter(isRemoved);
  if (removedRows.length === 0) return state;
  return {
    ...state,
    rows: state.rows.filter((row) => !isRemoved(row)),
    removed: [...state.removed, removedRows],
  };
}

/**
 * Restores the last removed rows in their positions and with all edits. Matches that arrived in the meantime were
 * dropped, so they are requested again.
 */
export function restoreRows(state: BatchState): BatchState {
  const last = state.removed.at(-1) ?? [];
  const back = last.map((row) => (row.verdict?.state === 'pending' ? { ...row, verdict: undefined } : row));
  const rows = [...state.rows, ...back].sort((one, other) => one.id - other.id);
  return { ...state, rows, removed: state.removed.slice(0, -1) };
}

export function removeDone(state: BatchState): BatchState {
  return { ...state, rows: state.rows.filter((row) => !isDone(row)) };
}

export function matchRows(state: BatchState, matches: ReadonlyMap<number, Match>): BatchState {
  return changeAll(state, matches, withMatch);
}

/** Stores why matching failed; earlier matches stay. */
export function setUnmatched(
  state: BatchState,
  ids: readonly number[],
  unmatched: 'absent' | CheckFailure,
): BatchState {
  return each(state, (row) => (ids.includes(row.id) && !row.match ? { ...row, unmatched } : row));
}

/** Marks rows whose check failed for another check. */
export function recheckRows(state: BatchState): BatchState {
  return each(state, (row) => (failureOf(row) ? { ...row, unmatched: undefined, verdict: undefined } : row));
}

export function setDryRunResults(state: BatchState, verdicts: ReadonlyMap<number, DryRunResult>): BatchState {
  return changeAll(state, verdicts, (row, verdict) => ({ ...row, verdict }));
}

export function markSending(state: BatchState, ids: readonly number[]): BatchState {
  return each(state, (row) => (ids.includes(row.id) ? { ...row, state: { kind: 'sending' } } : row));
}

/** Rows that were being sent now have an unknown state. */
export function markStopped(state: BatchState): BatchState {
  return each(state, (row) => (row.state.kind === 'sending' ? { ...row, state: { kind: 'unclear' } } : row));
}

export function setResults(state: BatchState, results: ReadonlyMap<number, BatchResult>): BatchState {
  return changeAll(state, results, (row, result) => ({
    ...row,
    state: { kind: result.ok ? 'done' : 'refused', result },
  }));
}

function each(state: BatchState, changed: (row: BatchRow) => BatchRow): BatchState {
  return { ...state, rows: state.rows.map(changed) };
}

function change(state: BatchState, id: number, changed: (row: BatchRow) => BatchRow): BatchState {
  return each(state, (row) => (row.id === id ? changed(row) : row));
}

/** Updates rows by id, for which there is a value. */
function changeAll<Value>(
  state: BatchState,
  found: ReadonlyMap<number, Value>,
  changed: (row: BatchRow, found: Value) => BatchRow,
): BatchState {
  return each(state, (row) => {
    const one = found.get(row.id);
    return one ? changed(row, one) : row;
  });
}

/** Summary of a batch before and after sending. */
export function summaryOf(rows: readonly BatchRow[]) {
  const sendable = rows.filter((row) => isSendable(row, rows));
  const newVersions = sendable.filter((row) => targetOf(row)).length;
  const done = rows.filter(isDone).length;
  /** Of the rows to be sent. */
  const bytes = bytesOfRows(sendable);
  return {
    rows: rows.length,
    sendable,
    newPlugins: sendable.length - newVersions,
    newVersions,
    /** Rows with errors to correct. */
    blocked: rows.length - done - sendable.length,
    /** Sendable rows with a pending dry run. */
    waiting: sendable.filter((row) => isDryRunPending(row, rows)).length,
    /** Sendable rows whose dry run failed. */
    unchecked: sendable.filter(failureOf).length,
    done,
    refused: rows.filter(({ state }) => state.kind === 'refused').length,
    bytes,
    isTooLarge: bytes > BATCH_BYTES_MAX,
  };
}

export type BatchSummary = ReturnType<typeof summaryOf>;
