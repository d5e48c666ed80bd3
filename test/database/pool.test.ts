import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import t from 'tap';
import { parseAddresses } from '../../server/database/addresses.ts';
import { isDatabaseError } from '../../server/database/errors.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { PREPARED, queryError } from '../../server/database/query.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { startFaultyProxy } from '../system/faults/support/faulty-proxy.ts';

t.test('pool', async (t) => {
  const { url, pool, db } = await testDatabase<{ numbers: { value: number } }>(t, {
    schema: 'demo',
    migrations: {
      '0001-numbers': { up: (db) => db.schema.createTable('numbers').addColumn('value', 'int8').execute() },
    },
  });

  t.test('values have the documented types', async (t) => {
    const { rows } = await pool.query(
      `select 9007199254740991::int8 as number, 'infinity'::float8 as float, date '2024-02-03' as day,
       timestamptz '2024-02-03 04:05:06.789+08' as time, 1.50::numeric as exact, '{"a":[1]}'::jsonb as json`,
    );
    t.strictSame(rows, [
      {
        number: Number.MAX_SAFE_INTEGER,
        float: Number.POSITIVE_INFINITY,
        day: '2024-02-03',
        time: new Date('2024-02-02T20:05:06.789Z'),
        exact: '1.50',
        json: { a: [1] },
      },
    ]);
  });

  t.test('a number beyond 2^53 is an error, and the connection stays usable', async (t) => {
    await t.rejects(pool.query('select 9007199254740993::int8'), {
      name: 'RangeError',
      message: /9007199254740993/,
    });
    t.strictSame((await pool.query('select 1 as value')).rows, [{ value: 1 }]);
  });

  t.test('names without a schema refer to the schema of the app', async (t) => {
    await db.insertInto('numbers').values({ value: 7 }).execute();
    t.strictSame((await pool.query('select value from demo.numbers')).rows, [{ value: 7 }]);
  });

  t.test('a prepared statement is planned once per connection, others each time', async (t) => {
    await db.connection().execute(async (one) => {
      const prepared = async () => {
        const { rows } = await sql<{
          statement: string;
        }>`select statement from pg_prepared_statements`.execute(one);
        return rows.map(({ statement }) => statement);
      };
      const half = async (value: number) => {
        const { rows } = await sql<{ half: number }>`
        ${sql.raw(PREPARED)} select 6 / ${value}::int as half`.execute(one);
        return rows[0]?.half;
      };
      t.equal(await half(2), 3);
      t.equal(await half(3), 2);
      await t.rejects(half(0), { code: '22012' });
      t.equal(await half(6), 1, 'also after an error');
      t.strictSame(
        (await prepared()).map((statement) => statement.trim()),
        [`${PREPARED} select 6 / $1::int as half`],
      );
    });
  });

  t.test('a statement that takes too long is cancelled', async (t) => {
    const short = openPool(url, {
      applicationName: 'short',
      schema: 'demo',
      statementTimeoutMs: 500,
      log: silentLog,
    });
    t.teardown(() => short.end());
    await t.rejects(short.query('select pg_sleep(10)'), { code: '57014' });
    t.strictSame((await short.query("select current_setting('application_name') as name")).rows, [
      { name: 'short' },
    ]);
  });

  t.test('options of the address are added to those of the product', async (t) => {
    const address = new URL(url);
    address.searchParams.set('options', '-c work_mem=5MB');
    const other = openPool(address.href, { applicationName: 'other', schema: 'demo', log: silentLog });
    t.teardown(() => other.end());
    const { rows } = await other.query(
      "select current_setting('work_mem') as memory, current_schema as schema",
    );
    t.strictSame(rows, [{ memory: '5MB', schema: 'demo' }]);
  });

  t.test('a lost idle connection is replaced and does not end the program', async (t) => {
    const { rows } = await pool.query('select pg_backend_pid() as pid');
    const killer = openPool(url, { applicationName: 'killer', schema: 'demo', log: silentLog });
    t.teardown(() => killer.end());
    const lost = new Promise((resolve) => pool.once('error', resolve));
    await killer.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await lost;
    t.strictSame((await pool.query('select 1 as value')).rows, [{ value: 1 }]);
  });

  t.test('an invalid address is refused without showing it', async (t) => {
    for (const bad of ['', 'secret', 'mysql://u:secret@host/db', 'http://secret']) {
      const open = (): unknown => openPool(bad, { applicationName: 'bad', schema: 'demo', log: silentLog });
      t.throws(open, { name: 'StartError', message: /^DATABASE_URL is not an address like/ });
    }
    t.throws(() => openPool(url, { applicationName: 'bad', schema: 'a; drop', log: silentLog }), TypeError);
  });

  t.test('an address may hold several servers', async (t) => {
    const parsed: [url: string, addresses: string[], target: string][] = [
      ['postgres://u:p,q@one/d', ['postgres://u:p,q@one/d'], 'any'],
      ['postgres://u@one/d?target_session_attrs=primary', ['postgres://u@one/d'], 'primary'],
      [
        'postgres://u:%40@one:5432,two/d?sslmode=require',
        ['postgres://u:%40@one:5432/d?sslmode=require', 'postgres://u:%40@two/d?sslmode=require'],
        'read-write',
      ],
      [
        'postgresql://one,[::1]:5433/d?target_session_attrs=any',
        ['postgresql://one/d', 'postgresql://[::1]:5433/d'],
        'any',
      ],
      [
        'postgres:///d?host=%2Frun%2Fa,/run/b&port=5433',
        ['postgres:///d?host=%2Frun%2Fa&port=5433', 'postgres:///d?host=%2Frun%2Fb&port=5433'],
        'read-write',
      ],
      [
        'postgres://u@/d?host=one,two&port=1,2',
        ['postgres://u@localhost/d?host=one&port=1', 'postgres://u@localhost/d?host=two&port=2'],
        'read-write',
      ],
    ];
    for (const [given, addresses, target] of parsed) {
      const result = parseAddresses(given);
      t.strictSame([result.addresses.map(({ href }) => href), result.target], [addresses, target], given);
    }
    for (const bad of [
      'postgres://one,,two/d',
      'postgres://one,/d',
      'postgres://u@/d?host=one,two&port=1,2,3',
      'postgres://one:x,two/d',
    ])
      t.throws(() => parseAddresses(bad), { message: /^DATABASE_URL is not an address like/ }, bad);
    t.throws(() => parseAddresses('postgres://one,two/d?target_session_attrs=standby'), {
      name: 'StartError',
      message: 'target_session_attrs in DATABASE_URL must be one of any, read-write, primary.',
    });
  });

  t.test('a pool whose connections are all in use stays at its server', async (t) => {
    const address = new URL(url);
    const folder = address.searchParams.get('host');
    if (folder !== null) address.searchParams.set('host', `${folder},/nowhere`);
    const several = folder === null ? url.replace(address.host, `${address.host},127.0.0.1:1`) : address.href;
    const busy = openPool(several, { applicationName: 'busy', schema: 'demo', max: 1, log: silentLog });
    t.teardown(() => busy.end());
    const queries = openKysely(busy);
    await queries.connection().execute(async () => {
      // Short only from here: the first connection takes longer on a busy machine.
      busy.options.connectionTimeoutMillis = 50;
      const before = busy.route.address();
      await t.rejects(sql`select 1`.execute(queries), {
        code: 'DATABASE_UNAVAILABLE',
        message: 'The database cannot be used now (timeout exceeded when trying to connect).',
      });
      t.equal(busy.route.address(), before);
    });
  });
});

t.test('lost connections', async (t) => {
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
    await t.rejects(one(db), {
      ...UNAVAILABLE,
      message: /^The database cannot be used now \(.*ECONNREFUSED/,
    });
    await proxy.set({ kind: 'pass' });
    t.strictSame(await one(db), [{ value: 1 }]);
  });

  t.test('a query on a hanging database times out, and its connection is closed', async (t) => {
    const db = open(t, 3000);
    await one(db);
    await proxy.set({ kind: 'slow', by: 3_600_000 });
    await t.rejects(one(db), { ...UNAVAILABLE, message: /timed out after 3000 ms/ });
    await proxy.set({ kind: 'pass' });
    t.strictSame(await one(db), [{ value: 1 }]);
  });

  t.test('a timeout in a transaction is per query, and rolls it back', async (t) => {
    const db = open(t, 3000);
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
});
