import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { checkBackup } from '../../server/operations/restore/restore.ts';
import { addPlugin } from '../community/add-plugin.ts';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';

const BACKUP = fileURLToPath(new URL('../../server/backup.ts', import.meta.url));

t.test('a killed backup leaves no file that a restore accepts', async (t) => {
  const given = { schema: COMMUNITY_SCHEMA, migrations: communityMigrations, name: 'killed' };
  const { url, db, pool } = await testDatabase<CommunityTables>(t, given);
  await addPlugin(db, { key: 'colour-steps' });
  const folder = await testFolder(t);
  const file = join(folder, 'backup.tar');
  const draft = `${file}.unfinished`;
  const env = { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: join(folder, 'data') };

  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table tag in access exclusive mode');
  const child = spawn(process.execPath, [BACKUP, file], { env, stdio: 'inherit' });
  const ended = once(child, 'exit');
  const waits = `select from pg_locks where relation = 'tag'::regclass and not granted`;
  while (child.exitCode === null && (await pool.query(waits)).rowCount === 0) await delay(20);
  child.kill('SIGKILL');
  t.strictSame(await ended, [null, 'SIGKILL']);
  t.notOk(existsSync(file), 'no file with the final name');
  t.ok((await stat(draft)).isFile());
  await copyFile(draft, join(folder, 'taken.tar'));
  await t.rejects(
    checkBackup(join(folder, 'taken.tar')),
    { name: 'StartError' },
    'the unfinished file is refused',
  );
  await holder.query('rollback');
  holder.release();

  await promisify(execFile)(process.execPath, [BACKUP, file], { env });
  t.equal((await checkBackup(file)).file, file, 'the next backup is complete');
  t.notOk(existsSync(draft), 'and leaves no unfinished file');
});
