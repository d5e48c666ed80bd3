import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';

const LIST = 'GET /api/helpcenter/article/list';
const QUERIES = [
  { operation: 'listHelpArticles', payload: {} },
  { operation: 'readHelpArticle', payload: { id: 7 } },
] as const;

type Test = Parameters<typeof startGateway>[0];

/** A gateway whose help center is its community, which is the default. */
async function ownHelp(t: Test, settings: Record<string, string> = {}) {
  const service = await startStub(t);
  const gateway = await startGateway(t, {
    settings,
    upstreams: { community: service.url, helpcenter: service.url },
    queries: QUERIES,
  });
  return { gateway, service };
}

function bootOf(html: string) {
  return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}');
}

t.test('help pages contain their articles and are shared', async (t) => {
  const { gateway, service } = await ownHelp(t);
  service.on(LIST, ({ headers }) => ({ article_list: [{ id: 7, title: headers['accept-language'] }] }));
  service.on('GET /api/helpcenter/article/7', () =>
    stubAnswer(404, { code: 'ARTICLE_NOT_FOUND', message: '' }),
  );
  const visitor = { headers: { 'accept-language': 'es' } };
  const boot = bootOf((await gateway.browser().visit('/help/', visitor)).text);
  t.equal(boot.own_help, true);
  const article = { id: 7, category_id: null, title: 'es-ES', lang: 'es-ES', updated_at: '' };
  t.strictSame(boot.answered, [
    { ...QUERIES[0], ok: true, data: { article_list: [article] } },
    { ...QUERIES[1], ok: false, status: 404, code: 'ARTICLE_NOT_FOUND' },
  ]);
  for (const path of ['/help', '/help/7']) await gateway.browser().visit(path, visitor);
  t.equal(service.seen(LIST).length, 1);
  const asked = await gateway.browser().visit('/help/7', { headers: { accept: '*/*' } });
  t.equal(asked.status, 200, 'crawlers get them as well');
});

t.test('URLs with a language redirect to the page in that language', async (t) => {
  const { gateway } = await ownHelp(t, { DEPLOY_TYPE: 'overseas' });
  for (const [path, to] of [
    ['/help/en/', '/help/?lang=en'],
    ['/help/jp/', '/help/?lang=jp'],
    ['/help/kr', '/help/?lang=kr'],
    ['/help/es/?from=mail', '/help/?from=mail&lang=es'],
    ['/help/jp/7', '/help/7?lang=jp'],
  ] as const) {
    const answer = await gateway.browser().visit(path);
    t.strictSame([answer.status, answer.headers.location], [302, to], path);
  }
  t.equal(bootOf((await gateway.browser().visit('/help/?lang=kr')).text).language, 'ko-KR');
});

t.test('an external help center is not read', async (t) => {
  const gateway = await startGateway(t, { queries: QUERIES });
  gateway.helpcenter.otherwise(() => ({ article_list: 'of another kind' }));
  const boot = bootOf((await gateway.browser().visit('/help/', { headers: { accept: 'text/html' } })).text);
  t.strictSame([boot.own_help, boot.answered], [false, []]);
  t.equal((await gateway.browser().visit('/help/jp/', { headers: { accept: '*/*' } })).status, 404);
  t.strictSame(gateway.helpcenter.requests, []);
});

t.test('articles are in the sitemap, and are left out if the help center fails', async (t) => {
  const { gateway, service } = await ownHelp(t, {
    PUBLIC_URL: 'https://square.example',
    DEPLOY_TYPE: 'overseas',
  });
  const pages = async () => {
    gateway.clock.ahead += 60 * 60 * 1000;
    await gateway.browser().visit('/plugins/sitemap-pages.xml');
    gateway.clock.ahead += 60 * 60 * 1000;
    const { status, text } = await gateway.browser().visit('/plugins/sitemap-pages.xml');
    return [
      status,
      [...text.matchAll(/<loc>https:\/\/square\.example([^<]*)<\/loc>/g)].map((match) => match[1]),
    ];
  };
  const own = ['/plugins/', '/plugins/protocol', '/plugins/docs/'];
  service.on(LIST, () => stubAnswer(404, { code: 'NOT_FOUND', message: '' }));
  t.strictSame(await pages(), [200, own]);
  service.on(LIST, () => ({ article_list: 'none' }));
  t.strictSame(await pages(), [200, own]);
  service.on(LIST, () => ({
    article_list: [{ id: 7, updated_at: '2026-01-02T03:04:05.000Z' }, { id: 'x' }, null],
  }));
  t.strictSame(await pages(), [200, [...own, '/help/', '/help/7']]);
});
