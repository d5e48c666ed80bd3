import { sql } from 'kysely';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

const OTHER = 101;
const ADMIN = 1;
const USER = 7;
const RANDOM = /^p-[0-9a-f]{12}$/;

t.test('publishers', async (t) => {
  const { url, db, bearer } = await testCommunity(t, { publishers: 'members' });
  const read = (handle: string, language = 'en-US') =>
    ask(url, `publisher?handle=${handle}`, { headers: { 'accept-language': language } });
  const publisher = async (handle: string, language?: string) =>
    dataOf(await read(handle, language), contract.readPublisher.data);
  const profile = async (userId: number) =>
    dataOf(
      await ask(url, 'publisher/profile', { headers: await bearer(userId) }),
      contract.readOwnProfile.data,
    );
  const write = async (userId: number, body: object) =>
    ask(url, 'publisher/profile', {
      method: 'PUT',
      headers: await bearer(userId),
      body: { default_lang: 'en-US', about: {}, links: [], ...body },
    });
  const codeOf = async (answer: ReturnType<typeof ask>) => {
    const { status, json } = await answer;
    return [status, Object(json).code];
  };
  const handleOf = async (userId: number) => (await profile(userId)).handle;

  await addPlugin(db, { key: 'first-one', likes: 1, updatedAt: new Date('2025-03-01') });
  await addPlugin(db, { key: 'second-one', likes: 5, updatedAt: new Date('2025-01-01') });
  await addPlugin(db, { key: 'third-one', likes: 0, updatedAt: new Date('2025-02-01') });
  await addPlugin(db, { key: 'waiting-one', auditStatus: 1 });
  await addPlugin(db, { key: 'other-one', publisherId: OTHER });
  await sql`update plugin_counter set install_count = 4
    where plugin_id in (select id from plugin where plugin_key in ('first-one', 'second-one'))`.execute(db);
  await sql`update plugin_listing l set popularity = c.popularity from plugin_counter c
    where c.plugin_id = l.plugin_id`.execute(db);

  t.test('who has chosen no handle has a random one, which their plugins name', async (t) => {
    const handle = await handleOf(PUBLISHER_ID);
    t.match(handle, RANDOM);
    t.not(handle, await handleOf(OTHER));
    t.equal((await profile(PUBLISHER_ID)).is_chosen, false);
    const { plugin_list } = dataOf(await ask(url, 'plugin/list'), contract.listPlugins.data);
    const own = plugin_list.find(({ plugin_key }) => plugin_key === 'first-one');
    t.equal(own?.publisher.handle, handle);
  });

  t.test('the page has the totals of what is published, and no texts before there are any', async (t) => {
    const handle = await handleOf(PUBLISHER_ID);
    const { nick_name } = await publisher(handle);
    t.strictSame(await publisher(handle), {
      user_id: PUBLISHER_ID,
      nick_name,
      avatar_url: '',
      handle,
      about: '',
      about_lang: 'en-US',
      links: [],
      total: 3,
      total_estimated: false,
      install_count: 8,
      picture_list: [
        { icon: null, cover: null },
        { icon: null, cover: null },
        { icon: null, cover: null },
      ],
    });
  });

  t.test('plugins are listed in both orders, page by page', async (t) => {
    const handle = await handleOf(PUBLISHER_ID);
    const page = async (query: string) =>
      dataOf(
        await ask(url, `publisher/plugin/list?handle=${handle}&${query}`),
        contract.listPublisherPlugins.data,
      );
    const keys = (list: { plugin_key: string }[]) => list.map(({ plugin_key }) => plugin_key);
    t.strictSame(keys((await page('')).plugin_list), ['second-one', 'first-one', 'third-one']);
    t.strictSame(keys((await page('sort=0')).plugin_list), ['first-one', 'third-one', 'second-one']);
    const first = await page('sort=0&limit=2');
    t.equal(first.total, 3);
    t.strictSame(keys(first.plugin_list), ['first-one', 'third-one']);
    const second = await page(`sort=0&limit=2&cursor=${first.next_cursor}`);
    t.strictSame(keys(second.plugin_list), ['second-one']);
    t.equal(second.next_cursor, null);
    t.strictSame(
      await codeOf(
        ask(url, `publisher/plugin/list?handle=${handle}&sort=1&limit=2&cursor=${first.next_cursor}`),
      ),
      [400, 'BAD_CURSOR'],
    );
  });

  t.test('about is shown in the language of the reader, with addresses of https only', async (t) => {
    const about = { 'en-US': 'Makes icons', 'ja-JP': 'アイコンを作っています' };
    const links = ['https://example.org/work', 'https://example.org/work', 'https://example.net'];
    t.equal((await write(PUBLISHER_ID, { about, links })).status, 200);
    const handle = await handleOf(PUBLISHER_ID);
    const { about: text, about_lang, links: shown } = await publisher(handle, 'ja-JP');
    t.strictSame([text, about_lang], ['アイコンを作っています', 'ja-JP']);
    t.strictSame(shown, ['https://example.org/work', 'https://example.net/']);
    t.strictSame((await publisher(handle, 'ru-RU')).about, 'Makes icons');
    for (const link of [
      'http://example.org',
      'javascript:alert(1)',
      '/plugins/',
      'https://a:b@example.org',
    ]) {
      const { status, json } = await write(PUBLISHER_ID, { about, links: [link] });
      t.strictSame(
        [status, Object(json)],
        [
          400,
          {
            code: 'VALIDATION_FAILED',
            message: 'The request is not valid.',
            errors: [{ pointer: '/links/0', message: 'must be an https address' }],
          },
        ],
        link,
      );
    }
  });

  t.test('a chosen handle replaces the former one, which leads on and stays theirs', async (t) => {
    const random = await handleOf(PUBLISHER_ID);
    t.strictSame((await write(PUBLISHER_ID, { handle: 'icon-works' })).status, 200);
    t.strictSame((await write(PUBLISHER_ID, { handle: 'icon-studio' })).status, 200);
    t.equal((await profile(PUBLISHER_ID)).is_chosen, true);
    for (const handle of [random, 'icon-works', 'icon-studio'])
      t.equal((await publisher(handle)).handle, 'icon-studio');
    for (const taken of ['icon-studio', 'icon-works', 'lc0n-studio', 'iconstudio', '1con-vvorks'])
      t.strictSame(await codeOf(write(OTHER, { handle: taken })), [409, 'HANDLE_TAKEN'], taken);
    t.equal((await write(PUBLISHER_ID, { handle: 'icon-works' })).status, 200, 'their own, again');
    t.equal((await publisher('icon-studio')).handle, 'icon-works');
  });

  t.test('words of the site and other characters are refused', async (t) => {
    for (const reserved of ['admin', 'adm1n', 'off-icial', 'plugin-square', 'p-0123456789ab'])
      t.strictSame(await codeOf(write(OTHER, { handle: reserved })), [422, 'HANDLE_RESERVED'], reserved);
    for (const wrong of ['Ab-cd', 'ab', 'a--b', '-abc', 'abc-', 'иcon', 'a_bc', 'a'.repeat(33)])
      t.strictSame(await codeOf(write(OTHER, { handle: wrong })), [400, 'VALIDATION_FAILED'], wrong);
  });

  t.test('nobody collects handles by changing theirs', async (t) => {
    for (const n of [1, 2, 3, 4, 5, 6])
      t.equal((await write(OTHER, { handle: `maker-x${n}y` })).status, 200, String(n));
    t.strictSame(await codeOf(write(OTHER, { handle: 'maker-last' })), [409, 'HANDLE_LIMIT_REACHED']);
    t.equal(await handleOf(OTHER), 'maker-x6y');
    t.equal((await write(OTHER, { handle: 'maker-x2y' })).status, 200, 'one of theirs');
  });

  t.test('nobody has a page before they have published something', async (t) => {
    const { handle, is_public } = await profile(USER);
    t.equal(is_public, false);
    t.strictSame(await codeOf(read(handle)), [404, 'PUBLISHER_NOT_FOUND']);
    t.strictSame(await codeOf(ask(url, `publisher/plugin/list?handle=${handle}`)), [
      404,
      'PUBLISHER_NOT_FOUND',
    ]);
    t.strictSame(await codeOf(read('nobody-here')), [404, 'PUBLISHER_NOT_FOUND']);
    const { handle_list } = dataOf(await ask(url, 'publisher/sitemap'), contract.listSitemapPublishers.data);
    t.strictSame(handle_list, ['icon-works', 'maker-x2y']);
  });

  t.test('an administrator hides a reported profile with a reason, and shows it again', async (t) => {
    const admin = await bearer(ADMIN, 2);
    const report = async (userId: number) =>
      ask(url, 'publisher/report', {
        method: 'POST',
        headers: await bearer(userId),
        body: { handle: 'icon-works', kind: 'misleading', reason: 'Not who they say' },
      });
    const open = async () =>
      dataOf(
        await ask(url, 'manager/publisher/report/list', { headers: admin }),
        contract.listPublisherReports.data,
      ).report_list;
    const hide = (body: object) =>
      ask(url, 'manager/publisher/profile', { method: 'PUT', headers: admin, body });
    const dismiss = (id: number) =>
      ask(url, 'manager/publisher/report', { method: 'PUT', headers: admin, body: { id } });
    await write(PUBLISHER_ID, { about: { 'en-US': 'Official maker' }, links: ['https://example.org/'] });
    t.equal((await report(USER)).status, 200);
    t.equal((await report(USER)).status, 200);
    t.equal((await report(OTHER)).status, 200);
    const [first, second, ...more] = await open();
    t.match(first, {
      publisher: { user_id: PUBLISHER_ID, handle: 'icon-works' },
      about: { 'en-US': 'Official maker' },
      links: ['https://example.org/'],
      hidden_reason: null,
      kind: 'misleading',
      reason: 'Not who they say',
      reporter: { user_id: USER },
    });
    t.strictSame(more, []);
    t.equal((await dismiss(second?.id ?? 0)).status, 200);
    t.strictSame(await codeOf(dismiss(second?.id ?? 0)), [409, 'ALREADY_DECIDED']);
    t.strictSame(await codeOf(dismiss(999)), [404, 'NOT_FOUND']);

    t.strictSame(await codeOf(hide({ user_id: PUBLISHER_ID, is_hidden: true })), [400, 'VALIDATION_FAILED']);
    const reason = 'Says to be somebody else';
    t.equal((await hide({ user_id: PUBLISHER_ID, is_hidden: true, reason })).status, 200);
    t.strictSame(await open(), []);
    const { about, links, total } = await publisher('icon-works');
    t.strictSame({ about, links, total }, { about: '', links: [], total: 3 });
    const seen = await ask(url, 'publisher?handle=icon-works', { headers: admin });
    t.match(dataOf(seen, contract.readPublisher.data), { about: 'Official maker', hidden_reason: reason });
    t.equal((await profile(PUBLISHER_ID)).hidden_reason, reason);
    await write(PUBLISHER_ID, { about: { 'en-US': 'Another text' } });
    t.equal((await publisher('icon-works')).about, '', 'it stays hidden');
    const notices = await ask(url, 'notice/list', { headers: await bearer(PUBLISHER_ID) });
    t.match(dataOf(notices, contract.listNotices.data).notice_list, [
      { kind: 'profile_hidden', data: { reason } },
    ]);

    const told = async (userId: number) =>
      dataOf(
        await ask(url, 'notice/list', { headers: await bearer(userId) }),
        contract.listNotices.data,
      ).notice_list.map(({ kind, data }) => [kind, data]);
    t.strictSame(await told(USER), [['report_decided', { reported: 'publisher', is_upheld: true }]]);
    t.strictSame(await told(OTHER), [['report_decided', { reported: 'publisher', is_upheld: false }]]);

    t.equal((await hide({ user_id: PUBLISHER_ID, is_hidden: false })).status, 200);
    t.equal((await publisher('icon-works')).about, 'Another text');
    t.strictSame(await codeOf(hide({ user_id: 999, is_hidden: true, reason })), [404, 'PUBLISHER_NOT_FOUND']);
    const auditLog = await ask(url, 'manager/audit-trail/list?target_kind=publisher', { headers: admin });
    t.strictSame(
      dataOf(auditLog, contract.listAuditLog.data).entry_list.map(({ action, target_id, detail }) => [
        action,
        target_id,
        detail,
      ]),
      [
        ['publisher.show', String(PUBLISHER_ID), {}],
        ['publisher.hide', String(PUBLISHER_ID), { reason }],
        ['publisher.dismiss', String(PUBLISHER_ID), {}],
      ],
    );
  });
});
