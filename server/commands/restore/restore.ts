import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { type FileStore, isFileName } from '../../community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import { liftTimeouts } from '../../database/advisory-lock.ts';
import { startError } from '../../database/errors.ts';
import { compareMigrations } from '../../database/migrate.ts';
import type { Log } from '../../database/pool.ts';
import { collect, type Entry, fileOfEntry, readArchive } from '../../storage/archive.ts';
import { writeDurably } from '../../storage/durable-write.ts';
import { CONTENTS, type Contents, contentsSchema, KEY_FILE, keysOfEntry } from '../backup/contents.ts';
import { openTables } from '../backup/copy-table.ts';
import { readSchemas, SCHEMAS } from '../backup/store.ts';
import { withConnection } from '../database.ts';
import {
  addForeignKeys,
  analyze,
  createIndexes,
  createSchema,
  dropForeignKeys,
  dropIndexes,
  dropSchema,
  enableTriggers,
  readOtherClients,
  setLockTimeout,
  setSequences,
  truncateTable,
} from './store.ts';

type RestoreOptions = {
  url: string;
  files: FileStore;
  log: Log;
  backup: CheckedBackup;
  /** Folder for the keys of the backup. */
  dataDir: string;
  /** Whether to overwrite existing data and keys. */
  force: boolean;
};

type Restored = { tables: number; files: number; keys: string[] };
type Keys = Map<string, Buffer>;

/** An archive that was read completely and is valid. */
type CheckedBackup = { file: string; sha256: string; contents: Contents; keys: Keys };

/**
 * Restores a backup: the tables in one transaction, and the files before its end. After an error the database is unchanged.
 * @throws start error when the database is not empty, other keys exist, or a service is running
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { url, files, log, backup, dataDir, force } = options;
  const { file, sha256, contents, keys } = backup;
  for (const [name, content] of keys) await refuseOtherKeys(join(dataDir, name), content, force);
  const connection = { name: 'restore', schema: COMMUNITY_SCHEMA, log };
  return withConnection(url, connection, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      await liftTimeouts(trx);
      await dropSchemas(trx, force);
      const { constraints, indexes } = await createTables(trx, contents);
      const tables = openTables(client, contents);
      const done: Restored = { tables: contents.tables.length, files: 0, keys: [...keys.keys()] };
      await readArchive({ file, kind: 'backup', expected: sha256 }, async (entry) => {
        if (!(await tables.write(entry)) && (await storeFile(files, entry))) done.files += 1;
      });
      await tables.end();
      for (const table of contents.tables) await enableTriggers(trx, table);
      await createIndexes(trx, indexes);
      await addForeignKeys(trx, constraints);
      await setSequences(trx, contents.sequences);
      await analyze(trx, contents.tables);
      for (const [name, content] of keys) await writeKeys(dataDir, name, content);
      return done;
    }),
  );
}

/**
 * Reads and checks a whole archive, before a restore changes anything.
 * @throws start error when it is not a backup, truncated, changed, or of a newer release
 */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const keys: Keys = new Map();
  let contents: unknown;
  const { sha256 } = await readArchive({ file, kind: 'backup' }, async ({ name, pieces }) => {
    const keyName = keysOfEntry(name);
    if (name === CONTENTS) contents = JSON.parse((await collect(pieces)).toString());
    else if (keyName !== undefined && KEY_FILE.test(keyName)) keys.set(keyName, await collect(pieces));
  });
  if (!Value.Check(contentsSchema, contents)) throw startError(`${file} has no valid ${CONTENTS}.`);
  assertSupported(file, contents);
  return { file, sha256, contents, keys };
}

function assertSupported(file: string, { schemas }: Contents): void {
  for (const { schema, migrations } of schemas) {
    const known = SCHEMAS.find((ours) => ours.schema === schema)?.migrations ?? {};
    const { isBefore, unknown } = compareMigrations(migrations, known);
    if (isBefore)
      throw startError(
        `${file} was written by a version before 1.0.0 (${schema}), whose database cannot be upgraded. Restore it with that ` +
          'version, and move its plugins with a bundle (docs/operations.md, "From a version before 1.0.0").',
      );
    if (unknown.length > 0)
      throw startError(
        `${file} was written by a newer release (${schema}: ${unknown.join(', ')}). Restore it with that release or a later one.`,
      );
  }
}

const RETRIES = 10;
const RETRY_MS = 100;

/** PostgreSQL closes the connections of a program that was just stopped with a delay. */
async function assertNoOtherClients(trx: Db): Promise<void> {
  let others = await readOtherClients(trx);
  for (let retry = 0; retry < RETRIES && others.length > 0; retry += 1) {
    await delay(RETRY_MS);
    others = await readOtherClients(trx);
  }
  if (others.length > 0)
    throw startError(`A Plugin Square is running on this database (${others.join(', ')}). Stop it first.`);
}

async function dropSchemas(trx: Db, force: boolean): Promise<void> {
  await assertNoOtherClients(trx);
  const existing = await readSchemas(trx);
  if (existing.length > 0 && !force)
    throw startError('The database is not empty. Add --force to overwrite it.');
  await setLockTimeout(trx);
  for (const { schema } of SCHEMAS) await dropSchema(trx, schema);
}

async function createTables(trx: Db, contents: Contents) {
  for (const { schema, migrations } of SCHEMAS) {
    const last = contents.schemas.find((given) => given.schema === schema)?.migrations.at(-1);
    if (last !== undefined) await createSchema(trx, { schema, migrations, last });
  }
  const names = contents.schemas.map(({ schema }) => schema);
  const constraints = await dropForeignKeys(trx, names);
  for (const table of contents.tables) await truncateTable(trx, table);
  const indexes = await dropIndexes(trx, names);
  return { constraints, indexes };
}

async function storeFile(files: FileStore, { name: entry, pieces }: Entry): Promise<boolean> {
  const name = fileOfEntry(entry);
  if (name === undefined || !isFileName(name)) return false;
  await files.put(name, pieces);
  return true;
}

async function refuseOtherKeys(path: string, content: Buffer, force: boolean): Promise<void> {
  if (force || !existsSync(path) || (await readFile(path)).equals(content)) return;
  throw startError(`${path} has other keys than the backup. Add --force to overwrite them.`);
}

async function writeKeys(dataDir: string, name: string, content: Buffer): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeDurably({ folder: dataDir, path: join(dataDir, name), mode: 0o600 }, content);
}
