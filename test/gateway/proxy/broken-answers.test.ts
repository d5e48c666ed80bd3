import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadPages } from '../../../server/gateway/pages/client-build.ts';
import { startGateway } from '../../support/gateway.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { scriptUserService } from '../../support/user-service.ts';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const KEY = 'grid-maker-01';
const SIGN_IN = `/user/login?response_type=code&redirect_uri=${encodeURIComponent('http://localhost:8080/api/auth/callback')}`;

const picture = { key: '0123456789abcdef0123456789abcdef', width: 1280, height: 720, widths: [320, 640] };
const card = {
  plugin_key: KEY,
  is_praise: 1,
  is_installed: false,
  name: 'Grid Maker',
  intro: 'Draws grids.',
  lang: 'en-US',
  icon: picture,
  cover: picture,
  tags: [{ id: 3, name: 'Icons', code: 'icons' }],
  publisher: { user_id: 9, nick_name: 'Grace', avatar_url: '' },
  plugin_mark: 'official',
  version: '1.2.0',
  praise_count: 4,
  install_count: 5,
  view_count: 6,
  updated_at: '2026-05-01T10:00:00.000Z',
};
const entry = {
  id: 1,
  category_id: 2,
  title: 'First steps',
  lang: 'en-US',
  updated_at: '2026-05-01T10:00:00.000Z',
};

/** The responses of the anonymous calls that pages are rendered from, each with a page that shows it. */
const ANSWERS: Readonly<Record<string, { page: string; data: object }>> = {
  'GET /api/cmt/plugin/tag/list': {
    page: '/plugins/',
    data: { tag_list: [{ id: 3, name: 'Icons', code: 'icons' }] },
  },
  'GET /api/cmt/plugin/list': {
    page: '/plugins/?keyword=grid',
    data: { total: 1, total_estimated: false, next_cursor: 'c2', plugin_list: [card] },
  },
  'GET /api/cmt/plugin-banner/all': {
    page: '/plugins/',
    data: {
      banner_list: [{ id: 1, redirect_url: '/plugins/', title: 'New', lang: 'en-US', picture, position: 0 }],
    },
  },
  'GET /api/cmt/plugin/resource_state/active': {
    page: '/plugins/',
    data: { slot_list: [{ id: 1, link: '/plugins/', plugin: card }] },
  },
  'GET /api/cmt/plugin/recommendation/list': {
    page: '/plugins/',
    data: { plugin_list: [card], page_count: 2 },
  },
  'GET /api/cmt/plugin': {
    page: `/plugins/plugin/${KEY}`,
    data: {
      ...card,
      description: 'It draws.\n\nGrids.',
      description_lang: 'en-US',
      languages: ['en-US'],
      media: [
        { kind: 'image', picture },
        { kind: 'video', url: '/api/cmt/media/a.mp4', mime_type: 'video/mp4' },
      ],
      contact: 'help@example.com',
      support: 'https://example.com',
      copyright: { kind: 'custom', holder: 'Grace' },
      allowed_domains: ['example.com'],
      permissions: ['currentuser'],
      editor_types: ['design'],
      unpublished: 'waiting',
      installation: {
        version: '1.1.0',
        update_available: true,
        update: { version: '1.2.0', domains: ['example.com'], permissions: ['currentuser'] },
        trial: null,
      },
      package_bytes: 4000,
      audit_status: 2,
      created_at: '2026-04-01T10:00:00.000Z',
    },
  },
  'GET /api/cmt/plugin/version/list': {
    page: `/plugins/plugin/${KEY}`,
    data: {
      version_list: [
        {
          version: '1.2.0',
          kind: 'new',
          note: 'Faster.',
          lang: 'en-US',
          is_current: true,
          is_hidden: false,
          audit_status: 2,
          created_at: '2026-05-01T10:00:00.000Z',
        },
      ],
    },
  },
  'GET /api/cmt/qr-code/contact': {
    page: `/plugins/plugin/${KEY}`,
    data: { qr_code: { id: 1, name: 'Group', img_url: '/api/cmt/media/a-320.webp', is_contact: true } },
  },
  'GET /api/helpcenter/category/list': {
    page: '/help/',
    data: { category_list: [{ id: 2, name: 'Basics', lang: 'en-US', article_count: 1 }] },
  },
  'GET /api/helpcenter/article/list': {
    page: '/help/',
    data: { article_list: [entry, { ...entry, id: 2 }] },
  },
  'GET /api/helpcenter/article/1': {
    page: '/help/1',
    data: {
      ...entry,
      blocks: [
        { kind: 'heading', level: 2, id: 'a', runs: [{ text: 'A', strong: true }] },
        {
          kind: 'paragraph',
          runs: [
            { text: 'B', href: '/plugins/' },
            { text: 'C', src: '/a.webp', width: 3, height: 4 },
          ],
        },
        { kind: 'list', ordered: true, items: [{ depth: 0, runs: [{ text: 'D' }] }] },
        { kind: 'code', text: 'E' },
        { kind: 'rule' },
      ],
    },
  },
  'GET /user/page/options': {
    page: SIGN_IN,
    data: {
      methods: [{ source: 'local', method: 'local', kind: 'password', label: null }],
      document_services: [],
      sign_up: true,
      sign_up_by_mail: false,
      password_min: 10,
      reset: 'administrator',
    },
  },
};

/** Values of wrong types. */
const OTHERS: readonly unknown[] = [
  null,
  '',
  'text',
  '12',
  7,
  -1.5,
  true,
  [],
  [null],
  ['x'],
  {},
  { a: { b: 1 } },
];
const REMOVED = Symbol('removed');

/** All variants of a value with one change, with a description of the change. */
function* broken(value: unknown, place = ''): Generator<{ told: string; made: unknown }> {
  if (place !== '') yield { told: `${place} removed`, made: REMOVED };
  for (const other of OTHERS) yield { told: `${place} = ${JSON.stringify(other)}`, made: other };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const { told, made } of broken(inner, `${place}/${name}`)) {
      yield {
        told,
        made: Array.isArray(value)
          ? value.with(Number(name), made === REMOVED ? undefined : made)
          : without(value, name, made),
      };
    }
  }
}

function without(value: object, name: string, made: unknown): object {
  const others = Object.entries(value).filter(([other]) => other !== name);
  return Object.fromEntries(made === REMOVED ? others : [...others, [name, made]]);
}

t.test('missing or malformed fields of a service never break a page', async (t) => {
  const community = await startStub(t);
  const identity = await startStub(t);
  const { entry: real } = await loadPages(DIST);
  const gateway = await startGateway(t, {
    entry: real,
    settings: { RATE_LIMIT_FACTOR: '0', LOG_LEVEL: 'warn' },
    share: { community, helpcenter: community, identity, issued: scriptUserService(identity) },
  });
  const answers = new Map<string, unknown>();
  for (const upstream of [community, identity]) {
    upstream.otherwise(({ method, path }) => {
      const body = answers.get(`${method} ${path}`);
      return body === undefined ? stubAnswer(404, { code: 404, message: 'no' }) : stubAnswer(200, body);
    });
  }
  const whole = (data: unknown) => ({ code: 0, message: 'ok', data });
  for (const [call, { data }] of Object.entries(ANSWERS)) answers.set(call, whole(data));
  const open = async (page: string) => {
    gateway.clock.ahead += 120_000;
    const answer = await fetch(gateway.url + page, { headers: { 'sec-fetch-site': 'none' } });
    return { status: answer.status, html: await answer.text() };
  };

  for (const [call, { page, data }] of Object.entries(ANSWERS)) {
    await t.test(call, async (t) => {
      t.equal((await open(page)).status, 200, 'the unchanged response');
      let tried = 0;
      const failed: string[] = [];
      for (const { told, made } of broken(whole(data))) {
        answers.set(call, made);
        const { status, html } = await open(page);
        tried += 1;
        if (status >= 500 || !html.includes('</main>') || !html.endsWith('</html>'))
          failed.push(`${told}: ${status}`);
      }
      answers.set(call, whole(data));
      t.ok(tried > 50, `${tried} answers`);
      t.strictSame(failed, [], `of ${tried} responses`);
    });
  }

  await t.test('invalid entries are omitted one by one, and logged once', async (t) => {
    const LIST = 'GET /api/cmt/plugin/list';
    const lines = () => gateway.lines().filter(({ msg }) => msg === 'invalid entries of a response omitted');
    const before = lines().length;
    answers.set(LIST, whole({ total: 3, plugin_list: [null, card, { name: 'No key' }] }));
    for (const page of ['/plugins/?keyword=a', '/plugins/?keyword=b', '/plugins/?keyword=c']) {
      const { status, html } = await open(page);
      t.equal(status, 200);
      t.match(html, `href="/plugins/plugin/${KEY}"`);
      t.notMatch(html, 'No key');
    }
    t.hasStrict(lines().slice(before), [{ operation: 'listPlugins', count: 2 }]);
    t.equal(lines().length, before + 1, 'once, not for each page');
  });

  await t.test('the error message of an external service is shown as text, in its section', async (t) => {
    answers.set('GET /api/cmt/plugin/list', { code: 40_012, message: 'Closed <b>today</b>', data: null });
    const { status, html } = await open('/plugins/?keyword=closed');
    t.equal(status, 200);
    t.match(html, /role="alert"(?:(?!<\/section>).)*Closed &lt;b&gt;today&lt;\/b&gt;/s);
    t.match(html, /"code":40012/, 'its code is kept');
    t.notMatch(html, '<b>today');
    t.match(html, '>Icons</a>', 'the tags are shown');
  });
});
