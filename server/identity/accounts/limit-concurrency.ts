import pLimit from 'p-limit';
import { appError } from '../../http/errors.ts';

const RETRY_AFTER_SECONDS = '1';

/**
 * Lets a number of tasks run at once and a number wait, first come first served.
 * @throws SERVICE_UNAVAILABLE, from the returned function, when the queue is full
 */
export function limitConcurrency({ running, waiting }: { running: number; waiting: number }) {
  const limit = pLimit(running);
  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (limit.activeCount >= running && limit.pendingCount >= waiting) {
      throw appError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
    }
    return limit(task);
  };
}
