import { appError } from '../../http/errors.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import type { Db } from '../schema.ts';
import { readStoredBytes, readSubmissionTimes } from './store.ts';

/** So many submissions of one person within so many milliseconds. */
type PublishLimit = { max: number; window: number };

/** What publishers are held to. */
export type PublishQuotas = {
  limits: readonly PublishLimit[];
  /** Bytes that may be stored for all plugins of a publisher. */
  quotaBytes: number;
};

/** Administrators publish as often as they like; a publish token has the rights of a general user, whoever made it. */
export function isLimited(caller: Caller): boolean {
  return !isAdmin(caller);
}

type UsedLimit = PublishLimit & {
  used: number;
  /** When the next submission may come, milliseconds since 1970. */
  freeAt: number;
};

/** How far somebody's limits are used at a time. */
export async function readUsedLimits(
  db: Db,
  userId: number,
  limits: readonly PublishLimit[],
  now: number,
): Promise<UsedLimit[]> {
  const since = new Date(now - Math.max(0, ...limits.map(({ window }) => window)));
  const most = Math.max(0, ...limits.map(({ max }) => max));
  const times = await readSubmissionTimes(db, { userId, since, limit: most });
  return usedLimits(limits, times, now);
}

/** How far limits are used by what was done at these times, newest first. */
function usedLimits(limits: readonly PublishLimit[], times: readonly number[], now: number): UsedLimit[] {
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
 * With the caller's row locked, submissions at once pass one by one.
 * @throws PUBLISH_LIMIT_REACHED with Retry-After
 */
export async function holdToLimits(
  trx: Db,
  caller: Caller,
  limits: readonly PublishLimit[],
  now: number,
): Promise<void> {
  if (isLimited(caller)) refuseUsed(await readUsedLimits(trx, caller.user_id, limits, now), now);
}

/** @throws PUBLISH_LIMIT_REACHED with the time in its message, and Retry-After */
function refuseUsed(used: readonly UsedLimit[], now: number): void {
  const freeAt = Math.max(now, ...used.map((limit) => limit.freeAt));
  if (freeAt <= now) return;
  const seconds = Math.ceil((freeAt - now) / 1000);
  throw appError('PUBLISH_LIMIT_REACHED', {
    params: { time: clockTime(freeAt, now) },
    headers: { 'retry-after': String(seconds) },
  });
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** The minute from which a time has come, for callers of any place: "14:05 UTC", with its date when it is far. */
function clockTime(time: number, now: number): string {
  const [date, clock] = new Date(Math.ceil(time / MINUTE) * MINUTE).toISOString().slice(0, 16).split('T');
  return time - now < DAY ? `${clock} UTC` : `${date} ${clock} UTC`;
}

/** What publishers try, whether it is refused, a dry run or submitted: checking takes the same work. */
export type Tries = {
  /** Counts one. @throws PUBLISH_LIMIT_REACHED with Retry-After */
  hold(caller: Caller): void;
};

/** Tries for each submission that the limits allow. */
const TRIES_EACH = 10;

/** Counts in this process: what is to be kept from one user is its processors. */
export function openTries(given: readonly PublishLimit[], now: () => number): Tries {
  const limits = given.map(({ max, window }) => ({ max: max * TRIES_EACH, window }));
  const longest = Math.max(0, ...limits.map(({ window }) => window));
  const most = Math.max(0, ...limits.map(({ max }) => max));
  // Newest first; those who have tried last are at the end.
  const known = new Map<number, number[]>();

  function forgetOld(at: number): void {
    for (const [userId, [last = 0]] of known) {
      if (last > at - longest && last <= at) return;
      known.delete(userId);
    }
  }
  return {
    hold(caller) {
      if (!isLimited(caller) || most === 0) return;
      const at = now();
      const times = (known.get(caller.user_id) ?? []).filter((time) => time <= at);
      refuseUsed(usedLimits(limits, times, at), at);
      known.delete(caller.user_id);
      known.set(caller.user_id, [at, ...times].slice(0, most));
      forgetOld(at);
    },
  };
}

/**
 * With the publisher's row locked, submissions at once pass one by one.
 * @throws QUOTA_EXCEEDED
 */
export async function holdToQuota(
  trx: Db,
  publisherId: number,
  { bytes, quotaBytes }: { bytes: number; quotaBytes: number },
): Promise<void> {
  if (bytes > 0 && (await readStoredBytes(trx, publisherId)) + bytes > quotaBytes) {
    throw appError('QUOTA_EXCEEDED');
  }
}
