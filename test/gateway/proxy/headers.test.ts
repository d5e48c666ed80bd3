import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts';
import { portOf } from '../../support/port.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('headers', async (t) => {
  const PATH = '/api/helpcenter/article';

  t.test('R 10.3: the request headers that are forwarded', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    gateway.helpcenter.on(`POST ${PATH}`, () => ({}));
    await browser.signIn();
    browser.cookies.set('lang', 'jp');
    await browser.call(PATH, {
      method: 'POST',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        accept: 'application/json',
        'user-agent': 'test',
        'if-none-match': '"x"',
        authorization: 'Bearer forged',
        'proxy-authorization': 'Basic x',
        forwarded: 'for=1.1.1.1',
        'x-forwarded-for': '1.1.1.1',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-user': 'root',
        x_forwarded_user: 'root',
        'x-forwarded-uri': '/x',
        'x-real-ip': '1.1.1.1',
        'x-original-url': '/x',
        'x-rewrite-url': '/x',
        'x-http-method-override': 'DELETE',
        'x-custom': 'x',
        te: 'trailers',
        connection: 'close, authorization, x-request-id',
      },
    });
    const headers = gateway.helpcenter.seen(`POST ${PATH}`)[0]?.headers ?? {};
    const { authorization, 'x-request-id': id, traceparent, ...rest } = headers;
    t.match(authorization, /^Bearer e30\./, 'the session’s bearer token cannot be removed');
    t.match(id, /^[0-9a-f-]{36}$/);
    t.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    t.strictSame(rest, {
      host: new URL(gateway.helpcenter.url).host,
      connection: 'keep-alive',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '7',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'test',
      'if-none-match': '"x"',
      'accept-language': 'ja-JP',
      'cache-control': 'no-cache',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'localhost:8080',
    });
  });

  t.test('R 14.1: calls carry no-cache whatever a client sends, files do not', async (t) => {
    const gateway = await startGateway(t);
    const [list, media] = ['/api/cmt/plugin/list', `/api/cmt/media/${'1a'.repeat(16)}.webp`];
    const [visitor, user] = [gateway.browser(), gateway.browser()];
    await user.signIn();
    for (const browser of [visitor, user]) {
      const headers = { 'cache-control': 'max-age=60' };
      await browser.call(list, { headers });
      await browser.call(PATH, { headers });
      await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}', headers });
      await browser.visit('/plugins/');
      await browser.call(media, { headers });
    }
    const sent = [gateway.community, gateway.helpcenter].flatMap(({ requests }) =>
      requests.map(({ path, headers }) => `${path.split('?')[0]} ${headers['cache-control']}`),
    );
    t.strictSame(
      [...new Set(sent)].toSorted(),
      [
        '/api/cmt/manager/verify no-cache',
        `${media} undefined`,
        '/api/cmt/plugin/list no-cache',
        '/api/cmt/plugin/user no-cache',
        `${PATH} no-cache`,
      ].toSorted(),
    );
  });

  t.test('headers named by Connection are dropped; a valid traceparent is forwarded', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`GET ${PATH}`, () => ({}));
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await send(gateway.url, PATH, {
      headers: { 'x-requested-with': 'plugin-square', connection: 'accept', accept: 'text/x', traceparent },
    });
    const headers = gateway.helpcenter.seen(`GET ${PATH}`)[0]?.headers ?? {};
    t.equal(headers.accept, undefined);
    t.equal(headers.traceparent, traceparent);
    t.equal(headers.authorization, undefined, 'no bearer without a session');
  });

  t.test('R 10.4: the response headers that are returned', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    gateway.helpcenter.on(`GET ${PATH}`, () =>
      stubAnswer(
        200,
        { code: 0 },
        {
          etag: '"e"',
          'content-language': 'en',
          'set-cookie': ['session=stolen', 'a=b'],
          'access-control-allow-origin': '*',
          'content-security-policy': 'none',
          'strict-transport-security': 'max-age=1',
          'x-powered-by': 'x',
          server: 'x',
          'proxy-authenticate': 'Basic',
          'www-authenticate': 'Basic',
          refresh: '0; url=https://evil.example',
          link: '<https://evil.example>; rel=preload',
          'clear-site-data': '"*"',
          'x-request-id': 'theirs',
          vary: '*',
        },
      ),
    );
    const { headers } = await browser.call(PATH);
    const { date, 'x-request-id': id, 'keep-alive': _keepAlive, ...rest } = headers;
    t.ok(date);
    t.not(id, 'theirs');
    t.strictSame(rest, {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '10',
      'content-language': 'en',
      etag: '"e"',
      connection: 'close',
    });
  });

  t.test('R 10.21: public files vary by encoding alone, for visitors and users', async (t) => {
    const gateway = await startGateway(t);
    const file = `/api/cmt/media/${'1a'.repeat(16)}.webp`;
    const serve = (path: string, cache: string): void => {
      for (const method of ['GET', 'HEAD']) {
        gateway.community.on(`${method} ${path}`, () =>
          stubAnswer(200, 'picture', { 'cache-control': cache, 'content-type': 'image/webp', etag: '"e"' }),
        );
      }
    };
    const LIST = '/api/cmt/plugin/list';
    const user = gateway.browser();
    await user.signIn();
    for (const browser of [gateway.browser(), user]) {
      serve(file, 'public, max-age=31536000, immutable');
      t.hasStrict((await browser.visit(file)).headers, {
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      t.equal((await send(gateway.url, file, { method: 'HEAD' })).headers.vary, 'Accept-Encoding');
      for (const cache of ['private, max-age=60', 'no-cache', 'no-store']) {
        serve(file, cache);
        t.equal((await browser.visit(file)).headers.vary, 'Cookie, Accept-Language, Accept-Encoding', cache);
      }
      serve(LIST, 'public, max-age=60');
      const list = await browser.call(LIST);
      t.equal(list.headers.vary, 'Cookie, Accept-Language, Accept-Encoding', 'a call is in a language');
    }
  });

  t.test('redirects stay on this site and are never followed', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const answerTo = async (location: string) => {
      gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(302, '', { location }));
      return browser.call(PATH);
    };
    for (const location of [
      'https://evil.example/',
      '//evil.example/',
      'http://127.0.0.1:1/',
      'javascript:alert(1)',
      '/\\evil.example',
    ]) {
      const answer = await answerTo(location);
      t.equal(answer.status, 502, location);
      t.equal(answer.json().code, 'UPSTREAM_INVALID');
      t.equal(answer.headers.location, undefined);
    }
    for (const [location, passed] of [
      ['/plugins/', '/plugins/'],
      ['http://localhost:8080/a?b#c', '/a?b#c'],
      ['/x/..//evil.example', '/evil.example'],
    ] as const) {
      const answer = await answerTo(location);
      t.equal(answer.status, 302);
      t.equal(answer.headers.location, passed);
    }
  });

  t.test('R 9.15, R 10.12: session responses are no-store; HSTS on https only', async (t) => {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
    const browser = gateway.browser();
    gateway.helpcenter.on(`GET ${PATH}`, () =>
      stubAnswer(200, {}, { 'cache-control': 'public, max-age=60' }),
    );
    const open = await browser.call(PATH);
    t.equal(open.headers['cache-control'], 'public, max-age=60');
    t.equal(open.headers['strict-transport-security'], 'max-age=31536000');
    await browser.signIn();
    t.equal((await browser.call(PATH)).headers['cache-control'], 'no-store');
    t.equal((await browser.call('/api/auth/session')).headers['cache-control'], 'no-store');
  });
});

/** Default behaviour of @fastify/http-proxy and @fastify/reply-from that the gateway prevents. */
t.test('surprises of @fastify/http-proxy', async (t) => {
  const PATH = '/api/helpcenter/article';
  const OWN = { 'x-requested-with': 'plugin-square' };

  /** A gateway in its own process, which an uncaught exception would end. */
  async function spawnBefore(t: Test, url: string): Promise<GatewayProcess> {
    const gateway = await spawnGateway({
      PUBLIC_URL: 'http://localhost:8080',
      COMMUNITY_URL: url,
      IDENTITY_URL: url,
      SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
    });
    t.teardown(gateway.stop);
    return gateway;
  }

  t.test('an exception in the response headers does not end the process', async (t) => {
    const stub = await startStub(t);
    const gateway = await spawnBefore(t, stub.url);
    const get = () => send(gateway.url, PATH, { headers: OWN });
    stub.on(`GET ${PATH}`, () => stubAnswer(302, '', { location: 'https://elsewhere.example/' }));
    const redirected = await get();
    t.equal(redirected.status, 502);
    t.equal(redirected.json().code, 'UPSTREAM_INVALID');

    const file = new URL('../fixtures/naive-proxy.ts', import.meta.url);
    const naive = fork(fileURLToPath(file), [stub.url], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ended = once(naive, 'exit');
    const [started] = await Promise.race([once(naive, 'message'), ended]);
    t.type(started.url, 'string', 'the library alone listens');
    await t.rejects(send(started.url, PATH));
    t.equal((await ended)[0], 1, 'with the library alone it ends the process');

    // Fastify refuses the status: the library responds itself, and nobody reads the body, which then fails.
    stub.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(666, { 'content-type': 'text/plain' }).write('x'.repeat(100_000));
      setImmediate(() => response.destroy());
      return undefined;
    });
    const unknown = await get();
    t.equal(unknown.status, 502);
    t.equal(unknown.json().code, 'UPSTREAM_INVALID');

    const unseen = { 'content-language': ['a', 'b'], 'retry-after': '\u0080' };
    stub.on(`GET ${PATH}`, () => stubAnswer(200, 'x', unseen));
    t.equal((await get()).status, 200, 'headers that must not reach a client');
    await gateway.stop();
    t.notMatch(gateway.output(), 'response errored', 'a failure is logged once, in our words');
  });

  t.test('a body that fails before anybody reads it does not end the process', async (t) => {
    /** Head and failure arrive together: the body fails before the library gets it. */
    const answers = [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZ\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\nZ\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nx',
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nx',
    ];
    let answer = '';
    const upstream = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end(answer));
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    t.teardown(() => upstream.close());
    const gateway = await spawnBefore(t, `http://127.0.0.1:${portOf(upstream)}`);
    for (answer of answers) {
      const outcome = await send(gateway.url, PATH, { headers: OWN }).then(
        ({ status }) => status,
        () => 'broken off',
      );
      t.match(outcome, /^(?:502|broken off)$/, JSON.stringify(answer));
    }
    answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok';
    t.equal((await send(gateway.url, PATH, { headers: OWN })).text, 'ok', 'the process survives');
  });

  t.test('a truncated or abandoned body does not end the process', async (t) => {
    const stub = await startStub(t);
    const gateway = await spawnBefore(t, stub.url);
    const breakOff = (size: number) =>
      stub.on(`GET ${PATH}`, (_seen, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(size + 1) });
        response.write('x'.repeat(size), () => response.destroy());
        return undefined;
      });
    breakOff(10);
    const small = await send(gateway.url, PATH, { headers: OWN });
    t.equal(small.json().code, 'UPSTREAM_UNAVAILABLE', 'nothing of it has gone out yet');
    breakOff(100_000);
    await t.rejects(send(gateway.url, PATH, { headers: OWN }));
    const left = new AbortController();
    const closed = new Promise<void>((resolve) => {
      stub.on(`GET ${PATH}`, (_seen, response) => {
        response.once('close', resolve);
        left.abort();
        response.writeHead(200).write('x');
        return undefined;
      });
    });
    await t.rejects(send(gateway.url, PATH, { headers: OWN, signal: left.signal }));
    await closed;

    stub.on(`GET ${PATH}`, () => ({ ok: true }));
    t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 200, 'the process survives');
    // Its log is complete after the process has ended.
    await gateway.stop();
    t.match(gateway.output(), 'upstream response truncated');
    t.notMatch(gateway.output(), 'response errored', 'a failure is logged once, in our words');
  });

  t.test('no replay for a client that disconnected during the refresh', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(401, {}));
    const left = new AbortController();
    gateway.identity.on('POST /user/refresh_token', async () => {
      left.abort();
      await until(() => gateway.lines().some((line) => line.client_aborted === true));
      return {
        access_token: gateway.issued.accessToken(),
        refresh_token: 'CANARY-next',
        refresh_expires_in: 86_400,
      };
    });
    await t.rejects(browser.call(PATH, { signal: left.signal }));
    const renewed = 'bff_token_refresh_total{outcome="renewed"} 1';
    await until(async () => (await gateway.registry.metrics()).includes(renewed));
    gateway.helpcenter.on(`GET ${PATH}`, () => ({ ok: true }));
    t.equal((await browser.call(PATH)).status, 200);
    const [first, second] = gateway.helpcenter.requests.map(({ headers }) => headers.authorization);
    t.not(first, second, 'the next call has the new token');
    t.equal(gateway.helpcenter.requests.length, 2);
  });

  t.test('the head of an event stream is sent before its first event', async (t) => {
    const gateway = await startGateway(t);
    let end = (): void => undefined;
    gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      end = () => response.end('data: 1\n\n');
      return undefined;
    });
    const response = await fetch(gateway.url + PATH, { headers: OWN });
    t.equal(response.headers.get('content-type'), 'text/event-stream');
    end();
    t.equal(await response.text(), 'data: 1\n\n');
  });

  t.test('small bodies are sent in one chunk, with the length of the service', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '4' }).end('text');
      return undefined;
    });
    const answer = await send(gateway.url, PATH, { headers: OWN });
    t.equal(answer.text, 'text');
    t.equal(answer.headers['content-length'], '4');
    t.notOk(answer.headers['transfer-encoding']);
  });

  t.test('one undici is installed for production', async (t) => {
    const { packages } = JSON.parse(
      readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
    );
    const installed = Object.keys(packages).filter(
      (path) => /(?:^|\/)node_modules\/undici$/.test(path) && packages[path].dev !== true,
    );
    t.strictSame(installed, ['node_modules/undici']);
  });

  t.test('an empty body with a JSON content type stays empty', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`GET ${PATH}`, () =>
      stubAnswer(200, '', { 'content-type': 'application/json', 'content-length': '0' }),
    );
    const { status, text, headers } = await send(gateway.url, PATH, { headers: OWN });
    t.strictSame({ status, text, length: headers['content-length'] }, { status: 200, text: '', length: '0' });
  });
});
