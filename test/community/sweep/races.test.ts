import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { insertFiles } from '../../../server/community/media/store.ts';
import { preparePackage, storedName, storeFile } from '../../../server/community/media/stored-files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { sweep } from '../../../server/community/sweep/sweep.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { addPlugin } from '../add-plugin.ts';

const DAY = 86_400_000;
const { db } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'races',
});
const dataDir = await testFolder(t);
const files = openFolderStore(dataDir);
const log = pino({ level: 'silent' });
const prepared = Array.from({ length: 6 }, (_, number) =>
  preparePackage(Buffer.from(`{"package":${number}}`)),
);
const pluginId = await addPlugin(db, { key: 'square-races' });
const run = () => sweep({ db, files, dataDir, now: Date.now, log });

/** Puts the packages there as an upload of two days ago that came to nothing. */
async function leaveBehind(): Promise<void> {
  const at = new Date(Date.now() - 2 * DAY);
  await db.updateTable('plugin_version').set({ package_key: null }).execute();
  for (const one of prepared) {
    const file = await storeFile(files, one);
    const name = storedName(file);
    await utimes(join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name), at, at);
    await insertFiles(db, [file]);
  }
  await db.updateTable('stored_file').set({ created_at: at }).execute();
}

/** Publishes a package as the service does: the file first, then its row and what names it in one transaction. */
async function publish(number: number, { after, pause }: { after: number; pause: number }): Promise<void> {
  await sleep(after);
  const one = prepared[number];
  if (!one) throw new Error('no such package');
  const file = await storeFile(files, one);
  await sleep(pause);
  await db.transaction().execute(async (trx) => {
    await insertFiles(trx, [file]);
    await sleep(pause);
    await sql`
      insert into plugin_version (plugin_id, version, package_key) values (${pluginId}, ${`2.0.${number}`}, ${file.key})
        on conflict (plugin_id, version) do update set package_key = excluded.package_key`.execute(trx);
  });
}

async function missing(): Promise<string[]> {
  const rows = await db
    .selectFrom('plugin_version')
    .leftJoin('stored_file', 'file_key', 'package_key')
    .select(['package_key', 'file_key', 'extension'])
    .where('package_key', 'is not', null)
    .execute();
  const gone: string[] = [];
  for (const { package_key, file_key, extension } of rows) {
    const isThere = file_key !== null && (await files.has(`${file_key}.${extension}`));
    if (!isThere) gone.push(package_key ?? '');
  }
  return gone;
}

t.test('who publishes while the sweep is at work ends with row and file', async (t) => {
  let removed = 0;
  for (let round = 0; round < 40; round += 1) {
    await leaveBehind();
    const publishing = prepared.map((_, number) =>
      publish(number, { after: (round * 3 + number * 5) % 40, pause: (round + number) % 4 }),
    );
    const [swept] = await Promise.all([run(), ...publishing]);
    removed += swept?.rows ?? 0;
    t.strictSame(await missing(), [], `round ${round}`);
    t.hasStrict(await run(), { rows: 0, files: 0, missing: 0 }, 'nothing is left to do');
  }
  t.ok(removed > 0 && removed < 240, `the sweep was faster ${removed} times of 240`);
});

t.test('a row that is being named is passed over', async (t) => {
  await leaveBehind();
  const [one] = prepared;
  if (!one) throw new Error('no such package');
  await db.transaction().execute(async (trx) => {
    await insertFiles(trx, [await storeFile(files, one)]);
    t.match(await run(), { rows: prepared.length - 1 });
    await trx.updateTable('plugin_version').set({ package_key: one.file.key }).execute();
  });
  t.strictSame(await missing(), []);
  t.strictSame(
    (await Array.fromAsync(files.list())).map(({ name }) => name),
    [storedName(one.file)],
  );
});
