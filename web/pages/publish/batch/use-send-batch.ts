import { useEffect, useRef, useState } from 'react';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import { type ApiError, isApiError } from '../../../api/api-error.ts';
import { isCancelled } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { batchPayloadOf, groupsOf } from './batch-groups.ts';
import { type BatchRow, bytesOfRows, type Match, withMatch } from './batch-row.ts';
import { type BatchState, markSending, markStopped, setResults } from './batch-state.ts';

/** `rest`: nothing sent yet, or the result was dismissed. */
export type BatchSending =
  | { state: 'rest' | 'stopped' | 'answered' }
  | { state: 'sending'; bytes: number; total: number; finished: number; rows: number }
  | { state: 'failed'; error: ApiError; at: number };

type Options = {
  change: (next: (now: BatchState) => BatchState) => void;
  match: (rows: readonly BatchRow[]) => Promise<ReadonlyMap<number, Match>>;
};

/** Sends rows group by group with progress; a cancellation leaves finished groups as they are. */
export function useSendBatch({ change, match }: Options) {
  const [sending, setSending] = useState<BatchSending>({ state: 'rest' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (selected: readonly BatchRow[]): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const total = bytesOfRows(selected);
    const unanswered = new Set<BatchRow>();
    let finished = 0;
    let before = 0;
    const show = (bytes: number): void =>
      setSending({ state: 'sending', bytes, total, finished, rows: selected.length });
    show(0);
    const rows = await withArrived(selected);
    try {
      let isStopped = false;
      for (const group of groupsOf(rows)) {
        isStopped = signal.aborted;
        if (isStopped) break;
        for (const row of group) unanswered.add(row);
        change((now) =>
          markSending(
            now,
            group.map(({ id }) => id),
          ),
        );
        const size = bytesOfRows(group);
        const answer = await upload('uploadBatch', batchPayloadOf(group), {
          signal,
          onProgress: (sent, all) => show(before + (all === 0 ? 0 : (sent / all) * size)),
        });
        isStopped = isCancelled(answer);
        if (isCancelled(answer)) break;
        const results = new Map<number, BatchResult>();
        for (const [index, row] of group.entries()) {
          const result = answer.results[index];
          if (!result) continue;
          results.set(row.id, result);
          unanswered.delete(row);
        }
        change((now) => setResults(now, results));
        before += size;
        finished += results.size;
        show(before);
      }
      setSending({ state: isStopped ? 'stopped' : 'answered' });
    } catch (error) {
      if (!isApiError(error)) throw error;
      setSending({ state: 'failed', error, at: Date.now() });
    }
    change(markStopped);
    // Rows without a response may have arrived: matching them again shows it.
    await match([...unanswered]);
  };
  /** Rows with an unknown result are matched before they are sent again. */
  const withArrived = async (rows: readonly BatchRow[]): Promise<BatchRow[]> => {
    const matches = await match(rows.filter(({ state }) => state.kind === 'unclear'));
    return rows.map((row) => {
      const found = matches.get(row.id);
      return found ? withMatch(row, found) : row;
    });
  };
  const stop = (): void => running.current?.abort();
  const { mutate } = useOperationBy('uploadBatch', send);
  return { sending, send: mutate, stop, isSending: sending.state === 'sending' };
}
