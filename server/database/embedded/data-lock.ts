import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startError } from '../start-error.ts';

const SQLITE_BUSY = 5;
/** How long a program that is just closing is waited for. */
const PATIENCE_MS = 5000;

/** A data folder held by this process until `release` is called or the process ends in any way. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the data folder for this process alone.
 *
 * Node has no file locks of its own; SQLite's exclusive transaction is one. The kernel keeps it, so it ends with
 * the process even after kill -9, is not fooled by a reused process id, and is seen across containers that share
 * the folder.
 *
 * @throws start error when another program holds the folder, or when the lock file cannot be written
 */
export function lockDataDir(dataDir: string): DataLock {
  const holderFile = join(dataDir, 'database.pid');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'database.lock'), { timeout: PATIENCE_MS });
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(holderFile, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw startError(inUse(dataDir, holderFile), error);
    throw startError(`The data folder ${dataDir} cannot be written (${describe(error)}).`, error);
  }
  const held = lock;
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(holderFile, { force: true });
      held.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function inUse(dataDir: string, holderFile: string): string {
  return (
    `The data folder ${dataDir} is in use by another Plugin Square${holder(holderFile)}. ` +
    'Stop that one first, or choose another folder with DATA_DIR.'
  );
}

function holder(holderFile: string): string {
  try {
    return ` (process ${readFileSync(holderFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
