import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const DIGEST = 'ab'.repeat(32);
const PACKAGE = `/api/cmt/package/${DIGEST}`;
const CHANGES = '/api/cmt/plugin/changes';

t.test('packages by content', async (t) => {
  const gateway = await startGateway(t);
  const own = {
    'content-type': 'application/octet-stream',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-range': 'bytes 0-3/9',
    'content-digest': 'sha-256=:AAAA:',
    'repr-digest': 'sha-256=:BBBB:',
    etag: `"${DIGEST}"`,
  };
  gateway.community.on(`GET ${PACKAGE}`, ({ headers }) =>
    stubAnswer(headers.range === undefined ? 200 : 206, 'part', own),
  );
  const seen = () => gateway.community.seen(`GET ${PACKAGE}`).at(-1)?.headers;

  t.test('need no header of the page; a range, its condition and the digests pass', async (t) => {
    const headers = { range: 'bytes=0-3', 'if-range': `"${DIGEST}"` };
    const answer = await send(gateway.url, PACKAGE, { headers });
    t.equal(answer.status, 206);
    t.hasStrict(answer.headers, own);
    t.hasStrict(seen(), headers);
    t.notMatch(String(seen()?.authorization), /^Bearer/);
  });

  t.test('the session is sent, so that people get what is theirs, in parts too', async (t) => {
    const browser = gateway.browser();
    await browser.signIn();
    const answer = await browser.visit(PACKAGE, { site: 'same-origin', headers: { range: 'bytes=0-3' } });
    t.equal(answer.status, 206);
    t.equal(answer.headers['cache-control'], own['cache-control']);
    t.match(String(seen()?.authorization), /^Bearer /);
  });
});

t.test('the log of approvals is for anybody: no session, no header of the page', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  for (const path of ['/api/cmt/plugin/log', '/api/cmt/plugin/log/head']) {
    gateway.community.on(`GET ${path}`, () => ({ found: path }));
    for (const answer of [await send(gateway.url, path), await browser.visit(path)]) {
      t.equal(answer.status, 200, path);
      t.strictSame(answer.json().data, { found: path });
      t.strictSame(answer.setCookies, []);
    }
    for (const { headers } of gateway.community.seen(`GET ${path}`))
      t.notMatch(String(headers.authorization), /^Bearer/, path);
  }
  t.equal(
    gateway.community.seen('GET /api/cmt/plugin/log').length,
    2,
    'entries are never older than the head',
  );
});

t.test('changes of the catalogue', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on(`GET ${CHANGES}`, ({ query }) => ({ query: query.toString() }));

  t.test('are the same for everybody: no session, no header of the page, any cache', async (t) => {
    const browser = gateway.browser();
    await browser.signIn();
    for (const [title, answer] of [
      ['a stranger', await send(gateway.url, `${CHANGES}?after=7`)],
      [
        'another origin',
        await send(gateway.url, `${CHANGES}?after=7`, { headers: { origin: 'https://tool.example' } }),
      ],
      ['with a session', await browser.visit(`${CHANGES}?after=7`)],
    ] as const) {
      t.equal(answer.status, 200, title);
      t.equal(answer.headers['cache-control'], 'public, max-age=30', title);
      t.strictSame(answer.setCookies, [], title);
      t.strictSame(answer.json().data, { query: 'after=7' }, title);
      const { etag = '' } = answer.headers;
      const again = await send(gateway.url, `${CHANGES}?after=7`, { headers: { 'if-none-match': etag } });
      t.equal(again.status, 304, title);
    }
    const [first, ...others] = gateway.community.seen(`GET ${CHANGES}`);
    t.notMatch(String(first?.headers.authorization), /^Bearer/);
    t.strictSame(others, [], 'asked once');
  });

  t.test('keep the signature of their service, also as 304', async (t) => {
    const signature = 'eyJhbGciOiJFZERTQSJ9..AAAA';
    gateway.community.on(`GET ${CHANGES}`, () =>
      stubAnswer(200, { data: {} }, { 'x-jws-signature': signature }),
    );
    const path = `${CHANGES}?after=8`;
    const { headers } = await send(gateway.url, path);
    t.equal(headers['x-jws-signature'], signature);
    const again = await send(gateway.url, path, { headers: { 'if-none-match': headers.etag ?? '' } });
    t.strictSame([again.status, again.headers['x-jws-signature']], [304, signature]);
  });

  t.test('an error is not kept', async (t) => {
    gateway.community.on(`GET ${CHANGES}`, () => stubAnswer(400, { code: 'BAD_CURSOR', message: 'x' }));
    const answer = await send(gateway.url, `${CHANGES}?after=9`);
    t.equal(answer.status, 400);
    t.equal(answer.headers['cache-control'], 'no-cache');
  });
});
