import { appError, retryLater } from '../../../http/errors.ts';
import type { WindowLimit } from '../../../http/rate-limit.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canPublishUnlimited } from '../../people/policy.ts';
import type { Counted, Usage } from './store.ts';

/** Limits of publishers. */
export type PublishQuotas = {
  /** Of submissions of a user, which may begin at any time. */
  limits: readonly WindowLimit[];
  /** Maximum of bytes stored for all plugins of a publisher. */
  quotaBytes: number;
};

type UsedLimit = WindowLimit & {
  used: number;
  /** When the next submission is allowed, milliseconds since 1970. */
  freeAt: number;
};

/** The submissions of a user that count at a time, milliseconds since 1970. */
export function countedBy(limits: readonly WindowLimit[], userId: number, now: number): Counted {
  const since = new Date(now - Math.max(0, ...limits.map(({ window }) => window)));
  return { userId, since, limit: Math.max(0, ...limits.map(({ max }) => max)) };
}

/**
 * How much of each limit is used at a time, milliseconds since 1970.
 * @param times of submissions, newest first
 */
export function usedLimits(
  limits: readonly WindowLimit[],
  times: readonly number[],
  now: number,
): UsedLimit[] {
  return limits.map(({ max, window }) => {
    const within = times.filter((time) => time > now - window);
    const oldestThatCounts = within[max - 1];
    return {
      max,
      window,
      used: within.length,
      freeAt: oldestThatCounts === undefined ? now : oldestThatCounts + window,
    };
  });
}

/**
 * Call it with usage that was read with the users locked, so that simultaneous submissions are counted one by one.
 * @param bytes that the submission adds
 * @throws PUBLISH_LIMIT_REACHED with Retry-After, QUOTA_EXCEEDED
 */
export function checkUsage(
  { submitted, storedBytes }: Usage,
  { limits, quotaBytes }: PublishQuotas,
  { caller, bytes, now }: { caller: Caller; bytes: number; now: number },
): void {
  if (!canPublishUnlimited(caller)) checkUsedLimits(usedLimits(limits, submitted, now), now);
  if (bytes > 0 && storedBytes + bytes > quotaBytes) throw appError('QUOTA_EXCEEDED');
}

/** @throws PUBLISH_LIMIT_REACHED with the time in its message, and Retry-After */
function checkUsedLimits(used: readonly UsedLimit[], now: number): void {
  const freeAt = Math.max(now, ...used.map((limit) => limit.freeAt));
  if (freeAt <= now) return;
  throw retryLater('PUBLISH_LIMIT_REACHED', freeAt - now, { params: { time: clockTime(freeAt, now) } });
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** A time, rounded up to the minute, for callers in any time zone: "14:05 UTC", with the date when it is over a day away. */
function clockTime(time: number, now: number): string {
  const [date, clock] = new Date(Math.ceil(time / MINUTE) * MINUTE).toISOString().slice(0, 16).split('T');
  return time - now < DAY ? `${clock} UTC` : `${date} ${clock} UTC`;
}

/** Limits attempts, including refused ones and dry runs: checking costs the same for all. */
export type AttemptLimit = {
  /** Counts an attempt. @throws PUBLISH_LIMIT_REACHED with Retry-After */
  consume(caller: Caller): void;
};

/** Attempts for each submission that the limits allow. */
const ATTEMPTS_EACH = 10;

/** Counts in memory of this process, since the limit protects the processors of this process. */
export function createAttemptLimit(given: readonly WindowLimit[], now: () => number): AttemptLimit {
  const limits = given.map(({ max, window }) => ({ max: max * ATTEMPTS_EACH, window }));
  const longest = Math.max(0, ...limits.map(({ window }) => window));
  const most = Math.max(0, ...limits.map(({ max }) => max));
  // Times of each user, newest first; the user of the latest attempt is the last entry.
  const attempts = new Map<number, number[]>();

  function deleteOld(at: number): void {
    for (const [userId, [last = 0]] of attempts) {
      if (last > at - longest && last <= at) return;
      attempts.delete(userId);
    }
  }
  return {
    consume(caller) {
      if (canPublishUnlimited(caller) || most === 0) return;
      const at = now();
      const times = (attempts.get(caller.user_id) ?? []).filter((time) => time <= at);
      checkUsedLimits(usedLimits(limits, times, at), at);
      attempts.delete(caller.user_id);
      attempts.set(caller.user_id, [at, ...times].slice(0, most));
      deleteOld(at);
    },
  };
}
