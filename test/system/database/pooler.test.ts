import { join } from 'node:path';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { migrate } from '../../../server/database/migrate.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { PREPARED } from '../../../server/database/query.ts';
import { testFolder } from '../../support/community.ts';
import { silentLog } from '../../support/log.ts';
import { startProgram } from '../../support/program.ts';
import { sqlOfDocs } from '../../support/sql-of-docs.ts';
import { runOperatorProgram } from '../commands/run-program.ts';
import { waitForRecovery } from '../faults/support/clients.ts';
import { findLostWrites, openLedger } from '../faults/support/ledger.ts';
import { type Postgres, startPostgres } from '../faults/support/postgres.ts';
import { openUser, SETTINGS, signIn } from '../faults/support/user.ts';
import { startPublishers } from '../faults/support/writers.ts';
import { NO_PGBOUNCER, pgbouncer, startPgBouncer } from './pgbouncer.ts';

const ROLE = 'plugin_square';
const MISSING = new RegExp(
  '^The program ended with 1: The pooler in front of the database drops the settings of a connection, so the role needs ' +
    'them: alter role "plugin_square" in database "plugin_square" set search_path = community, identity, public; alter ' +
    'role "plugin_square" in database "plugin_square" set timezone = \'UTC\'; then let the pooler connect again ' +
    '\\(docs/operations.md, "Behind a pooler"\\)\\.\n$',
);
const SETTINGS_OF_ROLE = sqlOfDocs('settings of the role behind a pooler');

/** As operators do: each statement by itself. */
async function giveSettings(server: Postgres): Promise<void> {
  for (const statement of SETTINGS_OF_ROLE.split(';').filter((text) => text.trim() !== ''))
    await server.query(statement);
}

/** A server with the role and the database of the documents. */
async function startDatabase(t: Test): Promise<Postgres> {
  const server = await startPostgres(t);
  await server.query(`create role ${ROLE} login`);
  await server.query(`create database ${ROLE} owner ${ROLE}`);
  return server;
}

const addressOf = (port: number): string => `postgres://${ROLE}@127.0.0.1:${port}/${ROLE}`;

t.test('the product behind PgBouncer', { skip: pgbouncer ? false : NO_PGBOUNCER }, async (t) => {
  const program = pgbouncer ?? '';

  t.test('with transaction pooling', async (t) => {
    const server = await startDatabase(t);
    const settings = { pool_mode: 'transaction' } as const;
    const bouncer = { socket: server.path, role: ROLE, settings };
    const before = await startPgBouncer(t, program, bouncer);
    const DATA_DIR = await testFolder(t);
    const given = { ...SETTINGS, DATA_DIR, SEED: 'demo' };
    await t.rejects(
      startProgram({ ...given, DATABASE_URL: addressOf(before) }, { t }),
      { message: MISSING },
      'a role without the settings: one line',
    );

    await giveSettings(server);
    const DATABASE_URL = addressOf(await startPgBouncer(t, program, bouncer));
    const product = await startProgram({ ...given, DATABASE_URL }, { t });
    const user = openUser(product.origin);
    await signIn(user);
    const ledger = openLedger();
    const writers = startPublishers(user, ledger, 3);
    const searches = Array.from({ length: 40 }, async (_, index) => {
      const answer = await user.browser.call(`/api/cmt/plugin/list?keyword=${index % 2 ? 'color' : 'grid'}`);
      return answer.status;
    });
    t.strictSame(
      new Set(await Promise.all(searches)),
      new Set([200]),
      'searches, which are prepared elsewhere',
    );
    await waitForRecovery(async () => ledger.versions.length >= 12);
    const here = { DATA_DIR, DATABASE_URL };
    t.match(
      await runOperatorProgram('backup', here, join(DATA_DIR, 'backup.tar')),
      { code: 0, err: '' },
      'a backup beside writers',
    );
    t.match(await runOperatorProgram('sweep', here), { code: 0, err: '' }, 'and a sweep');
    t.match(await runOperatorProgram('migrate', here), {
      code: 0,
      out: 'community: up to date\nidentity: up to date\n',
      err: '',
    });
    await writers.stop();
    t.strictSame(await findLostWrites(user, ledger, 5), []);
    await product.stop();
    t.strictSame(
      product.log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)),
      [],
    );
    const left = `select count(*)::integer from pg_locks where locktype = 'advisory'`;
    t.strictSame(await server.query(left), [{ count: 0 }], 'no lock is left on a connection');
  });

  for (const settings of [
    { pool_mode: 'transaction', ignore_startup_parameters: 'options' },
    { pool_mode: 'session' },
    { pool_mode: 'session', ignore_startup_parameters: 'extra_float_digits,options' },
  ] as const)
    t.test(`a pool behind PgBouncer: ${Object.values(settings).join(', ')}`, async (t) => {
      const server = await startDatabase(t);
      const bouncer = { socket: server.path, role: ROLE, settings };
      const open = (port: number) => {
        const pool = openPool(addressOf(port), {
          applicationName: 'test',
          schema: 'community',
          log: silentLog,
          max: 4,
        });
        t.teardown(() => pool.end());
        return openKysely<{ numbers: { value: number } }>(pool);
      };
      const refused = open(await startPgBouncer(t, program, bouncer));
      await t.rejects(sql`select 1`.execute(refused), {
        name: 'StartError',
        message: /the role needs them: alter role "plugin_square"/,
      });
      await giveSettings(server);
      const db = open(await startPgBouncer(t, program, bouncer));
      const migrations = {
        '0001-numbers': { up: () => sql`create table numbers (value bigint)`.execute(db).then() },
      };
      const first = await Promise.all(Array.from({ length: 4 }, () => sql`select 1 as one`.execute(db)));
      t.strictSame(
        first.map(({ rows }) => rows),
        Array.from({ length: 4 }, () => [{ one: 1 }]),
        'several at once, before the pooler was noticed',
      );
      await t.rejects(
        migrate({
          db,
          schema: 'community',
          migrations: { '0000-wrong': { up: (trx) => sql`select 1 / 0`.execute(trx).then() } },
          log: silentLog,
        }),
        { code: '22012' },
        'the error of a migration, which leaves no lock',
      );
      await sql`create schema community`.execute(db);
      await migrations['0001-numbers'].up();
      const half = (value: number) =>
        sql<{ half: number }>`${sql.raw(PREPARED)} select 6 / ${value}::int as half`.execute(db);
      const halves = await Promise.all(Array.from({ length: 30 }, () => half(2)));
      t.strictSame(new Set(halves.map(({ rows }) => rows[0]?.half)), new Set([3]));
      await db.insertInto('numbers').values({ value: 7 }).execute();
      t.hasStrict(await db.selectFrom('numbers').selectAll().execute(), [{ value: 7 }]);
      t.strictSame(
        (
          await sql`select current_setting('timezone') as zone, current_setting('statement_timeout') as time`.execute(
            db,
          )
        ).rows,
        [{ zone: 'UTC', time: '15s' }],
      );
    });

  t.test('statement pooling is refused in one line', async (t) => {
    const server = await startDatabase(t);
    await giveSettings(server);
    const settings = { pool_mode: 'statement' } as const;
    const port = await startPgBouncer(t, program, { socket: server.path, role: ROLE, settings });
    await t.rejects(
      startProgram({ ...SETTINGS, DATA_DIR: await testFolder(t), DATABASE_URL: addressOf(port) }, { t }),
      {
        message:
          /^The program ended with 1: The pooler in front of the database allows no transactions \(error: transaction blocks not allowed in statement pooling mode\)\. Use pool_mode = transaction \(docs\/operations\.md, "Behind a pooler"\)\.\n$/,
      },
    );
  });
});
