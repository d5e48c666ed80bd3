import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isStartError, startError } from '../errors.ts';
import { type Account, serverAccount } from './account.ts';

/** The folder of one database and the user that its server runs as. */
export interface Home {
  dir: string;
  account: Account;
  /** Kept outside the data folder, because root started the program. */
  staged: boolean;
}

const POINTER = 'database.json';
const RECORD = 'data-folder.json';

/** Makes the data folder if needed. @throws start error when it cannot be made */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolders(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`The data folder ${dataDir} cannot be made (${reason}).`, error);
  }
}

/** One level at a time: Node's recursive way never ends in a folder that refuses with ENOENT, as /proc does. */
function makeFolders(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(dir) !== dir) makeFolders(dirname(dir));
  mkdirSync(dir);
}

/**
 * Finds or makes the folder that holds the database of a data folder.
 *
 * PostgreSQL never runs as root, and a user that it could run as may not reach the data folder (below a 0700 home,
 * for one). Started by root, the database therefore lies in a folder of its own below `stagingDir`, which records
 * its data folder, and the data folder holds a pointer to it. Started by anyone else, or once made by anyone else,
 * it lies in the data folder.
 *
 * @param dataDir real path of the data folder, held by this process
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

/** The folder that holds the database of a data folder, without making any; undefined while there is none. */
export function findHome(dataDir: string): string | undefined {
  const local = join(dataDir, 'database');
  return pointedHome(dataDir) ?? (existsSync(local) ? local : undefined);
}

/** Whether a data folder has a database at all; nothing is made. */
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
    `The database of the data folder ${dataDir} was made by root and lies in ${pointedHome(dataDir)}. ` +
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
