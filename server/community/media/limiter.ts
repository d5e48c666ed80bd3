import { appError } from '../../http/errors.ts';

export type Turn = {
  /** Whose work it is; what is nobody's waits for no other work of its owner. */
  userId?: number | undefined;
  /** Share of the room it takes while it runs; 1 unless told. */
  cost?: number;
  /** Gives up waiting. What has begun is the work's own to end. */
  signal?: AbortSignal | undefined;
};

/**
 * Runs work of many users: one piece of each at a time, users taking turns, as much at a time as there is room for.
 * @throws TOO_MANY_REQUESTS when too much of this user's waits, SERVICE_UNAVAILABLE when too much waits of all, both
 * with Retry-After; the signal's reason
 */
type FairLimiter = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>;

type Owner = number | symbol;
type Waiting = { cost: number; start: () => void };

/** Seconds after which those who were sent away may come again. */
const RETRY_AFTER = '5';

export function limitFairly(room: { size: number; waiting: number; waitingEach: number }): FairLimiter {
  // Users in the order of their turns; who has had one goes to the end.
  const queues = new Map<Owner, Waiting[]>();
  const busy = new Set<Owner>();
  let free = room.size;
  let waiting = 0;

  function startNext(): void {
    for (const [owner, [first, ...others]] of queues) {
      if (!first || busy.has(owner)) continue;
      // Nobody overtakes who needs more room, or they would wait for ever.
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
    const mine = queues.get(owner) ?? [];
    const headers = { 'retry-after': RETRY_AFTER };
    if (mine.length >= room.waitingEach) throw appError('TOO_MANY_REQUESTS', { headers });
    if (waiting >= room.waiting) throw appError('SERVICE_UNAVAILABLE', { headers });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      const left = (queues.get(owner) ?? []).filter((other) => other !== own);
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
    const own: Waiting = { cost, start };
    signal?.addEventListener('abort', leave, { once: true });
    queues.set(owner, [...mine, own]);
    waiting += 1;
    startNext();
    return promise;
  }

  return async ({ userId, cost = 1, signal }, work) => {
    signal?.throwIfAborted();
    const taken = Math.min(cost, room.size);
    const owner = userId ?? Symbol('nobody');
    await acquire(owner, taken, signal);
    try {
      return await work();
    } finally {
      busy.delete(owner);
      free += taken;
      startNext();
    }
  };
}
