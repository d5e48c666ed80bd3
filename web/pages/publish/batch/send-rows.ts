import type { BatchResult } from '../../../../shared/entities/review.ts';
import { isCancelled } from '../../../api/transport.ts';
import { upload } from '../../../api/upload.ts';
import { groupsOf, payloadOf } from './batch-groups.ts';
import { type BatchRow, bytesOf } from './batch-row.ts';

type Sending = {
  signal: AbortSignal;
  onSending: (ids: readonly number[]) => void;
  onResults: (results: ReadonlyMap<number, BatchResult>) => void;
  /** Bytes that have left, of all that are to be sent. */
  onProgress: (bytes: number) => void;
};

/**
 * Sends rows, a group after the other. Resolves with true when all are answered, with false when it was stopped: the
 * last group told by `onSending` is then in doubt.
 * @throws ApiError, with the last group unanswered
 */
export async function sendRows(
  rows: readonly BatchRow[],
  { signal, onSending, onResults, onProgress }: Sending,
): Promise<boolean> {
  let before = 0;
  for (const group of groupsOf(rows)) {
    if (signal.aborted) return false;
    onSending(group.map(({ id }) => id));
    const size = group.reduce((sum, row) => sum + bytesOf(row), 0);
    const answer = await upload('uploadBatch', payloadOf(group), {
      signal,
      onProgress: (sent, total) => onProgress(before + (total === 0 ? 0 : (sent / total) * size)),
    });
    if (isCancelled(answer)) return false;
    before += size;
    onProgress(before);
    onResults(new Map(group.flatMap(({ id }, place) => entryOf(id, answer.results[place]))));
  }
  return true;
}

function entryOf(id: number, result: BatchResult | undefined): [number, BatchResult][] {
  return result ? [[id, result]] : [];
}
