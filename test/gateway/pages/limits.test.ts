import t from 'tap';
import { type Received, send } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

/** Small limits: 6 anonymous calls a minute, 3 code exchanges in ten. */
const TIGHT = { RATE_LIMIT_FACTOR: '0.005' };
const MISSES = 6;
const MINUTE = 60_000;
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

type Tap = Parameters<typeof startGateway>[0];

/** A gateway that counts the pages it renders. */
async function counting(t: Tap, settings: Record<string, string> = {}) {
  let renders = 0;
  const rendered: string[] = [];
  const gateway = await startGateway(t, {
    settings,
    entry: {
      render: async (url, _boot, fetchQuery) => {
        renders += 1;
        rendered.push(url);
        if (!url.startsWith('/plugins/plugin/'))
          await fetchQuery({ operation: 'listPlugins', payload: { sort: 1 } });
        const status = url.startsWith('/plugins/plugin/') ? 404 : 200;
        return { status, html: `<!doctype html><title>${url}</title>${'x'.repeat(2000)}` };
      },
    },
  });
  gateway.community.on('GET /api/cmt/plugin/list', () => ({ total: 0 }));
  const visit = (path: string, headers: Record<string, string> = {}): Promise<Received> =>
    send(gateway.url, path, { headers: { accept: HTML, 'sec-fetch-site': 'none', ...headers } });
  return { gateway, visit, renders: () => renders, rendered };
}

t.test('unknown query parameters do not create separate cached pages', async (t) => {
  const { gateway, visit, renders, rendered } = await counting(t);
  const plain = await visit('/plugins/');
  for (const query of ['?x=1', '?utm_source=a&utm_medium=b', '?x=2&x=3', '?', '?%6b=1', '?constructor=1']) {
    const page = await visit(`/plugins/${query}`);
    t.equal(page.text, plain.text, query);
    t.equal(page.headers.etag, plain.headers.etag);
  }
  t.equal(renders(), 1);
  const found = await visit('/plugins/?keyword=a%20b');
  for (const query of ['?keyword=a+b', '?x=1&keyword=a%20b', '?keyword=a%20b&x=1', '?%6beyword=a%20b']) {
    t.equal((await visit(`/plugins/${query}`)).text, found.text, query);
  }
  t.equal((await visit('/%70lugins/?keyword=a+b')).text, found.text, 'a path in another spelling');
  t.strictSame(rendered, ['/plugins/', '/plugins/?keyword=a+b']);
  t.equal(gateway.community.seen('GET /api/cmt/plugin/list').length, 1, 'without a separate call');
});

t.test('rendering a page counts as a call; a cached page does not', async (t) => {
  const { gateway, visit, renders } = await counting(t, TIGHT);
  for (let index = 0; index < MISSES; index += 1) {
    t.equal((await visit(`/plugins/?keyword=${index}`)).status, 200);
    t.equal((await visit(`/plugins/?keyword=${index}&x=${index}`)).status, 200);
  }
  t.equal((await visit('/plugins/?keyword=more')).status, 429);
  t.equal((await visit('/plugins/plugin/no-such-plugin')).status, 429, 'any page');
  t.equal((await visit('/plugins/?keyword=0')).status, 200, 'a cached page');
  t.equal(renders(), MISSES);
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { limit: 'anonymous', by: 'address' },
  );
  gateway.clock.ahead = MINUTE + 1;
  t.equal((await visit('/plugins/?keyword=more')).status, 200);
  const call = await send(gateway.url, '/api/cmt/plugin/list', {
    headers: { 'x-requested-with': 'plugin-square' },
  });
  t.equal(call.status, 200);
  for (let index = 0; index < MISSES; index += 1) await visit(`/plugins/plugin/nothing-${index}`);
  t.equal((await visit('/plugins/plugin/nothing-7')).status, 429, 'calls and pages are counted together');
});

t.test('R 9.29: pages of a session are counted by session', async (t) => {
  const { gateway, renders } = await counting(t, TIGHT);
  const [one, other] = [gateway.browser(), gateway.browser()];
  for (const browser of [one, other]) await browser.signIn();
  const before = renders();
  const visits: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const page = await one.visit(`/plugins/?keyword=${index}`, { headers: { accept: HTML } });
    visits.push(page.status);
    if (page.status === 429) t.match(page.text, '<h1>429</h1>');
  }
  t.strictSame(visits, [200, 200, 429, 429]);
  t.equal(renders() - before, 2);
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { limit: 'page', by: 'session' },
  );
  t.equal((await other.visit('/plugins/')).status, 200, 'another session at the same address');
  gateway.clock.ahead = MINUTE + 1;
  t.equal((await one.visit('/plugins/')).status, 200);
});

t.test('a revalidated page counts for the client that triggered it', async (t) => {
  const { gateway, visit, renders } = await counting(t, TIGHT);
  const all = Array.from({ length: MISSES - 1 }, (_none, index) => `/plugins/?keyword=${index}`);
  for (const page of all) t.equal((await visit(page)).status, 200);
  gateway.clock.ahead = 5100;
  for (const page of all) t.equal((await visit(page)).status, 200, 'the stale page is served');
  await until(() => renders() === MISSES);
  t.equal((await visit('/plugins/?keyword=more')).status, 429);
  t.equal(renders(), MISSES, 'the other pages were not rendered again');
});

t.test('a client over its limit does not affect others', async (t) => {
  const { visit } = await counting(t, { ...TIGHT, TRUST_PROXY: 'loopback' });
  const from = (address: string, path: string) => visit(path, { 'x-forwarded-for': address });
  for (let index = 0; index < MISSES; index += 1) await from('203.0.113.1', `/plugins/?keyword=${index}`);
  const answers = await Promise.all(
    ['203.0.113.1', '198.51.100.1', '203.0.113.1'].map((address) => from(address, '/plugins/?keyword=same')),
  );
  t.strictSame(answers.filter(({ status }) => status === 200).length >= 1, true);
  t.equal((await from('198.51.100.2', '/plugins/?keyword=same')).status, 200);
  t.equal((await from('198.51.100.1', '/plugins/?keyword=other')).status, 200);
});

t.test('the 429 page is in the user’s language, with Retry-After', async (t) => {
  const { visit, gateway } = await counting(t, { RATE_LIMIT_FACTOR: '0.001' });
  t.equal((await visit('/plugins/?keyword=0')).status, 200);
  for (const [language, text] of [
    ['ja', '操作の回数が多すぎます。しばらくしてからもう一度お試しください。'],
    ['en-GB', 'Too many attempts. Please try again later.'],
  ] as const) {
    const page = await visit('/plugins/?keyword=1', { 'accept-language': language });
    t.equal(page.status, 429);
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    t.match(page.headers['retry-after'], /^[1-5]?\d$|^60$/);
    t.equal(page.headers['cache-control'], 'no-store');
    t.match(page.text, `<html lang="${language === 'ja' ? 'ja-JP' : 'en-US'}">`);
    t.ok(page.text.includes(text), page.text);
    t.notMatch(page.text, 'keyword', 'nothing of the URL');
    t.match(page.headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
  }
  const chosen = await visit('/plugins/?keyword=1&lang=es', { 'accept-language': 'ja' });
  t.match(chosen.text, '<html lang="es-ES">', 'the language of the address');
  const program = await send(gateway.url, '/plugins/?keyword=2', { headers: { accept: 'application/json' } });
  t.equal(program.status, 429);
  t.equal(program.json().code, 'TOO_MANY_REQUESTS');
  await visit('/api/auth/login');
  const login = await visit('/api/auth/login');
  t.equal(login.status, 429, 'a navigation to a call');
  t.match(login.text, '<html lang="zh-CN">');
  const call = await send(gateway.url, '/api/cmt/plugin/list', {
    headers: { accept: '*/*', 'x-requested-with': 'plugin-square' },
  });
  t.equal(call.json().code, 'TOO_MANY_REQUESTS', 'a call of the page');
});

t.test('unsolicited codes count as code exchanges', async (t) => {
  const { gateway, visit } = await counting(t, { ...TIGHT, ALLOW_UNSOLICITED_CODE: 'true' });
  gateway.identity.on('GET /user/login/code/user', () => stubAnswer(400, { code: 400 }));
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) statuses.push((await visit(`/plugins/?code=${index}`)).status);
  t.strictSame(statuses, [303, 303, 303, 429, 429]);
  t.equal(gateway.identity.seen('GET /user/login/code/user').length, 3);
});

function rangesOf({ community }: TestGateway): [number, number] {
  return [
    community.seen('GET /api/cmt/plugin/sitemap/ranges').length,
    community.seen('GET /api/cmt/plugin/sitemap').length,
  ];
}

t.test('a missing sitemap does not count as a call', async (t) => {
  const { gateway, visit } = await counting(t);
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0, 3, 4] }));
  gateway.community.on('GET /api/cmt/plugin/sitemap', ({ query }) => ({
    plugin_list:
      query.get('range') === '4' ? [] : [{ plugin_key: 'abcdefgh', updated_at: '2026-01-01T00:00:00Z' }],
  }));
  for (const name of ['1', '2', '5', '99999', '49999']) {
    t.equal((await visit(`/plugins/sitemap-${name}.xml`)).status, 404, name);
  }
  t.strictSame(rangesOf(gateway), [1, 0]);
  for (const name of ['00', '03', '-3', '3.0', '+3', '%2b3', '1e0', '', 'pages2', '3%20']) {
    t.equal((await visit(`/plugins/sitemap-${name}.xml`)).status, 404, name);
  }
  t.equal((await visit('/plugins/sitemap-3.xml')).status, 200);
  t.equal((await visit('/plugins/sitemap-3.xml?x=1')).status, 200);
  t.equal((await visit('/plugins/sitemap-0.xml')).status, 200);
  t.strictSame(rangesOf(gateway), [1, 2]);
  for (let turn = 0; turn < 3; turn += 1) t.equal((await visit('/plugins/sitemap-4.xml')).status, 404);
  t.strictSame(rangesOf(gateway), [1, 3], 'a sitemap that became empty is requested once');
  t.match((await visit('/sitemap.xml')).text, 'sitemap-3.xml');
  t.strictSame(rangesOf(gateway), [1, 3], 'the index has the same ranges');
});

t.test('creating a sitemap counts as a call', async (t) => {
  const { gateway, visit } = await counting(t, TIGHT);
  const all = Array.from({ length: 20 }, (_none, index) => index);
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: all }));
  gateway.community.on('GET /api/cmt/plugin/sitemap', () => ({
    plugin_list: [{ plugin_key: 'abcdefgh', updated_at: '2026-01-01T00:00:00Z' }],
  }));
  const statuses: number[] = [];
  for (const range of all) statuses.push((await visit(`/plugins/sitemap-${range}.xml`)).status);
  t.strictSame(
    statuses,
    all.map((range) => (range < MISSES - 1 ? 200 : 429)),
    'and the sitemap index',
  );
  t.equal((await visit('/plugins/sitemap-0.xml')).status, 200);
});
