import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { exportBundle } from '../../../server/community/bundle/export-bundle.ts';
import { importBundle } from '../../../server/community/bundle/import-bundle.ts';
import { loadSigningKey, publicKeyOf } from '../../../server/community/bundle/signing-key.ts';
import { readPlugins } from '../../../server/community/bundle/store.ts';
import { readListing } from '../../../server/community/catalogue/plugins/store.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { insertFiles, insertPictures } from '../../../server/community/files/media/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { readAuditLogRows } from '../../../server/community/people/audit-log/store.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { SORT_LATEST } from '../../../shared/constants.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { isStored } from '../../support/is-stored.ts';
import { addPlugin } from '../add-plugin.ts';

const COVER = 'ab'.repeat(32);
const PACKAGE = Buffer.from('{"format":"plugin-package"}');
const PACKAGE_KEY = createHash('sha256').update(PACKAGE).digest('hex');
const KEYS = ['colour-steps', 'grid-of-squares'];
const PUBLISHER = 555;

type Teardown = { teardown(work: () => Promise<void>): void };

async function place(t: Teardown, name: string) {
  const given = { schema: COMMUNITY_SCHEMA, migrations: communityMigrations, name };
  const { db } = await testDatabase<CommunityTables>(t, given);
  const dataDir = await testFolder(t);
  return { db, dataDir, signingKey: await loadSigningKey({ dataDir }), files: openFolderStore(dataDir) };
}

/** A deployment with two visible plugins, one of them with a cover and a package, and a hidden one. */
async function source(t: Teardown) {
  const here = await place(t, 'source');
  const { db, files } = here;
  const { id: tag } = await db
    .insertInto('tag')
    .values({ code: 'colour', name: '{"en-US":"Colour"}', position: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addPlugin(db, {
    key: 'colour-steps',
    name: { 'en-US': 'Colour steps', 'zh-CN': '颜色梯度' },
    tags: [tag],
  });
  await addPlugin(db, { key: 'grid-of-squares', name: { 'en-US': 'Grid of squares' } });
  await addPlugin(db, { key: 'not-yet-seen', name: { 'en-US': 'Not yet seen' }, auditStatus: 1 });
  await files.put(`${COVER}-320.webp`, Buffer.from('a cover'));
  await files.put(`${PACKAGE_KEY}.json`, PACKAGE);
  await insertPictures(db, [{ key: COVER, width: 320, height: 180, widths: [320], bytes: 7 }]);
  const mime_type = 'application/json';
  await insertFiles(db, [{ key: PACKAGE_KEY, extension: 'json', mime_type, bytes: PACKAGE.length }]);
  await db
    .updateTable('plugin')
    .set({ cover_key: COVER, support: 'Write to us' })
    .where('plugin_key', '=', 'colour-steps')
    .execute();
  const shown = db.selectFrom('plugin').select('id').where('plugin_key', '=', 'colour-steps');
  for (const [position, is_before] of [
    [1, false],
    [2, true],
  ] as const)
    await db
      .insertInto('plugin_media')
      .values({ plugin_id: shown, position, picture_key: COVER, is_before })
      .execute();
  const successor = db.selectFrom('plugin').select('id').where('plugin_key', '=', 'grid-of-squares');
  const old = await db
    .updateTable('plugin')
    .set({ deprecated_at: new Date() })
    .where('plugin_key', '=', 'colour-steps')
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('deprecation')
    .values({ plugin_id: old.id, successor_id: successor, texts: '{"en-US":"Use squares"}' })
    .execute();
  await db.updateTable('plugin_text').set({ support: '写信给我们' }).where('name', '=', '颜色梯度').execute();
  await db
    .updateTable('plugin_version')
    .set({
      package_key: PACKAGE_KEY,
      package_bytes: PACKAGE.length,
      package_manifest: '{"name":"Colour steps"}',
      host_range: 'pixso >=4.2',
    })
    .execute();
  return here;
}

async function target(t: Teardown) {
  const there = await place(t, 'target');
  await there.db.insertInto('person').values({ user_id: PUBLISHER, nick_name: 'Importer' }).execute();
  return there;
}

async function exported(here: Awaited<ReturnType<typeof place>>, name: string, plugins: string[] | 'all') {
  const file = join(here.dataDir, name);
  const lines: string[] = [];
  const done = await exportBundle({ ...here, file, plugins, tell: (line) => void lines.push(line) });
  return { file, trusted: done.publicKey, done, lines };
}

async function countAll(db: Db): Promise<number[]> {
  const counts: number[] = [];
  for (const table of ['plugin', 'plugin_version', 'submission', 'tag', 'picture', 'stored_file'] as const) {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    counts.push(n);
  }
  return counts;
}

t.test('plugins are exported from one deployment and imported into another', async (t) => {
  const here = await source(t);
  const there = await target(t);
  const { file, trusted, done, lines } = await exported(here, 'all.bundle', 'all');
  t.hasStrict(done, { plugins: 2, versions: 2, files: 2 });
  t.strictSame(lines, ['Files written: 1 of 2', 'Files written: 2 of 2']);
  const told: [string, unknown][] = [];
  const list = () => readListing(there.db, { tagId: 0, sort: SORT_LATEST, after: undefined, limit: 1 });
  const asked: Promise<unknown>[] = [];
  const tell = (line: string): void => {
    const entry: [string, unknown] = [line, undefined];
    told.push(entry);
    asked.push(
      list().then((found) => {
        entry[1] = found?.filling;
      }),
    );
  };
  // The import goes on when what its lines asked for has been read.
  const db = there.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await Promise.all(asked);
      return result;
    },
  });
  const parts = { ...there, db, file, trusted, publisherId: PUBLISHER, now: Date.now, tell };
  t.strictSame(
    [...(await importBundle(parts))],
    KEYS.map((key) => [key, 'added']),
  );
  await Promise.all(asked);
  const filling = (count: number) => ({ done: count, total: 2 });
  t.strictSame(told.slice(0, 2), [
    ['Import: 0 of 2 plugins', filling(0)],
    ['Files stored: 1 of 2', filling(0)],
  ]);
  t.strictSame(
    told.map(([line]) => line),
    [
      'Import: 0 of 2 plugins',
      'Files stored: 1 of 2',
      'Files stored: 2 of 2',
      'Import: 1 of 2 plugins',
      'Import: 2 of 2 plugins, complete',
    ],
  );
  t.equal(told.at(-1)?.[1], null, 'nothing is being added any more');
  const imported = await readPlugins(there.db, KEYS);
  t.strictSame(imported, await readPlugins(here.db, KEYS), 'the same content');
  t.strictSame(
    imported.map(({ deprecation }) => deprecation),
    [{ successor: 'grid-of-squares', texts: { 'en-US': 'Use squares' } }, null],
    'a successor is found though it comes later',
  );
  t.hasStrict(imported, [{ versions: [{ host_range: 'pixso >=4.2' }] }]);
  const [translated, plain] = imported.map(({ listing }) => listing);
  t.hasStrict(translated, { support: 'Write to us', support_translations: { 'zh-CN': '写信给我们' } });
  t.strictSame(translated?.media, [{ picture_key: COVER }, { picture_key: COVER, is_before: true }]);
  t.notOk(plain && 'support_translations' in plain, 'earlier releases write no translations');
  const cover = await there.files.get(`${COVER}-320.webp`);
  t.equal(cover?.bytes, 7);
  await cover?.close();
  t.equal(await isStored(there.files, `${PACKAGE_KEY}.json`), true);
  t.equal(
    await there.db
      .selectFrom('plugin')
      .select('publisher_id')
      .executeTakeFirst()
      .then((row) => row?.publisher_id),
    PUBLISHER,
  );

  const auditLog = async () => readAuditLogRows(there.db, {}, { after: undefined, limit: 10 });
  t.match(
    await auditLog(),
    KEYS.toReversed().map((target_id) => ({
      actor: { user_id: PUBLISHER },
      action: 'plugin.import',
      target_id,
      detail: { outcome: 'added', signed_by: trusted },
    })),
    'the import is in the audit log',
  );

  await t.test('a second import changes nothing', async (t) => {
    const before = await countAll(there.db);
    t.strictSame(
      [...(await importBundle(parts))],
      KEYS.map((key) => [key, 'unchanged']),
    );
    t.strictSame(await countAll(there.db), before);
    t.equal((await auditLog()).length, KEYS.length);
  });

  await t.test('a new version is added, and a deleted plugin stays deleted', async (t) => {
    const { id } = await here.db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', 'colour-steps')
      .executeTakeFirstOrThrow();
    const version = { plugin_id: id, version: '2.0.0', note: '{}', audit_status: 2 } as const;
    const made = await here.db
      .insertInto('plugin_version')
      .values(version)
      .returning('id')
      .executeTakeFirstOrThrow();
    await here.db.updateTable('plugin').set({ current_version_id: made.id }).where('id', '=', id).execute();
    await there.db
      .updateTable('plugin')
      .set({ deleted_at: new Date() })
      .where('plugin_key', '=', 'grid-of-squares')
      .execute();
    const newer = await exported(here, 'newer.bundle', KEYS);
    t.strictSame(
      [...(await importBundle({ ...parts, file: newer.file }))],
      [
        ['colour-steps', 'changed'],
        ['grid-of-squares', 'deleted here'],
      ],
    );
    const [shown] = await readPlugins(there.db, KEYS);
    t.hasStrict(shown, { current_version: '2.0.0', versions: [{ version: '1.0.0' }, { version: '2.0.0' }] });
  });
});

t.test('a refused bundle imports nothing', async (t) => {
  const here = await source(t);
  const there = await target(t);
  const { file, trusted } = await exported(here, 'one.bundle', ['colour-steps']);
  const parts = { ...there, file, trusted, publisherId: PUBLISHER, now: Date.now, tell: () => undefined };
  const refused = (given: Partial<typeof parts>, message: RegExp) =>
    t.rejects(importBundle({ ...parts, ...given }), { name: 'StartError', message });
  const whole = await readFile(file);
  const other = join(here.dataDir, 'other.bundle');
  await writeFile(other, whole.subarray(0, whole.length - 3000));
  await refused({ file: other }, /is truncated/);
  const changed = Buffer.from(whole.toString('latin1').replace('Colour steps', 'Colour Steps'), 'latin1');
  await writeFile(other, changed);
  await refused({ file: other }, /was changed or damaged/);
  const stranger = publicKeyOf(await loadSigningKey({ dataDir: await testFolder(t) }));
  await refused({ trusted: stranger }, /was signed with another key/);
  await refused({ trusted: 'nonsense' }, /was signed with another key/);
  const signature = /"signature":"(.)/.exec(whole.toString('latin1'))?.[1] ?? '';
  const forged = whole
    .toString('latin1')
    .replace(`"signature":"${signature}`, `"signature":"${signature === 'A' ? 'B' : 'A'}`);
  await writeFile(other, Buffer.from(forged, 'latin1'));
  await refused({ file: other }, /The signature of .* is wrong/);
  await refused({ publisherId: 1 }, /There is no user 1 here/);
  t.strictSame(await countAll(there.db), [0, 0, 0, 0, 0, 0]);
  t.strictSame(await Array.fromAsync(there.files.list()), []);
  for (const plugins of [['not-yet-seen'], ['no-such-plugin']])
    await t.rejects(exported(here, 'none.bundle', plugins), { message: /No such plugin is shown here/ });
});

t.test('what is imported is what was signed, also if the file changes meanwhile', async (t) => {
  const here = await source(t);
  const there = await target(t);
  const { file, trusted } = await exported(here, 'signed.bundle', ['colour-steps']);
  /** A valid bundle of somebody else, with changes of the signed one. */
  const stranger = async (cover: string, plugins: string[]) => {
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    await files.put(`${COVER}-320.webp`, Buffer.from(cover));
    await files.put(`${PACKAGE_KEY}.json`, PACKAGE);
    return (await exported({ ...here, dataDir, files }, 'other.bundle', plugins)).file;
  };
  for (const [other, message] of [
    [await stranger('a bomb!', ['colour-steps']), /the content of .*-320\.webp has changed/i],
    [await stranger('a cover', ['grid-of-squares']), /was changed while it was read/],
  ] as const) {
    const changing = join(here.dataDir, 'changing.bundle');
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    await copyFile(file, changing);
    const db = there.db.withPlugin({
      transformQuery({ node }) {
        copyFileSync(other, changing);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await t.rejects(
      importBundle({ ...there, db, file: changing, trusted, publisherId: PUBLISHER, now: Date.now, tell }),
      { name: 'StartError', message },
    );
    t.equal(lines.at(-1), 'Import: 0 of 1 plugins, nothing imported');
    t.strictSame(await countAll(there.db), [0, 0, 0, 0, 0, 0]);
    t.equal(await isStored(there.files, `${COVER}-320.webp`), false);
  }
});
