import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Account, serverAccount } from './account.ts';
import { isStartError, startError } from './errors.ts';

/** The folder of a database, and the user of its server. */
export interface Home {
  dir: string;
  account: Account;
  /** Whether it is outside the data folder, because root started the program. */
  staged: boolean;
}

const POINTER = 'database.json';
const RECORD = 'data-folder.json';

/** Creates the data folder if needed. @throws start error when it cannot be created */
export function createDataDir(dataDir: string): void {
  try {
    createFolders(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`The data folder ${dataDir} cannot be created (${reason}).`, error);
  }
}

/** One level at a time: Node's recursive mkdir never returns in a folder such as /proc that fails with ENOENT. */
function createFolders(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(dir) !== dir) createFolders(dirname(dir));
  mkdirSync(dir);
}

/**
 * Finds or creates the database folder of a data folder.
 *
 * PostgreSQL does not run as root, and another user may have no access to the data folder, for example in a home folder with
 * mode 0700. If root starts the program, the database is therefore in its own folder below `stagingDir`; a file in each of
 * the two folders refers to the other one. If another user starts the program, or has created the database, it is in the
 * data folder.
 *
 * @param dataDir real path of the data folder, locked by this process
 * @throws start error when the database belongs to another user or to another data folder
 */
export function openHome(dataDir: string, launcher: Account, stagingDir: string): Home {
  try {
    const local = join(dataDir, 'database');
    const owner = ownerOf(local);
    if (launcher.uid === 0)
      return owner?.uid ? { dir: local, account: owner, staged: false } : openStaged(dataDir, stagingDir);
    if (existsSync(join(dataDir, POINTER))) throw startError(madeByRoot(dataDir));
    if (owner && owner.uid !== launcher.uid) throw startError(madeByOther(local, owner));
    mkdirSync(local, { recursive: true, mode: 0o700 });
    return { dir: local, account: launcher, staged: false };
  } catch (error) {
    if (isStartError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`The database of the data folder ${dataDir} cannot be opened (${reason}).`, error);
  }
}

/** Finds the database folder of a data folder without creating it. */
export function findHome(dataDir: string): string | undefined {
  const local = join(dataDir, 'database');
  return pointedHome(dataDir) ?? (existsSync(local) ? local : undefined);
}

/** Whether a data folder has a database. */
export function hasDatabase(dataDir: string): boolean {
  return findHome(resolve(dataDir)) !== undefined;
}

function ownerOf(dir: string): Account | undefined {
  if (!existsSync(dir)) return undefined;
  const { uid, gid } = statSync(dir);
  return { name: String(uid), uid, gid };
}

function openStaged(dataDir: string, stagingDir: string): Home {
  const dir = pointedHome(dataDir) ?? newHome(dataDir, stagingDir);
  const known = readPath(join(dir, RECORD), 'data_dir');
  if (known && !isSameFolder(known, dataDir) && pointedHome(known) === dir)
    throw startError(copied(dataDir, known));
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  writePath(join(dir, RECORD), 'data_dir', dataDir);
  return { dir, account: serverAccount(), staged: true };
}

function newHome(dataDir: string, stagingDir: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const dir = join(stagingDir, `${hash}-${randomBytes(3).toString('hex')}`);
  writePath(join(dataDir, POINTER), 'home', dir);
  return dir;
}

function pointedHome(dataDir: string): string | undefined {
  return readPath(join(dataDir, POINTER), 'home');
}

function readPath(file: string, key: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const content: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  return String(content[key]);
}

function writePath(file: string, key: string, path: string): void {
  writeFileSync(file, `${JSON.stringify({ [key]: path })}\n`);
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  if (!existsSync(one)) return false;
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

function madeByRoot(dataDir: string): string {
  return (
    `The database of the data folder ${dataDir} was created by root in ${pointedHome(dataDir)}. ` +
    'Start the program as root, or choose another folder with DATA_DIR.'
  );
}

function madeByOther(local: string, owner: Account): string {
  return (
    `The database in ${local} belongs to the user with id ${owner.uid}. ` +
    'Start the program as that user, or choose another folder with DATA_DIR.'
  );
}

function copied(dataDir: string, known: string): string {
  return (
    `The data folder ${dataDir} is a copy of ${known}, and their one database stays with the original. ` +
    `Delete ${join(dataDir, POINTER)} to start with an empty database, or set DATABASE_URL.`
  );
}
