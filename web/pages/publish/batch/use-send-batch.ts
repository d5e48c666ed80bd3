import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ApiError, isApiError } from '../../../api/api-error.ts';
import { type BatchRow, bytesOf, type Match, withMatch } from './batch-row.ts';
import { type BatchState, markSending, markStopped, setResults } from './batch-state.ts';
import { sendRows } from './send-rows.ts';

/** `rest`: nothing has been sent, or what was sent has been looked at. */
export type BatchSending =
  | { state: 'rest' | 'stopped' | 'answered' }
  | { state: 'sending'; bytes: number; total: number; answered: number; rows: number }
  | { state: 'failed'; error: ApiError; at: number };

type Facts = {
  change: (next: (now: BatchState) => BatchState) => void;
  match: (rows: readonly BatchRow[]) => Promise<ReadonlyMap<number, Match>>;
};

/** Answers that a sent batch makes old. */
const AFFECTED: readonly unknown[] = ['listOwnPlugins', 'listVersions', 'readPublishRules'];

/** Sends rows and says how far that has come; stopping leaves what is done as it is. */
export function useSendBatch({ change, match }: Facts) {
  const client = useQueryClient();
  const [sending, setSending] = useState<BatchSending>({ state: 'rest' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (wanted: readonly BatchRow[]): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const total = wanted.reduce((sum, row) => sum + bytesOf(row), 0);
    const unanswered = new Set<number>();
    let answered = 0;
    let sent = 0;
    const show = (): void =>
      setSending({ state: 'sending', bytes: sent, total, answered, rows: wanted.length });
    show();
    const rows = await settled(wanted);
    try {
      const isWhole = await sendRows(rows, {
        signal,
        onSending: (ids) => {
          for (const id of ids) unanswered.add(id);
          change((now) => markSending(now, ids));
        },
        onResults: (results) => {
          answered += results.size;
          for (const id of results.keys()) unanswered.delete(id);
          change((now) => setResults(now, results));
          show();
        },
        onProgress: (bytes) => {
          sent = bytes;
          show();
        },
      });
      setSending({ state: isWhole ? 'answered' : 'stopped' });
    } catch (error) {
      if (!isApiError(error)) throw error;
      setSending({ state: 'failed', error, at: Date.now() });
    }
    await settle(rows.filter(({ id }) => unanswered.has(id)));
  };
  /** Rows that may have arrived are looked for before they are sent again. */
  const settled = async (rows: readonly BatchRow[]): Promise<BatchRow[]> => {
    const matches = await match(rows.filter(({ state }) => state.kind === 'unclear'));
    return rows.map((row) => {
      const found = matches.get(row.id);
      return found ? withMatch(row, found) : row;
    });
  };
  /** Rows without an answer may have arrived: what the service says they would become now tells. */
  const settle = async (rows: readonly BatchRow[]): Promise<void> => {
    change((now) => markStopped(now, 'unclear'));
    void client.invalidateQueries({ predicate: ({ queryKey }) => AFFECTED.includes(queryKey[0]) });
    await match(rows);
  };
  const stop = (): void => running.current?.abort();
  return { sending, send, stop, isSending: sending.state === 'sending' };
}
