import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import { type BatchRow, bytesOf, failureOf, isDone, targetOf } from './batch-row.ts';
import { isSendable, isWaiting } from './row-findings.ts';

/** What a batch comes to before it is sent, and after. */
export type BatchSummary = {
  rows: number;
  sendable: BatchRow[];
  newPlugins: number;
  newVersions: number;
  /** Rows that must be mended first. */
  blocked: number;
  /** Of those that may be sent, rows that the service has still to speak of. */
  waiting: number;
  /** Of those that may be sent, rows that the service could not be asked about. */
  unchecked: number;
  done: number;
  refused: number;
  /** Of what would be sent. */
  bytes: number;
  isTooLarge: boolean;
};

export function summaryOf(rows: readonly BatchRow[]): BatchSummary {
  const sendable = rows.filter((row) => isSendable(row, rows));
  const newVersions = sendable.filter((row) => targetOf(row)).length;
  const done = rows.filter(isDone).length;
  const bytes = sendable.reduce((sum, row) => sum + bytesOf(row), 0);
  return {
    rows: rows.length,
    sendable,
    newPlugins: sendable.length - newVersions,
    newVersions,
    blocked: rows.length - done - sendable.length,
    waiting: sendable.filter((row) => isWaiting(row, rows)).length,
    unchecked: sendable.filter(failureOf).length,
    done,
    refused: rows.filter(({ state }) => state.kind === 'refused').length,
    bytes,
    isTooLarge: bytes > BATCH_BYTES_MAX,
  };
}
