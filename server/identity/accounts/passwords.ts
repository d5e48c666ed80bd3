import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Piscina } from 'piscina';
import { PASSWORD_WEAKNESSES, type PasswordWeakness } from '../../../shared/errors.ts';
import { appError } from '../../http/errors.ts';
import { newSecret, type Random } from '../secret.ts';
import type { StrengthTask } from './strength-worker.ts';

const RETRY_AFTER_SECONDS = '1';
/** How many may wait for their password to be hashed, and to be judged. */
const WAITING = 64;

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

/** Fewest characters (code points after normalisation) of a password. */
export const PASSWORD_MIN = 10;

/** A shorter name may turn up in a good password by chance. */
const NAME_MIN = 4;
/** One sign over and over before or behind a word makes it no harder to guess. */
const SIGNS_AROUND = /^([^\p{L}\p{N}])\1*|([^\p{L}\p{N}])\2*$/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** The one form of a password that is judged and hashed, so that it does not depend on how a keyboard composes. */
function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

function isShort(normalised: string): boolean {
  return [...normalised].length < PASSWORD_MIN;
}

/** Names of a user that others know, whole and by their words, the longest first. Without the domain of an address. */
function namesOf({ email, nick_name }: { email: string; nick_name: string }): string[] {
  const [mailbox = ''] = email.split('@');
  const names = [mailbox, nick_name].map((name) => normalisedPassword(name).toLowerCase().trim());
  const all = names.flatMap((name) => [name, name.replaceAll(/\s+/g, ''), ...name.split(BETWEEN_WORDS)]);
  return [...new Set(all)]
    .filter((name) => [...name].length >= NAME_MIN)
    .sort((one, other) => other.length - one.length);
}

/** What of a password has to be guessed by who knows the user: names and signs around it are taken away. */
function unknownPart(normalised: string, names: readonly string[]): string {
  const text = names.reduce((rest, name) => rest.replaceAll(name, ' '), normalised.toLowerCase());
  const hasName = names.some((name) => normalised.toLowerCase().includes(name));
  return (hasName ? text.trim() : normalised).replaceAll(SIGNS_AROUND, '');
}

export type PasswordHasher = {
  /** The argon2id hash of a password, in PHC text form. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password is the one that was hashed. Without a hash the same work is done in vain, so that the time of
   * the answer does not tell whether there was one.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
};

/** argon2id (the library's default kind) as the OWASP password storage cheat sheet asks: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash holds 19 MiB and a thread of the pool that files and name look-ups need too. */
const HASHED_AT_ONCE = 2;

/**
 * Hashes passwords, a bounded number at a time.
 * @throws SERVICE_UNAVAILABLE, from both functions, when too many are waiting already
 */
export async function createPasswordHasher(random: Random): Promise<PasswordHasher> {
  const limited = limitConcurrency({ running: HASHED_AT_ONCE, waiting: WAITING });
  const nobodysHash = await hash(newSecret(random), COST);
  return {
    hash: (password) => limited(() => hash(normalisedPassword(password), COST)),
    verify: async (passwordHash, password) => {
      const matches = await limited(() => verify(passwordHash ?? nobodysHash, normalisedPassword(password)));
      return matches && passwordHash !== null;
    },
  };
}

/** Milliseconds after which a thread that has nothing to do ends: its dictionaries take a hundred megabytes. */
const IDLE_TIME = 30_000;

type Names = { email: string; nick_name: string };

/** Tells what is too easy to guess for a user of these names (NIST SP 800-63B section 5.1.1.2). */
export type PasswordStrength = {
  /** @throws SERVICE_UNAVAILABLE when too many are waiting already */
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

/** Its thread starts with the first password and ends when there are none. */
export function openPasswordStrength(): PasswordStrength {
  let opened: Promise<Pool> | undefined;
  const pool = (): Promise<Pool> => {
    opened ??= openPool();
    return opened;
  };
  const oneByOne = limitConcurrency({ running: 1, waiting: WAITING });
  return {
    async weakness(password, user) {
      const text = normalisedPassword(password);
      if (isShort(text)) return 'PASSWORD_SHORT';
      const words = namesOf(user);
      const rest = unknownPart(text, words);
      const weakness = await oneByOne(async () => (await pool()).run({ text: rest, words }));
      return weakness && words.some((name) => text.toLowerCase().includes(name)) ? 'PASSWORD_NAME' : weakness;
    },
    close: async () => (await opened)?.destroy(),
  };
}

/**
 * Refuses a password that is too easy to guess, and says why by the code of its detail.
 * @throws PASSWORD_TOO_WEAK at /password, SERVICE_UNAVAILABLE
 */
export async function refuseWeak(strength: PasswordStrength, password: string, user: Names): Promise<void> {
  const weakness = await strength.weakness(password, user);
  if (!weakness) return;
  throw appError('PASSWORD_TOO_WEAK', {
    details: [{ pointer: '/password', code: weakness, message: PASSWORD_WEAKNESSES[weakness] }],
  });
}
