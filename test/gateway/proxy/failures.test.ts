import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { send } from '../../support/browser.ts';
import { selfSigned } from '../../support/certificate.ts';
import { startGateway } from '../../support/gateway.ts';
import { portOf } from '../../support/port.ts';
import { streaming, stubAnswer } from '../../support/stub-upstream.ts';
import { breakResponses, card, KEY, openPages, whole } from '../fixtures/broken-responses.ts';

t.test('failures', async (t) => {
  const PATH = '/api/helpcenter/article';
  const OWN = { 'x-requested-with': 'plugin-square' };

  /** A server that sends these bytes on every connection and closes it. */
  async function rawUpstream(t: { teardown(work: () => void): void }, answer: string): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => void server.close());
    return `http://127.0.0.1:${portOf(server)}`;
  }

  t.test('R 10.9: an upstream that is down is 502, without its address', async (t) => {
    const gateway = await startGateway(t);
    const port = String(gateway.helpcenter.port);
    await gateway.helpcenter.stop();
    await gateway.community.stop();
    for (const path of [PATH, '/api/cmt/plugin/list', '/api/cmt/plugin/tag/list']) {
      const answer = await send(gateway.url, path, { headers: OWN });
      t.equal(answer.status, 502, path);
      t.strictSame(answer.json(), {
        code: 'UPSTREAM_UNAVAILABLE',
        message: 'A service behind this site cannot be reached.',
      });
      t.notMatch(answer.text + JSON.stringify(answer.headers), port);
    }
    t.ok(gateway.lines().some(({ level, code }) => level === 'error' && code === 'UPSTREAM_UNAVAILABLE'));
  });

  t.test('R 10.10: only a GET is retried, and only if there was no response', async (t) => {
    const gateway = await startGateway(t);
    let broken = 1;
    const flaky = (_seen: unknown, response: { destroy(): void }) => {
      broken -= 1;
      return broken >= 0 ? void response.destroy() : { ok: true };
    };
    gateway.helpcenter.on(`GET ${PATH}`, flaky);
    gateway.helpcenter.on(`POST ${PATH}`, flaky);
    t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 200);
    t.equal(gateway.helpcenter.seen(`GET ${PATH}`).length, 2);
    broken = 9;
    t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 502);
    t.equal(gateway.helpcenter.seen(`GET ${PATH}`).length, 4);
    t.equal((await send(gateway.url, PATH, { method: 'POST', headers: OWN, body: '{}' })).status, 502);
    t.equal(gateway.helpcenter.seen(`POST ${PATH}`).length, 1);

    for (const status of [500, 503, 429]) {
      gateway.helpcenter.requests.length = 0;
      gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(status, { code: 1 }, { 'retry-after': '5' }));
      const answer = await send(gateway.url, PATH, { headers: OWN });
      t.equal(answer.status, status);
      t.equal(answer.headers['retry-after'], '5');
      t.equal(gateway.helpcenter.requests.length, 1, `${status} is a response`);
    }
  });

  t.test('invalid responses are 502, and the process survives', async (t) => {
    for (const [what, answer] of [
      ['nothing', ''],
      ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
      ['a status that does not exist', 'HTTP/1.1 888 What\r\nContent-Length: 0\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      [
        'length and chunks',
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['half a head', 'HTTP/1.1 200 OK\r\nContent-Le'],
      ['endless headers', `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`],
      ['a protocol switch', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ] as const) {
      const gateway = await startGateway(t, { upstreams: { helpcenter: await rawUpstream(t, answer) } });
      const received = await send(gateway.url, PATH, { method: 'POST', headers: OWN });
      t.equal(received.status, 502, what);
      t.match(received.json().code, /^UPSTREAM_/);
      t.equal((await gateway.browser().visit('/plugins/')).status, 200);
    }
  });

  t.test('R 10.8: a truncated upstream response is truncated for the client', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
      return undefined;
    });
    await t.rejects(send(gateway.url, PATH, { headers: OWN }));
    gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200);
      response.write('half', () => response.destroy());
      return undefined;
    });
    await t.rejects(send(gateway.url, PATH, { headers: OWN }), 'in chunks as well');
  });

  t.test('R 10.8: a client disconnect aborts the upstream call', async (t) => {
    const gateway = await startGateway(t);
    for (const withHead of [false, true]) {
      const reached = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      gateway.helpcenter.on(
        `POST ${PATH}`,
        streaming((_seen, response) => {
          if (withHead) response.writeHead(200).write('x');
          response.once('close', () => left.resolve());
          reached.resolve();
          return undefined;
        }),
      );
      const controller = new AbortController();
      const call = send(gateway.url, PATH, { method: 'POST', headers: OWN, signal: controller.signal });
      const broken = t.rejects(call);
      await reached.promise;
      controller.abort();
      await broken;
      await left.promise;
      t.pass(`the upstream is let go ${withHead ? 'after' : 'before'} the head`);
    }
    t.ok(gateway.lines().some((line) => line.client_aborted === true));
  });

  t.test('the first bytes of a stream are not buffered', async (t) => {
    const gateway = await startGateway(t);
    let end = (): void => undefined;
    gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      end = () => response.end();
      return undefined;
    });
    const response = await fetch(gateway.url + PATH, { headers: OWN });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    t.equal(Buffer.from(first?.value ?? []).toString(), 'data: 1\n\n');
    end();
    t.equal((await reader?.read())?.done, true);
  });

  t.test('R 10.9: a user service without a response for ten seconds is 504', async (t) => {
    const gateway = await startGateway(t);
    gateway.identity.on('GET /user/page/options', () => new Promise(() => undefined));
    const started = Date.now();
    const answer = await send(gateway.url, '/user/page/options', { headers: OWN });
    t.equal(answer.status, 504);
    t.equal(answer.json().code, 'UPSTREAM_TIMEOUT');
    const seconds = (Date.now() - started) / 1000;
    t.ok(seconds > 9, `after ${seconds} s`);
  });
});

t.test('broken responses', async (t) => {
  /** Every fifth change, as there are thirteen of each field; `broken-responses-long` tries all. */
  const EVERY = 5;

  t.test('missing or malformed fields of a service never break a page', async (t) => {
    const pages = await openPages(t);
    const { gateway, answers, open } = pages;
    await breakResponses(t, pages, (index) => index % EVERY === 0);

    await t.test('invalid entries are omitted one by one, and logged once', async (t) => {
      const LIST = 'GET /api/cmt/plugin/list';
      const lines = () =>
        gateway.lines().filter(({ msg }) => msg === 'invalid entries of a response omitted');
      const before = lines().length;
      answers.set(LIST, whole({ total: 3, plugin_list: [null, card, { name: 'No key' }] }));
      for (const page of ['/plugins/?keyword=a', '/plugins/?keyword=b', '/plugins/?keyword=c']) {
        const { status, html } = await open(page);
        t.equal(status, 200);
        t.match(html, `href="/plugins/plugin/${KEY}"`);
        t.notMatch(html, 'No key');
      }
      t.hasStrict(lines().slice(before), [{ operation: 'listPlugins', count: 2 }]);
      t.equal(lines().length, before + 1, 'once, not for each page');
    });

    await t.test('the error message of an external service is shown as text, in its section', async (t) => {
      answers.set('GET /api/cmt/plugin/list', { code: 40_012, message: 'Closed <b>today</b>', data: null });
      const { status, html } = await open('/plugins/?keyword=closed');
      t.equal(status, 200);
      t.match(html, /role="alert"(?:(?!<\/section>).)*Closed &lt;b&gt;today&lt;\/b&gt;/s);
      t.match(html, /"code":40012/, 'its code is kept');
      t.notMatch(html, '<b>today');
      t.match(html, '>Icons</a>', 'the tags are shown');
    });
  });
});

t.test('TLS to a service', async (t) => {
  t.test('R 10.11: TLS to upstreams is verified; UPSTREAM_CA adds a CA', async (t) => {
    const { cert, key } = selfSigned();
    let asked = 0;
    const server = createTlsServer({ cert, key }, (_request, response) => {
      asked += 1;
      response.end('{"code":0}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.close();
      server.closeAllConnections();
    });
    const upstreams = { helpcenter: `https://127.0.0.1:${portOf(server)}` };
    const headers = { 'x-requested-with': 'plugin-square' };

    const strict = await startGateway(t, { upstreams });
    const refused = await send(strict.url, '/api/helpcenter/x', { headers });
    t.equal(refused.status, 502);
    t.equal(refused.json().code, 'UPSTREAM_UNAVAILABLE');
    t.equal(asked, 0, 'no request was sent to an unverified server');

    const file = join(t.testdir(), 'ca.pem');
    writeFileSync(file, cert);
    const trusting = await startGateway(t, { upstreams, settings: { UPSTREAM_CA: file } });
    const passed = await send(trusting.url, '/api/helpcenter/x', { headers });
    t.equal(passed.status, 200);
    t.equal(passed.text, '{"code":0}');

    const other = join(t.testdir(), 'other.pem');
    writeFileSync(other, selfSigned().cert);
    const mistaken = await startGateway(t, { upstreams, settings: { UPSTREAM_CA: other } });
    t.equal((await send(mistaken.url, '/api/helpcenter/x', { headers })).status, 502);
    t.equal(asked, 1);
  });
});
