import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

t.test('the sitemap has the pages of collections, if there are any', async (t) => {
  const gateway = await startGateway(t, {
    entry: { render: async () => ({ status: 200, html: '<!doctype html>' }) },
  });
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0] }));
  gateway.community.on('GET /api/cmt/collection/sitemap', () => ({
    collection_list: [
      { collection_key: 'a'.repeat(16), slug: 'icon-tools', updated_at: '2026-01-02T03:04:05.000Z' },
      { collection_key: 'b'.repeat(16), updated_at: '2026-01-02T03:04:05.000Z' },
      { title: 'of another service' },
    ],
  }));
  const visit = (path: string) => send(gateway.url, path, { headers: { accept: 'text/html' } });
  t.match((await visit('/plugins/sitemap.xml')).text, '/plugins/sitemap-collections.xml</loc>');
  const { status, text } = await visit('/plugins/sitemap-collections.xml');
  t.equal(status, 200);
  t.match(text, '/plugins/collections/icon-tools</loc><lastmod>2026-01-02T03:04:05.000Z</lastmod>');
  t.match(text, `/plugins/collection/${'b'.repeat(16)}</loc>`);
  t.notMatch(text, 'undefined');
  t.match((await visit('/plugins/sitemap-pages.xml')).text, '/plugins/collections</loc>');
});

t.test('a service without collections has no sitemap of them', async (t) => {
  const gateway = await startGateway(t, {
    entry: { render: async () => ({ status: 200, html: '<!doctype html>' }) },
  });
  gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0] }));
  const visit = (path: string) => send(gateway.url, path, { headers: { accept: 'text/html' } });
  t.notMatch((await visit('/plugins/sitemap.xml')).text, 'collections');
  t.equal((await visit('/plugins/sitemap-collections.xml')).status, 404);
});
