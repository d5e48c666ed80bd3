import { execFile } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { isStored } from '../../support/is-stored.ts';
import { silentLog } from '../../support/log.ts';
import { dataFolder, started } from '../database/fixtures/data-folder.ts';

t.test('the program', async (t) => {
  const PROGRAM = fileURLToPath(new URL('../../../server/commands/sweep.ts', import.meta.url));
  const NAME = `${'ab'.repeat(32)}.mp4`;

  type Outcome = { code: number; out: string; err: string };

  /** Runs the program as `npm run sweep` does. */
  function run(settings: Record<string, string>, ...options: string[]): Promise<Outcome> {
    const env = { PATH: process.env.PATH, ...settings };
    return new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, ...options], { env }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      });
    });
  }

  /** A stored file of two days ago without a row, and an upload left over. */
  async function leaveBehind(dataDir: string): Promise<void> {
    await openFolderStore(dataDir).put(NAME, Buffer.alloc(3 * 1024 * 1024));
    await mkdir(join(dataDir, 'uploads'));
    const left = join(dataDir, 'uploads', 'left');
    await writeFile(left, 'x');
    const at = new Date(Date.now() - 2 * 86_400_000);
    for (const path of [left, join(dataDir, 'files', 'ab', 'ab', NAME)]) await utimes(path, at, at);
  }

  const REPORT = (word: string) => `${word}:
  0 unused pictures, videos and packages, with their files
  1 files without a database row (3.0 MB)
  0 incomplete files and 1 abandoned uploads
`;

  t.test('on an external database', async (t) => {
    const { url } = await testDatabase<CommunityTables>(t, {
      schema: COMMUNITY_SCHEMA,
      migrations: communityMigrations,
      name: 'run',
    });
    const dataDir = await testFolder(t);
    await leaveBehind(dataDir);
    const settings = { DATABASE_URL: url, DATA_DIR: dataDir };
    t.strictSame(await run(settings, '--dry-run'), { code: 0, out: REPORT('Would remove'), err: '' });
    t.equal((await readdir(join(dataDir, 'uploads'))).length, 1);
    t.strictSame(await run(settings), { code: 0, out: REPORT('Removed'), err: '' });
    t.equal(await isStored(openFolderStore(dataDir), NAME), false);
    t.match(await run(settings), { out: /0 files without a database row \(0\.0 MB\)/ });
  });

  t.test('with a running service and without, on the embedded database', async (t) => {
    const dataDir = await dataFolder(t);
    const server = await started(t, dataDir);
    const pool = openPool(server.url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
    const db = openKysely<CommunityTables>(pool);
    await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log: silentLog });
    await db
      .insertInto('stored_file')
      .values({
        file_key: 'cd'.repeat(32),
        extension: 'json',
        mime_type: 'application/json',
        bytes: 2,
        created_at: new Date(Date.now() - 3_600_000),
      })
      .execute();
    await leaveBehind(dataDir);
    const beside = await run({ DATA_DIR: dataDir }, '--dry-run');
    t.hasStrict(beside, {
      code: 0,
      out: `${REPORT('Would remove')}1 files are missing; the log names them.\n`,
    });
    t.hasStrict(JSON.parse(beside.err), { file: `${'cd'.repeat(32)}.json`, level: 'warn' });
    await db.deleteFrom('stored_file').execute();
    await db.destroy();
    await server.stop();
    t.strictSame(await run({ DATA_DIR: dataDir }), { code: 0, out: REPORT('Removed'), err: '' });
  });

  t.test('errors are one line', async (t) => {
    const dataDir = await testFolder(t);
    t.strictSame(await run({ DATA_DIR: dataDir }), {
      code: 1,
      out: '',
      err: `There is no database in the data folder ${dataDir}.\n`,
    });
    t.strictSame(await readdir(dataDir), [], 'and nothing is made');
    t.hasStrict(await run({ DATA_DIR: dataDir }, '--all'), {
      code: 1,
      err: 'Unknown: --all. The only option is --dry-run.\n',
    });
    t.match(await run({ DATA_DIR: dataDir, DATABASE_URL: 'nowhere' }), {
      code: 1,
      err: /DATABASE_URL is not an address/,
    });
  });
});
