import t from 'tap';
import type { Received } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

function languageOf(page: Received): unknown {
  return JSON.parse(/<script type="application\/json" id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}')
    .language;
}

t.test('the URL of a page can select the language without a cookie', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
  const read = async (query: string, headers: Record<string, string> = {}) =>
    languageOf(await gateway.browser().visit(`/plugins/${query}`, { headers }));
  const named = { 'zh-CN': 'zh-CN', en: 'en-US', jp: 'ja-JP', kr: 'ko-KR', ru: 'ru-RU', es: 'es-ES' };
  for (const [value, language] of Object.entries(named)) {
    t.equal(await read(`?lang=${value}`, { 'accept-language': 'es,ru;q=0.9' }), language, value);
  }
  t.equal(await read('?lang=ru', { cookie: 'lang=jp' }), 'ja-JP', 'the cookie has priority');
  t.equal(await read('?lang=ru', { cookie: 'lang=xx' }), 'ru-RU', 'an invalid cookie is ignored');
  t.equal(await read('?a=1&lang=kr&b=2'), 'ko-KR');
  t.equal(await read('?lang=kr&lang=ru'), 'ko-KR', 'the first of two');
});

t.test('an unknown language in the URL is ignored', async (t) => {
  const gateway = await startGateway(t, { settings: { DEPLOY_TYPE: 'overseas' } });
  gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
  const accept = { 'accept-language': 'es' };
  const values = [
    '',
    'en-US',
    'ja',
    'zh-CN',
    'EN',
    'en%20',
    '%3Cscript%3E',
    '%00',
    '..%2F',
    'en%0d%0a',
    'x'.repeat(4000),
  ];
  for (const value of values) {
    const page = await gateway.browser().visit(`/plugins/?lang=${value}`, { headers: accept });
    t.equal(page.status, 200, value.slice(0, 20));
    t.equal(languageOf(page), 'es-ES', value.slice(0, 20));
  }
});

t.test('the language parameter is ignored for calls', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on('GET /api/cmt/plugin/tag/list', ({ headers }) => ({
    tag_list: [headers['accept-language']],
  }));
  const answer = await gateway
    .browser()
    .call('/api/cmt/plugin/tag/list?lang=ru', { headers: { 'accept-language': 'ko' } });
  t.strictSame(answer.json().data, { tag_list: ['ko-KR'] });
});

t.test('pages are cached per language', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
  const read = async (cookie: string) =>
    languageOf(await gateway.browser().visit('/plugins/?lang=ru', { headers: cookie ? { cookie } : {} }));
  t.equal(await read(''), 'ru-RU');
  t.equal(await read('lang=es'), 'es-ES');
  t.equal(await read(''), 'ru-RU');
});
