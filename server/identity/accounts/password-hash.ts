import { hash, verify } from '@node-rs/argon2';
import { newSecret, type Random } from '../secret.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { normalisedPassword } from './password-rules.ts';

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
const RUNNING = 2;
const WAITING = 64;

/**
 * Hashes passwords, a bounded number at a time.
 * @throws SERVICE_UNAVAILABLE, from both functions, when too many are waiting already
 */
export async function createPasswordHasher(random: Random): Promise<PasswordHasher> {
  const limited = limitConcurrency({ running: RUNNING, waiting: WAITING });
  const nobodysHash = await hash(newSecret(random), COST);
  return {
    hash: (password) => limited(() => hash(normalisedPassword(password), COST)),
    verify: async (passwordHash, password) => {
      const matches = await limited(() => verify(passwordHash ?? nobodysHash, normalisedPassword(password)));
      return matches && passwordHash !== null;
    },
  };
}
