import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import t from 'tap';
import { backUp } from '../../../server/commands/backup/backup.ts';
import { checkBackup, restore } from '../../../server/commands/restore/restore.ts';
import { type FileStore, openFolderStore } from '../../../server/community/files/media/files.ts';
import { insertFiles } from '../../../server/community/files/media/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { prepareIdentity } from '../../../server/identity/prepare.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { prepareSite } from '../../../server/roles/prepare-site.ts';
import { tableHashes } from '../../commands/table-hashes.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { hasEnded } from '../../support/child-process.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { ENCRYPTOR, KEY_ROTATION } from '../../support/identity.ts';
import { isStored } from '../../support/is-stored.ts';
import { silentLog } from '../../support/log.ts';
import { until } from '../../support/until.ts';

t.test('backup', async (t) => {
  const log = pino({ level: 'silent' });
  const ADMIN = { email: 'ada@example.org', password: 'correct-horse-battery' };

  /** Whether a restore has checked for other clients. */
  const LOOKED = `select from pg_stat_activity
  where application_name = 'plugin-square restore' and query like '%distinct application_name%'`;

  type Teardown = { teardown(work: () => Promise<void>): void };
  type Source = { url: string; db: Db; files: FileStore; dataDir: string };

  /** A deployment with a demo catalogue, an administrator, files and keys. */
  async function deployment(t: Teardown): Promise<Source> {
    const { url } = await testDatabase(t, { name: 'backup' });
    const dataDir = await testFolder(t);
    const given = { log, now: Date.now, dataDir };
    const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
    const identity = openPool(url, { applicationName: 'test', schema: 'identity', log: silentLog });
    t.teardown(() => pool.end());
    const files = openFolderStore(dataDir);
    await prepareSite({ ...given, url, pool, files, seed: 'demo', tell: () => undefined });
    await prepareIdentity({
      ...given,
      pool: identity,
      admin: ADMIN,
      terminal: false,
      encryptor: ENCRYPTOR,
      keyRotation: KEY_ROTATION,
    });
    await identity.end();
    const db = openKysely<CommunityTables>(pool);
    for (let at = 0; at < 5; at += 1) await keep({ db, files }, Buffer.alloc(50_000 * at, String(at)));
    await writeFile(join(dataDir, 'account-keys'), 'secret\n');
    await writeFile(join(dataDir, 'bundle-key.pem'), 'a key\n');
    return { url, db, files, dataDir };
  }

  async function keep({ db, files }: Pick<Source, 'db' | 'files'>, content: Buffer): Promise<void> {
    const key = createHash('sha256').update(content).digest('hex');
    await files.put(`${key}.mp4`, content);
    const row = { key, extension: 'mp4', mime_type: 'video/mp4', bytes: content.length } as const;
    await db.transaction().execute(async (trx) => {
      await insertFiles(trx, [row]);
      await trx
        .insertInto('setting')
        .values({ name: `of ${key}`, value: '1' })
        .onConflict((c) => c.doNothing())
        .execute();
    });
  }

  async function emptyTarget(t: Teardown) {
    const { url } = await testDatabase(t, { name: 'restored' });
    const dataDir = await testFolder(t);
    return { url, dataDir, files: openFolderStore(dataDir), log };
  }

  async function indexesOf(url: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where schemaname in ('community', 'identity') order by indexdef`,
    );
    await client.end();
    return rows.map(({ indexdef }) => indexdef);
  }

  t.test('a restored backup has all rows, files and keys', async (t) => {
    const { url, files, dataDir, db } = await deployment(t);
    const file = join(dataDir, 'backup.tar');
    const done = await backUp({ url, files, log, file, keysOf: dataDir });
    t.hasStrict(done, {
      files: (await Array.fromAsync(files.list())).length,
      missing: [],
      keys: ['account-keys', 'bundle-key.pem'],
    });
    t.equal((await stat(file)).mode & 0o777, 0o600);
    const backup = await checkBackup(file);

    const target = await emptyTarget(t);
    t.hasStrict(await restore({ ...target, backup, force: false }), {
      tables: done.tables,
      files: done.files,
    });
    t.strictSame(await tableHashes(target.url), await tableHashes(url), 'every table has the same rows');
    const indexes = await indexesOf(url);
    t.ok(indexes.length > 20);
    t.strictSame(await indexesOf(target.url), indexes, 'and the same indexes');
    t.equal(await readFile(join(target.dataDir, 'account-keys'), 'utf8'), 'secret\n');
    t.equal((await stat(join(target.dataDir, 'account-keys'))).mode & 0o777, 0o600);
    const listed = async (store: FileStore) =>
      (await Array.fromAsync(store.list())).map(({ name }) => name).sort();
    t.strictSame(await listed(target.files), await listed(files));

    await t.test('sequences, triggers and constraints are restored', async (t) => {
      const pool = openPool(target.url, {
        applicationName: 'test',
        schema: COMMUNITY_SCHEMA,
        log: silentLog,
      });
      const restored = openKysely<CommunityTables>(pool);
      const total = () =>
        restored
          .selectFrom('plugin')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
      const before = await total();
      const given = { url: target.url, pool, log, now: Date.now, files: target.files, tell: () => undefined };
      await prepareSite({ ...given, seed: 'demo' });
      await addPlugin(restored, { key: 'added-later' });
      t.equal((await total()).n, before.n + 1);
      t.ok(
        await restored
          .selectFrom('plugin_counter')
          .innerJoin('plugin', 'id', 'plugin_id')
          .select('id')
          .where('plugin_key', '=', 'added-later')
          .executeTakeFirst(),
        'triggers are enabled',
      );
      await t.rejects(restored.updateTable('plugin').set({ publisher_id: 987_654 }).execute(), {
        code: '23503',
      });
      await restored.destroy();
    });

    await t.test('existing data is only overwritten with --force', async (t) => {
      const before = await tableHashes(target.url);
      await t.rejects(restore({ ...target, backup, force: false }), {
        name: 'StartError',
        message: 'The database is not empty. Add --force to overwrite it.',
      });
      await writeFile(join(target.dataDir, 'account-keys'), 'others\n');
      await t.rejects(restore({ ...target, backup, force: false }), {
        message: /has other keys than the backup/,
      });
      const full: FileStore = { ...target.files, put: () => Promise.reject(new Error('the disk is full')) };
      await t.rejects(restore({ ...target, files: full, backup, force: true }), {
        message: 'the disk is full',
      });
      t.strictSame(await tableHashes(target.url), before, 'nothing changed');
      const service = openPool(target.url, {
        applicationName: 'plugin-square community',
        schema: COMMUNITY_SCHEMA,
        log: silentLog,
      });
      await service.query('select 1');
      await t.rejects(restore({ ...target, backup, force: true }), {
        message: 'A Plugin Square is running on this database (plugin-square community). Stop it first.',
      });
      const restored = restore({ ...target, backup, force: true });
      await until(async () => (await service.query(LOOKED)).rowCount === 1);
      await service.end();
      await restored;
      t.strictSame(await tableHashes(target.url), await tableHashes(url));
    });

    await t.test('a backup of a newer release is refused', async (t) => {
      const newer = join(dataDir, 'newer.tar');
      const name = 'kysely_migration' as const;
      const step = { name: '9999-later', timestamp: 'now' };
      const tables = db.withTables<{ [name]: typeof step }>();
      await tables.insertInto(name).values(step).execute();
      await backUp({ url, files, log, file: newer, keysOf: undefined });
      await t.rejects(checkBackup(newer), {
        message: /was written by a newer release \(community: 9999-later\)/,
      });
    });

    await t.test('a backup of a version before 1.0.0 is refused', async (t) => {
      const older = join(dataDir, 'older.tar');
      const name = 'kysely_migration' as const;
      const tables = db.withTables<{ [name]: { name: string } }>();
      await tables
        .updateTable(name)
        .set({ name: '0001-people-and-files' })
        .where('name', '=', '0001-baseline')
        .execute();
      await backUp({ url, files, log, file: older, keysOf: undefined });
      await t.rejects(checkBackup(older), {
        name: 'StartError',
        message:
          /^\S+ was written by a version before 1\.0\.0 \(community\), whose database cannot be upgraded\./,
      });
    });
  });

  t.test('a backup during writes is a consistent snapshot', async (t) => {
    const source = await deployment(t);
    const { url, files, dataDir } = source;
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (; !isOver; written += 1) await keep(source, Buffer.from(`written meanwhile ${written}`));
    })();
    const file = join(dataDir, 'backup.tar');
    await backUp({ url, files, log, file, keysOf: undefined });
    const during = written;
    isOver = true;
    await writing;
    t.ok(during > 0, 'rows were written during the backup');
    const target = await emptyTarget(t);
    await restore({ ...target, backup: await checkBackup(file), force: false });
    const pool = openPool(target.url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
    const restored = openKysely<CommunityTables>(pool);
    const rows = await restored
      .selectFrom('stored_file')
      .select(['file_key'])
      .where('extension', '=', 'mp4')
      .execute();
    const marks = await restored.selectFrom('setting').select('name').where('name', 'like', 'of %').execute();
    t.equal(marks.length, rows.length, 'every transaction is included completely or not at all');
    for (const { file_key } of rows) t.equal(await isStored(target.files, `${file_key}.mp4`), true);
    await restored.destroy();
  });
});

t.test('backup killed', async (t) => {
  const BACKUP = fileURLToPath(new URL('../../../server/commands/backup.ts', import.meta.url));

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
    while (!hasEnded(child) && (await pool.query(waits)).rowCount === 0) await delay(20);
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
});

t.test('two databases', async (t) => {
  t.test('services with a database each have a backup each', async (t) => {
    const community = await testDatabase<CommunityTables>(t, {
      schema: COMMUNITY_SCHEMA,
      migrations: communityMigrations,
    });
    const identity = await testDatabase(t, { schema: IDENTITY_SCHEMA, migrations: identityMigrations });
    await addPlugin(community.db, { key: 'colour-steps' });
    await identity.pool.query(`
    insert into account (user_name, user_name_key, email, nick_name, nick_name_key, created_at)
      values ('ada', 'ada', '', 'Ada', 'ada', now())`);
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    const given = { files, log: silentLog, dataDir, force: false };
    const restored: string[] = [];
    for (const [name, { url }] of Object.entries({ community, identity })) {
      const file = join(dataDir, `${name}.tar`);
      await backUp({ url, files, log: silentLog, file, keysOf: undefined });
      const target = await testDatabase(t, { name: 'restored' });
      const backup = await checkBackup(file);
      await restore({ ...given, url: target.url, backup });
      t.strictSame(await tableHashes(target.url), await tableHashes(url), name);
      restored.push(target.url);
    }
    const backup = await checkBackup(join(dataDir, 'community.tar'));
    const [, url = ''] = restored;
    await t.rejects(restore({ ...given, url, backup }), { message: /is not empty/ }, "never over another's");
  });
});
