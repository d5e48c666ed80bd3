import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createCommunity } from '../../../server/community/app.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { openPool } from '../../../server/database/pool.ts';
import { prepareSite } from '../../../server/roles/prepare-site.ts';
import { contract } from '../../../shared/contract.ts';
import { addPlugin, addTag } from '../../community/add-plugin.ts';
import { ask, dataOf } from '../../community/ask.ts';
import { comeAsGateway, testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { SERVICE_KEYS } from '../../support/service-keys.ts';

const log = pino({ level: 'silent' });

async function empty(t: Test) {
  const { url, db } = await testDatabase<CommunityTables>(t, {
    name: 'prepare',
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
  });
  const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log });
  t.teardown(() => pool.end());
  const dataDir = await testFolder(t);
  const logged: string[] = [];
  const ownLog = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const files = openFolderStore(dataDir);
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const prepare = (seed: 'demo' | 'none') =>
    prepareSite({ url, pool, log: ownLog, files, now: Date.now, seed, tell });
  const serve = async () => {
    const options = {
      pool,
      log,
      now: Date.now,
      dataDir,
      jwksUrl: 'http://127.0.0.1:9/',
      identityUrl: 'http://127.0.0.1:9',
      serviceKeys: SERVICE_KEYS,
      publishers: 'admins',
      publicUrl: 'http://localhost',
      publishing: { limits: [], quotaBytes: 2 ** 30 },
    } as const;
    const app = await createCommunity(options);
    comeAsGateway(app);
    return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
  };
  return { db, pool, prepare, serve, lines: () => logged, told };
}

async function count(url: string): Promise<number> {
  return dataOf(await ask(url, 'plugin/list?limit=1'), contract.listPlugins.data).total;
}

t.test('without a seed there are no plugins, and every list responds', async (t) => {
  const { prepare, serve } = await empty(t);
  await prepare('none');
  const { app, url } = await serve();
  t.teardown(() => app.close());
  t.equal(await count(url), 0);
  for (const path of [
    'plugin/tag/list',
    'plugin/recommendation/list',
    'plugin-banner/all',
    'community/featured',
  ]) {
    t.equal((await ask(url, path)).status, 200, path);
  }
});

const FIRST_TAGS = [
  'tubiao',
  'tianchong',
  'shujv',
  'secai',
  'ziti',
  'dongxiao',
  'liti',
  'xiaolv',
  'daima',
  'wuzhangai',
];

t.test('a first start without the demo adds ten tags, which stay deleted', async (t) => {
  const { pool, prepare, lines } = await empty(t);
  const codes = async () =>
    (await pool.query('select code from tag order by position, id')).rows.map(({ code }) => code);
  await Promise.all([prepare('none'), prepare('none')]);
  t.strictSame((await codes()).toSorted(), FIRST_TAGS.toSorted());
  const added = 'there were no tags: added a first set, named in zh-CN, en-US, ja-JP, ko-KR, ru-RU, es-ES';
  t.equal(lines().filter((line) => line.includes(added)).length, 1);
  await pool.query("delete from tag where code <> 'ziti'");
  await prepare('none');
  t.strictSame(await codes(), ['ziti']);
  await pool.query('delete from tag');
  await prepare('none');
  t.strictSame(await codes(), []);
});

t.test('existing tags stay, and none is added after their deletion', async (t) => {
  const { db, pool, prepare } = await empty(t);
  await prepare('none');
  await pool.query("delete from tag; delete from setting where name = 'first_tags'");
  await addTag(db, 'their-own');
  await prepare('none');
  t.hasStrict((await pool.query('select code from tag')).rows, [{ code: 'their-own' }]);
  await pool.query('delete from tag');
  await prepare('none');
  t.hasStrict((await pool.query('select count(*) from tag')).rows, [{ count: 0 }]);
});

t.test('a first start adds three marks, which stay deleted', async (t) => {
  const { pool, prepare } = await empty(t);
  const codes = async () =>
    (await pool.query('select code from mark order by position, id')).rows.map(({ code }) => code);
  await Promise.all([prepare('none'), prepare('none')]);
  t.strictSame(await codes(), ['official', 'verified', 'new']);
  await pool.query("delete from mark where code <> 'new'");
  await prepare('none');
  t.strictSame(await codes(), ['new']);
  await prepare('demo');
  t.strictSame(
    (await codes()).toSorted(),
    ['new', 'official', 'verified'],
    'the plugins of the demo have them',
  );
});

for (const seed of ['none', 'demo'] as const) {
  t.test(`a first start with SEED=${seed} adds help articles, which stay deleted`, async (t) => {
    const { pool, prepare, serve } = await empty(t);
    const articles = async () => (await pool.query('select id from help_article')).rows.length;
    await Promise.all([prepare(seed), prepare(seed)]);
    const { app, url } = await serve();
    t.teardown(() => app.close());
    for (const lang of ['zh-CN', 'en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES']) {
      const answer = await fetch(`${url}/api/helpcenter/article/list?language=${lang}`);
      const { article_list: list } = (await answer.json()).data;
      t.equal(list.length, 5, lang);
      t.strictSame(new Set(list.map((article: { lang: string }) => article.lang)), new Set([lang]));
    }
    await pool.query('delete from help_article; delete from help_category');
    await prepare(seed);
    await prepare('demo');
    t.equal(await articles(), 0);
  });
}

t.test('a help center that was used gets no articles from an update', async (t) => {
  for (const use of [
    "insert into help_category (name, default_lang, position) values ('{}', 'en-US', 0)",
    "insert into help_article (title, body, default_lang, position) values ('{}', '{}', 'en-US', 0)",
  ]) {
    for (const after of ['', '; delete from help_category; delete from help_article']) {
      const { pool, prepare } = await empty(t);
      await pool.query(use + after);
      await prepare('none');
      const { rows } = await pool.query(
        'select (select count(*) from help_article) + (select count(*) from help_category) as count',
      );
      t.hasStrict(rows, [{ count: after === '' ? 1 : 0 }]);
    }
  }
});

t.test('the demo can be added later, with the existing tags', async (t) => {
  const { pool, prepare } = await empty(t);
  await prepare('none');
  await prepare('demo');
  const { rows } = await pool.query(
    'select (select count(*) from tag) as tags, (select count(*) from plugin) as plugins',
  );
  t.hasStrict(rows, [{ tags: 10, plugins: 69 }]);
});

t.test('the demo is loaded once, and deleted content stays deleted', async (t) => {
  const { pool, prepare } = await empty(t);
  await Promise.all([prepare('demo'), prepare('demo')]);
  t.hasStrict((await pool.query('select count(*) from plugin where is_visible')).rows, [{ count: 65 }]);
  await pool.query('delete from plugin');
  await prepare('demo');
  t.hasStrict((await pool.query('select count(*) from plugin')).rows, [{ count: 0 }]);
  t.hasStrict((await pool.query('select distinct total from listing_total')).rows, [{ total: 0 }]);
});

t.test('the demo is not added to an existing catalogue', async (t) => {
  const { db, pool, prepare } = await empty(t);
  await prepare('none');
  await addPlugin(db, { key: 'their-own-plugin' });
  await prepare('demo');
  t.hasStrict((await pool.query('select count(*) from plugin')).rows, [{ count: 1 }]);
});

t.test('the first page has the whole demo', async (t) => {
  const { prepare, serve, told } = await empty(t);
  await prepare('demo');
  t.equal(told.at(0), 'Demo: 0 of 65 plugins');
  t.equal(told.at(-1), 'Demo: 65 of 65 plugins, complete');
  const { app, url } = await serve();
  t.teardown(() => app.close());
  const list = dataOf(await ask(url, 'plugin/list?limit=1'), contract.listPlugins.data);
  t.equal(list.total, 65);
  t.equal(list.filling, undefined);
  const banners = dataOf(await ask(url, 'plugin-banner/all'), contract.listBanners.data).banner_list;
  t.equal(banners.length, 4);
  const { key, widths } = banners[0]?.picture ?? { key: '', widths: [] };
  t.ok(widths.length > 0);
  for (const width of widths) {
    const picture = await fetch(`${url}/api/cmt/media/${key}-${width}.webp`);
    t.hasStrict([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
  }
});
