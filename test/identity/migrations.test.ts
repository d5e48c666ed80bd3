import t from 'tap';
import { migrate } from '../../server/database/migrate.ts';
import { accountsAndTokens } from '../../server/identity/migrations/0001-accounts-and-tokens.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import type { IdentityTables } from '../../server/identity/schema.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

t.test('accounts of before can be searched for, and their last sign-in is told', async (t) => {
  const { db, pool } = await testDatabase<IdentityTables>(t, {
    schema: 'identity',
    migrations: { '0001-accounts-and-tokens': accountsAndTokens },
    name: 'identity_before',
  });
  await pool.query(`
    insert into account (user_name, user_name_key, email, nick_name, created_at) values
      ('one', 'one', '', 'Ａнна', '2025-01-01Z'), ('two', 'two', '', 'Bob', '2025-01-02Z')`);
  await pool.query(`
    insert into session (sid, user_id, login_method, created_at, expires_at)
      select gen_random_uuid(), user_id, 'local', '2025-02-03Z', '2030-01-01Z' from account where user_name = 'one'`);
  await migrate({ db, schema: 'identity', migrations: identityMigrations, log: silentLog });
  const accounts = await db
    .selectFrom('account')
    .select(['nick_name_key', 'last_sign_in_at'])
    .orderBy('user_id')
    .execute();
  t.same(accounts, [
    { nick_name_key: 'aнна', last_sign_in_at: new Date('2025-02-03Z') },
    { nick_name_key: 'bob', last_sign_in_at: null },
  ]);
});
