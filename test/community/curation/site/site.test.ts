import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { sitemapRoutes } from '../../../../shared/routes/site.ts';
import { testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

t.test('banners', async (t) => {
  const community = await testCommunity(t);
  const { db, url } = community;
  const picture_key = 'c'.repeat(64);
  await db
    .insertInto('picture')
    .values({ picture_key, width: 1280, height: 320, widths: [320, 640, 1280] })
    .execute();
  const title = JSON.stringify({ 'zh-CN': '横幅', 'en-US': 'Banner' });

  t.test('banners with a link and a picture, in their order', async (t) => {
    const banner = { title, default_lang: 'zh-CN', picture_key } as const;
    await db
      .insertInto('banner')
      .values([
        { ...banner, redirect_url: '/second', position: 2 },
        { ...banner, redirect_url: '/first', position: 1 },
        { ...banner, redirect_url: '', position: 0 },
        { ...banner, redirect_url: null, position: 0 },
        { ...banner, redirect_url: '/no-picture', picture_key: null, position: 0 },
      ])
      .execute();
    const read = async (language: string) =>
      dataOf(
        await ask(url, 'plugin-banner/all', { headers: { 'accept-language': language } }),
        contract.listBanners.data,
      ).banner_list;
    t.hasStrict(await read('en-US'), [
      { redirect_url: '/first', title: 'Banner', lang: 'en-US', picture: { key: picture_key, width: 1280 } },
      { redirect_url: '/second' },
    ]);
    t.equal((await read('en-US')).length, 2);
    t.hasStrict(await read('ko-KR'), [{ title: 'Banner', lang: 'en-US' }]);
    t.strictSame((await read('en-US'))[0]?.plugin, null, 'no plugin is behind it');

    await addPlugin(db, { key: 'advertised', name: { 'zh-CN': '名字', 'en-US': 'Name' } });
    await addPlugin(db, { key: 'advertised-hidden', isHidden: true });
    const links = ['advertised', 'advertised?from=banner', 'advertised-hidden', 'unknown'];
    await db
      .insertInto('banner')
      .values(
        links.map((link, index) => ({
          ...banner,
          redirect_url: `/plugins/plugin/${link}`,
          position: 3 + index,
        })),
      )
      .execute();
    const named = (await read('ko-KR')).slice(2).map(({ plugin }) => plugin);
    t.strictSame(named, [{ name: 'Name', lang: 'en-US' }, { name: 'Name', lang: 'en-US' }, null, null]);
  });

  t.test('the activity card, with and without a cover', async (t) => {
    await db
      .insertInto('activity')
      .values([
        { id: 30, view_num: 5, participate_num: 2, tutorial_url: '/learn', cover_key: picture_key },
        { id: 31, view_num: 0, participate_num: 0, tutorial_url: '' },
      ])
      .execute();
    const read = async (id: number) =>
      dataOf(await ask(url, `activity/activity/info?activity_id=${id}`), contract.readActivity.data);
    t.strictSame(await read(30), {
      view_num: 5,
      participate_num: 2,
      tutorial_url: '/learn',
      cover: `/api/cmt/media/${picture_key}-640.webp`,
    });
    t.hasStrict(await read(31), { cover: '' });
    const { json } = await ask(url, 'activity/activity/info?activity_id=30');
    t.hasStrict(json, { code: 200 }, 'the code of this call (R 11.7)');
  });

  t.test('four featured works, in their order', async (t) => {
    const work = {
      title,
      default_lang: 'en-US',
      author: 'Ada',
      url: '/w',
      picture_key,
      view_num: 1,
      like_num: 2,
    } as const;
    for (let position = 6; position > 0; position -= 1) {
      await db
        .insertInto('featured_work')
        .values({ ...work, url: `/w${position}`, position })
        .execute();
    }
    const { work_list } = dataOf(await ask(url, 'community/featured'), contract.listFeaturedWorks.data);
    t.strictSame(
      work_list.map((item) => item.url),
      ['/w1', '/w2', '/w3', '/w4'],
    );
  });

  t.test('returns the caller of the token', async (t) => {
    const read = async (role: 0 | 1 | 2) =>
      dataOf(
        await ask(url, 'manager/verify', { headers: await community.bearer(7, role) }),
        contract.verifyUser.data,
      );
    const person = { user_id: 7, nick_name: 'Ada', avatar_url: '' };
    t.strictSame(await read(0), { ...person, role: 0, may_publish: false });
    t.strictSame(await read(1), { ...person, role: 1, may_publish: true });
    t.strictSame(await read(2), { ...person, role: 2, may_publish: true });
  });
});

t.test('checklist', async (t) => {
  const OPTIONS = {
    methods: [],
    document_services: [],
    sign_up: true,
    sign_up_by_mail: true,
    password_min: 8,
  };
  const EMPTY = {
    is_new: true,
    plugins: false,
    members: null,
    brand: null,
    site_url: null,
    app_url: null,
    tags: false,
    recommended: false,
    banners: false,
    works: false,
    activity: false,
    qr_code: false,
    protocol: null,
    mail: null,
  };

  /** A user service that answers this to whatever it is asked. */
  async function userService(t: Test, status: number, body: string): Promise<string> {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function checklist(t: Test, options: Parameters<typeof testCommunity>[1]) {
    const community = await testCommunity(t, options);
    const headers = await community.bearer(1, 2);
    const read = async () =>
      dataOf(await ask(community.url, 'manager/checklist', { headers }), contract.readChecklist.data);
    return { ...community, read };
  }

  t.test('each item counts once visitors see it', async (t) => {
    const { db, pool, read } = await checklist(t, {});
    t.strictSame(await read(), EMPTY);
    const key = 'c'.repeat(64);
    await pool.query(
      `insert into picture (picture_key, width, height, widths) values ($1, 640, 480, '{320,640}')`,
      [key],
    );
    const becomes = async (fills: string, field: keyof typeof EMPTY, hides: string) => {
      await pool.query(fills);
      t.hasStrict(await read(), { [field]: true }, fills);
      await pool.query(hides);
      t.hasStrict(await read(), { [field]: false }, hides);
    };
    await addTag(db, 'maps');
    t.strictSame(await read(), { ...EMPTY, tags: true });
    await becomes('select', 'tags', 'update tag set is_hidden = true');
    await addPlugin(db, { key: 'good-plugin' });
    t.hasStrict(await read(), { plugins: true });
    await becomes(
      'insert into recommendation (plugin_id, position, created_by) select id, 0, 1 from plugin',
      'recommended',
      'update plugin set is_hidden = true',
    );
    await becomes(
      `insert into banner (redirect_url, default_lang, picture_key) values ('/a', 'en-US', '${key}')`,
      'banners',
      `update banner set redirect_url = ''`,
    );
    await becomes(
      `insert into featured_work (title, default_lang, author, url, picture_key)
      values ('{}', 'en-US', 'Ada', '/a', '${key}')`,
      'works',
      'update featured_work set is_hidden = true',
    );
    await becomes(
      'insert into activity (id) values (30)',
      'activity',
      'update activity set is_hidden = true',
    );
    await becomes(
      `insert into qr_code (name, is_contact) values ('Group', true)`,
      'qr_code',
      'update qr_code set is_contact = false',
    );
  });

  t.test('reports if the user service sends mail, or null if unknown', async (t) => {
    const answer = (reset: unknown) =>
      JSON.stringify({ code: 0, message: 'ok', data: { ...OPTIONS, reset } });
    const cases: [status: number, body: string, mail: boolean | null][] = [
      [200, answer('mail'), true],
      [200, answer('administrator'), false],
      [200, answer(null), null],
      [404, '{"code":404}', null],
      [200, '<!doctype html>', null],
      [200, '{"data":{"reset":"mail"}}', null],
      [500, answer('mail'), null],
    ];
    for (const [status, body, mail] of cases) {
      const { read } = await checklist(t, { identityUrl: await userService(t, status, body) });
      t.hasStrict(await read(), { mail }, `${status} ${body}`);
    }
    const nobody = await checklist(t, { identityUrl: '' });
    t.hasStrict(await nobody.read(), { mail: null }, 'there is nobody to ask');
    const away = await checklist(t, { identityUrl: 'http://127.0.0.1:1' });
    t.hasStrict(await away.read(), { mail: null }, 'it is away');
  });

  t.test('members are others than the first one, or another way to sign in', async (t) => {
    const signIn = (methods: unknown[]) =>
      JSON.stringify({ code: 0, message: 'ok', data: { ...OPTIONS, methods, reset: 'mail' } });
    const own = { source: 'local', method: 'local', kind: 'password', label: null };
    const ldap = { source: 'corp', method: 'ldap', kind: 'password', label: 'Corp' };
    const { pool, read } = await checklist(t, { identityUrl: await userService(t, 200, signIn([own])) });
    t.hasStrict(await read(), { members: false });
    const person = (id: number, deleted: string) =>
      pool.query(`insert into person (user_id, nick_name, deleted_at) values ($1, 'Ada', ${deleted})`, [id]);
    await person(70, 'now()');
    t.hasStrict(await read(), { members: false }, 'deleted ones are none');
    await person(71, 'null');
    await person(72, 'null');
    t.hasStrict(await read(), { members: true });
    const other = await checklist(t, { identityUrl: await userService(t, 200, signIn([own, ldap])) });
    t.hasStrict(await other.read(), { members: true });
  });

  t.test('reports what the settings fill, or null where another program has them', async (t) => {
    for (const value of [true, false]) {
      const siteSettings = { protocol: value, brand: value, site_url: value, app_url: value };
      const { read } = await checklist(t, { siteSettings });
      t.hasStrict(await read(), siteSettings);
    }
  });

  t.test('a site is new for a week', async (t) => {
    const { pool, read } = await checklist(t, {});
    // A second more: the database and the service read the same clock at other times.
    const migrated = (days: number) =>
      pool.query(
        'update kysely_migration set "timestamp" = (now() - make_interval(days => $1, secs => 1))::text',
        [days],
      );
    await migrated(6);
    t.hasStrict(await read(), { is_new: true });
    await migrated(7);
    t.hasStrict(await read(), { is_new: false });
  });

  t.test('warns at the start without tags, and reports when there are some', async (t) => {
    const told: boolean[] = [];
    const lines: string[] = [];
    const { db, pool } = await testCommunity(t, {
      onTags: (hasTags) => told.push(hasTags),
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    const warned = () => lines.filter((line) => line.includes('there are no tags to publish under')).length;
    t.strictSame(told, [false]);
    t.equal(warned(), 1);
    await addTag(db, 'maps');
    await until(() => told.length >= 2);
    await pool.query('update tag set is_hidden = true');
    await until(() => told.length >= 3);
    t.strictSame(told, [false, true, false]);
    t.equal(warned(), 2, 'hidden ones are none');
  });
});

t.test('sitemap', async (t) => {
  const { db, url, pool } = await testCommunity(t);

  async function readRanges(): Promise<number[]> {
    return dataOf(await ask(url, 'plugin/sitemap/ranges'), sitemapRoutes.listSitemapRanges.data).range_list;
  }

  async function readKeys(range: number): Promise<string[]> {
    const answer = await ask(url, `plugin/sitemap?range=${range}`);
    return dataOf(answer, sitemapRoutes.listSitemapPlugins.data).plugin_list.map(
      (plugin) => plugin.plugin_key,
    );
  }

  const setHidden = (key: string, isHidden: boolean) =>
    pool.query('update plugin set is_hidden = $2 where plugin_key = $1', [key, isHidden]);

  t.test('an empty catalogue has no ranges', async (t) => {
    t.strictSame(await readRanges(), []);
    t.strictSame(await readKeys(0), []);
  });

  t.test('ranges have published plugins only', async (t) => {
    const updatedAt = new Date('2026-02-03T04:05:06Z');
    await addPlugin(db, { key: 'plugin-first', updatedAt });
    await addPlugin(db, { key: 'plugin-waiting', auditStatus: 1 });
    await addPlugin(db, { key: 'plugin-hidden', isHidden: true });
    await addPlugin(db, { key: 'plugin-deleted', deletedAt: new Date() });
    await pool.query('alter table plugin alter id restart with 999');
    await addPlugin(db, { key: 'plugin-999' });
    await addPlugin(db, { key: 'plugin-1000' });
    await pool.query('alter table plugin alter id restart with 5000');
    await addPlugin(db, { key: 'plugin-5000', tags: [] });
    await pool.query('alter table plugin alter id restart with 7000');
    await addPlugin(db, { key: 'plugin-7000', isHidden: true });
    t.strictSame(await readRanges(), [0, 1, 5]);
    await setHidden('plugin-5000', true);
    t.strictSame(await readRanges(), [0, 1], 'not one that has none left');
    await setHidden('plugin-5000', false);
    t.strictSame(await readRanges(), [0, 1, 5]);
    t.strictSame(await readKeys(0), ['plugin-first', 'plugin-999']);
    t.strictSame(await readKeys(1), ['plugin-1000']);
    t.strictSame(await readKeys(5), ['plugin-5000']);
    t.strictSame(await readKeys(7), []);
    const { plugin_list } = dataOf(
      await ask(url, 'plugin/sitemap?range=0'),
      sitemapRoutes.listSitemapPlugins.data,
    );
    t.equal(plugin_list[0]?.updated_at, '2026-02-03T04:05:06.000Z');
  });

  for (const query of ['', '?range=-1', '?range=50000', '?range=x', '?range=1e99']) {
    t.test(`"${query}" is no range`, async (t) => {
      const answer = await ask(url, `plugin/sitemap${query}`);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
    });
  }
});
