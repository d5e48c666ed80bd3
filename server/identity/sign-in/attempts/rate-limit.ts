import { createHash } from 'node:crypto';
import { isAppError, retryLater } from '../../../http/errors.ts';
import type { IdentityDb } from '../../schema.ts';
import { decrementAttempts, deleteAttempts, lockAttempts, updateAttempts } from './store.ts';

/** Attempts that are free, and the delay that doubles with each further attempt. Times in milliseconds. */
type Policy = {
  /** Attempts without a delay. */
  free: number;
  /** Delay after the first attempt beyond; doubles with each further one. */
  delay: number;
  delayMax: number;
  /** Time without attempts after which the count starts again. */
  forgetAfter: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** For one account from one network or one known device. */
const PER_ORIGIN = { free: 5, delay: 2 * SECOND, delayMax: 15 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * Mails that anyone can trigger for any address. The longest delay equals the lifetime of a password link, so that an
 * attacker who uses up the limit cannot leave the owner without a valid link.
 */
const MAILBOX = { free: 3, delay: MINUTE, delayMax: 30 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * A whole office may share an address, so it has more attempts than an account. `everywhere` limits the guesses of all
 * unknown networks together at one account: about 200 passwords or 120 six-digit codes a day.
 */
export const POLICIES = {
  'sign-in network': PER_ORIGIN,
  'sign-in device': PER_ORIGIN,
  'sign-in everywhere': { ...PER_ORIGIN, free: 100 },
  'sign-in address': { free: 30, delay: SECOND, delayMax: 15 * MINUTE, forgetAfter: HOUR },
  'second factor network': PER_ORIGIN,
  'second factor device': PER_ORIGIN,
  'second factor everywhere': { ...PER_ORIGIN, free: 20 },
  'device code account': PER_ORIGIN,
  'device code address': { free: 30, delay: SECOND, delayMax: 15 * MINUTE, forgetAfter: HOUR },
  'sign-up address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset network': { free: 3, delay: MINUTE, delayMax: 4 * HOUR, forgetAfter: 24 * HOUR },
  'reset address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset mailbox': MAILBOX,
  'reset device': MAILBOX,
  'sign-up mailbox': MAILBOX,
  'address mailbox': MAILBOX,
} as const satisfies Record<string, Policy>;

type Limit = keyof typeof POLICIES;

/** Time without attempts after which every policy has forgotten them. */
export const ATTEMPT_RETENTION = Math.max(...Object.values(POLICIES).map((policy) => policy.forgetAfter));

/** Milliseconds until the next attempt is allowed. */
export function delayAfter(policy: Policy, attempts: number): number {
  if (attempts < policy.free) return 0;
  return Math.min(policy.delay * 2 ** (attempts - policy.free), policy.delayMax);
}

/** Milliseconds that clocks of instances may differ. A later `last_at` was written before a clock was set back. */
const CLOCK_TOLERANCE = 60_000;

type Context = { db: IdentityDb; now: () => number };

/** A limit and what it applies to, such as an account key or a network address. */
export type Subject = { limit: Limit; of: string };

/**
 * Counts an attempt before it is made, so that parallel attempts cannot bypass the limit. All instances share the counts in
 * the database. An attempt that comes too early is rejected and does not extend the delay.
 * @throws TOO_MANY_REQUESTS with Retry-After in seconds
 */
export async function consumeAttempt({ db, now }: Context, subject: Subject): Promise<void> {
  const policy = POLICIES[subject.limit];
  const key = subjectHash(subject);
  const at = now();
  const delay = await db.transaction().execute(async (transaction) => {
    const before = await lockAttempts(transaction, key, new Date(at));
    const wait = before.blocked_until.getTime() - at;
    const isSetBack = before.last_at.getTime() - at > CLOCK_TOLERANCE;
    // Free attempts must not delay an instance whose clock is behind.
    if (wait > 0 && !isSetBack && delayAfter(policy, before.attempts) > 0) return wait;
    const counted = at - before.last_at.getTime() < policy.forgetAfter ? before.attempts : 0;
    const attempts = counted + 1;
    const blocked_until = new Date(at + delayAfter(policy, attempts));
    await updateAttempts(transaction, key, { attempts, last_at: new Date(at), blocked_until });
    return 0;
  });
  if (delay > 0) throw retryLater('TOO_MANY_REQUESTS', delay);
}

/** Counts an attempt. @returns false instead of throwing TOO_MANY_REQUESTS */
export async function tryConsumeAttempt(context: Context, subject: Subject): Promise<boolean> {
  try {
    await consumeAttempt(context, subject);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'TOO_MANY_REQUESTS') return false;
    throw error;
  }
}

export function resetAttempts({ db }: Context, subject: Subject): Promise<void> {
  return deleteAttempts(db, subjectHash(subject));
}

/** Uncounts one successful attempt; failed ones stay counted. */
export function refundAttempt({ db, now }: Context, subject: Subject): Promise<void> {
  return decrementAttempts(db, subjectHash(subject), new Date(now()));
}

/** Addresses and typed account names are stored as hashes only. */
function subjectHash({ limit, of }: Subject): Buffer {
  return createHash('sha256').update(`${limit}\0${of}`).digest();
}
