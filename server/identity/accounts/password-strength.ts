import type { Piscina } from 'piscina';
import { PASSWORD_WEAKNESSES, type PasswordWeakness } from '../../../shared/password-weakness.ts';
import { appError } from '../../http/errors.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { isShort, namesOf, normalisedPassword, unknownPart } from './password-rules.ts';
import type { StrengthTask } from './strength-worker.ts';

/** Milliseconds after which a thread that has nothing to do ends: its dictionaries take a hundred megabytes. */
const IDLE_TIME = 30_000;
const WAITING = 64;

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
