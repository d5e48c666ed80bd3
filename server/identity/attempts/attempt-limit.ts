import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { appError, isAppError } from '../../http/errors.ts';
import type { IdentityDb } from '../schema.ts';
import { forgetAttempts, lockAttempts, takeBackAttempt, writeAttempts } from './store.ts';

/** How often something may be tried before each further try has to wait twice as long. Times in milliseconds. */
type Policy = {
  /** Tries without a delay. */
  free: number;
  /** Delay after the first try beyond; doubles from there. */
  delay: number;
  delayMax: number;
  /** Quiet time after which counting begins again. */
  forgetAfter: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Of one account from one network, or from one device that it is known by. */
const ONE_PLACE = { free: 5, delay: 2 * SECOND, delayMax: 15 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * Mails that anybody may have sent to somebody: no further apart than a link to a new password is good, so that whoever
 * fills a mailbox cannot keep a link that works out of it.
 */
const MAILBOX = { free: 3, delay: MINUTE, delayMax: 30 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * An address may be that of a whole office, so it has more tries than an account there. `everywhere` bounds what many
 * strange networks guess together at one account: some 200 passwords a day, or 120 codes of six digits.
 */
export const POLICIES = {
  'sign-in network': ONE_PLACE,
  'sign-in device': ONE_PLACE,
  'sign-in everywhere': { ...ONE_PLACE, free: 100 },
  'sign-in address': { free: 30, delay: SECOND, delayMax: 15 * MINUTE, forgetAfter: HOUR },
  'second factor network': ONE_PLACE,
  'second factor device': ONE_PLACE,
  'second factor everywhere': { ...ONE_PLACE, free: 20 },
  'sign-up address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset network': { free: 3, delay: MINUTE, delayMax: 4 * HOUR, forgetAfter: 24 * HOUR },
  'reset address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset mailbox': MAILBOX,
  'reset device': MAILBOX,
  'sign-up mailbox': MAILBOX,
  'address mailbox': MAILBOX,
} as const satisfies Record<string, Policy>;

type Limit = keyof typeof POLICIES;

/** Quiet time after which no policy remembers an attempt. */
export const LONGEST_MEMORY = Math.max(...Object.values(POLICIES).map((policy) => policy.forgetAfter));

/** How long the next try has to wait after so many. */
export function delayAfter(policy: Policy, attempts: number): number {
  if (attempts < policy.free) return 0;
  return Math.min(policy.delay * 2 ** (attempts - policy.free), policy.delayMax);
}

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

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, which one household has whole. */
export function networkAddress(ip: string): string {
  const [address = ''] = ip.split('%');
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const gap = tail === undefined ? 0 : GROUPS - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(gap, 0)).fill('0'), ...last];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

function groupsOf(part: string): string[] {
  if (part === '') return [];
  return part.split(':').map((group) => (Number.parseInt(group, 16) || 0).toString(16));
}
