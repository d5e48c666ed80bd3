import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../../community/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import { ALL_KINDS, readRows } from '../../community/sweep/store.ts';
import { startError } from '../../database/errors.ts';
import type { Log } from '../../database/pool.ts';
import { type ArchiveWriter, json, piecesOf, writeArchive } from '../archive/write-archive.ts';
import { type Connection, withConnection } from '../database.ts';
import { CONTENTS, type Contents, entryOfFile, entryOfKeys, entryOfTable, KEY_FILE } from './contents.ts';
import { partsOf } from './copy-table.ts';
import { keepSweepsAway, mayTakeTime, readContents } from './store.ts';

type BackupParts = {
  url: string;
  files: FileStore;
  log: Log;
  /** The archive to write. */
  file: string;
  /** The folder whose keys go along, if any. */
  keysOf: string | undefined;
};

export type BackedUp = { tables: number; files: number; missing: string[]; keys: string[] };

/** Files asked for at a time. */
const PAGE = 200;

/**
 * Writes everything into one archive while the service goes on: the tables as of one moment, and every file that they
 * name. Files are stored before rows name them, and no sweep runs meanwhile, so none of them is missing.
 * @throws start error when there is nothing to back up, or the archive cannot be written
 */
export async function backUp({ url, files, log, file, keysOf }: BackupParts): Promise<BackedUp> {
  const given = { name: 'backup', schema: COMMUNITY_SCHEMA, log };
  return withConnection(url, given, async ({ db, client }) => {
    await mayTakeTime(db);
    await keepSweepsAway(db);
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        const contents = await readContents(snapshot);
        if (contents.tables.length === 0) throw startError('There is nothing in the database to back up.');
        const done: BackedUp = { tables: contents.tables.length, files: 0, missing: [], keys: [] };
        await writeArchive({ file, kind: 'backup' }, async (archive) => {
          await archive.add(CONTENTS, json(contents));
          await addTables(archive, { db: snapshot, client }, contents);
          if (contents.schemas.some(({ schema }) => schema === COMMUNITY_SCHEMA))
            await addFiles(archive, { db: snapshot, files }, done);
          if (keysOf !== undefined) done.keys = await addKeys(archive, keysOf);
        });
        return done;
      });
  });
}

async function addTables(
  archive: ArchiveWriter,
  { client }: Connection,
  { tables }: Contents,
): Promise<void> {
  for (const table of tables) {
    let part = 0;
    for await (const packed of partsOf(client, table)) {
      await archive.add(entryOfTable(table, part), packed);
      part += 1;
    }
  }
}

async function addFiles(
  archive: ArchiveWriter,
  { db, files }: { db: Db; files: FileStore },
  done: BackedUp,
): Promise<void> {
  for await (const name of namedFiles(db)) {
    const file = await files.get(name);
    if (file) {
      await archive.addStream(entryOfFile(name), file.bytes, piecesOf(file));
      done.files += 1;
    } else done.missing.push(name);
  }
}

async function* namedFiles(db: Db): AsyncGenerator<string> {
  for (const kind of ALL_KINDS) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows: { key: string; names: string[] }[] = await readRows(db, kind, after, PAGE);
      yield* rows.flatMap(({ names }) => names);
      after = rows.at(-1)?.key;
    }
  }
}

async function addKeys(archive: ArchiveWriter, folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => KEY_FILE.test(name)).sort();
  for (const name of names) await archive.add(entryOfKeys(name), await readFile(join(folder, name)));
  return names;
}
