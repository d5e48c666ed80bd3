import { type Kysely, sql } from 'kysely';
import t from 'tap';
import { fillDatabase } from '../../bench/data/fill.ts';
import { indexPublishers } from '../../server/community/catalogue/publisher-names/indexing.ts';
import { indexPlugins, indexSubmissions } from '../../server/community/catalogue/search/index-store.ts';
import { communityMigrations } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { contract, type Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunity } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { GATEWAY_TO_COMMUNITY } from '../support/service-keys.ts';

const FROM_GATEWAY = { authorization: GATEWAY_TO_COMMUNITY };

t.test('access', async (t) => {
  const community = await testCommunity(t);
  const { app } = community;
  const routes = (Object.entries(contract) as [Operation, Route][]).filter(
    ([, route]) => route.service === 'community',
  );

  for (const [name, route] of routes) {
    t.test(`${name} is registered`, async (t) => {
      t.ok(app.hasRoute({ method: route.method, url: route.path.replace(/\{(\w+)\}/g, ':$1') }));
    });
  }

  t.test('401 without a session, and 403 without the role', async (t) => {
    const url = '/api/cmt/plugin/audit/list';
    const anonymous = await app.inject({ url, headers: FROM_GATEWAY });
    t.equal(anonymous.statusCode, 401);
    t.hasStrict(anonymous.json(), { code: 'UNAUTHENTICATED', message: 'Sign in to continue.' });
    t.equal(anonymous.headers['www-authenticate'], 'Bearer');
    const member = await app.inject({
      url: '/api/cmt/plugin/audit/list',
      headers: await community.bearer(7, 0),
    });
    t.equal(member.statusCode, 403);
    t.hasStrict(member.json(), { code: 'FORBIDDEN' });
  });

  t.test('an unknown path is 404 with the envelope', async (t) => {
    const response = await app.inject({ url: '/api/cmt/plugin/nothing-here', headers: FROM_GATEWAY });
    t.equal(response.statusCode, 404);
    t.strictSame(response.json(), { code: 'NOT_FOUND', message: 'Nothing was found here.' });
  });
});

t.test('plugins of the benches', async (t) => {
  /** The benches' plugins must be what the product itself would have made of them. */
  const SIZE = { count: 300, waiting: 30 };
  type Db = Kysely<CommunityTables>;

  async function filled(): Promise<Db> {
    const made = await testDatabase<CommunityTables>(t, {
      schema: 'community',
      migrations: communityMigrations,
      name: 'generated',
    });
    await fillDatabase(made.url, SIZE);
    return made.db;
  }

  /** A sum of all rows of each table, whatever order they lie in. */
  async function sumsOf(db: Db): Promise<Record<string, string>> {
    const tables = await sql<{ name: string }>`
    select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'community'::regnamespace and relname not like 'kysely%'`.execute(
      db,
    );
    const sums: Record<string, string> = {};
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(r::text, chr(10) order by r::text)), '') as sum
        from ${sql.table(name)} r`.execute(db);
      sums[name] = rows[0]?.sum ?? '';
    }
    return sums;
  }

  const [db, other] = [await filled(), await filled()];
  const sums = await sumsOf(db);

  t.test('generates the given number of plugins with all related rows', async (t) => {
    t.match(sums.plugin, /^300 /);
    t.match(sums.submission_search, /^3\d\d /);
    for (const table of [
      'waiting_search',
      'plugin_listing',
      'day_figure',
      'search_word',
      'search_lexeme',
      'sitemap_range',
      'report',
      'review',
    ]) {
      t.notMatch(sums[table], /^0 /, table);
    }
    for (const table of [
      'popularity_change',
      'tally_change',
      'figure_change',
      'search_pending',
      'publisher_pending',
    ]) {
      t.match(sums[table], /^0 /, table);
    }
  });

  t.test('the same size generates the same rows', async (t) => {
    t.strictSame(await sumsOf(other), sums);
  });

  t.test('the product builds the same lists and search index from them', async (t) => {
    const { rows } = await sql<{ plugins: number[]; submissions: number[] }>`
    select array(select id from plugin) as plugins, array(select id from submission) as submissions`.execute(
      other,
    );
    await sql`
      truncate plugin_listing, plugin_search, submission_search, waiting_search, search_word, search_lexeme,
        sitemap_range`.execute(other);
    await sql`update listing_total set total = 0`.execute(other);
    const [{ plugins, submissions } = { plugins: [], submissions: [] }] = rows;
    await sql`select relist_plugins(${plugins}::bigint[])`.execute(other);
    await sql`delete from popularity_change`.execute(other);
    await indexPlugins(other, plugins);
    await indexSubmissions(other, submissions);
    await indexPublishers(other);
    t.strictSame(await sumsOf(other), sums);
  });

  t.test('restores every index, key and trigger', async (t) => {
    const { rows } = await sql<{ off: string }>`
    select tgname as off from pg_trigger where tgenabled = 'D'
    union all select relname from pg_class where array_to_string(reloptions, ',') like '%autovacuum%'`.execute(
      db,
    );
    t.strictSame(rows, []);
    const structure = sql<{ found: string }>`
    select pg_get_indexdef(indexrelid) as found from pg_index
        where indrelid in (select oid from pg_class where relnamespace = 'community'::regnamespace)
      union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'community'::regnamespace and contype = 'f' order by 1`;
    const empty = await testDatabase<CommunityTables>(t, {
      schema: 'community',
      migrations: communityMigrations,
    });
    t.strictSame((await structure.execute(db)).rows, (await structure.execute(empty.db)).rows);
  });
});
