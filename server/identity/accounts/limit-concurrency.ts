import { appError } from '../../http/errors.ts';

const RETRY_AFTER_SECONDS = '1';

/**
 * A gate that lets a number of tasks run at once and a number wait, first come first served.
 * @throws SERVICE_UNAVAILABLE, from the returned function, when the queue is full
 */
export function limitConcurrency({ running, waiting }: { running: number; waiting: number }) {
  let active = 0;
  const queue: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (active < running) {
      active += 1;
      return;
    }
    if (queue.length >= waiting) {
      throw appError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
    }
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  /** A place is handed to who waits longest, so nobody who comes later can take it in between. */
  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else active -= 1;
  }

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
