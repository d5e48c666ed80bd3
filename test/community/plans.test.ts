import t from 'tap';
import { fillDatabase } from '../../bench/data/fill.ts';
import { BUSY_PUBLISHER, BUSY_USER } from '../../bench/data/plugin.ts';
import { rareWord } from '../../bench/data/texts.ts';
import { readOwnStatistics } from '../../server/community/catalogue/counters/statistics.ts';
import { readHistory } from '../../server/community/catalogue/history/store.ts';
import { countCohorts } from '../../server/community/catalogue/insights/round-store.ts';
import {
  readCohorts,
  readKeywords,
  readSources,
  readVersions,
} from '../../server/community/catalogue/insights/store.ts';
import { countActiveInstalls } from '../../server/community/catalogue/installations/active.ts';
import {
  readInstallationRows,
  readSeenVersion,
} from '../../server/community/catalogue/installations/store.ts';
import { takeUnread } from '../../server/community/catalogue/japanese/store.ts';
import { readFound } from '../../server/community/catalogue/ordered-list/store.ts';
import { cardsOf } from '../../server/community/catalogue/plugins/cards.ts';
import {
  readListing,
  readPublisherListing,
  readRecommendedIds,
  readVersionRows,
} from '../../server/community/catalogue/plugins/store.ts';
import { resembledBy } from '../../server/community/catalogue/publisher-names/resembling.ts';
import { findRarePublishers } from '../../server/community/catalogue/publisher-names/store.ts';
import { suggestPublishers } from '../../server/community/catalogue/publisher-names/suggested.ts';
import { readSitemapHandles } from '../../server/community/catalogue/publishers/store.ts';
import { readBeginnings } from '../../server/community/catalogue/search/beginnings.ts';
import { listFacets } from '../../server/community/catalogue/search/facets.ts';
import { filtered, type ListFilters, queriesOf } from '../../server/community/catalogue/search/filters.ts';
import { queryOfKeyword } from '../../server/community/catalogue/search/query.ts';
import { findMatches } from '../../server/community/catalogue/search/ranked-store.ts';
import { expectWords, findNeighbours } from '../../server/community/catalogue/search/store.ts';
import {
  countSimilar,
  readNearIds,
  readRareWords,
  readTaggedIds,
  readUsedTooIds,
} from '../../server/community/catalogue/similar/store.ts';
import { readTagFeaturedIds } from '../../server/community/catalogue/tags/store.ts';
import {
  readNextPublication,
  tellNextFollowers,
} from '../../server/community/catalogue/telling/follower-store.ts';
import { countTrends, readTrendIds } from '../../server/community/catalogue/trends/store.ts';
import { takeDue } from '../../server/community/catalogue/verification/store.ts';
import { readRange, readRanges } from '../../server/community/curation/site/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { SearchPlace } from '../../server/community/pages.ts';
import { findLiveToken } from '../../server/community/people/auth/publish-token-store.ts';
import { listOwnPlugins } from '../../server/community/publishing/own/own.ts';
import { readQueuePlaces, readUsualWait } from '../../server/community/publishing/own/store.ts';
import { managedOrder } from '../../server/community/review/manage/store.ts';
import { readOpenReports } from '../../server/community/review/profiles/store.ts';
import {
  countOtherReports,
  readOwnCollectionReports,
  readOwnPublisherReports,
} from '../../server/community/review/reports/own-store.ts';
import { readVerified } from '../../server/community/review/verified/store.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { readShownEditors } from '../../server/community/use/collections/editors-store.ts';
import { readPublicRows, readRowsWith } from '../../server/community/use/collections/public-store.ts';
import { findCollection, readOwnRows } from '../../server/community/use/collections/store.ts';
import { readFollowedKeys, readFollowRows } from '../../server/community/use/follows/store.ts';
import { listInstalled, listLiked } from '../../server/community/use/installed/routes.ts';
import { readStates } from '../../server/community/use/interactions/store.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { AUDIT_REFUSED } from '../../shared/constants.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { flawsOf, watchPlans } from '../support/plans.ts';

const SIZE = { count: 8000, waiting: 80 };
const { url } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'plans',
});
await fillDatabase(url, SIZE);
const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
t.teardown(() => pool.end());
const plansOf = watchPlans(pool);
const db = openKysely<CommunityTables>(pool);
const caller = { user_id: BUSY_USER, role: 0, nick_name: '', avatar_url: '' } as const;
const reader = { caller, language: 'en-US' } as const;
const LIMIT = 25;
/** Refused plugins of the sample data, at most. */
const REFUSED = SIZE.count / 50;

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
          const plans = await plansOf(() => readListing(db, { tagId, sort, after, limit: LIMIT }));
          const index = sort === 0 ? 'plugin_listing_latest' : 'plugin_listing_popular';
          for (const plan of plans) {
            t.ok(plan.indexes.includes(index), plan.text);
            t.strictSame(flawsOf(plan, 0), [], plan.text);
          }
        },
      );
    }
  }
}

const owner = { ...reader, updates: { days: 7, choice: 'any', now: Date.now() } } as const;
for (const sort of [0, 1] as const) {
  t.test(`a publisher's plugins, sort ${sort}, are one index range`, async (t) => {
    const plans = await plansOf(() =>
      readPublisherListing(db, BUSY_PUBLISHER, { sort, after: undefined, limit: LIMIT }),
    );
    const index = sort === 0 ? 'plugin_listing_publisher_latest' : 'plugin_listing_publisher_popular';
    for (const plan of plans) {
      t.ok(plan.indexes.includes(index), plan.text);
      t.strictSame(flawsOf(plan, 0), [], plan.text);
    }
  });
}

const ids = Array.from({ length: 24 }, (_, n) => n * 100 + 1);
const SPAN = { from: '2026-03-01', until: '2026-03-20' };
const works: [title: string, work: () => Promise<unknown>][] = [
  ['cards', () => cardsOf(db, ids, reader)],
  ['what users have too', () => readUsedTooIds(db, 1, 4)],
  ['the popular plugins of a tag', () => readTaggedIds(db, 1, 4)],
  ['trending plugins', () => readTrendIds(db, { isNew: false, language: 'en-US', limit: 24 })],
  ['counting what is trending', () => countTrends(db, ids, new Date())],
  ['counting similar plugins', () => countSimilar(db, ids)],
  ['counting active installs', () => countActiveInstalls(db, ids, owner.updates)],
  ['counting cohorts', () => countCohorts(db, ids, new Date())],
  ['sources of a plugin', () => readSources(db, 1, SPAN)],
  ['keywords of a plugin', () => readKeywords(db, 1, SPAN)],
  ['versions in use of a plugin', () => readVersions(db, 1, SPAN)],
  ['cohorts of a plugin', () => readCohorts(db, 1)],
  ['versions', () => readVersionRows(db, 1, false)],
  ['the history of a listing', () => readHistory(db, 1, { after: undefined, limit: LIMIT })],
  ['more of the history of a listing', () => readHistory(db, 1, { after: [Date.now(), 1, 5], limit: LIMIT })],
  ["a user's own plugins", () => listOwnPlugins(db, {}, { ...reader, now: Date.now() })],
  ['the ranges of the sitemap', () => readRanges(db)],
  ['a range of the sitemap', () => readRange(db, 3)],
  ['the installed plugins of a user', () => listInstalled(db, {}, owner)],
  ['the liked plugins of a user', () => listLiked(db, {}, reader)],
  ['recommendations', () => readRecommendedIds(db)],
  ['the sitemap of publishers', () => readSitemapHandles(db, 30)],
  ['reports of publishers', () => readOpenReports(db, { after: undefined, limit: LIMIT })],
];
for (const [title, work] of works) {
  t.test(`${title} are read by key`, async (t) => {
    const plans = await plansOf(work);
    t.ok(plans.length > 0);
    for (const plan of plans) t.strictSame(flawsOf(plan, 40), [], plan.text);
  });
}

t.test('verified publishers, their names, and domains to be checked again', async (t) => {
  // The people stay: their rows are looked for in every table that refers to people, which takes seconds.
  t.teardown(async () => {
    await pool.query('delete from publisher_search where user_id > 2000000');
    await pool.query('delete from verified_name where user_id > 2000000');
    await pool.query('delete from publisher_domain where user_id > 2000000');
  });
  await pool.query(`
    with people as (
      insert into person (user_id, nick_name, verified_as)
        select 2000000 + n, '', case when n % 10 = 0 then 'example.com' end from generate_series(1, 5000) n returning user_id
    )
    insert into publisher_domain (user_id, domain, shown_as, token, verified_at, way, next_check_at)
      select user_id, 'example.com', 'example.com', '', now(), 'dns', now() + user_id % 1000 * interval '1 minute' from people`);
  await pool.query(`
    insert into publisher_search (user_id, words)
      select user_id, array_to_tsvector(array['studio', 'n' || user_id]) from person where user_id > 2000000`);
  await pool.query(`
    insert into verified_name (user_id, skeleton, keys)
      select user_id, 'studio' || user_id, array['studio' || user_id, 'studio' || left(user_id::text, -1)]
        from person where user_id > 2000000`);
  await pool.query('analyze person, publisher_domain, publisher_search, verified_name');
  const listed = await plansOf(() => readVerified(db, { after: 2_003_000, limit: LIMIT }));
  const at = new Date(Date.now() + 3_600_000);
  const due = await plansOf(() => takeDue(db, { at, lease: new Date(Date.now() + 7_200_000), limit: LIMIT }));
  t.equal(listed.length + due.length, 2);
  for (const plan of listed) t.ok(plan.indexes.includes('person_verified'), plan.text);
  for (const plan of due) t.ok(plan.indexes.includes('publisher_domain_to_check'), plan.text);
  for (const plan of listed) t.strictSame(flawsOf(plan, 40), [], plan.text);
  for (const plan of due) t.strictSame(flawsOf(plan, 400), [], plan.text);
  for (const keyword of ['n2000777', 'studio']) {
    const plans = await plansOf(() => suggestPublishers(db, keyword, 3));
    t.ok(plans.length > 0);
    for (const plan of plans) t.strictSame(flawsOf(plan, 1000), [], plan.text);
  }
  const query = queryOfKeyword('n2000777', 0);
  const [rare] = query ? await plansOf(() => findRarePublishers(db, query, 3)) : [];
  t.ok(rare?.indexes.includes('publisher_search_by_word'), rare?.text ?? 'no plan');
  const alike = await plansOf(() => resembledBy(db, ['Studio 2000777'], 1));
  t.equal(alike.length, 1);
  for (const plan of alike) {
    t.ok(plan.indexes.includes('verified_name_by_key'), plan.text);
    t.strictSame(flawsOf(plan, 40), [], plan.text);
  }
});

for (const [title, read] of [
  ['installed', listInstalled],
  ['liked', listLiked],
] as const) {
  t.test(`a page of ${title} plugins takes as many statements as one of them`, async (t) => {
    t.ok((await read(db, { limit: 48 }, owner)).plugin_list.length > 20);
    const [one, many] = [
      await plansOf(() => read(db, { limit: 1 }, owner)),
      await plansOf(() => read(db, { limit: 48 }, owner)),
    ];
    t.ok(one.length > 0);
    t.equal(many.length, one.length);
  });
}

t.test('queue positions and waiting time use the indexes of the review lists', async (t) => {
  for (const plan of await plansOf(() => readQueuePlaces(db, ids))) {
    t.ok(plan.indexes.includes('submission_queue'), plan.text);
    t.strictSame(flawsOf(plan, 0), [], plan.text);
  }
  for (const plan of await plansOf(() => readUsualWait(db, new Date(0)))) {
    t.ok(plan.indexes.includes('submission_decided'), plan.text);
    t.strictSame(flawsOf(plan, 100), [], plan.text);
  }
});

t.test('follows, their notices and collections are read by key among many', async (t) => {
  await pool.query(
    `with p as (select id, row_number() over (order by id) as n from plugin order by id limit 200)
      insert into follow (user_id, plugin_id, created_at)
        select u, p.id, now() from p, generate_series(1, 100) u on conflict do nothing`,
  );
  await pool.query(
    `insert into follow (user_id, publisher_id, created_at)
      select u, (select publisher_id from plugin where id = 1), now() from generate_series(5000, 9000) u;
    insert into publication (plugin_version_id, plugin_id, is_first, published_at)
      select min(id), plugin_id, true, now() from plugin_version where plugin_id < 5000 group by plugin_id;
    insert into person (user_id, nick_name) select ${BUSY_USER} + n, '' from generate_series(0, 49) n
      on conflict do nothing;
    insert into collection (collection_key, user_id, title, access, size, created_at, updated_at)
      select lpad(n::text, 16, '0'), case when n > 50 then ${BUSY_USER} + n % 50 end, 'x', 'public', 5, now(), now()
        from generate_series(1, 2000) n;
    insert into editors_collection (id, slug, title, default_lang)
      select id, 'slug-' || id, '{"en-US":"x"}', 'en-US' from collection where user_id is null;
    insert into collection_plugin (collection_id, plugin_id, position, added_at)
      select c.id, p.id, 1, now() from collection c join plugin p on p.id between 1 and 5;
    insert into collection_report (collection_id, user_id, kind, reason, created_at)
      select c.id, ${BUSY_USER} + n % 50, 'other', 'x', now()
        from (select id, row_number() over (order by id) as n from collection) c;
    insert into publisher_report (publisher_id, user_id, kind, reason, created_at)
      select (select publisher_id from plugin where id = n), ${BUSY_USER} + n % 50, 'other', 'x', now()
        from generate_series(1, 2000) n on conflict do nothing;
    analyze follow, publication, collection, collection_plugin, editors_collection, collection_report, publisher_report`,
  );
  const next = await readNextPublication(db, new Date(0));
  const own = { userId: BUSY_USER, before: undefined, limit: LIMIT };
  const collectedKey = (await pool.query('select plugin_key from plugin where id = 1')).rows[0].plugin_key;
  const read: [title: string, work: () => Promise<unknown>][] = [
    ['keys', () => readFollowedKeys(db, 50)],
    ['list', () => readFollowRows(db, { userId: 50, before: undefined, limit: LIMIT })],
    ['publication', () => readNextPublication(db, new Date(0))],
    ['batch', async () => next && tellNextFollowers(db, next, { at: new Date(), limit: 20 })],
    ['own collections', () => readOwnRows(db, { userId: BUSY_USER, pluginKey: undefined, limit: 100 })],
    ['own reports of collections', () => readOwnCollectionReports(db, own)],
    ['own reports of publishers', () => readOwnPublisherReports(db, own)],
    ['number of own reports', () => countOtherReports(db, BUSY_USER)],
    ['collection', () => findCollection(db, '0000000000000007', { seesAll: () => true })],
    ['public collections', () => readPublicRows(db, { userId: undefined, after: undefined, limit: LIMIT })],
    [
      'their next page',
      () => readPublicRows(db, { userId: undefined, after: [Date.now(), 500], limit: LIMIT }),
    ],
    ['those of a user', () => readPublicRows(db, { userId: BUSY_USER, after: undefined, limit: 6 })],
    ['those with a plugin', () => readRowsWith(db, collectedKey, 6)],
    ['those of the editors', () => readShownEditors(db, 100)],
  ];
  for (const [title, work] of read)
    for (const plan of await plansOf(work)) t.strictSame(flawsOf(plan, 400), [], `${title}: ${plan.text}`);
});

t.test('a page of likes is one range of the index by user and time', async (t) => {
  const { next_cursor } = await listLiked(db, {}, reader);
  for (const query of [{}, { cursor: next_cursor ?? '' }]) {
    const plans = await plansOf(() => listLiked(db, query, reader));
    t.ok(
      plans.some(({ indexes }) => indexes.includes('plugin_like_latest')),
      plans.map(({ text }) => text).join('\n'),
    );
    for (const plan of plans) t.strictSame(flawsOf(plan, 40), [], plan.text);
  }
});

t.test('updates for installers are read by key, also where installs have no version', async (t) => {
  const some = { ids: Array.from({ length: 48 }, (_, n) => n + 1) };
  for (const plan of await plansOf(() => readInstallationRows(db, BUSY_USER, some))) {
    t.strictSame(flawsOf(plan, 100), [], plan.text);
  }
  const seen = { userId: 3, pluginKey: 'any', version: '1.0.0' };
  for (const plan of await plansOf(() => readSeenVersion(db, seen)))
    t.strictSame(flawsOf(plan, 1), [], plan.text);
});

t.test("statistics of a user's plugins are read by plugin and day", async (t) => {
  await pool.query(
    `insert into day_figure (plugin_id, day, figure, total)
      select id, date '2026-03-01' + n, 'views', 3 from plugin, generate_series(1, 20) n on conflict do nothing`,
  );
  await pool.query('analyze day_figure');
  const asked = { caller: { ...caller, user_id: BUSY_PUBLISHER }, now: Date.UTC(2026, 2, 31) };
  const statistics = () => readOwnStatistics(db, { days: 30 }, asked);
  const { days, totals } = await statistics();
  t.ok(totals.plugins > 100, `${totals.plugins} plugins`);
  t.ok((days[5]?.views ?? 0) >= 3 * totals.plugins);
  for (const plan of await plansOf(statistics))
    t.strictSame(flawsOf(plan, 20 * totals.plugins), [], plan.text);
});

t.test('cards read likes and installs by key, however many the user has', async (t) => {
  const alone = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog, max: 1 });
  t.teardown(() => alone.end());
  const entriesRead = async (): Promise<number> => {
    await alone.query('select pg_stat_force_next_flush()');
    const { rows } = await alone.query(
      `select sum(idx_tup_read)::int as entries from pg_stat_all_indexes
        where schemaname = $1 and relname in ('plugin_like', 'plugin_install')`,
      [COMMUNITY_SCHEMA],
    );
    return rows[0].entries;
  };
  // A prepared statement uses its generic plan from the sixth time on.
  const readCards = () => cardsOf(openKysely<CommunityTables>(alone), ids, reader);
  for (let turn = 0; turn < 8; turn += 1) await readCards();
  const before = await entriesRead();
  await readCards();
  const entries = (await entriesRead()) - before;
  t.ok(entries <= 2 * ids.length, `${entries} entries for ${ids.length} cards`);
});

t.test('a publish token is found by its hash, however many there are', async (t) => {
  await pool.query(
    `insert into publish_token (user_id, name, secret_hash, hint, expires_at)
      select person.user_id, 'CI', sha256((person.user_id || ' ' || n)::text::bytea), 'psq_', now() + interval '1 day'
        from (select user_id from person order by user_id limit 500) person, generate_series(1, 100) n`,
  );
  await pool.query('analyze publish_token');
  for (const plan of await plansOf(() => findLiveToken(db, Buffer.alloc(32), new Date()))) {
    t.strictSame(plan.indexes.slice(0, 1), ['publish_token_secret_hash_key'], plan.text);
    t.strictSame(flawsOf(plan, 0), [], plan.text);
  }
});

t.test('likes and installs of a plugin are read by key, however many users like it', async (t) => {
  const blocksOf = async (pluginId: number) => {
    const pairs = Array.from({ length: 24 }, (_, n) => ({ pluginId, userId: 90_000_000 + n }));
    const plans = await plansOf(() => readStates(db, pairs));
    t.equal(plans.length, 1);
    return Math.max(...plans.map(({ blocks }) => blocks));
  };
  for (const table of ['plugin_like', 'plugin_install'])
    await pool.query(
      `insert into ${table} (user_id, plugin_id) select 80000000 + n, 3 from generate_series(1, 20000) n`,
    );
  const [few, many] = [await blocksOf(7), await blocksOf(3)];
  t.ok(many < 2 * few, `${many} blocks for the one, ${few} for the other`);
});

t.test('plugins with the same rare words are found by these', async (t) => {
  const words = await readRareWords(db, 1);
  t.equal(words.length, 8);
  const near = () => readNearIds(db, 1, { words, most: SIZE.count / 4, limit: 8 });
  t.equal((await near()).length, 8);
  const read = await plansOf(async () => void (await readRareWords(db, 1)));
  for (const plan of read) t.strictSame(flawsOf(plan, 1), [], plan.text);
  for (const plan of await plansOf(near)) {
    t.strictSame(
      plan.indexes.filter((index) => index === 'plugin_search_headline').length,
      words.length,
      plan.text,
    );
    t.strictSame(flawsOf(plan, 500), [], plan.text);
  }
});

t.test('what is featured in a tag is read in its order and by key, however much is wanted', async (t) => {
  t.teardown(() => pool.query('truncate plugin_trend'));
  await pool.query(`
    insert into plugin_trend (plugin_id, score, is_new) select id, 1.0 / id, false from plugin
      on conflict (plugin_id) do update set score = excluded.score;
    analyze plugin_trend`);
  const plans = await plansOf(() => readTagFeaturedIds(db, 3, 4));
  t.equal(plans.length, 1);
  for (const plan of plans) {
    t.ok(plan.indexes.includes('plugin_trend_by_score'), plan.text);
    t.strictSame(flawsOf(plan, 500), [], plan.text);
  }
});

t.test('Japanese names that nobody has read are found among the others', async (t) => {
  const asked = { at: new Date(), lease: new Date(Date.now() + 60_000), limit: 20 };
  await pool.query(
    'update japanese_name set readings = array[name] where plugin_id % 100 > 0; analyze japanese_name',
  );
  const plans = await plansOf(() => takeUnread(db, asked));
  t.equal(plans.length, 1);
  for (const plan of plans) {
    t.ok(plan.indexes.includes('japanese_name_unread'), plan.text);
    t.strictSame(flawsOf(plan, 20), [], plan.text);
  }
});

const NONE = { name: 0, headline: 0, full: 0, listed: 8000, isSure: true };
/** Frequencies of a million plugins. */
const MANY = { name: 35_000, headline: 200_000, full: 350_000, listed: 1_000_000, isSure: true };
const search = (keyword: string, tagId: number, expected: typeof NONE) => () => {
  const query = queryOfKeyword(keyword, tagId, new Map([['鹤唳', 'カクレイ']]));
  if (!query) throw new Error('no query');
  return findMatches(db, { tagId, query, after: undefined, limit: LIMIT, total: undefined }, expected);
};

for (const [keyword, tagId] of [
  [rareWord(SIZE.count, 'en-US'), 0],
  ['zzzz', 0],
  ['鹤', 0],
  ['もじちかん', 0],
  ['鹤唳', 0],
  [rareWord(SIZE.count, 'ru-RU'), 3],
] as const) {
  t.test(`the search for the rare "${keyword}" uses the words' index`, async (t) => {
    for (const plan of await plansOf(search(keyword, tagId, NONE))) {
      t.match(plan.indexes.join(), /plugin_search_(name|headline|full)/, plan.text);
      t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
    }
  });
}

t.test('the search for a frequent word reads the popular plugins and stops', async (t) => {
  const plans = await plansOf(search('color', 0, MANY));
  const [walk] = plans.slice(-1).map(({ indexes }) => indexes);
  t.hasStrict(walk, ['plugin_listing_popular', 'plugin_search_pkey']);
  for (const plan of plans) t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
});

for (const [sort, index] of [
  [0, 'plugin_listing_latest'],
  [1, 'plugin_listing_popular'],
] as const) {
  const sorted = (keyword: string, expected: typeof NONE, after?: SearchPlace) => () => {
    const query = queryOfKeyword(keyword, 0);
    if (!query) throw new Error('no query');
    return findMatches(db, { tagId: 0, query, sort, after, limit: LIMIT, total: undefined }, expected);
  };

  t.test(
    `the search for a frequent word by sort ${sort} reads the plugins in that order and stops`,
    async (t) => {
      const later: SearchPlace = [1, place[sort][0], place[sort][1], 10_001, 0];
      for (const after of [undefined, later]) {
        const plans = await plansOf(sorted('color', MANY, after));
        const [walk] = plans.slice(-1).map(({ indexes }) => indexes);
        t.hasStrict(walk, [index, 'plugin_search_pkey']);
        for (const plan of plans) t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
      }
    },
  );

  t.test(`the search for a rare word by sort ${sort} uses the words' index`, async (t) => {
    for (const plan of await plansOf(sorted(rareWord(SIZE.count, 'en-US'), NONE))) {
      t.match(plan.indexes.join(), /plugin_search_(name|full)/, plan.text);
      t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
    }
  });

  t.test(`wrong estimates change no result by sort ${sort}`, async (t) => {
    for (const keyword of ['color', rareWord(SIZE.count, 'en-US')]) {
      const { rows } = await sorted(keyword, NONE)();
      t.ok(rows.length > 0);
      t.strictSame((await sorted(keyword, MANY)()).rows, rows);
    }
  });
}

t.test('wrong estimates change the way of reading, not the result', async (t) => {
  const resultOf = async (keyword: string, expected: typeof NONE) => {
    const { rows, total } = await search(keyword, 0, expected)();
    return { total, page: rows.map((row) => [row.match_rank, row.sort_key, row.plugin_id]) };
  };
  for (const keyword of ['color', rareWord(SIZE.count, 'en-US')]) {
    const right = await resultOf(keyword, NONE);
    t.ok(0 < right.total && right.total < SIZE.count);
    for (const wrong of [
      { name: 7000, headline: 3, full: 2 },
      { name: 0, headline: 0, full: 8000 },
      { name: 1, headline: 2, full: 3 },
      { full: 3, isSure: false },
      { full: 8000, isSure: false },
    ])
      t.strictSame(await resultOf(keyword, { ...NONE, ...wrong }), right, keyword);
  }
});

const filterSets: [filters: ListFilters, expected: typeof NONE][] = [
  [{ reach: 'offline' }, MANY],
  [{ editor: 'whiteboard', lang: 'ko-KR' }, MANY],
  [{ tags: '19,20' }, NONE],
  [
    { tags: '2,3', updated: 'year' },
    { ...MANY, isSure: false },
  ],
  [{ reach: 'nothing', updated: 'month', tags: '3' }, NONE],
];
for (const [filters, expected] of filterSets) {
  const title = JSON.stringify(filters);
  const today = Date.UTC(2025, 11, 31);
  for (const sort of [0, 1] as const) {
    t.test(`${title} by sort ${sort} are found by words, or in that order`, async (t) => {
      const query = filtered(undefined, queriesOf(filters, today), 0);
      const sought = { tagId: 0, query, sort, after: undefined, limit: LIMIT, total: undefined };
      const plans = await plansOf(() => findMatches(db, sought, expected));
      t.ok(plans.length > 0);
      for (const plan of plans) {
        t.match(plan.indexes.join(), /plugin_search_(full|pkey)/, plan.text);
        t.strictSame(flawsOf(plan, 300), [], plan.text);
      }
    });
  }

  t.test(`the values of ${title} are counted in 1,000 plugins or less at a time`, async (t) => {
    const plans = await plansOf(() => listFacets(db, { tag_id: 0, keyword: '', ...filters }, today));
    t.ok(plans.length >= 2);
    for (const plan of plans) t.strictSame(flawsOf(plan, 1001), [], plan.text);
  });
}

t.test('a common word among the refused plugins is read from the words of unlisted ones', async (t) => {
  const length = () => Promise.resolve(REFUSED);
  const page = { after: undefined, limit: LIMIT, total: undefined, length };
  const plans = await plansOf(() => readFound(db, managedOrder(AUDIT_REFUSED, 'latest'), "'color'", page));
  t.ok(plans.some(({ indexes }) => indexes.includes('plugin_search_unlisted')));
  for (const plan of plans) t.strictSame(flawsOf(plan, REFUSED), [], plan.text);
});

t.test('the matches of a word are estimated without reading', async (t) => {
  const query = queryOfKeyword('color', 0);
  if (!query) throw new Error('no query');
  const { name, full } = await expectWords(db, query, { tagId: 0, listed: SIZE.count });
  const { rows } = await pool.query(
    `select count(*) filter (where name @@ 'color:*') as name, count(*) filter (where "full" @@ 'color:*') as "full"
      from plugin_search`,
  );
  t.ok(Math.abs(name / rows[0].name - 1) < 0.2, `${name} of ${rows[0].name}`);
  t.ok(Math.abs(full / rows[0].full - 1) < 0.2, `${full} of ${rows[0].full}`);
});

t.test('the matches of several words are estimated from the popular plugins', async (t) => {
  const query = queryOfKeyword('color', 0);
  if (!query) throw new Error('no query');
  const { rows } = await pool.query(
    `select count(*) filter (where name @@ 'color:*') as name, count(*) filter (where headline @@ 'color:*') as headline,
        count(*) filter (where "full" @@ 'color:*') as "full"
      from (select plugin_id from plugin_listing where tag_id = 0 order by popularity desc, plugin_id desc limit 1000) l
      join plugin_search using (plugin_id)`,
  );
  const [{ name, headline, full }] = rows;
  t.ok(0 < name && name < headline && headline < full);
  const listed = 1_000_000;
  const plansOfSample = await plansOf(async () => {
    const expected = await expectWords(db, { ...query, parts: [] }, { tagId: 0, listed });
    t.strictSame(expected, {
      name: name * 1000,
      headline: headline * 1000,
      full: full * 1000,
      listed,
      isSure: true,
    });
  });
  for (const plan of plansOfSample) t.strictSame(flawsOf(plan, 1000), [], plan.text);
  const two = queryOfKeyword('color grid', 0);
  if (!two) throw new Error('no query');
  const few = await expectWords(db, two, { tagId: 0, listed });
  t.hasStrict(few, { name: 0, headline: 0, isSure: false }, 'no sample where one of the words is rare');
  t.ok(few.full <= SIZE.count);
});

t.test('the words that a keyword begins are read by their index', async (t) => {
  const plans = await plansOf(() => readBeginnings(db, 'co gr', { tagId: 3, filters: [] }));
  t.equal(plans.length, 1);
  for (const plan of plans) {
    t.ok(plan.indexes.includes('search_lexeme_pkey'), plan.text);
    t.strictSame(flawsOf(plan, 4 * 33), [], plan.text);
  }
});

t.test('similar words are found by their deletion keys', async (t) => {
  for (const plan of await plansOf(() => findNeighbours(db, ['colro']))) {
    t.ok(plan.indexes.includes('search_word_pkey'), plan.text);
    t.strictSame(flawsOf(plan, 200), [], plan.text);
  }
});
