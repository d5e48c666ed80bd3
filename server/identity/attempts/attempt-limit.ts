import { createHash } from 'node:crypto';
import { appError, isAppError } from '../../http/errors.ts';
import type { IdentityDb } from '../schema.ts';
import { delayAfter, type Limit, POLICIES } from './policies.ts';
import { forgetAttempts, lockAttempts, takeBackAttempt, writeAttempts } from './store.ts';

/** Milliseconds that clocks of instances may be apart. Beyond that, what was written was written before one was set back. */
const CLOCKS_DIFFER = 60_000;

type Context = { db: IdentityDb; now: () => number };

/** What is counted: a limit and whom it is for (an account's key or a network address). */
export type Subject = { limit: Limit; of: string };

/**
 * Counts an attempt before it is made, so that parallel guesses cannot outrun the count. All instances count in the
 * database. A try that comes too early is refused and does not make the delay longer.
 * @throws TOO_MANY_REQUESTS with Retry-After in seconds
 */
export async function countAttempt({ db, now }: Context, subject: Subject): Promise<void> {
  const policy = POLICIES[subject.limit];
  const key = subjectHash(subject);
  const at = now();
  const wait = await db.transaction().execute(async (transaction) => {
    const before = await lockAttempts(transaction, key, new Date(at));
    const early = before.blocked_until.getTime() - at;
    const isSetBack = before.last_at.getTime() - at > CLOCKS_DIFFER;
    // What has brought no delay delays no instance whose clock is behind.
    if (early > 0 && !isSetBack && delayAfter(policy, before.attempts) > 0) return early;
    const known = at - before.last_at.getTime() < policy.forgetAfter ? before.attempts : 0;
    const attempts = known + 1;
    const blocked_until = new Date(at + delayAfter(policy, attempts));
    await writeAttempts(transaction, key, { attempts, last_at: new Date(at), blocked_until });
    return 0;
  });
  if (wait > 0) {
    throw appError('TOO_MANY_REQUESTS', { headers: { 'retry-after': String(Math.ceil(wait / 1000)) } });
  }
}

/** Counts an attempt, and answers whether it may be made. */
export async function mayAttempt(context: Context, subject: Subject): Promise<boolean> {
  try {
    await countAttempt(context, subject);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'TOO_MANY_REQUESTS') return false;
    throw error;
  }
}

/** Starts counting again: the rightful owner has come. */
export function clearAttempts({ db }: Context, subject: Subject): Promise<void> {
  return forgetAttempts(db, subjectHash(subject));
}

/** Takes back one attempt that succeeded, leaving the failed ones counted. */
export function forgiveAttempt({ db, now }: Context, subject: Subject): Promise<void> {
  return takeBackAttempt(db, subjectHash(subject), new Date(now()));
}

/** Neither addresses nor what people type as their account are stored readable. */
function subjectHash({ limit, of }: Subject): Buffer {
  return createHash('sha256').update(`${limit}\0${of}`).digest();
}
