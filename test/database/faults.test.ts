import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import t from 'tap';
import { isDatabaseError } from '../../server/database/errors.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { queryError } from '../../server/database/query.ts';
import { startFaultyProxy } from '../faults/support/faulty-proxy.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

const UNAVAILABLE = { code: 'DATABASE_UNAVAILABLE' };
const { url, pool: direct } = await testDatabase(t, { name: 'faults' });
const folder = new URL(url).searchParams.get('host');
const server =
  folder === null
    ? { host: '127.0.0.1', port: Number(new URL(url).port) }
    : { path: `${folder}/.s.PGSQL.5432` };
const proxy = await startFaultyProxy(t, server);

/** The same database through the proxy, on one connection. */
function open(t: { teardown(work: () => Promise<void>): void }, timeoutMs: number, max = 1) {
  const address = new URL(url);
  address.searchParams.delete('host');
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  const pool = openPool(address.href, { applicationName: 'proxy', schema: 'public', log: silentLog, max });
  t.teardown(() => pool.end());
  return openKysely<Record<string, never>>(pool, { timeoutMs });
}

const one = async (db: ReturnType<typeof open>) =>
  (await sql<{ value: number }>`select 1 as value`.execute(db)).rows;

t.beforeEach(() => proxy.set({ kind: 'pass' }));

t.test('a connection that is lost in a transaction only fails that transaction', async (t) => {
  const db = open(t, 5000);
  const work = db.transaction().execute(async (trx) => {
    await one(trx);
    await proxy.set({ kind: 'refuse' });
    await delay(50);
    await one(trx);
  });
  await t.rejects(work, UNAVAILABLE);
  await t.rejects(one(db), { ...UNAVAILABLE, message: /^The database cannot be used now \(.*ECONNREFUSED/ });
  await proxy.set({ kind: 'pass' });
  t.strictSame(await one(db), [{ value: 1 }]);
});

t.test('a query on a hanging database times out, and its connection is closed', async (t) => {
  const db = open(t, 300);
  await one(db);
  await proxy.set({ kind: 'slow', by: 3_600_000 });
  await t.rejects(one(db), { ...UNAVAILABLE, message: /no answer within 300 ms/ });
  await proxy.set({ kind: 'pass' });
  t.strictSame(await one(db), [{ value: 1 }]);
});

t.test('a timeout in a transaction is per query, and rolls it back', async (t) => {
  const db = open(t, 300);
  await direct.query('create table kept (value int)');
  const work = db.transaction().execute(async (trx) => {
    await sql`insert into kept values (1)`.execute(trx);
    await proxy.set({ kind: 'slow', by: 3_600_000 });
    await sql`insert into kept values (2)`.execute(trx);
  });
  await t.rejects(work, UNAVAILABLE);
  await proxy.set({ kind: 'pass' });
  t.strictSame((await sql`select value from kept`.execute(db)).rows, []);
});

t.test('the error of a wrong query is not a database error', async (t) => {
  const db = open(t, 0);
  await t.rejects(sql`select 1 / 0`.execute(db), { code: '22012' });
  await t.rejects(sql`select 9007199254740993::int8`.execute(db), { name: 'RangeError' });
  t.strictSame(await one(db), [{ value: 1 }]);
});

t.test('error codes of the server', async (t) => {
  const said = async (code: string) => {
    const raised = await direct
      .query(`do $$ begin raise exception 'said' using errcode = '${code}'; end $$`)
      .catch((error: unknown) => error);
    return queryError(raised)?.code;
  };
  for (const code of ['57P01', '57P03', '53300', '57014', '25006', '08006'])
    t.equal(await said(code), 'DATABASE_UNAVAILABLE', code);
  t.equal(await said('53100'), 'DATABASE_FULL');
  for (const code of ['23505', '40001', '42P01']) t.equal(await said(code), undefined, code);
  t.notOk(isDatabaseError(new Error('no')));
});
