import t from 'tap';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const SITE = { PUBLIC_URL: 'https://square.example' };

t.test('robots.txt names the sitemap, at the root and below the base path', async (t) => {
  const gateway = await startGateway(t, { settings: SITE });
  for (const path of ['/robots.txt', '/plugins/robots.txt']) {
    const answer = await gateway.browser().visit(path);
    t.equal(answer.status, 200);
    t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
    t.equal(answer.headers['cache-control'], 'public, max-age=3600');
    t.match(answer.text, /^User-agent: \*\nDisallow: \/api\/auth\/\nDisallow: \/user\/\n/);
    t.match(answer.text, '\nSitemap: https://square.example/plugins/sitemap.xml\n');
  }
});

t.test('private and dev sites refuse search engines', async (t) => {
  for (const DEPLOY_TYPE of ['pri', 'cluster', 'dev']) {
    const gateway = await startGateway(t, { settings: { ...SITE, DEPLOY_TYPE } });
    t.equal((await gateway.browser().visit('/robots.txt')).text, 'User-agent: *\nDisallow: /\n', DEPLOY_TYPE);
    t.equal((await gateway.browser().visit('/sitemap.xml')).status, 404);
    await gateway.browser().visit('/plugins/sitemap-0.xml');
    t.strictSame(gateway.community.requests, [], 'no request');
  }
});

async function withPlugins(t: Parameters<typeof startGateway>[0], settings: Record<string, string> = {}) {
  const gateway = await startGateway(t, { settings: { ...SITE, ...settings } });
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0, 3] }));
  gateway.community.on('GET /api/cmt/plugin/sitemap', ({ query }) => ({
    plugin_list:
      query.get('range') === '3'
        ? [{ plugin_key: 'grid-maker', updated_at: '2026-01-02T03:04:05.000Z' }]
        : [],
  }));
  return gateway;
}

t.test('the index lists a sitemap of pages and one for each range', async (t) => {
  const gateway = await withPlugins(t);
  for (const path of ['/sitemap.xml', '/plugins/sitemap.xml']) {
    const answer = await gateway.browser().visit(path);
    t.equal(answer.status, 200);
    t.equal(answer.headers['content-type'], 'application/xml; charset=utf-8');
    t.match(answer.text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex /);
    t.strictSame(
      [...answer.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]),
      ['pages', '0', '3'].map((name) => `https://square.example/plugins/sitemap-${name}.xml`),
    );
  }
  t.equal(gateway.community.seen('GET /api/cmt/plugin/sitemap/ranges').length, 1, 'kept');
});

t.test('a sitemap names every language of its pages', async (t) => {
  const gateway = await withPlugins(t, { DEPLOY_TYPE: 'overseas' });
  const own = (await gateway.browser().visit('/plugins/sitemap-pages.xml')).text;
  t.match(own, '<loc>https://square.example/plugins/</loc>');
  t.match(own, '<loc>https://square.example/plugins/protocol</loc>');
  t.match(own, '<loc>https://square.example/plugins/docs/</loc>');
  const { text } = await gateway.browser().visit('/plugins/sitemap-3.xml');
  t.match(
    text,
    '<url><loc>https://square.example/plugins/plugin/grid-maker</loc><lastmod>2026-01-02T03:04:05.000Z</lastmod>',
  );
  t.strictSame(
    [...text.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map((match) => match.slice(1)),
    [
      ...['en', 'jp', 'kr', 'ru', 'es'].map((value, at) => [
        ['en', 'ja', 'ko', 'ru', 'es'][at],
        `https://square.example/plugins/plugin/grid-maker?lang=${value}`,
      ]),
      ['x-default', 'https://square.example/plugins/plugin/grid-maker'],
    ],
  );
  t.equal(text.match(/<url>/g)?.length, text.match(/<\/url>/g)?.length);
});

t.test('service data cannot break the XML', async (t) => {
  const gateway = await withPlugins(t);
  gateway.community.on('GET /api/cmt/plugin/sitemap', () => ({
    plugin_list: [{ plugin_key: '"><x&/../a', updated_at: '</lastmod><x>' }, { plugin_key: 7 }, null, 'x'],
  }));
  const { text } = await gateway.browser().visit('/plugins/sitemap-3.xml');
  t.notMatch(text, /<x[>&]/);
  t.match(text, '/plugins/plugin/%22%3E%3Cx%26%2F..%2Fa</loc>');
  t.match(text, '<lastmod>&lt;/lastmod&gt;&lt;x&gt;</lastmod>');
  t.equal(text.match(/<url>/g)?.length, 1);
  t.equal(escapeMarkup(`<a b='"&">`), '&lt;a b=&#39;&quot;&amp;&quot;&gt;');
});

t.test('an empty sitemap is 404', async (t) => {
  const gateway = await withPlugins(t);
  for (const name of ['0', '-1', '01', '1e3', '100000', 'x', '%2e%2e']) {
    t.equal((await gateway.browser().visit(`/plugins/sitemap-${name}.xml`)).status, 404, name);
  }
  const asked = gateway.community.seen('GET /api/cmt/plugin/sitemap').map(({ query }) => query.get('range'));
  t.strictSame(asked, ['0'], 'invalid names are not requested');
});

t.test('a service without these calls, or failing', async (t) => {
  const gateway = await startGateway(t, { settings: SITE });
  const bare = await gateway.browser().visit('/sitemap.xml');
  t.equal(bare.status, 200);
  t.equal(bare.text.match(/<loc>/g)?.length, 1, 'the pages of the site itself');
  const failing = await startGateway(t, { settings: SITE });
  failing.community.on('GET /api/cmt/plugin/sitemap/ranges', () => stubAnswer(500, 'oops'));
  const failed = await failing.browser().visit('/sitemap.xml');
  t.equal(failed.status, 502);
  t.equal(failed.json().code, 'UPSTREAM_INVALID');
});
