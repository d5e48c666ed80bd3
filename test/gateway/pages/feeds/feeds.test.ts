import t from 'tap';
import { atomDocument } from '../../../../server/gateway/pages/feeds/atom.ts';
import { startGateway } from '../../../support/gateway.ts';
import { stubAnswer } from '../../../support/stub-upstream.ts';

const SITE = ['en-US', 'https://square.example'] as const;

t.test('a feed is plain text in valid XML, whatever publishers and administrators write', async (t) => {
  const feed = atomDocument(
    {
      id: 'removed',
      title: 'Removed plugins',
      subtitle: 'What was withdrawn',
      path: '/plugins/removed.atom',
      page: '/plugins/removed',
      entries: [
        {
          id: 'removed/7',
          title: '<b>"Bad" & \'worse\'</b> 1.2.0: Harmful\u0000\u000b\ud800',
          updated: '2026-11-28T01:00:00.000Z',
          page: '/plugins/removed#removed-7',
          category: 'malware',
          author: 'A & B',
          content: '<script>alert(1)</script>]]>\n\nUninstall it.',
        },
      ],
    },
    ...SITE,
  );
  t.equal(
    feed,
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">\n',
      '<id>tag:square.example,2026:removed</id>',
      '<title type="text">Removed plugins</title><subtitle type="text">What was withdrawn</subtitle>',
      '<updated>2026-11-28T01:00:00.000Z</updated><author><name>square.example</name></author>',
      '<link rel="self" type="application/atom+xml" href="https://square.example/plugins/removed.atom?lang=en"/>',
      '<link rel="alternate" type="text/html" href="https://square.example/plugins/removed?lang=en"/>\n',
      '<entry><id>tag:square.example,2026:removed/7</id>',
      '<title type="text">&lt;b&gt;&quot;Bad&quot; &amp; &#39;worse&#39;&lt;/b&gt; 1.2.0: Harmful</title>',
      '<updated>2026-11-28T01:00:00.000Z</updated><author><name>A &amp; B</name></author>',
      '<link rel="alternate" type="text/html" href="https://square.example/plugins/removed?lang=en#removed-7"/>',
      '<category term="malware"/>',
      '<content type="text">&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;\n\nUninstall it.</content></entry>\n',
      '</feed>\n',
    ].join(''),
  );
});

t.test('an empty feed has the time that RFC 4287 asks for', async (t) => {
  const empty = {
    id: 'latest',
    title: 'Latest',
    path: '/plugins/latest.atom',
    page: '/plugins/',
    entries: [],
  };
  t.match(atomDocument(empty, ...SITE), /<updated>[\d-]{10}T00:00:00\.000Z<\/updated>/);
});

t.test(
  'the feed of removed plugins is in the language of its reader, and asks the service once',
  async (t) => {
    const gateway = await startGateway(t, {
      settings: { PUBLIC_URL: 'https://square.example', DEPLOY_TYPE: 'overseas' },
    });
    gateway.community.on('GET /api/cmt/plugin/removed', () => ({ next_cursor: null, removed_list: [] }));
    for (let n = 0; n < 2; n += 1) {
      const answer = await gateway.browser().visit('/plugins/removed.atom?lang=jp');
      t.equal(answer.status, 200);
      t.equal(answer.headers['content-type'], 'application/atom+xml; charset=utf-8');
      t.equal(answer.headers['cache-control'], 'private, max-age=30');
      t.match(answer.text, '<title type="text">配信を停止したプラグイン</title>');
    }
    const [asked, ...more] = gateway.community.seen('GET /api/cmt/plugin/removed');
    t.equal(asked?.headers['accept-language'], 'ja-JP');
    t.strictSame(more, [], 'kept');
  },
);

const CARD = {
  plugin_key: 'line-them-up',
  name: 'Line up',
  intro: 'Aligns <everything>',
  version: '2.0.0',
  updated_at: '2026-11-20T08:00:00.000Z',
  publisher: { nick_name: 'Ada' },
};

t.test('the latest plugins, and those of a tag', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
  gateway.community.on('GET /api/cmt/plugin/list', () => ({ plugin_list: [CARD] }));
  gateway.community.on('GET /api/cmt/plugin/tag/list', () => ({
    tag_list: [{ id: 5, name: 'Layout', code: 'l' }],
  }));
  const visit = (path: string) => gateway.browser().visit(path);

  const all = await visit('/plugins/latest.atom?lang=en');
  t.equal(all.status, 200);
  t.match(all.text, '<title type="text">New and updated plugins</title>');
  t.match(
    all.text,
    [
      '<entry><id>tag:square.example,2026:plugin/line-them-up/2.0.0</id><title type="text">Line up 2.0.0</title>',
      '<updated>2026-11-20T08:00:00.000Z</updated><author><name>Ada</name></author>',
      '<link rel="alternate" type="text/html" href="https://square.example/plugins/plugin/line-them-up?lang=en"/>',
      '<content type="text">Aligns &lt;everything&gt;</content></entry>',
    ].join(''),
  );
  const tagged = await visit('/plugins/latest.atom?tag_id=5&lang=en');
  t.match(tagged.text, '<title type="text">New and updated plugins: Layout</title>');
  t.match(tagged.text, 'href="https://square.example/plugins/?tag_id=5&amp;lang=en"');
  t.strictSame(
    gateway.community.seen('GET /api/cmt/plugin/list').map(({ target }) => target),
    ['/api/cmt/plugin/list?sort=0&tag_id=0&limit=50', '/api/cmt/plugin/list?sort=0&tag_id=5&limit=50'],
  );
  t.equal((await visit('/plugins/latest.atom?tag_id=6')).status, 404, 'no such tag');
  t.equal((await visit('/plugins/latest.atom?tag_id=x')).status, 400);
});

t.test('the latest plugins of a publisher', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
  gateway.community.on('GET /api/cmt/plugin/publisher/news', ({ target }) =>
    target.endsWith('=7')
      ? { publisher: { nick_name: 'Ada' }, plugin_list: [CARD] }
      : stubAnswer(404, { code: 'PUBLISHER_NOT_FOUND', message: 'None', data: null }),
  );
  const visit = (path: string) => gateway.browser().visit(path);
  const feed = await visit('/plugins/publisher.atom?publisher_id=7&lang=en');
  t.equal(feed.status, 200);
  t.match(feed.text, '<title type="text">Ada: New and updated plugins</title>');
  t.match(feed.text, '<title type="text">Line up 2.0.0</title>');
  t.match(
    feed.text,
    'href="https://square.example/plugins/?lang=en"',
    'a service without pages of publishers',
  );
  gateway.community.on('GET /api/cmt/plugin/publisher/news', ({ target }) =>
    target.endsWith('=8')
      ? stubAnswer(404, { code: 'PUBLISHER_NOT_FOUND', message: 'None', data: null })
      : { publisher: { nick_name: 'Bo', handle: 'p-0123456789ab' }, plugin_list: [CARD] },
  );
  t.match(
    (await visit('/plugins/publisher.atom?publisher_id=9&lang=en')).text,
    'href="https://square.example/plugins/publisher/p-0123456789ab?lang=en"',
  );
  t.equal((await visit('/plugins/publisher.atom?publisher_id=8')).status, 404);
  t.equal((await visit('/plugins/publisher.atom?publisher_id=x')).status, 400);
});

t.test('the versions of a plugin', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
  gateway.community.on('GET /api/cmt/plugin', () => CARD);
  gateway.community.on('GET /api/cmt/plugin/version/list', () => ({
    version_list: [{ version: '2.0.0', note: 'Faster', created_at: '2026-11-20T08:00:00.000Z' }],
  }));
  const feed = await gateway.browser().visit('/plugins/plugin/line-them-up/versions.atom?lang=en');
  t.equal(feed.status, 200);
  t.match(feed.text, '<title type="text">Line up: Version history</title>');
  t.match(feed.text, '<title type="text">Line up 2.0.0</title>');
  t.match(feed.text, '<content type="text">Faster</content>');

  gateway.community.on('GET /api/cmt/plugin', () =>
    stubAnswer(410, { code: 'PLUGIN_WITHDRAWN', message: 'Withdrawn', data: null }),
  );
  const gone = await gateway.browser().visit('/plugins/plugin/gone-plugin/versions.atom');
  t.equal(gone.status, 404, 'nothing of a withdrawn plugin');
});
