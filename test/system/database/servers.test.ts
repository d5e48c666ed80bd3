import { dirname } from 'node:path';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { silentLog } from '../../support/log.ts';
import { waitForRecovery } from '../faults/support/clients.ts';
import { type Postgres, startPostgres } from '../faults/support/postgres.ts';

type Tables = { numbers: { value: number } };

/** Queries on the servers of an address, in this order. */
function openServers(t: Test, servers: readonly Postgres[], query = '') {
  const hosts = servers.map(({ path }) => dirname(path)).join(',');
  const url = `postgres:///postgres?host=${encodeURIComponent(hosts)}&user=postgres${query}`;
  const pool = openPool(url, { applicationName: 'test', schema: 'public', log: silentLog, max: 3 });
  t.teardown(() => pool.end());
  return openKysely<Tables>(pool);
}

type Db = ReturnType<typeof openServers>;

const write = (db: Db, value: number) => db.insertInto('numbers').values({ value }).execute();
const values = async (server: Postgres) =>
  (await server.query('select value from numbers order by value')).map(({ value }) => value);

t.test('the server that accepts writes is used, and found again after a fail-over', async (t) => {
  const primary = await startPostgres(t);
  await primary.query('create table numbers (value int)');
  const standby = await primary.standby();
  const db = openServers(t, [standby, primary]);
  await Promise.all([1, 2, 3, 4, 5, 6].map((value) => write(db, value)));
  t.strictSame(await values(primary), [1, 2, 3, 4, 5, 6]);

  const onStandby = openServers(t, [standby], '&target_session_attrs=read-write');
  await t.rejects(write(onStandby, 0), {
    code: 'DATABASE_UNAVAILABLE',
    message: 'The database cannot be used now (the server is not read-write).',
  });
  const reading = openServers(t, [standby, primary], '&target_session_attrs=any');
  t.strictSame(
    (await sql<{ away: boolean }>`select pg_is_in_recovery() as away`.execute(reading)).rows,
    [{ away: true }],
    'any: the first one',
  );

  await primary.stop();
  const place = (server: Postgres): string => dirname(server.path);
  await t.rejects(write(openServers(t, [primary, standby]), 0), {
    code: 'DATABASE_UNAVAILABLE',
    message: new RegExp(
      `^The database cannot be used now \\(${place(primary)}: connect E\\S+ .*; ${place(standby)}: the server is not read-write\\)\\.$`,
    ),
  });
  await standby.query('select pg_promote()');
  await waitForRecovery(() =>
    write(db, 7).then(
      () => true,
      () => false,
    ),
  );
  t.strictSame(await values(standby), [1, 2, 3, 4, 5, 6, 7]);
});

t.test('a server that goes read-only in use is left', async (t) => {
  const [one, two] = [await startPostgres(t), await startPostgres(t)];
  for (const server of [one, two]) await server.query('create table numbers (value int)');
  const db = openServers(t, [one, two]);
  await write(db, 1);
  await one.query('alter system set default_transaction_read_only = on');
  await one.query('select pg_reload_conf()');
  // A reload reaches each connection a moment later: until then the first one accepts writes.
  await waitForRecovery(() =>
    write(db, 2).then(
      async () => (await values(two)).includes(2),
      () => false,
    ),
  );
  t.notOk((await values(two)).includes(1), 'the other one is used from then on');
  await one.query('alter system reset default_transaction_read_only');
  await one.query('select pg_reload_conf()');
  await two.stop();
  await waitForRecovery(() =>
    write(db, 3).then(
      () => true,
      () => false,
    ),
  );
  t.ok((await values(one)).includes(3), 'and this one again');
});
