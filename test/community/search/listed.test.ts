import t from 'tap';
import { communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { queryOfKeyword } from '../../../server/community/search/query.ts';
import { findMatches } from '../../../server/community/search/ranked-store.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { addPlugin, addTag } from '../add-plugin.ts';

const { db } = await testCommunity(t);
const tag = await addTag(db, 'tag');
await addPlugin(db, { key: 'grid-one', name: { 'en-US': 'Grid one' }, tags: [tag] });
await addPlugin(db, { key: 'grid-two', name: { 'en-US': 'Grid two' }, tags: [tag] });
await addPlugin(db, { key: 'of-grids', name: { 'en-US': 'Of grids' }, tags: [tag], isHidden: true });

/** Expected matches for each way of reading: all in one statement, counted by the index, and not counted. */
const EXPECTED = { few: 0, counted: 5000, many: 20_000 };

async function found(expected: number, tagId: number): Promise<{ rows: number; total: number }> {
  const query = queryOfKeyword('grid', tagId);
  if (!query) throw new Error('no query');
  const { rows, total } = await findMatches(
    db,
    { tagId, query, after: undefined, limit: 10, total: undefined },
    { name: 0, headline: 0, full: expected, listed: 20_000 },
  );
  return { rows: rows.length, total };
}

async function setHidden(isHidden: boolean): Promise<void> {
  await db.updateTable('plugin').set({ is_hidden: isHidden }).where('plugin_key', '=', 'of-grids').execute();
}

for (const tagId of [0, tag]) {
  t.test(`the total of a search in tag ${tagId} fits its matches, whichever way they are read`, async (t) => {
    t.strictSame(await found(EXPECTED.few, tagId), { rows: 2, total: 2 }, 'a plugin that was always hidden');
    t.strictSame(await found(EXPECTED.counted, tagId), { rows: 2, total: 2 });
    t.strictSame(await found(EXPECTED.many, tagId), { rows: 2, total: 10_001 });
    await setHidden(false);
    t.strictSame(await found(EXPECTED.few, tagId), { rows: 3, total: 3 });
    t.strictSame(await found(EXPECTED.counted, tagId), { rows: 3, total: 3 });
    await setHidden(true);
    t.strictSame(await found(EXPECTED.few, tagId), { rows: 2, total: 2 });
    t.strictSame(await found(EXPECTED.counted, tagId), { rows: 2, total: 2 });
  });
}

t.test('search rows of earlier releases are updated after the upgrade', async (t) => {
  const steps = Object.entries(communityMigrations);
  const { db, pool } = await testDatabase<CommunityTables>(t, {
    schema: 'community',
    migrations: Object.fromEntries(steps.filter(([name]) => name < '0014')),
    name: 'marked',
  });
  await addPlugin(db, { key: 'seen-one', isIndexed: false });
  await addPlugin(db, { key: 'hidden-one', isIndexed: false, isHidden: true });
  await pool.query(`
    insert into plugin_search (plugin_id, name, headline, "full") select id, 'grid', 'grid', 'grid' from plugin`);
  await migrate({ db, schema: 'community', migrations: communityMigrations, log: silentLog });
  await flushAll(db);
  const { rows } = await pool.query(
    'select plugin_key, is_listed from plugin_search s join plugin p on p.id = s.plugin_id order by 1',
  );
  t.strictSame(rows, [
    { plugin_key: 'hidden-one', is_listed: false },
    { plugin_key: 'seen-one', is_listed: true },
  ]);
});
