import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import type { FileStore } from '../../community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import { referencedFiles, withoutSweep } from '../../community/sweep/kept-files.ts';
import { liftTimeouts } from '../../database/advisory-lock.ts';
import { startError } from '../../database/errors.ts';
import type { Log } from '../../database/pool.ts';
import { type ArchiveWriter, entryOfFile, json, piecesOf, writeArchive } from '../../storage/archive.ts';
import { withConnection } from '../database.ts';
import { CONTENTS, type Contents, entryOfKeys, entryOfTable, KEY_FILE, type Table } from './contents.ts';
import { readTable } from './copy-table.ts';
import { readContents } from './store.ts';

type BackupOptions = {
  url: string;
  files: FileStore;
  log: Log;
  /** The archive to write. */
  file: string;
  /** Folder of the keys to include, if any. */
  keysOf: string | undefined;
};

export type BackedUp = {
  tables: number;
  files: number;
  missing: string[];
  keys: string[];
  schemas: Contents['schemas'];
};

/**
 * Writes a consistent snapshot of the tables, and all files that they refer to, into one archive while the service runs.
 * No file is missing: the service stores a file before the row that refers to it, and the sweep is locked.
 * @throws start error when the database is empty, or the archive cannot be written
 */
export async function backUp({ url, files, log, file, keysOf }: BackupOptions): Promise<BackedUp> {
  const options = { name: 'backup', schema: COMMUNITY_SCHEMA, log };
  return withConnection(url, options, ({ db, client, other }) =>
    // In a transaction of its own: a snapshot must not be older than the lock.
    withoutSweep(other, () =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (snapshot) => {
          // Files are read within the transaction, which may take any time.
          await liftTimeouts(snapshot);
          const contents = await readContents(snapshot);
          if (contents.tables.length === 0) throw startError('There is nothing in the database to back up.');
          const { tables, schemas } = contents;
          const done: BackedUp = { tables: tables.length, files: 0, missing: [], keys: [], schemas };
          await writeArchive({ file, kind: 'backup' }, async (archive) => {
            await archive.add(CONTENTS, json(contents));
            for (const table of contents.tables) await addTable(archive, client, table);
            if (contents.schemas.some(({ schema }) => schema === COMMUNITY_SCHEMA))
              await addFiles(archive, { db: snapshot, files }, done);
            if (keysOf !== undefined) done.keys = await addKeys(archive, keysOf);
          });
          return done;
        }),
    ),
  );
}

async function addTable(archive: ArchiveWriter, client: PoolClient, table: Table): Promise<void> {
  let part = 0;
  for await (const rows of readTable(client, table)) {
    await archive.add(entryOfTable(table, part), rows);
    part += 1;
  }
}

async function addFiles(
  archive: ArchiveWriter,
  { db, files }: { db: Db; files: FileStore },
  done: BackedUp,
): Promise<void> {
  for await (const name of referencedFiles(db)) {
    const file = await files.get(name);
    if (file) {
      await archive.addStream(entryOfFile(name), file.bytes, piecesOf(file));
      done.files += 1;
    } else done.missing.push(name);
  }
}

async function addKeys(archive: ArchiveWriter, folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => KEY_FILE.test(name)).sort();
  for (const name of names) await archive.add(entryOfKeys(name), await readFile(join(folder, name)));
  return names;
}
