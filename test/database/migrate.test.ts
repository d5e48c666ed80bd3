import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { openHome } from '../../packages/embedded-postgres/home.ts';
import { type Migrations, migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { until } from '../support/until.ts';

t.test('migrate', async (t) => {
  const FIRST: Migrations = {
    '0001-things': {
      async up(db) {
        await sql`create table things (id int primary key)`.execute(db);
        await sql`select pg_sleep(0.2)`.execute(db);
        await sql`insert into things values (1)`.execute(db);
      },
    },
  };
  const SECOND: Migrations = {
    ...FIRST,
    '0002-more': { up: (db) => sql`insert into things values (2)`.execute(db).then() },
  };
  const BROKEN: Migrations = {
    ...SECOND,
    '0003-good': { up: (db) => sql`insert into things values (3)`.execute(db).then() },
    '0004-bad': { up: (db) => sql`insert into things values (1)`.execute(db).then() },
  };

  t.test('instances that start at the same time take turns, and each migration runs once', async (t) => {
    const { url } = await testDatabase(t);
    const instances = Array.from({ length: 4 }, () =>
      openKysely(openPool(url, { applicationName: 'instance', schema: 'shop', log: silentLog })),
    );
    const ran = await Promise.all(
      instances.map((db) => migrate({ db, schema: 'shop', migrations: SECOND, log: silentLog })),
    );
    t.strictSame(ran.flat().sort(), ['0001-things', '0002-more']);
    const [db] = instances;
    if (db)
      t.strictSame((await sql`select id from shop.things order by id`.execute(db)).rows, [
        { id: 1 },
        { id: 2 },
      ]);
    await Promise.all(instances.map((instance) => instance.destroy()));
  });

  t.test('only new migrations run, and two apps share one database', async (t) => {
    const { db } = await testDatabase(t);
    const run = (schema: string, migrations: Migrations): Promise<string[]> =>
      migrate({ db, schema, migrations, log: silentLog });
    t.strictSame(await run('one', FIRST), ['0001-things']);
    t.strictSame(await run('two', FIRST), ['0001-things']);
    t.strictSame(await run('one', FIRST), []);
    t.strictSame(await run('one', SECOND), ['0002-more']);
  });

  t.test('a failed migration rolls back the ones before it, and its error is thrown', async (t) => {
    const { pool, db } = await testDatabase(t, { schema: 'shop', migrations: SECOND });
    await t.rejects(migrate({ db, schema: 'shop', migrations: BROKEN, log: silentLog }), { code: '23505' });
    t.strictSame((await pool.query('select id from things order by id')).rows, [{ id: 1 }, { id: 2 }]);
  });

  t.test(
    'a migration may change rows and the next one their table, whose constraints are deferred',
    async (t) => {
      const baseline: Migrations = {
        '0001-two': {
          up: (db) =>
            sql`create table a (id integer primary key);
            create table b (a integer references a deferrable initially deferred, c text);
            create function note() returns trigger language plpgsql as 'begin return null; end';
            create constraint trigger noted after update on a deferrable initially deferred
              for each row execute function note()`
              .execute(db)
              .then(),
        },
      };
      const { pool, db } = await testDatabase(t, { schema: 'shop', migrations: baseline });
      await pool.query('insert into a values (1); insert into b values (1, null)');
      const later: Migrations = {
        ...baseline,
        '0002-rows': {
          up: (db) =>
            sql`update b set a = 1, c = 'x'; update a set id = 1; insert into b values (1)`
              .execute(db)
              .then(),
        },
        '0003-tables': {
          up: (db) =>
            sql`alter table a add column d text; alter table b alter column a set not null`
              .execute(db)
              .then(),
        },
      };
      t.strictSame(await migrate({ db, schema: 'shop', migrations: later, log: silentLog }), [
        '0002-rows',
        '0003-tables',
      ]);
      const broken: Migrations = {
        ...later,
        '0004-wrong': { up: (db) => sql`insert into b values (2)`.execute(db).then() },
        '0005-more': { up: (db) => sql`alter table b add column e text`.execute(db).then() },
      };
      await t.rejects(
        migrate({ db, schema: 'shop', migrations: broken, log: silentLog }),
        { code: '23503' },
        'a violation fails in the migration that makes it',
      );
    },
  );

  t.test('transactions that use the tables finish first and are not aborted', async (t) => {
    const { pool, db } = await testDatabase(t, {
      schema: 'shop',
      migrations: {
        '0001-two': {
          up: (db) => sql`create table a (id integer); create table b (id integer)`.execute(db).then(),
        },
      },
    });
    const later: Migrations = {
      '0001-two': { up: () => Promise.reject(new Error('it ran twice')) },
      '0002-both': {
        up: (db) => sql`alter table a add column c text; alter table b add column c text`.execute(db).then(),
      },
    };
    const writer = await pool.connect();
    await writer.query('begin');
    await writer.query('insert into b values (1)');
    const migrating = migrate({ db, schema: 'shop', migrations: later, log: silentLog });
    const waiting = `select from pg_locks where relation = 'shop.b'::regclass and not granted`;
    await until(async () => (await pool.query(waiting)).rowCount !== 0);
    await writer.query('insert into a values (1)');
    await writer.query('commit');
    writer.release();
    t.strictSame(await migrating, ['0002-both']);
    t.strictSame((await pool.query('select a.c, b.id from a, b')).rows, [{ c: null, id: 1 }]);
  });

  t.test('the settings of the connection are reset', async (t) => {
    const { url } = await testDatabase(t);
    const pool = openPool(url, { applicationName: 'one', schema: 'own', max: 1, log: silentLog });
    const before = (await pool.query('show statement_timeout')).rows;
    await migrate({ db: openKysely(pool), schema: 'shop', migrations: FIRST, log: silentLog });
    t.strictSame((await pool.query('show statement_timeout')).rows, before);
    t.strictSame((await pool.query('show search_path')).rows, [{ search_path: 'own,public' }]);
    const locks = `select count(*) from pg_locks l join pg_database d on d.oid = l.database
      where locktype = 'advisory' and datname = current_database()`;
    t.strictSame((await pool.query(locks)).rows, [{ count: 0 }]);
    await pool.end();
  });

  t.test('a database of a newer release is refused', async (t) => {
    const { db } = await testDatabase(t, { schema: 'shop', migrations: SECOND });
    await t.rejects(migrate({ db, schema: 'shop', migrations: FIRST, log: silentLog }), {
      name: 'StartError',
      message: /newer release \(shop: 0002-more\)/,
    });
  });

  t.test('a database from before the baseline is refused, also beside newer migrations', async (t) => {
    const { db } = await testDatabase(t, { schema: 'shop', migrations: SECOND });
    const baseline: Migrations[string] = { up: () => Promise.reject(new Error('it ran')) };
    for (const migrations of [{ '0001-baseline': baseline }, { ...BROKEN, '0000-baseline': baseline }])
      await t.rejects(migrate({ db, schema: 'shop', migrations, log: silentLog }), {
        name: 'StartError',
        message: /^The database was made by a version before 1\.0\.0 \(shop\), which cannot be upgraded\./,
      });
  });
});

t.test('data folder', async (t) => {
  const ROOT = { name: 'root', uid: 0, gid: 0 };
  const SOMEONE = { name: 'someone', uid: 12_345, gid: 12_345 };
  const { username, uid, gid } = userInfo();
  const SELF = { name: username, uid, gid };

  /** A data folder and a staging folder. */
  function folders(t: Test): { data: string; staging: string; root: string } {
    const root = t.testdir({ data: {}, staging: {} });
    return { root, data: join(root, 'data'), staging: join(root, 'staging') };
  }

  t.test(
    'started by root, the database is outside the data folder and belongs to another user',
    async (t) => {
      const { data, staging } = folders(t);
      const home = openHome(data, ROOT, staging);
      t.match(home.dir, new RegExp(`^${staging}/[0-9a-f]{12}-[0-9a-f]{6}$`));
      t.ok(['postgres', 'nobody'].includes(home.account.name));
      t.ok(home.staged);
      t.equal(openHome(data, ROOT, staging).dir, home.dir, 'and is found again');
    },
  );

  t.test('a data folder that was moved keeps its database', async (t) => {
    const { root, data, staging } = folders(t);
    const { dir } = openHome(data, ROOT, staging);
    renameSync(data, join(root, 'moved'));
    t.equal(openHome(join(root, 'moved'), ROOT, staging).dir, dir);
  });

  t.test('a data folder that was copied does not share the database of the original', async (t) => {
    const { root, data, staging } = folders(t);
    const { dir } = openHome(data, ROOT, staging);
    const copy = join(root, 'copy');
    cpSync(data, copy, { recursive: true });
    t.throws(() => openHome(copy, ROOT, staging), {
      name: 'StartError',
      message: /copy is a copy of .*data, and/,
    });
    t.equal(openHome(data, ROOT, staging).dir, dir);
  });

  t.test('a data folder that was deleted and created again starts with an empty database', async (t) => {
    const { data, staging } = folders(t);
    const { dir } = openHome(data, ROOT, staging);
    rmSync(data, { recursive: true });
    mkdirSync(data);
    t.not(openHome(data, ROOT, staging).dir, dir);
    t.ok(existsSync(dir), 'and the old database is not deleted');
  });

  t.test('started by another user, the database is in the data folder', async (t) => {
    const { data, staging } = folders(t);
    t.strictSame(openHome(data, SOMEONE, staging), {
      dir: join(data, 'database'),
      account: SOMEONE,
      staged: false,
    });
  });

  t.test('a database that root created is refused for other users', async (t) => {
    const { data, staging } = folders(t);
    const { dir } = openHome(data, ROOT, staging);
    t.throws(() => openHome(data, SOMEONE, staging), {
      name: 'StartError',
      message: `was created by root in ${dir}`,
    });
  });

  t.test('a database of another user is refused', async (t) => {
    const { data, staging } = folders(t);
    openHome(data, SELF.uid === 0 ? SOMEONE : SELF, staging);
    t.throws(() => openHome(data, { ...SOMEONE, uid: 54_321 }, staging), {
      name: 'StartError',
      message: new RegExp(`belongs to the user with id ${uid}\\.`),
    });
  });
});
