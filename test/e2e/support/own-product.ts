import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { createPasswordHasher } from '../../../server/identity/accounts/passwords.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataFolder, startProduct } from '../../support/product.ts';
import type { Account } from './account.ts';
import { type Reviewer, reviewerOf } from './reviewer.ts';

type Test = { teardown(action: () => Promise<void>): void };

export const ADMIN: Account = {
  email: 'admin@example.com',
  name: 'Admin',
  password: 'a horse, a battery, 42',
};

type OwnProduct = {
  origin: string;
  reviewer: Reviewer;
  /** Its database, for states that take long to reach. */
  pool: Pool;
  /** Creates an account with an unconfirmed email address. */
  addUnconfirmed: (account: Account) => Promise<void>;
  /** Makes all sign-ins six minutes old. */
  ageSessions: () => Promise<void>;
};

/** A separate product with an administrator and a reviewer. */
export async function ownProduct(t: Test, settings: Record<string, string> = {}): Promise<OwnProduct> {
  const { url, pool } = await testDatabase(t, { name: 'product' });
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const product = await startProduct(data.dir, {
    DATABASE_URL: url,
    SEED: 'none',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  });
  t.teardown(product.stop);
  const hasher = createPasswordHasher(randomBytes);
  const addUnconfirmed = async ({ email, name, password }: Account): Promise<void> => {
    const hash = await (await hasher).hash(password);
    await pool.query(
      `insert into identity.account (user_name, user_name_key, email, email_key, nick_name, nick_name_key, password_hash, created_at)
        values ($1, $1, $2, $2, $3, lower($3), $4, now())`,
      [`user_${randomBytes(4).toString('hex')}`, email, name, hash],
    );
  };
  const ageSessions = async (): Promise<void> => {
    await pool.query(`update identity.session set authenticated_at = now() - interval '6 minutes'`);
  };
  return { origin: product.origin, reviewer: reviewerOf(t, url), pool, addUnconfirmed, ageSessions };
}
