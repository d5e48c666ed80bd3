import { UnsecuredJWT } from 'jose';
import t from 'tap';
import { ACCESS_TOKEN_ISSUER } from '../../../shared/user-service.ts';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';
import { PUBLIC_URL } from '../../support/identity.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { begin, exchangeForm, TOOL } from '../../support/tool.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DISCOVERY = '/.well-known/openid-configuration';

t.test('without tools, or with another user service, there are no endpoints', async (t) => {
  const off = await startGateway(t);
  const settings = { OAUTH_CLIENTS: JSON.stringify([TOOL]), IDENTITY_URL: 'http://127.0.0.1:1' };
  const foreign = await startGateway(t, { settings });
  for (const { url } of [off, foreign])
    for (const path of [DISCOVERY, '/oauth/token', '/oauth/authorize'])
      t.equal((await send(url, path, { headers: NAVIGATION })).status, 404, path);
});

t.test('a tool calls with its access token', async (t) => {
  const gateway = await startGateway(t, {
    settings: { PUBLIC_URL, OAUTH_CLIENTS: JSON.stringify([TOOL]) },
  });
  const CALL = 'GET /api/cmt/plugin/user/list';
  gateway.community.on(CALL, () => ({ total: 0 }));
  const tokenOf = (iss: string) => new UnsecuredJWT({}).setIssuer(iss).encode();
  const ask = (path: string, iss: string, headers: Record<string, string> = {}) =>
    send(gateway.url, path, { headers: { authorization: `Bearer ${tokenOf(iss)}`, ...headers } });
  const seen = () => gateway.community.seen(CALL).map(({ headers }) => headers.authorization);

  t.equal((await ask('/api/cmt/plugin/user/list', PUBLIC_URL)).status, 200);
  t.strictSame(seen(), [`Bearer ${tokenOf(PUBLIC_URL)}`], 'community checks it');

  const bound = { authorization: `DPoP ${tokenOf(PUBLIC_URL)}`, dpop: 'the-proof' };
  t.equal((await send(gateway.url, '/api/cmt/plugin/user/list', { headers: bound })).status, 200);
  const last = gateway.community.seen(CALL).at(-1)?.headers;
  t.match(last, bound, 'a token that is bound to a key passes with its proof');
  await gateway.logged();
  t.notMatch(gateway.logText(), /the-proof/);
  const refused = [
    await send(gateway.url, '/api/cmt/plugin/user/list', {
      headers: { ...bound, cookie: '__Host-Http-session=x' },
    }),
    await ask('/api/cmt/plugin/user/list', ACCESS_TOKEN_ISSUER),
    await ask('/api/cmt/plugin/user/list', PUBLIC_URL, { cookie: '__Host-Http-session=x' }),
    await ask('/api/cmt/plugin/user/list', PUBLIC_URL, { origin: 'https://thief.example' }),
    await ask('/api/cmt/plugin/token/list', PUBLIC_URL),
  ];
  for (const answer of refused) {
    t.equal(answer.status, 403);
    t.equal(answer.json().code, 'CSRF_REFUSED');
  }
  t.equal(seen().length, 2, 'no other call was passed on');

  const challenge = 'DPoP error="invalid_dpop_proof", algs="ES256"';
  gateway.community.on(CALL, () =>
    stubAnswer(401, { code: 'PROOF_INVALID' }, { 'www-authenticate': challenge }),
  );
  const unproved = await send(gateway.url, '/api/cmt/plugin/user/list', { headers: bound });
  t.equal(unproved.status, 401);
  t.equal(unproved.headers['www-authenticate'], challenge);

  let failed = 0;
  gateway.community.on(CALL, (_seen, _response, { socket }) => {
    failed += 1;
    socket.destroy();
  });
  t.equal((await send(gateway.url, '/api/cmt/plugin/user/list', { headers: bound })).status, 502);
  t.equal(failed, 1, 'a proof works once, so nothing is sent again');
});

t.test('a token of a user service of another make', async (t) => {
  const users = { PUBLIC_URL, IDENTITY_URL: 'http://127.0.0.1:1', LOGIN_URL: 'https://login.example/' };
  const gateway = await startGateway(t, { settings: { ...users, CLIENT_TOKENS: 'user-service' } });
  const closed = await startGateway(t, { settings: users });
  const own = await startGateway(t, {
    settings: { PUBLIC_URL, IDENTITY_URL: 'http://127.0.0.1:1', CLIENT_TOKENS: 'user-service' },
  });
  const STATE = '/api/cmt/plugin/user/state';
  for (const { community } of [gateway, closed, own])
    community.on(`GET ${STATE}`, () => ({ plugin_list: [] }));
  const ask = ({ url }: { url: string }, path: string, headers: Record<string, string> = {}) =>
    send(url, path, { headers: { authorization: 'Bearer opaque', ...headers } });

  t.equal((await ask(gateway, STATE)).status, 200);
  t.equal(gateway.community.seen(`GET ${STATE}`)[0]?.headers.authorization, 'Bearer opaque');
  const refused = [
    await ask(closed, STATE),
    await ask(own, STATE),
    await ask(gateway, STATE, { cookie: '__Host-Http-session=x' }),
    await ask(gateway, STATE, { origin: 'https://thief.example' }),
    await ask(gateway, '/api/cmt/plugin/user/list'),
    await ask(gateway, '/api/cmt/plugin/token/list'),
    await ask(gateway, STATE, { authorization: 'Bearer psq_abc' }),
  ];
  for (const answer of refused) {
    t.equal(answer.status, 403);
    t.equal(answer.json().code, 'CSRF_REFUSED');
  }
  t.equal(gateway.community.seen(`GET ${STATE}`).length, 1, 'no other call was passed on');
});

t.test('a tool signs in through the gateway', async (t) => {
  const { gateway, signedIn, newPerson } = await startBoth(t, {
    settings: { OAUTH_CLIENTS: JSON.stringify([TOOL]) },
    oauthClients: [TOOL],
  });
  const { email, password } = await newPerson();
  const browser = await signedIn(email, password);
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(gateway.url, path, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams({ client_id: TOOL.client_id, ...form }).toString(),
    });

  t.test('from discovery to tokens', async (t) => {
    const discovered = await send(gateway.url, DISCOVERY, { headers: { host: 'elsewhere.example' } });
    t.equal(discovered.json().token_endpoint, `${PUBLIC_URL}/oauth/token`, 'whatever the Host header says');
    t.match((await send(gateway.url, '/.well-known/jwks.json')).json(), { keys: [{ kty: 'OKP' }] });
    const { url, verifier } = begin();
    const started = await browser.visit(url);
    t.equal(started.status, 303);
    const page = String(started.headers.location);
    t.match(page, /^\/plugins\/oauth\?request=[\w-]+$/);
    t.equal(started.setCookies.length, 2);
    for (const line of started.setCookies)
      t.match(
        line,
        /^__Secure-oauth-(?:interaction|resume)=[\w-]+; path=\/[\w/-]+; .*samesite=lax; secure; httponly$/i,
      );
    const call = `/user/tool/request/${page.split('=').at(-1)}`;
    t.equal((await browser.call(call)).json().data.client_name, 'Canvas');
    const body = JSON.stringify({ decision: 'allow' });
    const allowed = await browser.call(call, { method: 'POST', body });
    const { pathname } = new URL(String(allowed.json().data.continue_to));
    const back = await browser.visit(pathname, { site: 'same-origin' });
    const address = new URL(String(back.headers.location));
    t.equal(address.origin, 'http://127.0.0.1:49152');
    const code = address.searchParams.get('code') ?? '';
    const answered = await post('/oauth/token', exchangeForm({ code, verifier }));
    t.equal(answered.status, 200);
    t.equal(answered.headers['cache-control'], 'no-store');
    t.equal(answered.json().token_type, 'Bearer');
    t.strictSame(answered.setCookies, []);
  });

  t.test('a browser without the cookie of the request cannot answer it', async (t) => {
    const other = await signedIn(email, password);
    const page = String((await browser.visit(begin().url)).headers.location);
    const call = `/user/tool/request/${page.split('=').at(-1)}`;
    const refused = await other.call(call, { method: 'POST', body: JSON.stringify({ decision: 'allow' }) });
    t.equal(refused.status, 400);
    t.equal(refused.json().code, 'TOOL_REQUEST_INVALID');
    t.equal(refused.json().message, 'This request of a tool has run out, or was not begun here.');
  });

  t.test('pages of other origins are refused', async (t) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const foreign = await post('/oauth/token', form, { origin: 'https://thief.example' });
    t.equal(foreign.status, 403);
    t.equal(foreign.json().code, 'CSRF_REFUSED');
    t.equal(foreign.headers['access-control-allow-origin'], undefined);
    const preflight = await send(gateway.url, '/oauth/token', {
      method: 'OPTIONS',
      headers: { origin: 'https://thief.example', 'access-control-request-method': 'POST' },
    });
    t.equal(preflight.status, 404);
    t.equal(preflight.headers['access-control-allow-origin'], undefined);
    const framed = { ...NAVIGATION, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
    t.equal((await send(gateway.url, begin().url, { headers: framed })).status, 403, 'in a frame');
  });

  t.test('neither credentials of the client nor forged addresses pass', async (t) => {
    const answered = await post(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { authorization: 'Basic Y2FudmFzOng=', 'x-forwarded-host': 'thief.example' },
    );
    t.equal(answered.status, 400);
    t.equal(answered.json().error, 'invalid_grant');
  });
});
