import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { sendRaw, statusOf } from '../support/raw-request.ts';
import { stubAnswer } from '../support/stub-upstream.ts';

t.test('requests of other sites', async (t) => {
  const OWN = { host: 'localhost:8080', 'x-requested-with': 'plugin-square' };

  t.test('a refused call has a code, and is counted and logged by its reason', async (t) => {
    const gateway = await startGateway(t);
    const refused: [reason: string, headers: Record<string, string>][] = [
      ['header', { 'x-requested-with': 'XMLHttpRequest' }],
      ['origin', { ...OWN, origin: 'null' }],
      ['fetch-site', { ...OWN, 'sec-fetch-site': 'same-site' }],
    ];
    for (const [reason, headers] of refused) {
      const answer = await send(gateway.url, '/api/auth/session', { headers });
      t.equal(answer.status, 403, reason);
      t.equal(answer.json().code, 'CSRF_REFUSED');
      t.match(await gateway.registry.metrics(), `bff_csrf_rejected_total{reason="${reason}"} 1`);
      t.ok(gateway.lines().some((line) => line.event === 'csrf_refused' && line.reason === reason));
    }
  });

  t.test('calls of our own pages are accepted', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/tag/list', () => ({ tag_list: [] }));
    for (const headers of [
      OWN,
      { ...OWN, origin: 'http://localhost:8080' },
      { ...OWN, 'sec-fetch-site': 'same-origin' },
    ]) {
      t.equal((await send(gateway.url, '/api/cmt/plugin/tag/list', { headers })).status, 200);
    }
  });

  t.test('public files and the sign-in redirects need no header', async (t) => {
    const gateway = await startGateway(t);
    const name = `${'a'.repeat(64)}-320.webp`;
    gateway.community.on(`GET /api/cmt/media/${name}`, () => ({}));
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
    t.equal((await send(gateway.url, `/api/cmt/media/${name}`, { headers })).status, 200);
    t.equal((await send(gateway.url, '/api/auth/login', { headers })).status, 302);
    t.equal((await send(gateway.url, '/api/auth/callback', { headers })).status, 400);
  });
});

t.test('mistakes of similar proxies', async (t) => {
  /** Known mistakes of similar proxies that no numbered requirement covers. */
  const PATH = '/api/helpcenter/article';
  const OWN = { 'x-requested-with': 'plugin-square' };

  t.test('Expect and Keep-Alive headers cause no server error', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.on(`POST ${PATH}`, ({ headers }) => ({ names: Object.keys(headers) }));
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\n`;
    for (const [line, status] of [
      ['Keep-Alive: timeout=5', 200],
      ['Expect: 100-continue', 200],
      ['Expect: nonsense', 417],
      ['Proxy-Connection: keep-alive', 200],
    ] as const) {
      const received = await sendRaw(gateway.url, `${head}${line}\r\nContent-Length: 2\r\n\r\n{}`);
      const final = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      t.equal(statusOf(final), status, line);
      t.notMatch(
        final.split('\r\n\r\n')[1] ?? '',
        /"(?:expect|keep-alive|proxy-connection)"/,
        'it is not forwarded',
      );
    }
  });

  t.test('a service whose host name does not resolve is 502 without that name', async (t) => {
    const address = 'http://no-such-service.invalid';
    const gateway = await startGateway(t, { upstreams: { helpcenter: address } });
    const answer = await send(gateway.url, PATH, { headers: OWN });
    t.equal(answer.status, 502);
    t.strictSame(answer.json(), {
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'A service behind this site cannot be reached.',
    });
    t.notMatch(answer.text + JSON.stringify(answer.headers), 'no-such-service');
  });

  t.test('a 404 response does not echo the URL', async (t) => {
    const gateway = await startGateway(t);
    for (const path of [
      '/api/cmt/very-private?x=very-private',
      '/very-private',
      '/plugins/assets/very-private',
    ]) {
      const answer = await send(gateway.url, path, { headers: OWN });
      t.equal(answer.status, 404, path);
      t.notMatch(answer.text + JSON.stringify(answer.headers), 'very-private');
    }
  });

  t.test('partly read responses do no harm', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const large = 'x'.repeat(2_000_000);
    gateway.community.on('POST /api/cmt/plugin/user', () =>
      stubAnswer(401, { code: 'TOKEN_INVALID', large }),
    );
    gateway.community.on('GET /api/cmt/manager/verify', () => stubAnswer(503, 'x'.repeat(20_000_000)));
    for (let round = 0; round < 5; round += 1) {
      const refused = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      t.equal(refused.status, 401, 'a discarded response, then a forwarded one');
    }
    t.equal(
      (await browser.call('/api/auth/session')).json().data.role,
      null,
      'a response above the size limit',
    );
    gateway.identity.on('POST /user/logout', () => stubAnswer(500, 'x'.repeat(20_000_000)));
    t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 502);
    t.equal((await browser.visit('/plugins/')).status, 200, 'the process is alive');
  });
});

t.test('secrets', async (_t) => {});
