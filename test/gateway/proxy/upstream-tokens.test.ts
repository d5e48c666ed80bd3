import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import type { Browser, Received } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { type StubUpstream, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

const VERIFY = '/api/cmt/manager/verify';
const EXTRA = '/api/cmt/own/{key}';
const HELPCENTER = ['user/admininfo', 'upload/picture', 'article', 'manager/user/list'];
/** Valid values of path parameters. */
const PARAMETERS: Readonly<Record<string, string>> = { name: 'zh-CN.jpg', source: 'github' };

type Tap = Parameters<typeof startGateway>[0];
type Asked = { method: string; path: string };

/** A gateway with a signed-in administrator, and the tokens of the session. */
async function signedIn(t: Tap): Promise<{ gateway: TestGateway; browser: Browser; tokens: string[] }> {
  const gateway = await startGateway(t, { settings: { EXTRA_CMT_ROUTES: `GET ${EXTRA}` } });
  const browser = gateway.browser();
  await browser.signIn();
  const tokens = gateway.issued.secrets.slice(-2);
  return { gateway, browser, tokens };
}

/** A request for every call of the contract and of the help center. */
function calls(): Asked[] {
  const known = Object.values<Route>(contract).map(({ method, path }) => ({ method, path }));
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
function inPieces(gateway: TestGateway, pieces: readonly string[], headers: Record<string, string | number>) {
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
    inPieces(gateway, few, { 'content-type': 'application/json', 'content-length': text.length });
    const answer = await browser.call('/api/helpcenter/stream');
    t.equal(answer.text, cleaned, `chunks of ${size}`);
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
  gateway.helpcenter.on('GET /api/helpcenter/x', () => stubAnswer(206, 'x', { 'content-type': 'video/mp4' }));
  t.equal((await browser.call('/api/helpcenter/x')).status, 206, 'a partial video');
});
