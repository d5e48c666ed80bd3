import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { backUp } from '../server/commands/backup/backup.ts';
import { checkBackup, restore } from '../server/commands/restore/restore.ts';
import { openFolderStore } from '../server/community/files/media/files.ts';
import { tableHashes } from '../test/commands/table-hashes.ts';
import { silentLog as log } from '../test/support/log.ts';
import { openStoredDatabases } from './data/databases.ts';
import type { Bench } from './run.ts';

const PLUGINS = 100_000;
const FILES = 2000;
/** Bytes of a packed plugin with its code. */
const FILE_BYTES = 50_000;
const AT_ONCE = 500;

type Place = { url: string; dataDir: string };

/** Adds files, which the generator omits; all are different and incompressible. */
async function addFiles({ url, dataDir }: Place): Promise<void> {
  const files = openFolderStore(dataDir);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let done = 0; done < FILES; done += AT_ONCE) {
    const keys: string[] = [];
    for (let n = 0; n < AT_ONCE; n += 1) {
      const content = randomBytes(FILE_BYTES);
      const key = createHash('sha256').update(content).digest('hex');
      await files.put(`${key}.json`, content);
      keys.push(key);
    }
    await client.query(
      `insert into community.stored_file (file_key, extension, mime_type, bytes)
        select unnest($1::text[]), 'json', 'application/json', $2`,
      [keys, FILE_BYTES],
    );
  }
  await client.end();
}

async function secondsOf<T>(work: () => Promise<T>): Promise<[seconds: string, answer: T]> {
  const started = performance.now();
  const answer = await work();
  return [((performance.now() - started) / 1000).toFixed(1), answer];
}

async function bytesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  await client.end();
  return Number(rows[0]?.bytes);
}

async function measure(from: Place, to: Place): ReturnType<Bench> {
  await addFiles(from);
  const [hashes, bytes] = [await tableHashes(from.url), await bytesOf(from.url)];
  const file = join(from.dataDir, 'backup.tar');
  const here = openFolderStore(from.dataDir);
  const [taking, taken] = await secondsOf(() =>
    backUp({ url: from.url, files: here, log, file, keysOf: undefined }),
  );
  const [checking, backup] = await secondsOf(() => checkBackup(file));
  const there = { url: to.url, files: openFolderStore(to.dataDir), dataDir: to.dataDir };
  const [restoring] = await secondsOf(() => restore({ ...there, log, backup, force: false }));
  const isSame = isDeepStrictEqual(await tableHashes(to.url), hashes);
  const megabytes = ((await stat(file)).size / 1e6).toFixed(0);
  return [
    {
      title: `Backup and restore: ${PLUGINS} plugins, ${FILES} files of ${FILE_BYTES / 1000} kB`,
      head: ['step', 'seconds', ''],
      rows: [
        [
          'backup',
          taking,
          `${(bytes / 1e6).toFixed(0)} MB of database, ${taken.files} files → ${megabytes} MB`,
        ],
        ['check of the archive', checking, 'read to its end, hash compared'],
        ['restore', restoring, isSame ? 'every table has the hash it had' : 'TABLES DIFFER'],
      ],
    },
  ];
}

/** Backup and restore of a deployment with embedded PostgreSQL and a data folder. */
export const backup: Bench = async () => {
  const server = await openStoredDatabases();
  const folders = [await mkdtemp(join(tmpdir(), 'bench-from-')), await mkdtemp(join(tmpdir(), 'bench-to-'))];
  const [from = '', to = ''] = folders;
  try {
    const size = { count: PLUGINS, waiting: PLUGINS / 100 };
    const target = await server.empty();
    return await measure({ url: await server.copy(size), dataDir: from }, { url: target, dataDir: to });
  } finally {
    await server.stop();
    for (const folder of folders) await rm(folder, { recursive: true });
  }
};
