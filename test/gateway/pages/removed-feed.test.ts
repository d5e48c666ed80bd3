import t from 'tap';
import { feedOf } from '../../../server/gateway/pages/removed-feed.ts';
import { startGateway } from '../../support/gateway.ts';

const TEXTS = {
  title: 'Removed plugins',
  lead: 'What was withdrawn',
  reason_malware: 'Harmful',
  must_stop_text: 'Uninstall it.',
  may_keep_text: 'You may keep it.',
};
const FEED = { language: 'en-US', texts: TEXTS, publicUrl: 'https://square.example' } as const;

t.test('a feed is plain text in valid XML, whatever publishers and administrators write', async (t) => {
  const feed = feedOf(
    [
      {
        id: 7,
        plugin_key: 'bad-plugin',
        name: '<b>"Bad" & \'worse\'</b>',
        version: '1.2.0',
        reason: 'malware',
        text: '<script>alert(1)</script>]]>',
        text_lang: 'en-US',
        must_stop: true,
        withdrawn_at: '2026-11-28T01:00:00.000Z',
      },
    ],
    FEED,
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
      '<updated>2026-11-28T01:00:00.000Z</updated>',
      '<link rel="alternate" type="text/html" href="https://square.example/plugins/removed?lang=en#removed-7"/>',
      '<category term="malware"/>',
      '<content type="text">&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;\n\nUninstall it.</content></entry>\n',
      '</feed>\n',
    ].join(''),
  );
});

t.test('an empty feed has the time that RFC 4287 asks for', async (t) => {
  t.match(feedOf([], FEED), /<updated>[\d-]{10}T00:00:00\.000Z<\/updated>/);
});

t.test('the feed is in the language of its reader, and asks the service once', async (t) => {
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
});
