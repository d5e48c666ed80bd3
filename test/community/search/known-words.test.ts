import t from 'tap';
import { fillDatabase } from '../../../bench/data/fill.ts';
import { commonWords } from '../../../bench/data/texts.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { decodeCursor, encodeCursor, SearchPlace } from '../../../server/community/pages.ts';
import { createKnownWords, search } from '../../../server/community/plugins/list.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';

const { url } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'known_words',
});
await fillDatabase(url, { count: 12_000, waiting: 12 });
const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
t.teardown(() => pool.end());
const db = openKysely<CommunityTables>(pool);
const clock = { now: 1_800_000_000_000 };
const perf = { now: () => clock.now };
const known = createKnownWords({ perf });

const find = (keyword: string, cursor?: string, others = known) =>
  search(
    { db, known: others },
    { tag_id: 0, sort: 1, keyword, limit: 24, ...(cursor !== undefined && { cursor }) },
    keyword,
  );
const fresh = (keyword: string) => find(keyword, undefined, createKnownWords({ perf }));
const hide = (ids: readonly number[]) =>
  pool.query('update plugin set is_hidden = true where id = any ($1)', [ids]);

const totals = new Map<string, number>();
for (const word of commonWords('en-US')) totals.set(word, (await fresh(word)).total);
const often = [...totals].flatMap(([word, total]) => (total >= 1000 && total < 10_000 ? [word] : []));
const [word = '', other = ''] = often;
const [name = ''] = (await pool.query("select name from plugin_text where lang = 'en-US' limit 1")).rows.map(
  (row) => String(row.name).toLowerCase(),
);

t.test('a large total is cached for a minute, the page is read each time', async (t) => {
  const before = await find(word);
  t.ok(before.total >= 1000 && !before.total_estimated, `${word} ${before.total}`);
  const hidden = before.pluginIds.slice(0, 3);
  await hide(hidden);
  const soon = await find(word);
  t.equal(soon.total, before.total);
  t.notOk(soon.pluginIds.some((id) => hidden.includes(id)));
  t.equal((await fresh(word)).total, before.total - hidden.length);
  clock.now += 59_999;
  t.equal((await find(word)).total, before.total);
  clock.now += 2;
  t.equal((await find(word)).total, before.total - hidden.length);
});

t.test('setting the clock back does not extend the cache', async (t) => {
  const before = await find(word);
  await hide(before.pluginIds.slice(0, 1));
  const setBack = Date.now() - 3_600_000;
  t.intercept(Date, 'now', { value: () => setBack });
  clock.now += 60_001;
  t.equal((await find(word)).total, before.total - 1);
});

t.test('a small total is not cached', async (t) => {
  const before = await find(name);
  t.ok(before.total > 0 && before.total < 1000, `${name} ${before.total}`);
  await hide(before.pluginIds.slice(0, 1));
  t.equal((await find(name)).total, before.total - 1);
});

t.test('the total in a cursor is not cached for others', async (t) => {
  const { next_cursor: cursor, total } = await fresh(other);
  const list = ['search', 0, 1, other];
  const [rank, sortKey, id, counted, isSimilar] = decodeCursor(cursor ?? '', list, SearchPlace);
  t.equal(counted, total);
  const forged = encodeCursor([rank, sortKey, id, 2000, isSimilar], list);
  t.equal((await find(other, forged)).total, 2000);
  t.equal((await find(other)).total, total);
});
