import Fastify from 'fastify';
import t from 'tap';
import { cleanUpRegularly, deleteExpiredRows } from '../../server/identity/clean-up.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
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
import { until } from '../support/until.ts';

t.test('addresses', async (t) => {
  const { pool } = await testDatabase(t, { schema: 'identity', migrations: identityMigrations });
  const add = (name: string, password: string | null) =>
    pool.query(
      `insert into account (user_name, user_name_key, email, email_key, nick_name, nick_name_key, password_hash, created_at)
        values ($1, $1, 'a@example.org', 'a@example.org', 'One', 'one', $2, '2025-01-01Z')`,
      [name, password],
    );
  const verify = (name: string) =>
    pool.query(`update account set email_verified_at = now() where user_name = $1`, [name]);
  await add('one', 'hash');
  await t.rejects(
    add('two', 'hash'),
    { code: '23505', message: /account_signing_in_by_address/ },
    'an address for signing in is unique',
  );
  await add('three', null);
  await verify('three');
  await t.rejects(
    verify('one'),
    { code: '23505', message: /account_owning_address/ },
    'a verified address has one owner',
  );
});

t.test('sweep', async (t) => {
  const HOUR = 60 * 60 * 1000;
  const DAY = 24 * HOUR;

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

  t.test('while the service listens: rows are deleted, also after a failed round', async (t) => {
    const { app, db, clock } = await testIdentity(t);
    const { log, logged } = logToMemory();
    await signUp(app);
    clock.now += 2 * DAY;
    const listening = Fastify();
    t.teardown(() => listening.close());
    const now = () => clock.now;
    const rotation = { now, encryptor: ENCRYPTOR, every: KEY_ROTATION };
    cleanUpRegularly(listening, { db, now, every: 1, log, deleteDue: async () => 0, rotation });
    const isEmpty = async () =>
      (await db.selectFrom('authorization_code').selectAll().execute()).length === 0;
    t.notOk(await isEmpty());
    await db.schema.alterTable('attempt').renameTo('elsewhere').execute();
    await listening.listen({ host: '127.0.0.1', port: 0 });
    await until(() => logged().includes('deleting expired rows failed'));
    await db.schema.alterTable('elsewhere').renameTo('attempt').execute();
    await until(isEmpty);
    await until(() => logged().includes('deleting expired rows succeeds again'));
    t.notMatch(logged(), /rotation failed|accounts failed/, 'each fails alone');
  });
});
