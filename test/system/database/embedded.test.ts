import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import t from 'tap';
import { sharedBuffers } from '../../../packages/embedded-postgres/server-process.ts';
import { isStartError } from '../../../server/database/errors.ts';
import { hasEnded } from '../../support/child-process.ts';
import { silentLog } from '../../support/log.ts';
import { until } from '../../support/until.ts';
import { dataFolder, isRunning, query, started } from './fixtures/data-folder.ts';
import { holder } from './fixtures/holder.ts';

const SLEEPING = "select from pg_stat_activity where wait_event = 'PgSleep'";
const ROWS = 'select value from kept order by value';

t.test('the database is UTF-8 in a fixed locale, independent of the environment', async (t) => {
  const dataDir = await dataFolder(t);
  const { program, answer } = await holder(dataDir, {
    PATH: process.env.PATH,
    PGPORT: '1',
    PGDATA: '/nowhere',
  });
  t.teardown(() => {
    program.kill('SIGKILL');
    process.kill(answer.pid, 'SIGINT');
  });
  const [row] = await query(
    answer.url,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
       upper('éжß') as upper, lower('ÀЯ') as lower, char_length('插件') as length
     from pg_database where datname = current_database()`,
  );
  t.strictSame(row, {
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    upper: 'ÉЖß',
    lower: 'àя',
    length: 2,
  });
});

t.test('durability settings have the defaults of PostgreSQL, and there is no open port', async (t) => {
  const { url } = await started(t, await dataFolder(t));
  const rows = await query(
    url,
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses')`,
  );
  t.strictSame(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    synchronous_commit: 'on',
  });
  const [role] = await query(url, 'select rolsuper from pg_roles where rolname = current_user');
  t.strictSame(role, { rolsuper: false });
});

t.test('stop ends all processes, and the data exists after a restart', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await started(t, dataDir);
  const { pid } = first;
  await query(first.url, 'create table kept as select 1 as value');
  t.ok(isRunning(pid));
  await first.stop();
  t.notOk(isRunning(pid));
  t.notOk(existsSync(join(dataDir, 'database.pid')));
  const second = await started(t, dataDir);
  t.strictSame(await query(second.url, ROWS), [{ value: 1 }]);
});

t.test('stop ends open connections instead of waiting for them', async (t) => {
  const server = await started(t, await dataFolder(t));
  const sleeping = t.rejects(query(server.url, 'select pg_sleep(60)'), { code: '57P01' });
  await until(async () => (await query(server.url, SLEEPING)).length > 0);
  await server.stop();
  await sleeping;
});

t.test('after kill -9 of the program the next start stops the old server and finds the data', async (t) => {
  const dataDir = await dataFolder(t);
  const { program, answer } = await holder(dataDir);
  await query(answer.url, 'create table kept as select generate_series(1, 3) as value');
  program.kill('SIGKILL');
  await once(program, 'exit');
  t.ok(isRunning(answer.pid), 'the server outlives its program');
  const next = await started(t, dataDir);
  t.notOk(isRunning(answer.pid), 'and is stopped by the next one');
  t.strictSame(await query(next.url, ROWS), [{ value: 1 }, { value: 2 }, { value: 3 }]);
});

t.test('after kill -9 of program and server the next start recovers', async (t) => {
  const dataDir = await dataFolder(t);
  const { program, answer } = await holder(dataDir);
  await query(answer.url, 'create table kept as select 1 as value');
  program.kill('SIGKILL');
  process.kill(answer.pid, 'SIGKILL');
  await once(program, 'exit');
  const next = await started(t, dataDir);
  t.strictSame(await query(next.url, ROWS), [{ value: 1 }]);
});

t.test('a process id in the lock file that belongs to another program is ignored', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await started(t, dataDir);
  await first.stop();
  const lines = [process.pid, join(first.dir, 'cluster'), 1, 5432, join(first.dir, 'socket'), '', ''];
  writeFileSync(join(first.dir, 'cluster', 'postmaster.pid'), lines.join('\n'));
  writeFileSync(join(dataDir, 'database.pid'), `${process.pid}\n`);
  const second = await started(t, dataDir);
  t.strictSame(await query(second.url, 'select 1 as value'), [{ value: 1 }]);
});

t.test('a killed server is restarted', async (t) => {
  const server = await started(t, await dataFolder(t));
  const { pid } = server;
  await query(server.url, 'create table kept as select 1 as value');
  process.kill(pid, 'SIGKILL');
  await until(() => server.pid !== pid);
  t.strictSame(await query(server.url, ROWS), [{ value: 1 }]);
});

t.test('a second program on the same folder fails, and the first one is not affected', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await started(t, dataDir);
  const { program, answer } = await holder(dataDir);
  if (!hasEnded(program)) await once(program, 'exit');
  t.equal(program.exitCode, 1);
  t.match(
    answer.message,
    new RegExp(`^The data folder ${dataDir} is in use by another .*process ${process.pid}`),
  );
  t.strictSame(await query(first.url, 'select 1 as value'), [{ value: 1 }]);
});

t.test('a folder that cannot be created or written is one clear line', async (t) => {
  const dataDir = await dataFolder(t);
  writeFileSync(join(dataDir, 'file'), '');
  mkdirSync(join(dataDir, 'locked', 'database.lock'), { recursive: true });
  const expected = {
    file: /^The data folder .*file cannot be created/,
    'file/below': /^The data folder .*file\/below cannot be created/,
    locked: /^The data folder .*locked cannot be written/,
  };
  for (const [name, message] of Object.entries({
    ...expected,
    '/proc/nobody/data': /^The data folder \/proc/,
  })) {
    const error = await startEmbeddedPostgres({ dataDir: resolve(dataDir, name), log: silentLog }).catch(
      (e) => e,
    );
    t.ok(isStartError(error), name);
    t.match(error.message, message);
    t.notMatch(error.message, '\n');
  }
});

t.test('a database of another major version is refused and not changed', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await started(t, dataDir);
  await first.stop();
  writeFileSync(join(first.dir, 'cluster', 'PG_VERSION'), '9\n');
  await t.rejects(started(t, dataDir), {
    message: /was created by PostgreSQL 9, and this release has PostgreSQL \d+/,
  });
  t.equal(readFileSync(join(first.dir, 'cluster', 'PG_VERSION'), 'utf8'), '9\n');
});

t.test('an interrupted first start is repeated', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await started(t, dataDir);
  await first.stop();
  await rename(join(first.dir, 'cluster'), join(first.dir, 'cluster.draft'));
  const second = await started(t, dataDir);
  t.strictSame(await query(second.url, 'select 1 as value'), [{ value: 1 }]);
});

t.test('the server can read its files with a strict umask', async (t) => {
  const before = process.umask(0o077);
  t.teardown(() => process.umask(before));
  const server = await started(t, await dataFolder(t));
  t.strictSame(await query(server.url, 'select 1 as value'), [{ value: 1 }]);
});

t.test('the server never runs as root', async (t) => {
  const server = await started(t, await dataFolder(t));
  const owner = statSync(`/proc/${server.pid}`).uid;
  t.not(owner, 0);
  t.equal(owner, statSync(join(server.dir, 'cluster')).uid);
  t.equal(statSync(join(server.dir, 'cluster')).mode & 0o077, 0);
  t.equal(statSync(join(server.dir, 'socket')).mode & 0o077, 0);
});

t.test('a failing restart is retried, and stop does not wait for it', async (t) => {
  const logged: unknown[] = [];
  const dataDir = await dataFolder(t);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { ...silentLog, error: (...words: unknown[]) => logged.push(words.at(-1)) },
  });
  const cluster = join(server.dir, 'cluster');
  await query(server.url, 'create table kept as select 1 as value');
  const { pid } = server;
  await rename(cluster, `${cluster}.away`);
  process.kill(pid, 'SIGKILL');
  await until(() => logged.length === 2);
  t.strictSame(logged, [
    'the database ended and is started again',
    'the database does not start and is tried every second',
  ]);
  await rename(`${cluster}.away`, cluster);
  await until(() => server.pid !== pid);
  t.strictSame(await query(server.url, ROWS), [{ value: 1 }]);
  await rename(cluster, `${cluster}.away`);
  process.kill(server.pid, 'SIGKILL');
  await until(() => logged.length === 4);
  await server.stop();
  await rename(`${cluster}.away`, cluster);
});

const GIB = 2 ** 30;

t.test('shared_buffers is a share of the memory, within bounds', async (t) => {
  t.equal(sharedBuffers(GIB / 4), '32MB');
  t.equal(sharedBuffers(4 * GIB), '256MB');
  t.equal(sharedBuffers(64 * GIB), '1024MB');
});

t.test('shared_buffers has a value for this machine', async (t) => {
  t.match(sharedBuffers(), /^\d+MB$/);
});
