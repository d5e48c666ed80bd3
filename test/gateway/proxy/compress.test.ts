import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import type { Received } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { type StubHandler, stubAnswer } from '../../support/stub-upstream.ts';

const LIST = '/api/cmt/plugin/list';
const LIKED = '/api/cmt/plugin/liked';
const BODY = JSON.stringify({ code: 0, message: 'ok', data: { text: 'plugin '.repeat(1000) } });
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

async function signedIn(t: Test, handler: StubHandler = () => stubAnswer(200, BODY, JSON_TYPE)) {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  gateway.community.otherwise(handler);
  gateway.helpcenter.otherwise(handler);
  const get = (path: string, encodings: string, method = 'GET', headers: Record<string, string> = {}) =>
    browser.call(path, { method, headers: { 'accept-encoding': encodings, ...headers } });
  return { gateway, get };
}

const isCompressed = ({ headers }: Received): boolean => headers['content-encoding'] !== undefined;

t.test('the contract allows compression of large lists without secrets', async (t) => {
  const routes = Object.entries<Route>(contract).filter(([, { compress }]) => compress);
  t.strictSame(routes.map(([name]) => name).sort(), [
    'listHelpArticles',
    'listLiked',
    'listPlugins',
    'listRecommended',
    'listVersions',
    'readOwnStatistics',
    'readStatistics',
  ]);
  for (const [name, route] of routes) {
    t.hasStrict(route, { service: 'community', method: 'GET' }, name);
    t.notOk(route.file || route.answersUser || route.publishToken, name);
  }
});

t.test('responses that may contain secrets are never compressed', async (t) => {
  const { get } = await signedIn(t);
  for (const path of [
    '/api/cmt/plugin/token/list',
    '/api/cmt/manager/publish_token/list',
    '/api/cmt/manager/space-setting/iconfont',
    '/api/cmt/manager/verify',
    '/api/cmt/notice/list',
    '/api/cmt/plugin/audit',
    '/api/cmt/plugin/audit/list',
    '/api/cmt/plugin/user/list',
    '/api/cmt/user/holdings',
    '/api/helpcenter/user/admininfo',
    '/user/session/list',
    '/user/account/second_factor',
    '/user/account/email',
    '/user/account/deletion',
  ]) {
    t.notOk(isCompressed(await get(path, 'gzip, br')), path);
  }
});

t.test('a list is compressed for a session by Accept-Encoding', async (t) => {
  const { get } = await signedIn(t);
  for (const path of [LIST, LIKED, '/api/helpcenter/article/list']) {
    const brotli = await get(path, 'gzip, br');
    t.equal(brotli.headers['content-encoding'], 'br', path);
    t.equal(brotliDecompressSync(brotli.bytes).toString(), BODY);
    t.match(brotli.headers.vary, /Accept-Encoding/i);
    t.equal(brotli.headers['cache-control'], 'no-store');
    const zipped = await get(path, 'gzip');
    t.equal(zipped.headers['content-encoding'], 'gzip');
    t.equal(gunzipSync(zipped.bytes).toString(), BODY);
    const plain = await get(path, 'br;q=0, identity');
    t.notOk(isCompressed(plain));
    t.equal(plain.text, BODY);
  }
});

t.test('short and already compressed responses are unchanged', async (t) => {
  const answers: [name: string, body: string, headers: Record<string, string>][] = [
    ['short', '{"code":0}', JSON_TYPE],
    ['a picture', 'x'.repeat(5000), { 'content-type': 'image/png' }],
  ];
  let current = answers[0];
  const { get } = await signedIn(t, () => stubAnswer(200, current?.[1], current?.[2]));
  for (current of answers) {
    const [name, body] = current;
    const answer = await get(LIKED, 'br');
    t.notOk(isCompressed(answer), name);
    t.equal(answer.text, body);
  }
});

t.test('an ETag is valid for every encoding of a list', async (t) => {
  const seen: (string | undefined)[] = [];
  const { get } = await signedIn(t, ({ headers }) => {
    seen.push(headers['if-none-match']);
    const etag = { etag: '"a1"' };
    return headers['if-none-match'] === undefined
      ? stubAnswer(200, BODY, { ...JSON_TYPE, ...etag, 'content-length': String(BODY.length) })
      : stubAnswer(304, '', etag);
  });
  const whole = await get(LIKED, 'br');
  t.equal(whole.headers.etag, 'W/"a1"');
  t.not(whole.headers['content-length'], String(BODY.length));
  const known = await get(LIKED, 'br', 'GET', { 'if-none-match': 'W/"a1"' });
  t.equal(known.status, 304);
  t.equal(known.headers.etag, 'W/"a1"');
  t.equal(known.text, '');
  t.notOk(isCompressed(known));
  t.strictSame(seen, [undefined, 'W/"a1"']);
  const head = await get(LIKED, 'br', 'HEAD');
  t.equal(head.status, 200);
  t.equal(head.headers.etag, 'W/"a1"');
  t.equal(head.headers['content-length'], undefined, 'the length of another encoding');
  t.equal(head.text, '');
});

t.test('an empty body is not compressed', async (t) => {
  const { get } = await signedIn(t, () => stubAnswer(204, '', {}));
  const answer = await get(LIKED, 'br');
  t.equal(answer.status, 204);
  t.notOk(isCompressed(answer));
});

t.test('a long list is streamed, without the tokens of its session', async (t) => {
  const pieces = 400;
  const { gateway, get } = await signedIn(t, (_seen, response) => {
    const [access = ''] = gateway.issued.secrets.slice(-2);
    response.writeHead(200, JSON_TYPE);
    response.write(`{"token":"${access}","list":[`);
    for (let index = 0; index < pieces; index += 1) response.write(`"${'x'.repeat(1000)}",`);
    response.end('0]}');
    return undefined;
  });
  const answer = await get(LIKED, 'br');
  t.equal(answer.headers['content-encoding'], 'br');
  const { token, list } = JSON.parse(brotliDecompressSync(answer.bytes).toString());
  t.match(token, /^\*+$/);
  t.equal(list.length, pieces + 1);
});
