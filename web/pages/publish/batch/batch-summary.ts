import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import { type BatchRow, isDone, targetOf } from './batch-row.ts';
import { isSendable } from './row-findings.ts';

/** What a batch comes to before it is sent, and after. */
export type BatchSummary = {
  rows: number;
  sendable: BatchRow[];
  newPlugins: number;
  newVersions: number;
  /** Rows that must be mended first. */
  blocked: number;
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
  const bytes = sendable.reduce((sum, { item }) => sum + item.content.size, 0);
  return {
    rows: rows.length,
    sendable,
    newPlugins: sendable.length - newVersions,
    newVersions,
    blocked: rows.length - done - sendable.length,
    done,
    refused: rows.filter(({ state }) => state.kind === 'refused').length,
    bytes,
    isTooLarge: bytes > BATCH_BYTES_MAX,
  };
}
