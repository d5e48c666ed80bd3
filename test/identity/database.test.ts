import { mock } from 'node:test';
import t from 'tap';
import { migrate } from '../../server/database/migrate.ts';
import { startSweeping } from '../../server/identity/app.ts';
import { accountsAndTokens } from '../../server/identity/migrations/0001-accounts-and-tokens.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import type { IdentityTables } from '../../server/identity/schema.ts';
import { deleteExpiredRows } from '../../server/identity/store.ts';
import { testDatabase } from '../support/database.ts';
import {
  ask,
  CALLBACK,
  ENCRYPTOR,
  KEY_ROTATION,
  logToMemory,
  newPerson,
  signUp,
  testIdentity,
} from '../support/identity.ts';
import { silentLog } from '../support/log.ts';
import { until } from '../support/until.ts';

t.test('migrations', async (t) => {
  t.test('existing accounts can be searched, and have their last sign-in', async (t) => {
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
    t.strictSame(accounts, [
      { nick_name_key: 'aнна', last_sign_in_at: new Date('2025-02-03Z') },
      { nick_name_key: 'bob', last_sign_in_at: null },
    ]);
  });

  t.test('existing signing keys, sessions and refresh tokens stay valid', async (t) => {
    const before = Object.fromEntries(Object.entries(identityMigrations).filter(([name]) => name < '0006'));
    const { db, pool } = await testDatabase<IdentityTables>(t, {
      schema: 'identity',
      migrations: before,
      name: 'identity_before_own_sessions',
    });
    await pool.query(`
    insert into signing_key (kid, private_jwk, public_jwk, created_at)
      values ('k', '{"kty":"OKP"}', '{"kty":"OKP"}', '2025-01-01Z')`);
    await pool.query(`
    insert into account (user_name, user_name_key, email, nick_name, nick_name_key, created_at)
      values ('one', 'one', '', 'One', 'one', '2025-01-01Z')`);
    await pool.query(`
    with started as (
      insert into session (sid, user_id, login_method, created_at, expires_at)
        select gen_random_uuid(), user_id, 'local', day, '2030-01-01Z'
          from account, unnest('{2025-02-01Z,2025-02-02Z}'::timestamptz[]) as day
        returning sid, created_at)
    insert into refresh_token (token_hash, sid, created_at, expires_at, used_at)
      select decode(token, 'hex'), sid, started.created_at, ends::timestamptz, used::timestamptz from started join (values
        ('2025-02-01Z', 'aa', '2025-02-03T00:01:00Z', '2025-02-03Z'),
        ('2025-02-01Z', 'bb', '2030-01-01Z', '2025-02-04Z'),
        ('2025-02-02Z', 'cc', '2030-01-01Z', null)) as given (day, token, ends, used)
        on given.day::timestamptz = started.created_at`);
    await migrate({ db, schema: 'identity', migrations: identityMigrations, log: silentLog });
    t.match(await db.selectFrom('signing_key').selectAll().executeTakeFirst(), {
      private_jwk: { kty: 'OKP' },
      sealed_jwk: null,
      signs_from: new Date('2025-01-01Z'),
    });
    t.strictSame(
      await db
        .selectFrom('session')
        .select(['browser', 'system', 'last_active_at'])
        .orderBy('created_at')
        .execute(),
      [
        { browser: '', system: '', last_active_at: new Date('2025-02-04Z') },
        { browser: '', system: '', last_active_at: new Date('2025-02-02Z') },
      ],
    );
    const tokens = await db.selectFrom('refresh_token').selectAll().orderBy('token_hash').execute();
    t.strictSame(
      tokens.map(({ replaced_at, expires_at }) => [replaced_at, expires_at]),
      [
        [new Date('2025-02-03Z'), new Date('2030-01-01Z')],
        [null, new Date('2030-01-01Z')],
        [null, new Date('2030-01-01Z')],
      ],
    );
  });

  t.test('existing accounts have no verified address and no sign-in time', async (t) => {
    const before = Object.fromEntries(Object.entries(identityMigrations).filter(([name]) => name < '0011'));
    const { db, pool } = await testDatabase<IdentityTables>(t, {
      schema: 'identity',
      migrations: before,
      name: 'identity_before_owned_addresses',
    });
    const add = (name: string, password: string | null) =>
      pool.query(
        `insert into account (user_name, user_name_key, email, email_key, nick_name, nick_name_key, password_hash, created_at)
        values ($1, $1, 'a@example.org', 'a@example.org', 'One', 'one', $2, '2025-01-01Z')`,
        [name, password],
      );
    await add('one', 'hash');
    await pool.query(`
    insert into session (sid, user_id, login_method, created_at, expires_at, last_active_at)
      select gen_random_uuid(), user_id, 'local', '2025-02-01Z', '2030-01-01Z', '2025-02-01Z' from account`);
    await migrate({ db, schema: 'identity', migrations: identityMigrations, log: silentLog });
    t.hasStrict(await db.selectFrom('account').selectAll().execute(), [
      { email_key: 'a@example.org', email_verified_at: null, devices_since: null },
    ]);
    t.hasStrict(await db.selectFrom('session').selectAll().execute(), [{ authenticated_at: null }]);
    await t.rejects(add('two', 'hash'), { code: '23505' }, 'a name to sign in with still means one account');
    await add('three', null);
    const prove = (name: string) =>
      pool.query(`update account set email_verified_at = now() where user_name = $1`, [name]);
    await prove('three');
    await t.rejects(prove('one'), { code: '23505' }, 'and an address has one owner');
  });
});

t.test('sweep', async (t) => {
  const HOUR = 60 * 60 * 1000;
  const DAY = 24 * HOUR;
  const EVERY = 5000;

  t.test('expired rows are deleted, others stay', async (t) => {
    const { app, db, clock } = await testIdentity(t);
    const counts = async () => {
      const of = async (
        table: 'authorization_code' | 'session' | 'refresh_token' | 'attempt' | 'account',
      ) => {
        const row = await db
          .selectFrom(table)
          .select((field) => field.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        return Number(row.count);
      };
      return {
        codes: await of('authorization_code'),
        sessions: await of('session'),
        tokens: await of('refresh_token'),
        attempts: await of('attempt'),
        accounts: await of('account'),
      };
    };
    await newPerson(app);
    await signUp(app);
    await ask(app, 'POST /user/page/sign_in', {
      body: { account: 'nobody', password: 'wrong password', redirect_uri: CALLBACK },
    });
    const all = { codes: 2, sessions: 1, tokens: 1, attempts: 5, accounts: 3 };
    t.strictSame(await counts(), all);
    clock.now += DAY - HOUR;
    await deleteExpiredRows(db, clock.now);
    t.strictSame(await counts(), all, 'a day is not over');
    clock.now += HOUR + 60_000;
    await deleteExpiredRows(db, clock.now);
    t.strictSame(await counts(), { ...all, codes: 0, attempts: 0 });
    clock.now += 29 * DAY;
    await deleteExpiredRows(db, clock.now);
    t.strictSame(await counts(), { codes: 0, sessions: 0, tokens: 0, attempts: 0, accounts: 3 });
  });

  t.test('the timer deletes rows, survives an error and stops', async (t) => {
    const { app, db, clock } = await testIdentity(t);
    const { log, logged } = logToMemory();
    await signUp(app);
    clock.now += 2 * DAY;
    mock.timers.enable({ apis: ['setInterval'] });
    t.teardown(() => mock.timers.reset());
    let rounds = 0;
    const started = (): number => {
      rounds += 1;
      return clock.now;
    };
    const stop = startSweeping({
      db,
      now: () => clock.now,
      every: EVERY,
      log,
      deleteDue: async () => 0,
      rotation: { now: started, encryptor: ENCRYPTOR, every: KEY_ROTATION },
    });
    const isEmpty = async () =>
      (await db.selectFrom('authorization_code').selectAll().execute()).length === 0;
    await until(async () => {
      mock.timers.tick(EVERY);
      return isEmpty();
    });
    await db.schema.alterTable('attempt').renameTo('elsewhere').execute();
    await until(() => {
      mock.timers.tick(EVERY);
      return logged().includes('deleting expired rows failed');
    });
    await db.schema.alterTable('elsewhere').renameTo('attempt').execute();
    await stop();
    const after = [logged(), rounds];
    await signUp(app);
    clock.now += 2 * DAY;
    mock.timers.tick(10 * EVERY);
    t.notOk(await isEmpty());
    t.strictSame([logged(), rounds], after);
  });
});
