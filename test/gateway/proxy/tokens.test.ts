import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { type Browser, type Received, type Sending, send } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { type StubUpstream, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

t.test('upstream tokens', async (t) => {
  const VERIFY = '/api/cmt/manager/verify';
  const EXTRA = '/api/cmt/own/{key}';
  const HELPCENTER = ['user/admininfo', 'upload/picture', 'article', 'manager/user/list'];
  /** Valid values of path parameters. */
  const PARAMETERS: Readonly<Record<string, string>> = { name: 'zh-CN.jpg', source: 'github' };

  type Tap = Parameters<typeof startGateway>[0];
  type Asked = { method: string; path: string };

  /** A gateway with a signed-in administrator, and the tokens of the session. */
  async function signedIn(t: Tap): Promise<{ gateway: TestGateway; browser: Browser; tokens: string[] }> {
    // More calls than a session may make in a minute.
    const settings = { EXTRA_CMT_ROUTES: `GET ${EXTRA}`, RATE_LIMIT_FACTOR: '0' };
    const gateway = await startGateway(t, { settings });
    const browser = gateway.browser();
    await browser.signIn();
    const tokens = gateway.issued.secrets.slice(-2);
    return { gateway, browser, tokens };
  }

  /**
   * A request for every call of the contract and of the help center, without those whose answer is the same for everybody:
   * nothing tells the service who asks, and anybody may keep it.
   */
  function calls(): Asked[] {
    const known = Object.values<Route>(contract).filter(({ shared }) => shared === undefined);
    const helpcenter = HELPCENTER.flatMap((path) =>
      ['GET', 'POST'].map((method) => ({ method, path: `/api/helpcenter/${path}` })),
    );
    return [...known, ...helpcenter, { method: 'GET', path: EXTRA }].map(({ method, path }) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, (_all, name: string) => PARAMETERS[name] ?? 'abcdefgh'),
    }));
  }

  const escaped = (text: string): string =>
    [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  /** The tokens in all parts of a response where a service could put them. */
  function withTokens(tokens: readonly string[], data: Record<string, unknown> = {}): string {
    const [access = '', refresh = ''] = tokens;
    const body = JSON.stringify({
      code: 0,
      message: `for ${access}`,
      data: {
        ...data,
        access_token: access,
        refresh_token: refresh,
        note: `Bearer ${access}, ${refresh}.`,
        deep: [{ [access]: { list: [refresh, [access]] } }],
        address: `https://site.example/?t=${encodeURIComponent(refresh)}`,
      },
    });
    return body.replace(/}$/, `,"escaped":"${escaped(access)} ${escaped(refresh)}"}`);
  }

  /** The received text, raw and with JSON escapes decoded. */
  function seenIn(received: readonly string[]): string {
    const read = received.map((text) => {
      try {
        return JSON.stringify(JSON.parse(text));
      } catch {
        return text;
      }
    });
    return [...received, ...read].join('\n');
  }

  /** The secrets that the received text contains. */
  function foundIn(received: readonly string[], secrets: readonly string[]): string[] {
    const out = seenIn(received);
    return secrets.filter((secret) => out.includes(secret));
  }

  t.test('no response of any call contains a session token', async (t) => {
    const { gateway, browser, tokens } = await signedIn(t);
    const stubs = [gateway.community, gateway.helpcenter, gateway.identity];
    const headers = {
      etag: `"${tokens[0]}"`,
      'content-disposition': `attachment; filename="${tokens[1]}"`,
      'content-language': tokens[0] ?? '',
      authorization: `Bearer ${tokens[0]}`,
      'x-echo': `Bearer ${tokens[0]}`,
      'set-cookie': [`t=${tokens[0]}`],
      location: `/plugins/?t=${tokens[1]}`,
    };
    let reached = 0;
    const answerAll = (status: number, type: string): void => {
      for (const stub of stubs) {
        stub.otherwise(() => {
          reached += 1;
          return stubAnswer(status, withTokens(tokens), { ...headers, 'content-type': type });
        });
      }
      gateway.community.on(`GET ${VERIFY}`, () => {
        reached += 1;
        return stubAnswer(200, withTokens(tokens, { role: 1 }), { 'content-type': type });
      });
    };
    for (const [status, type] of [
      [200, 'application/json'],
      [200, 'text/html; charset=utf-8'],
      [200, 'application/octet-stream'],
      [206, 'text/plain'],
      [302, 'application/json'],
      [400, 'application/problem+json'],
      [403, 'application/json; charset=utf-8'],
      [500, 'text/plain'],
      [503, ''],
    ] as const) {
      answerAll(status, type);
      reached = 0;
      for (const { method, path } of calls()) {
        if (path === '/api/auth/logout' || path === '/api/auth/login') continue;
        browser.received.length = 0;
        await browser.call(path, { method, ...(method !== 'GET' && { body: '{}' }) });
        t.strictSame(foundIn(browser.received, tokens), [], `${status} ${type} ${method} ${path}`);
      }
      t.ok(reached > 70, `${reached} calls reached a service`);
    }
  });

  t.test('responses with user info have no token fields', async (t) => {
    const { gateway, browser, tokens } = await signedIn(t);
    const strange = { access_token: 'CANARY-strange-access', refresh_token: 'CANARY-strange-refresh' };
    const user = {
      ...USER,
      ...strange,
      role: 1,
      user_id: 7,
      account_id: '@',
      list: [{ ...strange, deep: { AccessToken: 'CANARY-strange-camel', 'refresh-token': ['CANARY-list'] } }],
    };
    // A number that JavaScript cannot represent, and duplicate names.
    const text = JSON.stringify({ code: 0, message: 'ok', data: user })
      .replace('"@"', '1234567890123456789')
      .replace(
        '"list"',
        '"a\\u0063cess_token":"CANARY-strange-escaped","access_token":{"x":"CANARY-in"},"list"',
      );
    const twice = `{"data":{"access_token":"CANARY-first"},${text.slice(1)}`;
    const asked: [StubUpstream, string, string, string][] = [
      [gateway.community, 'GET', VERIFY, 'application/json'],
      [gateway.helpcenter, 'GET', '/api/helpcenter/user/admininfo', 'application/json;charset=utf-8'],
      [gateway.helpcenter, 'GET', '/api/helpcenter/user/admininfo', 'text/html'],
      [gateway.helpcenter, 'POST', '/api/helpcenter/manager/user/list', 'text/plain'],
      [gateway.identity, 'POST', '/user/page/sign_in', 'application/json'],
      [gateway.identity, 'GET', '/user/member/list', 'application/json'],
    ];
    for (const [stub, method, path, type] of asked) {
      stub.on(`${method} ${path}`, () => stubAnswer(200, twice, { 'content-type': type }));
      const answer = await browser.call(path, { method, ...(method === 'POST' && { body: '{}' }) });
      t.equal(answer.status, 200, path);
      t.notMatch(answer.text, /CANARY/, path);
      t.notMatch(answer.text, /access.?token|refresh.?token/i, path);
      t.match(answer.text, '"account_id":1234567890123456789', 'the rest is as it was');
      t.match(answer.text, '"nick_name":"Ada"');
      t.equal(answer.headers['content-length'], String(answer.bytes.length));
    }
    gateway.community.on(`GET ${VERIFY}`, () => stubAnswer(403, `{"data":${JSON.stringify(user)}}`));
    const refused = await browser.call(VERIFY);
    t.equal(refused.status, 403);
    t.notMatch(refused.text, /CANARY/);
    gateway.community.on(`GET ${VERIFY}`, () => stubAnswer(200, `{"access_token":"CANARY-broken"`));
    const broken = await browser.call(VERIFY);
    t.equal(broken.text, '', 'invalid JSON with a JSON content type');
    gateway.community.on(`GET ${VERIFY}`, () => stubAnswer(200, `"${'x'.repeat(9 * 1024 * 1024)}"`));
    const endless = await browser.call(VERIFY);
    t.equal(endless.status, 502);
    t.equal(endless.json().code, 'UPSTREAM_INVALID');
    t.strictSame(foundIn(browser.received, tokens), []);
  });

  t.test('a page contains no token of its data', async (t) => {
    const gateway = await startGateway(t, {
      queries: [
        { operation: 'verifyUser', payload: {} },
        { operation: 'listPlugins', payload: {} },
      ],
    });
    const browser = gateway.browser();
    await browser.signIn();
    const tokens = gateway.issued.secrets.slice(-2);
    const strange = { access_token: 'CANARY-strange', inner: [{ refresh_token: 'CANARY-strange' }] };
    gateway.community.on(`GET ${VERIFY}`, () => ({ role: 1, nick_name: 'Ada', ...strange }));
    gateway.community.on('GET /api/cmt/plugin/list', () =>
      stubAnswer(200, withTokens(tokens, { total: 4711 })),
    );
    const page = await browser.visit('/plugins/backstage-index');
    t.equal(page.status, 200);
    t.match(page.text, '"total":4711', 'with its data');
    t.match(page.text, '"nick_name":"Ada"');
    t.notMatch(page.text, /CANARY/);
    t.strictSame(foundIn(browser.received, tokens), []);
  });

  /** Makes the help center send these chunks one after the other. */
  function inPieces(
    gateway: TestGateway,
    pieces: readonly string[],
    headers: Record<string, string | number>,
  ) {
    gateway.helpcenter.on('GET /api/helpcenter/stream', async (_seen, response) => {
      response.writeHead(200, headers);
      for (const piece of pieces) {
        response.write(piece);
        // The gateway, in this process, reads between two event loop turns.
        await setImmediate();
        await setImmediate();
      }
      response.end();
    });
  }

  t.test('a token split across chunks is masked, everything else is unchanged', async (t) => {
    const { gateway, browser, tokens } = await signedIn(t);
    const [access = '', refresh = ''] = tokens;
    const text = `{"a":"${access}","b":"x${access.slice(0, 9)}","c":"${escaped(refresh)}","d":"\\\\${access}\\n"}`;
    const stars = (length: number): string => '*'.repeat(length);
    const cleaned = `{"a":"${stars(access.length)}","b":"x${access.slice(0, 9)}","c":"${stars(6 * refresh.length)}","d":"\\\\${stars(access.length)}\\n"}`;
    for (const size of [1, 7, 64, 333]) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      const few = pieces.length > 60 ? [pieces.slice(0, -50).join(''), ...pieces.slice(-50)] : pieces;
      // Small bodies of known length are buffered, others streamed.
      for (const length of [{ 'content-length': text.length }, {}]) {
        inPieces(gateway, few, { 'content-type': 'application/json', ...length });
        const answer = await browser.call('/api/helpcenter/stream');
        t.equal(answer.text, cleaned, `chunks of ${size}, ${Object.keys(length)}`);
      }
    }
    const half = access.slice(0, -1);
    inPieces(gateway, [`["${half}`, '"]'], { 'content-type': 'application/json' });
    t.equal((await browser.call('/api/helpcenter/stream')).text, `["${half}"]`, 'a partial match');
    inPieces(gateway, [`["${half}`], { 'content-type': 'text/plain' });
    t.equal((await browser.call('/api/helpcenter/stream')).text, `["${half}`, 'up to the end');
  });

  t.test('an event is streamed, without the token', async (t) => {
    const { gateway, browser, tokens } = await signedIn(t);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    gateway.helpcenter.on('GET /api/helpcenter/events', async (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${tokens[0]}\n\n`);
      await held;
      response.end('data: end\n\n');
    });
    const answering = browser.call('/api/helpcenter/events');
    await until(() => gateway.helpcenter.seen('GET /api/helpcenter/events').length > 0);
    letGo();
    const { text }: Received = await answering;
    t.equal(text, `data: ${'*'.repeat(tokens[0]?.length ?? 0)}\n\ndata: end\n\n`);
  });

  t.test('responses that cannot be searched are refused for a session', async (t) => {
    const { gateway, browser } = await signedIn(t);
    gateway.helpcenter.on('GET /api/helpcenter/x', ({ headers }) =>
      stubAnswer(200, { encodings: headers['accept-encoding'] }),
    );
    const asked = await browser.call('/api/helpcenter/x', { headers: { 'accept-encoding': 'br, gzip' } });
    t.equal(asked.json().encodings, 'identity', 'no compressed response is requested');
    gateway.helpcenter.on('GET /api/helpcenter/x', () => stubAnswer(200, 'x', { 'content-encoding': 'br' }));
    const encoded = await browser.call('/api/helpcenter/x');
    t.equal(encoded.status, 502);
    t.equal(encoded.json().code, 'UPSTREAM_INVALID');
    gateway.helpcenter.on('GET /api/helpcenter/x', () => stubAnswer(206, 'x'));
    t.equal((await browser.call('/api/helpcenter/x')).status, 502, 'a partial text');
    gateway.helpcenter.on('GET /api/helpcenter/x', () =>
      stubAnswer(206, 'x', { 'content-type': 'video/mp4' }),
    );
    t.equal((await browser.call('/api/helpcenter/x')).status, 206, 'a partial video');
  });
});

t.test('publish token', async (t) => {
  const PUBLISH = '/api/cmt/plugin';
  const secretOf = (): string => `psq_${randomBytes(32).toString('base64url')}`;

  async function publish(
    gateway: TestGateway,
    secret: string,
    { path = PUBLISH, method = 'POST', headers = {}, body = 'form' }: Sending & { path?: string } = {},
  ) {
    const sent = { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=x' };
    return send(gateway.url, path, { method, headers: { ...sent, ...headers }, body });
  }

  async function openGateway(t: Parameters<typeof startGateway>[0]): Promise<TestGateway> {
    const gateway = await startGateway(t);
    for (const method of ['POST', 'PUT', 'DELETE', 'GET'])
      gateway.community.on(`${method} ${PUBLISH}`, () => ({}));
    return gateway;
  }

  t.test('a publish token is accepted on publishing calls, without the CSRF header', async (t) => {
    const gateway = await openGateway(t);
    const secret = secretOf();
    for (const method of ['POST', 'PUT']) {
      const answer = await publish(gateway, secret, { method, path: `${PUBLISH}?dry_run=1` });
      t.equal(answer.status, 200);
      t.strictSame(answer.setCookies, []);
      t.equal(answer.headers['cache-control'], 'no-store');
      const [seen] = gateway.community.seen(`${method} ${PUBLISH}`);
      t.equal(seen?.headers.authorization, `Bearer ${secret}`);
      t.equal(seen?.target, `${PUBLISH}?dry_run=1`);
      t.equal(seen?.body.toString(), 'form');
    }
    const lower = await publish(gateway, secret, { headers: { authorization: `bearer  ${secret}` } });
    t.equal(lower.status, 200, 'the scheme is case-insensitive');
  });

  t.test("what the service says of a token is the client's to know", async (t) => {
    const gateway = await openGateway(t);
    const envelope = { code: 'TOKEN_INVALID', message: 'The token is not valid.' };
    gateway.community.on(`POST ${PUBLISH}`, () => stubAnswer(401, envelope));
    const answer = await publish(gateway, 'psq_cut-short');
    t.equal(answer.status, 401);
    t.strictSame(answer.json(), envelope);
    t.equal(gateway.community.seen(`POST ${PUBLISH}`).length, 1, 'called once, no refresh');
    t.equal(gateway.identity.requests.length, 0);
  });

  t.test('everywhere else the Authorization header is dropped', async (t) => {
    const gateway = await openGateway(t);
    gateway.community.otherwise(() => ({}));
    gateway.helpcenter.otherwise(() => ({}));
    const secret = secretOf();
    const proof = { 'x-requested-with': 'plugin-square' };
    for (const [name, route] of Object.entries<Route>(contract)) {
      if (route.service !== 'community' || route.publishToken || route.cache !== undefined) continue;
      const path = route.path.replace('{key}', 'abcdefgh').replace('{name}', `${'0'.repeat(64)}.webp`);
      const bare = await publish(gateway, secret, { method: route.method, path });
      const proven = await publish(gateway, secret, { method: route.method, path, headers: proof });
      // All help-center paths except manager calls are proxied; the service refuses them.
      const isPassed = path.startsWith('/api/helpcenter/') && !path.includes('/manager/');
      const isOpen = route.access === 'all' || isPassed;
      const needsNoHeader = route.file === true || route.shared !== undefined;
      t.equal(bare.status, isOpen && needsNoHeader ? 200 : 403, `${name} without the header`);
      t.equal(proven.status, isOpen ? 200 : 401, `${name} with the header`);
    }
    await publish(gateway, secret, { path: '/api/helpcenter/article', method: 'GET', headers: proof });
    await publish(gateway, secret, { path: '/api/cmt/plugin/list', method: 'GET', headers: proof });
    const seen = [...gateway.community.requests, ...gateway.helpcenter.requests];
    t.ok(seen.length > 2);
    for (const { headers, target } of seen) t.equal(headers.authorization, undefined, target);
  });

  const refused: [title: string, sending: Sending, code: string, status: number][] = [
    ['from a page of another site', { headers: { origin: 'https://evil.example' } }, 'CSRF_REFUSED', 403],
    ['from a sandboxed frame', { headers: { origin: 'null' } }, 'CSRF_REFUSED', 403],
    ['fetched across sites', { headers: { 'sec-fetch-site': 'cross-site' } }, 'CSRF_REFUSED', 403],
    ['from a sibling host', { headers: { 'sec-fetch-site': 'same-site' } }, 'CSRF_REFUSED', 403],
    ['beside a session cookie', { headers: { cookie: 'a=b; session=1.x' } }, 'CSRF_REFUSED', 403],
    ['beside a stale part of a session cookie', { headers: { cookie: 'session-1=x' } }, 'CSRF_REFUSED', 403],
    ['of another kind', { headers: { authorization: 'Bearer eyJhbGciOi.J9' } }, 'CSRF_REFUSED', 403],
    ['in Basic', { headers: { authorization: `Basic ${secretOf()}` } }, 'CSRF_REFUSED', 403],
    [
      'with something behind it',
      { headers: { authorization: `Bearer ${secretOf()} x` } },
      'CSRF_REFUSED',
      403,
    ],
    [
      'with its prefix in capitals',
      { headers: { authorization: `Bearer ${secretOf().replace('psq_', 'PSQ_')}` } },
      'CSRF_REFUSED',
      403,
    ],
    ['longer than any', { headers: { authorization: `Bearer psq_${'x'.repeat(101)}` } }, 'CSRF_REFUSED', 403],
    ['for a method that is not there', { method: 'PATCH' }, 'CSRF_REFUSED', 403],
  ];
  for (const [title, sending, code, status] of refused) {
    t.test(`not forwarded: a token ${title}`, async (t) => {
      const gateway = await openGateway(t);
      const answer = await publish(gateway, secretOf(), sending);
      t.equal(answer.status, status);
      t.hasStrict(answer.json(), { code });
      t.strictSame(gateway.community.requests, [], 'the service was not called');
    });
  }

  t.test('a session overrides a publish token', async (t) => {
    const gateway = await openGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const secret = secretOf();
    const answer = await browser.call(PUBLISH, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: '{}',
    });
    t.equal(answer.status, 200);
    const [seen] = gateway.community.seen(`POST ${PUBLISH}`);
    t.match(seen?.headers.authorization, /^Bearer (?!psq_)/);
  });

  t.test('a Connection header does not remove the token', async (t) => {
    const gateway = await openGateway(t);
    const secret = secretOf();
    await publish(gateway, secret, { headers: { connection: 'close, authorization' } });
    t.equal(gateway.community.requests[0]?.headers.authorization, `Bearer ${secret}`);
  });

  t.test('over https the secure cookie counts as the session', async (t) => {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://plugins.example' } });
    gateway.community.on(`POST ${PUBLISH}`, () => ({}));
    const withCookie = (cookie: string) => publish(gateway, secretOf(), { headers: { cookie } });
    t.equal((await withCookie('__Host-Http-session=1.x')).status, 403);
    t.equal((await withCookie('session=of-another-program')).status, 200);
  });

  t.test('uploads are counted by token and by address', async (t) => {
    const gateway = await startGateway(t, { settings: { RATE_LIMIT_FACTOR: '0.02' } });
    gateway.community.on(`POST ${PUBLISH}`, () => ({}));
    const [first, second] = [secretOf(), secretOf()];
    const statuses: number[] = [];
    for (const secret of [first, first, first, second, second, second]) {
      statuses.push((await publish(gateway, secret)).status);
    }
    t.strictSame(statuses, [200, 200, 429, 200, 200, 429], 'two per token');
    t.hasStrict(
      gateway.lines().filter(({ event }) => event === 'rate_limited'),
      [
        { limit: 'upload', by: 'token' },
        { limit: 'upload', by: 'token' },
      ],
    );
    const others: number[] = [];
    for (let index = 0; index < 12; index += 1) others.push((await publish(gateway, secretOf())).status);
    t.ok(others.includes(429), 'invented tokens do not help');
    t.hasStrict(
      gateway.lines().findLast(({ event }) => event === 'rate_limited'),
      { by: 'address' },
    );
  });

  t.test('no token in the log, the figures or any answer', async (t) => {
    const gateway = await openGateway(t);
    const secrets = [secretOf(), secretOf(), secretOf()];
    const [good = '', bad = '', lost = ''] = secrets;
    const answers = [
      await publish(gateway, good),
      await publish(gateway, good, { path: '/api/cmt/plugin/user' }),
      await publish(gateway, bad, { headers: { origin: 'https://evil.example' } }),
      await publish(gateway, bad, { path: '/api/nothing' }),
    ];
    gateway.community.on(`POST ${PUBLISH}`, () => stubAnswer(500, { code: 'INTERNAL' }));
    answers.push(await publish(gateway, lost));
    await gateway.community.stop();
    answers.push(await publish(gateway, lost));
    t.equal(answers.at(-1)?.status, 502);
    await gateway.logged();
    const out = [
      ...answers.flatMap(({ headers, text }) => [JSON.stringify(headers), text]),
      gateway.logText(),
      await gateway.registry.metrics(),
    ].join('\n');
    t.ok(gateway.lines().some(({ route }) => route === PUBLISH));
    t.notMatch(out, 'psq_');
    for (const secret of secrets) t.notOk(out.includes(secret.slice(4, 24)));
  });
});
