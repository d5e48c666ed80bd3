import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { endWithProcess } from './end-with-process.ts';
import { startError } from './errors.ts';
import type { Home } from './home.ts';

/** A database cluster: data, socket folder and access rules. */
export interface Cluster {
  dir: string;
  socketDir: string;
  hbaFile: string;
  identFile: string;
}

/** Owner of the product's database. */
export const APP_ROLE = 'plugin_square';
/** Superuser of the cluster. */
export const ADMIN_ROLE = 'postgres';

/** Environment of PostgreSQL's programs, without variables of this process such as PGDATA, PGPORT and LANG. */
export const SERVER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const MAX_SOCKET_PATH = 100;

/**
 * Creates the cluster on the first start, and its socket folder and access rules on every start.
 *
 * Clients connect to a socket that only the server's user and root can access, and the kernel authenticates them (`peer`).
 * There is neither an open port nor a password.
 *
 * @param launcher the user who may connect
 * @throws start error when the cluster cannot be created or is of another major version
 */
export async function openCluster(home: Home, binaries: Binaries, launcher: Account): Promise<Cluster> {
  const dir = join(home.dir, 'cluster');
  if (!existsSync(dir)) await createCluster(dir, home, binaries);
  checkVersion(dir, binaries);
  const hbaFile = join(home.dir, 'pg_hba.conf');
  const identFile = join(home.dir, 'pg_ident.conf');
  const roles = [APP_ROLE, ADMIN_ROLE].map((role) => `launcher "${launcher.name}" ${role}\n`);
  writePublic(hbaFile, 'local all all peer map=launcher\n');
  writePublic(identFile, roles.join(''));
  return { dir, socketDir: openSocketDir(home), hbaFile, identFile };
}

/** Makes the file readable for the server's user, independent of the umask. */
function writePublic(file: string, content: string): void {
  writeFileSync(file, content);
  chmodSync(file, 0o644);
}

async function createCluster(dir: string, home: Home, { initdb }: Binaries): Promise<void> {
  const draft = `${dir}.draft`;
  rmSync(draft, { recursive: true, force: true });
  makePrivate(draft, home.account);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${ADMIN_ROLE}`, '--auth-local=peer', '--auth-host=reject'];
  try {
    const running = promisify(execFile)(initdb, ['-D', draft, ...locale, ...access, '--no-instructions'], {
      ...identity(home.account),
      cwd: home.dir,
      env: SERVER_ENV,
    });
    endWithProcess(running.child, 'SIGTERM');
    await running;
  } catch (error) {
    throw startError(`The database could not be created in ${home.dir}: ${lastLine(error)}`, error);
  }
  renameSync(draft, dir);
}

function checkVersion(dir: string, { major }: Binaries): void {
  const found = readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw startError(
    `The database in ${dir} was created by PostgreSQL ${found}, and this release has PostgreSQL ${major}. ` +
      'Dump it with the old release and restore it here, or set DATABASE_URL.',
  );
}

/** The path of a socket is limited to about 107 bytes; if it is longer, the socket is in the temporary folder. */
function openSocketDir({ dir, account }: Home): string {
  const near = join(dir, 'socket');
  const path =
    Buffer.byteLength(near) < MAX_SOCKET_PATH - '/.s.PGSQL.5432'.length ? near : farSocketDir(dir, account);
  if (!existsSync(path)) makePrivate(path, account);
  const { uid, mode } = lstatSync(path);
  if (uid === account.uid && (mode & 0o170077) === 0o040000) return path;
  throw startError(`The folder ${path} of the database's socket is not private to the database's user.`);
}

function farSocketDir(dir: string, { uid }: Account): string {
  const { dev, ino } = lstatSync(dir);
  return join(tmpdir(), `plugin-square-${uid}-${dev}-${ino}`);
}

function makePrivate(dir: string, { uid, gid }: Account): void {
  mkdirSync(dir, { mode: 0o700 });
  chownSync(dir, uid, gid);
}

/** Spawn options to run a program as the given user; empty without root rights. */
export function identity({ uid, gid }: Account): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

function lastLine(error: unknown): string {
  const text =
    error instanceof Error && 'stderr' in error && error.stderr ? String(error.stderr) : String(error);
  return text.trim().split('\n').at(-1) ?? '';
}
