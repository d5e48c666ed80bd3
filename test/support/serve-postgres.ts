/**
 * Runs a temporary PostgreSQL over TCP, with passwords and TLS: that of the system if there is one, else the one
 * of the npm package. Prints a TestServer as a line of JSON, and ends without leaving files when stdin ends.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { currentAccount, serverAccount } from '../../packages/embedded-postgres/account.ts';
import { provideBinaries } from '../../packages/embedded-postgres/binaries.ts';
import { identity } from '../../packages/embedded-postgres/cluster.ts';
import { selfSigned } from './certificate.ts';
import { hasEnded } from './child-process.ts';
import { freePort } from './port.ts';

const ROLE = 'plugin_square';
/** Folder of PostgreSQL's programs on Debian, by major version. */
const SYSTEM = '/usr/lib/postgresql/*/bin';
/** Folder of root's copies of the packaged programs. */
const STAGING_DIR = '/var/lib/plugin-square';
/** A language-specific collation, unlike that of the embedded database. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
/** Test data is temporary, so nothing needs to be durable. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const inputEnded = once(process.stdin.resume(), 'close');

const account = process.getuid?.() === 0 ? serverAccount() : currentAccount();
const folder = mkdtempSync(join(tmpdir(), 'plugin-square-postgres-'));
const own = (file: string, text: string, mode = 0o600): string => {
  writeFileSync(join(folder, file), text, { mode });
  chownSync(join(folder, file), account.uid, account.gid);
  return join(folder, file);
};
chownSync(folder, account.uid, account.gid);
const password = randomBytes(12).toString('hex');
const { cert, key } = selfSigned('ec', ['localhost']);
const [certFile, keyFile] = [own('server.crt', cert, 0o644), own('server.key', key)];
const hba = own('pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n');

const bin = await programs();
const data = join(folder, 'data');
const as = { ...identity(account), cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
const access = ['--username=postgres', `--pwfile=${own('password', password)}`, '--auth=scram-sha-256'];
execFileSync(join(bin, 'initdb'), ['-D', data, ...LOCALE, ...access, '--no-sync'], {
  ...as,
  stdio: 'ignore',
});

const port = await freePort();
const settings = [
  ...SETTINGS,
  `port=${port}`,
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  `hba_file=${hba}`,
  'ssl=on',
  `ssl_cert_file=${certFile}`,
  `ssl_key_file=${keyFile}`,
].flatMap((setting) => ['-c', setting]);
const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
  ...as,
  stdio: ['ignore', 'ignore', 'ignore'],
});
const ended = once(child, 'exit');

const address = (user: string, database: string): string =>
  `postgres://${user}:${password}@localhost:${port}/${database}?sslmode=verify-full&sslrootcert=${certFile}`;
const version = await makeRole();
const said = { url: address(ROLE, ROLE), pid: child.pid, caFile: certFile, version };
process.stdout.write(`${JSON.stringify(said)}\n`);
await inputEnded;
child.kill('SIGINT');
await ended;
rmSync(folder, { recursive: true, force: true });

async function programs(): Promise<string> {
  const found = globSync(SYSTEM).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const newest = found.at(-1);
  if (newest !== undefined) return newest;
  const { postgres } = await provideBinaries(process.getuid?.() === 0 ? STAGING_DIR : undefined);
  return join(postgres, '..');
}

/** Like an operator: an ordinary role with its own database, which may create more databases here. */
async function makeRole(): Promise<string> {
  for (;;) {
    const client = new pg.Client({ connectionString: address('postgres', 'postgres') });
    try {
      await client.connect();
    } catch (error) {
      if (hasEnded(child)) throw error;
      await delay(20);
      continue;
    }
    await client.query(`create role ${ROLE} login createdb password '${password}'`);
    await client.query(`create database ${ROLE} owner ${ROLE}`);
    const { rows } = await client.query('show server_version');
    await client.end();
    return String(rows[0].server_version);
  }
}
