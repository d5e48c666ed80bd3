import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { createPasswordHasher } from '../../../server/identity/accounts/passwords.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
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

/** Tables that a first start creates. */
const SERVICES = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: IDENTITY_SCHEMA, migrations: identityMigrations },
];

const hasher = createPasswordHasher(randomBytes);

async function addAccount(
  pool: Pool,
  { email, name, password }: Account,
  { userName, role, isConfirmed }: { userName: string; role: number; isConfirmed: boolean },
): Promise<void> {
  const hash = await (await hasher).hash(password);
  await pool.query(
    `insert into identity.account (user_name, user_name_key, email, email_key, email_verified_at, nick_name, nick_name_key,
        password_hash, role, created_at)
      values ($1, $1, $2, $2, case when $3 then now() end, $4, lower($4), $5, $6, now())`,
    [userName, email, isConfirmed, name, hash, role],
  );
}

/**
 * A separate product with an administrator and a reviewer. With `isFirstStart` it creates its tables and its administrator
 * itself, which takes seconds.
 */
export async function ownProduct(
  t: Test,
  settings: Record<string, string> = {},
  { isFirstStart = false }: { isFirstStart?: boolean } = {},
): Promise<OwnProduct> {
  const { url, pool } = await testDatabase(t, { name: 'product', services: isFirstStart ? [] : SERVICES });
  if (!isFirstStart)
    await addAccount(pool, ADMIN, { userName: 'admin', role: ROLE_SUPER_ADMIN, isConfirmed: true });
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
  const addUnconfirmed = async (account: Account): Promise<void> => {
    const userName = `user_${randomBytes(4).toString('hex')}`;
    await addAccount(pool, account, { userName, role: 0, isConfirmed: false });
  };
  const ageSessions = async (): Promise<void> => {
    await pool.query(`update identity.session set authenticated_at = now() - interval '6 minutes'`);
  };
  return { origin: product.origin, reviewer: reviewerOf(t, url), pool, addUnconfirmed, ageSessions };
}
