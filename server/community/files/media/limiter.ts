import { retryLater } from '../../../http/errors.ts';

export type Turn = {
  /** Work without a user does not wait for other work of its user. */
  userId?: number | undefined;
  /** Capacity that it needs while it runs; 1 by default. */
  cost?: number;
  /** Ends the waiting. Work that has started must handle the signal itself. */
  signal?: AbortSignal | undefined;
};

/**
 * Runs work of many users in turn: one piece of work per user at a time, as much in parallel as the capacity allows.
 * @throws TOO_MANY_REQUESTS if too much work of this user is waiting, SERVICE_UNAVAILABLE if too much of all users is, both
 * with Retry-After; the signal's reason
 */
type FairLimiter = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>;

type Owner = number | symbol;
type Waiting = { cost: number; start: () => void };

/** Milliseconds until a rejected client should try again. */
const RETRY_AFTER = 5000;

export function perUserQueue(capacity: { size: number; waiting: number; waitingEach: number }): FairLimiter {
  // Users in the order of their turns; after a turn they move to the end.
  const queues = new Map<Owner, Waiting[]>();
  const busy = new Set<Owner>();
  let free = capacity.size;
  let waiting = 0;

  function startNext(): void {
    for (const [owner, [first, ...others]] of queues) {
      if (!first || busy.has(owner)) continue;
      // Smaller work must not overtake larger work, or the larger would wait forever.
      if (first.cost > free) return;
      queues.delete(owner);
      if (others.length > 0) queues.set(owner, others);
      busy.add(owner);
      free -= first.cost;
      waiting -= 1;
      first.start();
    }
  }

  function acquire(owner: Owner, cost: number, signal: AbortSignal | undefined): Promise<void> {
    const own = queues.get(owner) ?? [];
    if (own.length >= capacity.waitingEach) throw retryLater('TOO_MANY_REQUESTS', RETRY_AFTER);
    if (waiting >= capacity.waiting) throw retryLater('SERVICE_UNAVAILABLE', RETRY_AFTER);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      const left = (queues.get(owner) ?? []).filter((other) => other !== entry);
      if (left.length > 0) queues.set(owner, left);
      else queues.delete(owner);
      waiting -= 1;
      reject(signal?.reason);
      startNext();
    };
    const start = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const entry: Waiting = { cost, start };
    signal?.addEventListener('abort', leave, { once: true });
    queues.set(owner, [...own, entry]);
    waiting += 1;
    startNext();
    return promise;
  }

  return async ({ userId, cost = 1, signal }, work) => {
    signal?.throwIfAborted();
    const needed = Math.min(cost, capacity.size);
    const owner = userId ?? Symbol('no user');
    await acquire(owner, needed, signal);
    try {
      return await work();
    } finally {
      busy.delete(owner);
      free += needed;
      startNext();
    }
  };
}
