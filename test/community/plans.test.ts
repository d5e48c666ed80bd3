import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import t from 'tap';
import { readInstalledRows } from '../../server/community/installed/store.ts';
import { communityMigrations } from '../../server/community/migrations.ts';
import { readOwnRows } from '../../server/community/own/store.ts';
import { cardsOf } from '../../server/community/plugins/cards/cards.ts';
import { readVersionRows } from '../../server/community/plugins/detail/store.ts';
import { readListing } from '../../server/community/plugins/list/store.ts';
import { readRecommendedIds } from '../../server/community/plugins/recommended/store.ts';
import type { CommunityTables, Db } from '../../server/community/schema.ts';
import { queryOfKeyword } from '../../server/community/search/query.ts';
import { searchListing } from '../../server/community/search/store.ts';
import { readRange, readRanges } from '../../server/community/sitemap/store.ts';
import { findLiveToken } from '../../server/community/tokens/store.ts';
import { testDatabase } from '../support/database.ts';
import { addManyPlugins } from '../support/many-plugins.ts';

const COUNT = 8000;
t.setTimeout(240_000);
const { db, pool } = await testDatabase<CommunityTables>(t, {
  schema: 'community',
  migrations: communityMigrations,
  name: 'plans',
});
await addManyPlugins(db, COUNT);
await pool.query(
  `insert into picture (picture_key, width, height, widths)
    select encode(sha256(n::text::bytea), 'hex'), 640, 360, '{320,640}' from generate_series(1, ${COUNT}) n`,
);
for (const table of ['plugin_like', 'plugin_install']) {
  await pool.query(`insert into ${table} (user_id, plugin_id) select id % 50, id from plugin`);
}
await pool.query('vacuum analyze');
const reader = { caller: { user_id: 7, role: 0, nick_name: '', avatar_url: '' }, language: 'en-US' } as const;

/** The plans of every statement that some work runs. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const watched: Db = new Kysely<CommunityTables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => void queries.push(event.query),
  });
  await work(watched);
  const plans = queries.map(async ({ sql, parameters }) => {
    const { rows } = await pool.query(`explain ${sql}`, [...parameters]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  return Promise.all(plans);
}

const { rows: middle } = await pool.query(
  'select plugin_id, updated_at, popularity from plugin_listing where tag_id = 0 order by plugin_id offset 4000 limit 1',
);
const place = {
  0: [middle[0].updated_at.getTime(), middle[0].plugin_id],
  1: [middle[0].popularity, middle[0].plugin_id],
};

for (const tagId of [0, 3]) {
  for (const sort of [0, 1] as const) {
    for (const after of [undefined, [place[sort][0], place[sort][1]] as [number, number]]) {
      t.test(
        `tag ${tagId}, sort ${sort}, ${after ? 'a later' : 'the first'} page reads one index range`,
        async (t) => {
          const plans = await plansOf((watched) => readListing(watched, { tagId, sort, after, limit: 25 }));
          const index = sort === 0 ? 'plugin_listing_latest' : 'plugin_listing_popular';
          for (const plan of plans) {
            t.match(plan, new RegExp(`Index (Only )?Scan using ${index}`));
            t.notMatch(plan, /Seq Scan on plugin|Sort Key/);
          }
        },
      );
    }
  }
}

const works: [title: string, work: (db: Db) => Promise<unknown>][] = [
  [
    'cards',
    (watched) =>
      cardsOf(
        watched,
        Array.from({ length: 24 }, (_, n) => n * 100 + 1),
        reader,
      ),
  ],
  ['versions', (watched) => readVersionRows(watched, 1, false)],
  ["somebody's own plugins", (watched) => readOwnRows(watched, { userId: 1, after: undefined, limit: 25 })],
  ['the ranges of the sitemap', readRanges],
  ['a range of the sitemap', (watched) => readRange(watched, 3)],
  [
    'what somebody has installed',
    (watched) => readInstalledRows(watched, { userId: 7, after: undefined, limit: 25 }),
  ],
];
for (const [title, work] of works) {
  t.test(`${title} are read by key`, async (t) => {
    for (const plan of await plansOf(work)) t.notMatch(plan, /Seq Scan on (plugin|person|picture)/);
  });
}

t.test('a publish token is found by its hash, however many there are', async (t) => {
  await pool.query(
    `insert into publish_token (user_id, name, secret_hash, hint, expires_at)
      select person.user_id, 'CI', sha256((person.user_id || ' ' || n)::text::bytea), 'psq_', now() + interval '1 day'
        from person, generate_series(1, 100) n`,
  );
  await pool.query('analyze publish_token');
  for (const plan of await plansOf((watched) => findLiveToken(watched, Buffer.alloc(32), new Date()))) {
    t.match(plan, /Index Scan using publish_token_secret_hash_key/);
    t.notMatch(plan, /Seq Scan on publish_token/);
  }
});

t.test('recommendations do not read the catalogue', async (t) => {
  await pool.query('insert into recommendation (plugin_id, position) select id, id from plugin limit 24');
  await pool.query('analyze recommendation');
  for (const plan of await plansOf(readRecommendedIds)) t.notMatch(plan, /Seq Scan on plugin/);
});

for (const [keyword, tagId] of [
  ['en77x12', 0],
  ['zzz', 0],
  ['鹤', 0],
  ['ru5x3', 3],
] as const) {
  t.test(`the search for the rare "${keyword}" goes by the words' index`, async (t) => {
    const query = queryOfKeyword(keyword, tagId);
    if (!query) throw new Error('no query');
    const plans = await plansOf((watched) =>
      searchListing(watched, { tagId, query, after: undefined, limit: 25 }),
    );
    for (const plan of plans) {
      t.match(plan, /Bitmap Index Scan on plugin_search_(name|headline|full)/);
      t.notMatch(plan, /Seq Scan on plugin/);
    }
  });
}

t.test('the search for a frequent word goes through the popular and stops', async (t) => {
  const query = queryOfKeyword('plugin', 0);
  if (!query) throw new Error('no query');
  const plans = await plansOf((watched) =>
    searchListing(watched, { tagId: 0, query, after: undefined, limit: 25 }),
  );
  const walk = plans.at(-1) ?? '';
  t.match(walk, /using plugin_listing_popular/);
  t.match(walk, /using plugin_search_pkey/);
  t.notMatch(walk, /Seq Scan|Sort Key/);
});
