import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import { isApiError, isUnauthenticated } from '../../../api/api-error.ts';
import type { Payload } from '../../../api/request.ts';
import { isCancelled } from '../../../api/transport.ts';
import { upload } from '../../../api/upload.ts';
import { type Refusal, refusalOf } from './refusal.ts';

export type Sending =
  | { state: 'idle' }
  /** Bytes; `total` is 0 until the browser knows it. */
  | { state: 'sending'; sent: number; total: number }
  | { state: 'cancelled' }
  | { state: 'signed-out' }
  | { state: 'conflict' }
  /** `at`: milliseconds since 1970. */
  | { state: 'refused'; refusal: Refusal; at: number }
  | { state: 'done'; result: PublishResult };

/** What changes when a plugin was handed in. */
const STALE = [
  'listOwnPlugins',
  'readEditablePlugin',
  'readPublishRules',
  'readPlugin',
  'listVersions',
] as const;

/** Sends the form, tells how far it has come, and can be stopped. */
export function useSending() {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const fail = (error: unknown): void => {
    if (!isApiError(error)) throw error;
    setSending(
      isUnauthenticated(error)
        ? { state: 'signed-out' }
        : error.reason === 'CONFLICT'
          ? { state: 'conflict' }
          : { state: 'refused', refusal: refusalOf(error), at: Date.now() },
    );
  };
  const send = async (operation: 'publishPlugin' | 'updatePlugin', payload: Payload): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setSending({ state: 'sending', sent: 0, total: 0 });
    try {
      const result = await upload(operation, payload, {
        signal: controller.signal,
        onProgress: (sent, total) => setSending({ state: 'sending', sent, total }),
      });
      if (isCancelled(result)) return setSending({ state: 'cancelled' });
      setSending({ state: 'done', result });
      for (const operation of STALE) void client.invalidateQueries({ queryKey: [operation] });
    } catch (error) {
      fail(error);
    }
  };
  const cancel = (): void => running.current?.abort();
  const reset = (): void => setSending({ state: 'idle' });
  return { sending, send, cancel, reset };
}
