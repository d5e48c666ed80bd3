import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { writeDurably } from '../../community/media/durable-write.ts';
import { type FileStore, isFileName } from '../../community/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import { startError } from '../../database/errors.ts';
import type { Log } from '../../database/pool.ts';
import { collect, type Entry, readArchive } from '../archive/read-archive.ts';
import {
  CONTENTS,
  type Contents,
  contentsSchema,
  fileOfEntry,
  KEY_FILE,
  keysOfEntry,
} from '../backup/contents.ts';
import { openTables } from '../backup/copy-table.ts';
import { readSchemas, SCHEMAS } from '../backup/store.ts';
import { withConnection } from '../database.ts';
import {
  addForeignKeys,
  analyze,
  dropForeignKeys,
  dropIndexes,
  dropSchema,
  emptyTable,
  limitWaiting,
  makeIndexes,
  makeSchema,
  readOthers,
  setSequences,
  wakeTriggers,
} from './store.ts';

type RestoreParts = {
  url: string;
  files: FileStore;
  log: Log;
  backup: CheckedBackup;
  /** Where keys that are in it go. */
  dataDir: string;
  /** What is there already is given up for it. */
  force: boolean;
};

type Restored = { tables: number; files: number; keys: string[] };
type Keys = Map<string, Buffer>;

/** An archive that was read to its end and is whole. */
type CheckedBackup = { file: string; contents: Contents; keys: Keys };

/**
 * Brings back what a backup holds: the tables in one transaction, the files before it ends. What fails leaves the
 * database as it was.
 * @throws start error when something is there already, or a service is running
 */
export async function restore({ url, files, log, backup, dataDir, force }: RestoreParts): Promise<Restored> {
  const { file, contents, keys } = backup;
  for (const [name, content] of keys) await refuseOtherKeys(join(dataDir, name), content, force);
  const given = { name: 'restore', schema: COMMUNITY_SCHEMA, log };
  return withConnection(url, given, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      await makeRoom(trx, force);
      const { constraints, indexes } = await makeTables(trx, contents);
      const tables = openTables(client, contents);
      const done: Restored = { tables: contents.tables.length, files: 0, keys: [...keys.keys()] };
      await readArchive({ file, kind: 'backup' }, async (entry) => {
        if (!(await tables.take(entry)) && (await keepFile(files, entry))) done.files += 1;
      });
      await tables.end();
      for (const table of contents.tables) await wakeTriggers(trx, table);
      await makeIndexes(trx, indexes);
      await addForeignKeys(trx, constraints);
      await setSequences(trx, contents.sequences);
      await analyze(trx, contents.tables);
      for (const [name, content] of keys) await writeKeys(dataDir, name, content);
      return done;
    }),
  );
}

/**
 * Reads an archive whole, before anything is touched.
 * @returns what is needed before its rows
 * @throws start error when it is no backup, cut off, changed, or of a newer release
 */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const keys: Keys = new Map();
  let contents: unknown;
  await readArchive({ file, kind: 'backup' }, async ({ name, pieces }) => {
    const keyName = keysOfEntry(name);
    if (name === CONTENTS) contents = JSON.parse((await collect(pieces)).toString());
    else if (keyName !== undefined && KEY_FILE.test(keyName)) keys.set(keyName, await collect(pieces));
  });
  if (!Value.Check(contentsSchema, contents)) throw startError(`${file} does not say what is in it.`);
  assertKnown(file, contents);
  return { file, contents, keys };
}

function assertKnown(file: string, { schemas }: Contents): void {
  for (const { schema, migrations } of schemas) {
    const known = SCHEMAS.find((ours) => ours.schema === schema)?.migrations ?? {};
    const unknown = migrations.filter((name) => !(name in known));
    if (unknown.length > 0)
      throw startError(
        `${file} was written by a newer release (${schema}: ${unknown.join(', ')}). Restore it with that release or a later one.`,
      );
  }
}

/** How often, and after how many milliseconds, it is looked again whether somebody is connected. */
const LOOKS = 10;
const LOOK_AGAIN = 100;

/** The server lets go of the connections of a program that has just been stopped a moment later. */
async function assertAlone(trx: Db): Promise<void> {
  let others = await readOthers(trx);
  for (let look = 0; look < LOOKS && others.length > 0; look += 1) {
    await delay(LOOK_AGAIN);
    others = await readOthers(trx);
  }
  if (others.length > 0)
    throw startError(`A Plugin Square is running on this database (${others.join(', ')}). Stop it first.`);
}

async function makeRoom(trx: Db, force: boolean): Promise<void> {
  await assertAlone(trx);
  const there = await readSchemas(trx);
  if (there.length > 0 && !force)
    throw startError('The database is not empty. Add --force to give up what is in it.');
  await limitWaiting(trx);
  for (const { schema } of SCHEMAS) await dropSchema(trx, schema);
}

async function makeTables(trx: Db, contents: Contents) {
  for (const { schema, migrations } of SCHEMAS) {
    const last = contents.schemas.find((given) => given.schema === schema)?.migrations.at(-1);
    if (last !== undefined) await makeSchema(trx, { schema, migrations, last });
  }
  const names = contents.schemas.map(({ schema }) => schema);
  const constraints = await dropForeignKeys(trx, names);
  for (const table of contents.tables) await emptyTable(trx, table);
  const indexes = await dropIndexes(trx, names);
  return { constraints, indexes };
}

async function keepFile(files: FileStore, { name: entry, pieces }: Entry): Promise<boolean> {
  const name = fileOfEntry(entry);
  if (name === undefined || !isFileName(name)) return false;
  await files.put(name, pieces);
  return true;
}

async function refuseOtherKeys(path: string, content: Buffer, force: boolean): Promise<void> {
  if (force || !existsSync(path) || (await readFile(path)).equals(content)) return;
  throw startError(`${path} holds other keys than the backup. Add --force to give them up.`);
}

async function writeKeys(dataDir: string, name: string, content: Buffer): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeDurably({ folder: dataDir, path: join(dataDir, name), mode: 0o600 }, content);
}
