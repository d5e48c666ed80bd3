import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

let server: Promise<RunServer> | undefined;

/** A PostgreSQL, and the folder of files that belong to its databases. */
export type RunServer = {
  url: string;
  home: string;
  /** For databases of tests; empty for the one of their template. */
  tablespace: string;
};

/**
 * The PostgreSQL of this run: that of TEST_DATABASE_URL, or one that the first test starts which needs it. It serves
 * all files of a run of tap, or this process alone, and ends with them.
 */
export function runServer(): Promise<RunServer> {
  server ??= sharedServer(process.env.TAP === '1' ? process.ppid : process.pid);
  return server;
}

/** Runs are told apart by the process that they end with. */
async function sharedServer(owner: number): Promise<RunServer> {
  const runs = join(import.meta.dirname, '../../.tap/runs');
  const folder = join(runs, String(owner));
  mkdirSync(runs, { recursive: true });
  if (isFirst(folder)) {
    const program = join(import.meta.dirname, 'serve-database.ts');
    spawn(process.execPath, [program, folder, String(owner)], { detached: true, stdio: 'ignore' }).unref();
  }
  const [started, tablespace] = [join(folder, 'url'), join(folder, 'tablespace')];
  const failed = join(folder, 'error');
  while (!existsSync(started)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    await delay(20);
  }
  return {
    url: readFileSync(started, 'utf8'),
    home: readFileSync(join(folder, 'home'), 'utf8'),
    tablespace: existsSync(tablespace) ? readFileSync(tablespace, 'utf8') : '',
  };
}

/** Making a folder succeeds for one process only. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
