import t from 'tap';
import { decodedSegments, encodedPath } from '../../../server/gateway/proxy/path.ts';
import { startGateway } from '../../support/gateway.ts';
import { sendRaw, statusOf } from '../../support/raw-request.ts';

/** Paths that different servers read differently (requirement 24). */
const BAD_PATHS = [
  '/api/helpcenter/..',
  '/api/helpcenter/../cmt/internal',
  '/api/helpcenter/./x',
  '/api/helpcenter/%2e%2e/cmt/internal',
  '/api/helpcenter/%2E%2e/x',
  '/api/helpcenter/.%2e/x',
  '/api/helpcenter/%2e/x',
  '/api/helpcenter/x%2fy',
  '/api/helpcenter/x%2Fmanager%2Fy',
  '/api/helpcenter/x%5cy',
  '/api/helpcenter/x\\y',
  '/api/helpcenter/..\\x',
  '/api/helpcenter/x%00',
  '/api/helpcenter/x%0d%0ax-injected:%201',
  '/api/helpcenter/x%7f',
  '/api/helpcenter/%252e%252e/x',
  '/api/helpcenter/%25%32%65/x',
  '/api/helpcenter/%2561',
  '/api/helpcenter/%c0%ae/x',
  '/api/helpcenter/%ff',
  '/api/helpcenter/%',
  '/api/helpcenter/%zz',
  '/api//helpcenter/x',
  '//api/helpcenter/x',
  '/api/helpcenter//x',
  '/api/helpcenter/x#y',
  '/api/helpcenter/x\u00e9',
  '//evil.example/api/helpcenter/x',
  'http://evil.example/api/helpcenter/x',
  'http://localhost:8080/api/helpcenter/x',
  'api/helpcenter/x',
  '?x',
  '/plugins/..%2f..%2fetc/passwd',
  '/plugins/assets/..%2findex.html',
  '/plugins/assets/%2e%2e/index.html',
  '/plugins/assets/..\\index.html',
  '/plugins//evil.example',
];

t.test('ambiguous paths are refused', async (t) => {
  const gateway = await startGateway(t);
  for (const path of BAD_PATHS) {
    const received = await sendRaw(
      gateway.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\nConnection: close\r\n\r\n`,
    );
    t.equal(statusOf(received), 400, encodeURI(path));
    t.notMatch(received, 'not to be served');
    t.notMatch(received, 'x-injected');
  }
  t.strictSame(
    [gateway.community, gateway.helpcenter].flatMap(({ requests }) => requests),
    [],
  );
});

t.test('valid paths are decoded, whatever their encoding', async (t) => {
  t.strictSame(decodedSegments('/api/%63mt/plugin?x=%00'), ['api', 'cmt', 'plugin']);
  t.strictSame(decodedSegments('/plugins/'), ['plugins', '']);
  t.strictSame(decodedSegments('/'), ['']);
  t.strictSame(decodedSegments('/%E6%8F%92/a%20b/100%25'), ['插', 'a b', '100%']);
  t.equal(encodedPath(['a b', '插', "it's"]), "/a%20b/%E6%8F%92/it's");
});

t.test('the upstream path is normalized; the query is unchanged', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  gateway.helpcenter.on('GET /api/helpcenter/article/a%20b', ({ query }) => ({ q: query.get('q') }));
  const answer = await browser.call('/%61pi/%68elpcenter/%61rticle/a%20b?q=../%2e%2e/x');
  t.equal(answer.status, 200);
  t.equal(answer.json().data.q, '../../x');
  t.equal((await browser.call('/api/%63mt/internal')).status, 404);
});

t.test('requirements 27 and 28: ambiguous requests are refused', async (t) => {
  const gateway = await startGateway(t);
  const head = 'POST /api/helpcenter/x HTTP/1.1\r\nX-Requested-With: plugin-square\r\nConnection: close\r\n';
  const host = 'Host: localhost:8080\r\n';
  for (const [what, text] of [
    ['two lengths', `${head}${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['length and chunks', `${head}${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['folded header', `${head}${host}X-A: 1\r\n folded\r\n\r\n`],
    ['two hosts', `${head}${host}Host: evil.example\r\n\r\n`],
    ['no host', `${head}\r\n`],
    ['a space before the colon', `${head}${host}X-A : 1\r\n\r\n`],
    ['a bare line feed', `${head}${host}X-A: 1\n\r\n`],
    ['an unknown coding', `${head}${host}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
  ] as const) {
    t.equal(statusOf(await sendRaw(gateway.url, text)), 400, what);
  }
  for (const upgrade of ['websocket', 'h2c']) {
    const received = await sendRaw(
      gateway.url,
      `GET /api/helpcenter/x HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
    );
    t.ok(statusOf(received) >= 400 && statusOf(received) < 500, `${upgrade} ${statusOf(received)}`);
  }
  const connect = await sendRaw(gateway.url, `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`);
  t.ok(statusOf(connect) === 0 || statusOf(connect) >= 400, 'CONNECT');
  const expect = await sendRaw(gateway.url, `${head}${host}Expect: nonsense\r\n\r\n`);
  t.equal(statusOf(expect), 417);
  const huge = await sendRaw(gateway.url, `${head}${host}X-A: ${'x'.repeat(20_000)}\r\n\r\n`);
  t.equal(statusOf(huge), 431);
  t.strictSame(gateway.helpcenter.requests, []);
  t.equal((await gateway.browser().visit('/plugins/')).status, 200, 'still there');
});
