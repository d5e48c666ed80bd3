import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createApp } from '../../../server/http/app.ts';
import { createLog } from '../../../server/http/log.ts';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { type Received, send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { portOf } from '../../support/port.ts';
import { sendRaw, statusOf } from '../../support/raw-request.ts';
import { type StubHandler, streaming, stubAnswer } from '../../support/stub-upstream.ts';

t.test('bodies', async (t) => {
  const UPLOAD = '/api/helpcenter/upload/picture';
  const OWN = { 'x-requested-with': 'plugin-square' };
  const MB = 1024 * 1024;

  /** Yields the same block repeatedly. */
  function* blocks(count: number, block: Buffer): Generator<Buffer> {
    for (let index = 0; index < count; index += 1) yield block;
  }

  t.test('bodies are forwarded unchanged, whatever their type', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`POST ${UPLOAD}`, ({ body, headers }) => ({
      hash: createHash('sha256').update(body).digest('hex'),
      type: headers['content-type'],
      length: headers['content-length'],
    }));
    for (const type of [
      'text/plain; charset=gb18030',
      'application/json',
      'multipart/form-data; boundary=x',
      'image/png',
    ]) {
      for (const size of [1, 1000, 65_536, 65_537, 300_000]) {
        const body = randomBytes(size);
        const answer = await send(gateway.url, UPLOAD, {
          method: 'POST',
          headers: { ...OWN, 'content-type': type },
          body,
        });
        const hash = createHash('sha256').update(body).digest('hex');
        const expected = { hash, type, length: String(size) };
        t.strictSame(answer.json().data, expected, `${size} bytes of ${type}`);
      }
    }
    const bare = await send(gateway.url, UPLOAD, { method: 'POST', headers: OWN });
    t.equal(bare.status, 200, 'no body at all');
  });

  t.test('R 10.7: a body over the limit is 413, by length or by counting', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const path = '/api/cmt/plugin/view';
    gateway.community.on(`POST ${path}`, ({ body }) => ({ length: body.length }));
    const within = await browser.call(path, { method: 'POST', body: Buffer.alloc(MB) });
    t.equal(within.json().data.length, MB);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Requested-With: plugin-square\r\n`;
    const told = await sendRaw(gateway.url, `${head}Content-Length: ${MB + 1}\r\n\r\n`);
    t.equal(statusOf(told), 413, 'before the body is sent');
    t.match(told, /"code":"BODY_TOO_LARGE"/);
    t.match(told, /connection: close/i);
    const counted = await browser.call(path, {
      method: 'POST',
      body: Readable.from(blocks(17, Buffer.alloc(64 * 1024))),
    });
    t.equal(counted.status, 413);
    t.equal(counted.json().code, 'BODY_TOO_LARGE');
    t.equal(
      gateway.community.seen(`POST ${path}`).filter(({ body }) => body.length > MB).length,
      0,
      'no complete body of that size was sent upstream',
    );
    t.equal((await browser.call(path, { method: 'POST', body: '{}' })).status, 200);
  });

  t.test('a 413 of a service is returned, each time', async (t) => {
    const service = createApp({ log: createLog({ level: 'silent', version: 'test' }) });
    service.post('/api/cmt/plugin/view', async () => ({ code: 0 }));
    await service.listen({ host: '127.0.0.1', port: 0 });
    t.teardown(() => service.close());
    const gateway = await startGateway(t, {
      upstreams: { community: `http://127.0.0.1:${portOf(service.server)}` },
      settings: { RATE_LIMIT_FACTOR: '0' },
    });
    const statuses = new Map<number, number>();
    for (let turn = 0; turn < 30; turn += 1) {
      const answers = await Promise.all(
        [66_000, 300_000, MB].map((size) =>
          send(gateway.url, '/api/cmt/plugin/view', {
            method: 'POST',
            headers: { ...OWN, 'content-type': 'application/json' },
            body: Buffer.alloc(size, ' '),
          }),
        ),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    t.strictSame([...statuses], [[413, 90]]);
  });

  t.test('a malformed chunked body is answered, then the connection is closed', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`POST ${UPLOAD}`, () => ({}));
    for (const path of [UPLOAD, '/api/cmt/plugin/view', '/api/auth/logout']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Requested-With: plugin-square\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      for (const broken of ['zz\r\n', '4\r\n{"a"\r\nzz\r\n', '4\r\n{"a"no line end']) {
        const received = await sendRaw(gateway.url, head + broken);
        t.equal(statusOf(received), 400, `${path} ${JSON.stringify(broken)}`);
        t.match(received, /"code":"MALFORMED_/);
        t.match(received, /connection: close/i);
        t.equal(received.split('HTTP/1.1 ').length, 2, 'one answer');
      }
    }
    t.strictSame(
      gateway.lines().filter(({ level }) => level === 'error'),
      [],
    );
  });

  t.test('an upstream that responds before it has read the whole body', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(
      `POST ${UPLOAD}`,
      streaming(() => stubAnswer(415, { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'no' })),
    );
    const answer = await send(gateway.url, UPLOAD, {
      method: 'POST',
      headers: OWN,
      body: Readable.from(blocks(20, Buffer.alloc(MB))),
    }).catch((error: NodeJS.ErrnoException) => error);
    if (answer instanceof Error) t.match(answer.code, /EPIPE|ECONNRESET/);
    else t.equal(answer.status, 415);
    t.equal((await gateway.browser().visit('/plugins/')).status, 200);
  });
});

t.test('compress', async (t) => {
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
      'listFacets',
      'listFollows',
      'listHelpArticles',
      'listHistory',
      'listLiked',
      'listLog',
      'listPlugins',
      'listPublisherPlugins',
      'listRecommended',
      'listTrending',
      'listVersions',
      'readCatalogueChanges',
      'readCollection',
      'readEditorsCollection',
      'readFollowed',
      'readOwnStatistics',
      'readPublisherNews',
      'readStatistics',
      'readTagPage',
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
});
