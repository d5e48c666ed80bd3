import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

t.test('publisher pages', async (t) => {
  const gateway = await startGateway(t, {
    entry: { render: async (url) => ({ status: 200, html: `<!doctype html><title>${url}</title>` }) },
  });
  const { community } = gateway;
  community.on('GET /api/cmt/publisher', ({ query }) => {
    const handle = query.get('handle');
    if (handle === 'away-one') return stubAnswer(500, { code: 'INTERNAL', message: 'no' });
    return { handle: handle === 'former-one' ? 'current-one' : handle };
  });
  const visit = (path: string) =>
    send(gateway.url, path, { headers: { accept: 'text/html', 'sec-fetch-site': 'none' } });

  t.test('a former handle leads on for good, with the query', async (t) => {
    const { status, headers } = await visit('/plugins/publisher/former-one?sort=0&lang=jp');
    t.equal(status, 301);
    t.equal(headers.location, '/plugins/publisher/current-one?sort=0&lang=jp');
  });

  t.test('the current one, others and a service that fails get the page', async (t) => {
    for (const handle of ['current-one', 'away-one', 'NOT_ONE', '%2e%2e', 'a', '%zz'])
      t.not((await visit(`/plugins/publisher/${handle}`)).status, 301, handle);
    const { status, text } = await visit('/plugins/publisher/current-one');
    t.equal(status, 200);
    t.match(text, '<title>/plugins/publisher/current-one</title>');
  });

  t.test('the sitemap has their pages, if there are any', async (t) => {
    community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0] }));
    community.on('GET /api/cmt/publisher/sitemap', () => ({
      handle_list: ['current-one', 'p-0123456789ab'],
    }));
    t.match((await visit('/plugins/sitemap.xml')).text, '/plugins/sitemap-publishers.xml</loc>');
    const { status, text } = await visit('/plugins/sitemap-publishers.xml');
    t.equal(status, 200);
    t.match(text, '/plugins/publisher/current-one</loc>');
    t.match(text, '/plugins/publisher/p-0123456789ab</loc>');
    t.match(text, 'hreflang="ja"');
  });
});

t.test('a service without publishers has no sitemap of them', async (t) => {
  const gateway = await startGateway(t, {
    entry: { render: async () => ({ status: 200, html: '<!doctype html>' }) },
  });
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0] }));
  const visit = (path: string) => send(gateway.url, path, { headers: { accept: 'text/html' } });
  t.notMatch((await visit('/plugins/sitemap.xml')).text, 'publishers');
  t.equal((await visit('/plugins/sitemap-publishers.xml')).status, 404);
});
