import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { currentAccount, serverAccount } from '../../../../packages/embedded-postgres/account.ts';
import { provideBinaries } from '../../../../packages/embedded-postgres/binaries.ts';
import { identity, SERVER_ENV } from '../../../../packages/embedded-postgres/cluster.ts';
import { errorCode } from '../../../../server/database/errors.ts';
import { endChild, hasEnded } from '../../../support/child-process.ts';
import { waitForRecovery } from './clients.ts';

/** As root the programs are copied here: the database user cannot read this checkout. */
const STAGING_DIR = '/var/lib/plugin-square';
/** Milliseconds for a start on a busy machine. */
const TIMEOUT_MS = 60_000;

/** A PostgreSQL server for one test, as operators run it. */
export type Postgres = {
  /** Path of its socket. */
  path: string;
  /** URL of its database through a local port. */
  urlAt(port: number): string;
  query(text: string): Promise<Record<string, unknown>[]>;
  queryAs(who: { user: string; database: string }, text: string): Promise<Record<string, unknown>[]>;
  start(): Promise<void>;
  /** Fast shutdown: ends open connections. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Stops all its processes by a signal: connections stay open without an answer. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** A synchronous standby server; this one is restarted for it. */
  standby(): Promise<Postgres>;
};

type Test = { teardown(work: () => Promise<void>): void };
type Place = { dir: string; settings: Record<string, string> };

/** Starts an empty server with default durability. It ends with the test, which removes its files. */
export async function startPostgres(t: Test): Promise<Postgres> {
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? serverAccount() : currentAccount();
  const binaries = await provideBinaries(isRoot ? STAGING_DIR : undefined);
  const folder = await mkdtemp(join(tmpdir(), 'faults-postgres-'));
  await chmod(folder, 0o755);
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const place = async (name: string): Promise<string> => {
    const dir = join(folder, name);
    await mkdir(dir);
    if (isRoot) await chown(dir, account.uid, account.gid);
    return dir;
  };
  const main = await place('main');
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  await promisify(execFile)(
    binaries.initdb,
    [
      '-D',
      join(main, 'data'),
      '--username=postgres',
      '--auth=trust',
      '--no-instructions',
      '--no-sync',
      ...locale,
    ],
    { ...identity(account), cwd: main, env: SERVER_ENV },
  );

  async function serve({ dir, settings }: Place): Promise<Postgres> {
    let child: ChildProcess | undefined;
    const queryAs: Postgres['queryAs'] = async (who, text) => {
      const client = new pg.Client({ host: dir, ...who });
      await client.connect();
      return client
        .query<Record<string, unknown>>(text)
        .then(({ rows }) => rows)
        .finally(() => client.end());
    };
    const query = (text: string) => queryAs({ user: 'postgres', database: 'postgres' }, text);
    async function start(): Promise<void> {
      const given = { listen_addresses: '', unix_socket_directories: dir, max_wal_senders: '4', ...settings };
      const words = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const options = { ...identity(account), cwd: dir, env: SERVER_ENV, stdio: 'ignore' as const };
      child = spawn(binaries.postgres, ['-D', join(dir, 'data'), ...words], options);
      await waitForRecovery(async () => (await query('select 1')).length === 1, TIMEOUT_MS);
    }
    async function end(signal: NodeJS.Signals): Promise<void> {
      if (!child || hasEnded(child)) return;
      await signalAll('SIGCONT');
      await endChild(child, signal);
    }
    async function signalAll(signal: NodeJS.Signals): Promise<void> {
      const { pid = 0 } = child ?? {};
      for (const one of [pid, ...(await childrenOf(pid))]) sendTo(one, signal);
    }
    t.teardown(() => end('SIGQUIT'));
    const server: Postgres = {
      path: join(dir, '.s.PGSQL.5432'),
      urlAt: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
      query,
      queryAs,
      start,
      stop: () => end('SIGINT'),
      kill: () => end('SIGKILL'),
      pause: () => signalAll('SIGSTOP'),
      resume: () => signalAll('SIGCONT'),
      async standby() {
        await end('SIGINT');
        const other = await place('standby');
        await cp(join(dir, 'data'), join(other, 'data'), { recursive: true });
        await writeFile(join(other, 'data', 'standby.signal'), '');
        await chownAll(join(other, 'data'), isRoot ? account : undefined);
        settings.synchronous_standby_names = '*';
        await start();
        const primary_conninfo = `host=${dir} user=postgres application_name=standby`;
        const standby = await serve({ dir: other, settings: { primary_conninfo } });
        const inStep = "select from pg_stat_replication where sync_state = 'sync'";
        await waitForRecovery(async () => (await query(inStep)).length > 0, TIMEOUT_MS);
        return standby;
      },
    };
    await start();
    return server;
  }
  return serve({ dir: main, settings: {} });
}

/** Ignores a process that has already ended. */
function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    all.map((name) =>
      readFile(`/proc/${name}/stat`, 'utf8').then(
        (stat) => stat.split(') ')[1]?.split(' ')[1],
        () => '',
      ),
    ),
  );
  return all.filter((_name, index) => Number(parents[index]) === pid).map(Number);
}

/** Copied files belong to the user who copied them. */
async function chownAll(dir: string, account: { uid: number; gid: number } | undefined): Promise<void> {
  await chmod(dir, 0o700);
  if (!account) return;
  for (const entry of ['', ...(await readdir(dir, { recursive: true }))])
    await chown(join(dir, entry), account.uid, account.gid);
}
