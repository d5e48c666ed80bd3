import * as argon2 from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Piscina } from 'piscina';
import { PASSWORD_WEAKNESSES, type PasswordWeakness } from '../../../shared/errors.ts';
import { appError, retryLater } from '../../http/errors.ts';
import { newSecret, type Random } from '../secret.ts';
import type { StrengthTask } from './strength-worker.ts';

/** Milliseconds until a rejected client should try again. */
const RETRY_AFTER = 1000;
/** Requests that may wait for hashing, and for the strength check. */
const QUEUE_MAX = 64;

/**
 * Limits concurrent and waiting tasks; waiting tasks run in the order of arrival.
 * @throws SERVICE_UNAVAILABLE, from the returned function, when the queue is full
 */
export function limitConcurrency({ running, waiting }: { running: number; waiting: number }) {
  const limit = pLimit(running);
  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (limit.activeCount >= running && limit.pendingCount >= waiting) {
      throw retryLater('SERVICE_UNAVAILABLE', RETRY_AFTER);
    }
    return limit(task);
  };
}

/** Fewest characters (code points after normalisation) of a password. */
export const PASSWORD_MIN = 10;

/** Shorter names may occur in a strong password by chance. */
const NAME_MIN = 4;
/** A repeated symbol before or after a word does not make it harder to guess. */
const SURROUNDING_SYMBOLS = /^([^\p{L}\p{N}])\1*|([^\p{L}\p{N}])\2*$/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** Passwords are checked and hashed in one Unicode form, because keyboards compose characters differently. */
function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

type Names = { email: string; nick_name: string };

/** Public names of a user, whole and by word, longest first. The domain of the address is ignored. */
function namesOf({ email, nick_name }: Names): string[] {
  const [mailbox = ''] = email.split('@');
  const names = [mailbox, nick_name].map((name) => normalisedPassword(name).toLowerCase().trim());
  const all = names.flatMap((name) => [name, name.replaceAll(/\s+/g, ''), ...name.split(BETWEEN_WORDS)]);
  return [...new Set(all)]
    .filter((name) => [...name].length >= NAME_MIN)
    .sort((one, other) => other.length - one.length);
}

/** The part of a password that an attacker who knows the user has to guess: without names and surrounding symbols. */
function unpredictablePart(normalised: string, names: readonly string[]): string {
  const text = names.reduce((rest, name) => rest.replaceAll(name, ' '), normalised.toLowerCase());
  const hasName = names.some((name) => normalised.toLowerCase().includes(name));
  return (hasName ? text.trim() : normalised).replaceAll(SURROUNDING_SYMBOLS, '');
}

export type PasswordHasher = {
  /** The argon2id hash of a password, in PHC text form. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches the hash. Without a hash the same work is done, so that the response time does not reveal
   * whether there was one.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
};

/** argon2id (the library's default) with the cost of the OWASP password storage cheat sheet: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash uses 19 MiB and a thread of the libuv pool, which files and DNS need too. */
const CONCURRENT_HASHES = 2;

/**
 * @throws SERVICE_UNAVAILABLE, from both functions, when the queue is full
 */
export async function createPasswordHasher(
  random: Random,
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): Promise<PasswordHasher> {
  const limit = limitConcurrency({ running: CONCURRENT_HASHES, waiting: QUEUE_MAX });
  const dummyHash = await hash(newSecret(random), COST);
  return {
    hash: (password) => limit(() => hash(normalisedPassword(password), COST)),
    verify: async (passwordHash, password) => {
      const matches = await limit(() => verify(passwordHash ?? dummyHash, normalisedPassword(password)));
      return matches && passwordHash !== null;
    },
  };
}

/** Milliseconds after which an idle worker thread ends, because its dictionaries take 100 MB. */
const IDLE_TIME = 30_000;

/** Password strength check for a user with these names (NIST SP 800-63B section 5.1.1.2). */
export type PasswordStrength = {
  /** @returns undefined for a strong password. @throws SERVICE_UNAVAILABLE when the queue is full */
  weakness(password: string, user: Names): Promise<PasswordWeakness | undefined>;
  close(): Promise<void>;
};

type Pool = Piscina<StrengthTask, PasswordWeakness | undefined>;

async function openPool(): Promise<Pool> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('strength-worker.ts', import.meta.url).href,
    name: 'weaknessOf',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIME,
  });
}

/** The worker thread starts with the first password and ends when idle. */
export function openPasswordStrength(): PasswordStrength {
  let opened: Promise<Pool> | undefined;
  const pool = (): Promise<Pool> => {
    opened ??= openPool();
    return opened;
  };
  const oneByOne = limitConcurrency({ running: 1, waiting: QUEUE_MAX });
  return {
    async weakness(password, user) {
      const text = normalisedPassword(password);
      if ([...text].length < PASSWORD_MIN) return 'PASSWORD_SHORT';
      const words = namesOf(user);
      const rest = unpredictablePart(text, words);
      const weakness = await oneByOne(async () => (await pool()).run({ text: rest, words }));
      return weakness && words.some((name) => text.toLowerCase().includes(name)) ? 'PASSWORD_NAME' : weakness;
    },
    close: async () => (await opened)?.destroy(),
  };
}

/**
 * Rejects a password that is too easy to guess. The code of the detail is the reason.
 * @throws PASSWORD_TOO_WEAK at /password, SERVICE_UNAVAILABLE
 */
export async function requireStrongPassword(
  strength: PasswordStrength,
  password: string,
  user: Names,
): Promise<void> {
  const weakness = await strength.weakness(password, user);
  if (!weakness) return;
  throw appError('PASSWORD_TOO_WEAK', {
    details: [{ pointer: '/password', code: weakness, message: PASSWORD_WEAKNESSES[weakness] }],
  });
}
