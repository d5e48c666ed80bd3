import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { currentAccount, serverAccount } from '../../../packages/embedded-postgres/account.ts';
import { identity } from '../../../packages/embedded-postgres/cluster.ts';
import { endChild } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

export const pgbouncer = installedProgram('pgbouncer');
export const NO_PGBOUNCER = notInstalled('pgbouncer', 'pgbouncer');

type Settings = { pool_mode: 'transaction' | 'session' | 'statement'; ignore_startup_parameters?: string };

/** Few, so that the clients' connections change between them. */
const SERVER_CONNECTIONS = 6;

/** Runs PgBouncer in front of a server, for a role without a password. @returns its port */
export async function startPgBouncer(
  t: Test,
  program: string,
  { socket, role, settings }: { socket: string; role: string; settings: Settings },
): Promise<number> {
  const account = process.getuid?.() === 0 ? serverAccount() : currentAccount();
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'users');
  const given = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    default_pool_size: SERVER_CONNECTIONS,
    max_client_conn: 200,
    ...settings,
  };
  const lines = Object.entries(given).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${role}" ""\n`);
  await writeFile(
    file,
    ['[databases]', `* = host=${dirname(socket)} port=5432`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  await chmod(folder, 0o755);
  if (process.getuid?.() === 0) await chown(folder, account.uid, account.gid);
  const child = spawn(program, ['-q', file], { ...identity(account), cwd: folder, stdio: 'ignore' });
  t.teardown(async () => {
    await endChild(child, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true });
  });
  await until(() => accepts(port));
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
