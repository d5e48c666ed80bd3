import { UnsecuredJWT } from 'jose';
import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { OAUTH_ENDPOINTS } from '../../shared/user-service.ts';
import { type Received, send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { PUBLIC_URL } from '../support/identity.ts';
import { TOOL } from '../support/tool.ts';

const CANVAS = 'https://canvas.example';
const STATE = '/api/cmt/plugin/user/state';
const PACKAGE = `/api/cmt/package/${'a'.repeat(64)}`;
const KEYS = '/.well-known/plugin-square/keys.json';
const settings = { PUBLIC_URL, OAUTH_CLIENTS: JSON.stringify([TOOL]), CLIENT_ORIGINS: CANVAS };
const bearer = { authorization: `Bearer ${new UnsecuredJWT({}).setIssuer(PUBLIC_URL).encode()}` };

const granted = ({ headers }: Received): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

t.test('origins are exact', async (t) => {
  t.strictSame(loadConfig({}).clientOrigins, []);
  t.strictSame(
    loadConfig({ CLIENT_ORIGINS: 'https://canvas.example/, http://localhost:5173' }).clientOrigins,
    ['https://canvas.example', 'http://localhost:5173'],
  );
  for (const [value, message] of [
    ['*', 'CLIENT_ORIGINS must name each origin in full: there are no wildcards.'],
    ['https://*.canvas.example', 'CLIENT_ORIGINS must name each origin in full: there are no wildcards.'],
    [
      'https://canvas.example/app',
      'CLIENT_ORIGINS must be an origin such as https://example.org, without a path.',
    ],
    ['canvas.example', 'CLIENT_ORIGINS must be an http or https address.'],
    ['null', 'CLIENT_ORIGINS must be an http or https address.'],
    ['http://localhost:8080', 'CLIENT_ORIGINS names the origins of design tools, not that of PUBLIC_URL.'],
  ] as const)
    t.throws(() => loadConfig({ CLIENT_ORIGINS: value }), { message });
});

t.test('pages of a design tool', async (t) => {
  const gateway = await startGateway(t, { settings });
  gateway.community.on(`GET ${STATE}`, () => ({ plugin_list: [] }));
  gateway.community.on('GET /api/cmt/plugin/changes', () => ({ change_list: [], next: 0, has_more: false }));
  gateway.community.on(`GET ${KEYS}`, (_seen, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
    });
    response.end('{"keys":[]}');
    return undefined;
  });
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(gateway.url, path, { method, headers: { 'sec-fetch-site': 'cross-site', ...headers } });
  const preflight = (path: string, method: string, origin = CANVAS) =>
    ask(path, { origin, 'access-control-request-method': method }, 'OPTIONS');

  t.test('a preflight is answered by the gateway', async (t) => {
    const asked = await preflight(STATE, 'GET');
    t.equal(asked.status, 204);
    t.equal(asked.text, '');
    t.match(asked.headers, {
      'access-control-allow-origin': CANVAS,
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers':
        'accept-language, authorization, content-type, dpop, if-none-match, if-range, range',
      'access-control-max-age': '7200',
      vary: 'Cookie, Accept-Language, Accept-Encoding, Origin',
    });
    t.equal(asked.headers['access-control-allow-credentials'], undefined);
    t.strictSame(gateway.community.requests, [], 'no service is asked');
    for (const [path, method] of [
      [PACKAGE, 'GET'],
      [KEYS, 'GET'],
      ['/api/cmt/plugin/log', 'GET'],
      ['/api/cmt/plugin/user', 'DELETE'],
      ['/oauth/token', 'POST'],
      ['/oauth/par', 'POST'],
      ['/oauth/revoke', 'POST'],
      ['/.well-known/openid-configuration', 'GET'],
      ['/.well-known/jwks.json', 'GET'],
    ] as const)
      t.equal((await preflight(path, method)).headers['access-control-allow-methods'], method, path);
  });

  t.test('a call with a token can be read, without credentials', async (t) => {
    const answered = await ask(STATE, { origin: CANVAS, ...bearer });
    t.equal(answered.status, 200);
    t.equal(answered.headers['access-control-allow-origin'], CANVAS);
    t.equal(
      answered.headers['access-control-expose-headers'],
      'accept-ranges, content-digest, content-range, date, dpop-nonce, etag, repr-digest, retry-after, www-authenticate, x-jws-signature, x-request-id',
    );
    t.equal(answered.headers['access-control-allow-credentials'], undefined);
    t.equal(answered.headers.vary, 'Cookie, Accept-Language, Accept-Encoding, Origin');
    const refused = await ask(STATE, { origin: CANVAS });
    t.equal(refused.status, 401, 'the page can read why it failed');
    t.equal(refused.headers['access-control-allow-origin'], CANVAS);
  });

  t.test('what is the same for everybody is kept apart by origin', async (t) => {
    for (const headers of [{ origin: CANVAS }, {}]) {
      const keys = await ask(KEYS, headers);
      t.equal(keys.status, 200);
      t.equal(keys.headers.vary, 'Accept-Encoding, Origin');
      t.strictSame(granted(keys).length, headers.origin ? 2 : 0, 'and the service has no word in it');
      t.equal(keys.headers['access-control-allow-credentials'], undefined);
    }
    const changes = await ask('/api/cmt/plugin/changes', { origin: CANVAS });
    t.equal(changes.headers['access-control-allow-origin'], CANVAS);
  });

  t.test('a stranger gets nothing', async (t) => {
    for (const origin of [
      'https://thief.example',
      'null',
      'http://canvas.example',
      'https://canvas.example:8443',
      'https://canvas.example.thief.example',
      'https://CANVAS.example',
      PUBLIC_URL,
    ]) {
      t.strictSame(granted(await preflight(STATE, 'GET', origin)), [], origin);
      t.strictSame(granted(await preflight('/oauth/token', 'POST', origin)), [], origin);
      for (const { path } of OAUTH_ENDPOINTS) t.strictSame(granted(await ask(path, { origin })), [], path);
      t.strictSame(granted(await ask(KEYS, { origin })), [], origin);
    }
    const asked = await preflight(STATE, 'GET', 'https://thief.example');
    t.equal(asked.status, 403);
    t.equal(asked.json().code, 'CSRF_REFUSED');
    t.equal(asked.headers.vary, 'Cookie, Accept-Language, Accept-Encoding, Origin');
  });

  t.test('with a cookie there are no headers, and the call is refused', async (t) => {
    const before = gateway.community.seen(`GET ${STATE}`).length;
    for (const origin of [CANVAS, 'https://thief.example'])
      for (const cookie of ['__Host-Http-session=x', 'lang=en']) {
        const refused = await ask(STATE, { origin, cookie, ...bearer });
        t.equal(refused.status, 403);
        t.equal(refused.json().code, 'CSRF_REFUSED');
        t.strictSame(granted(refused), []);
        t.strictSame(granted(await ask(KEYS, { origin, cookie })), []);
      }
    t.equal(gateway.community.seen(`GET ${STATE}`).length, before, 'no service is asked');
  });

  t.test('nothing else can be called', async (t) => {
    for (const [path, method] of [
      ['/api/cmt/plugin/token/list', 'GET'],
      ['/api/cmt/plugin/user', 'PATCH'],
      ['/api/auth/session', 'GET'],
      ['/api/auth/logout', 'POST'],
      ['/api/helpcenter/article', 'GET'],
      ['/user/page/sign_in', 'POST'],
      ['/oauth/authorize', 'GET'],
      ['/oauth/token', 'GET'],
      ['/plugins/', 'GET'],
      ['/no/such/path', 'GET'],
    ] as const) {
      t.strictSame(granted(await preflight(path, method)), [], path);
      t.strictSame(granted(await ask(path, { origin: CANVAS }, method)), [], path);
    }
    t.equal((await preflight('/api/auth/logout', 'POST')).status, 403);
    const bare = await ask(STATE, { origin: CANVAS }, 'OPTIONS');
    t.equal(bare.status, 403, 'no preflight without a method');
  });
});

t.test('without the setting there is no CORS', async (t) => {
  const gateway = await startGateway(t, { settings: { ...settings, CLIENT_ORIGINS: '' } });
  const headers = { origin: CANVAS, 'access-control-request-method': 'GET' };
  for (const path of [STATE, KEYS, '/.well-known/openid-configuration']) {
    const answered = await send(gateway.url, path, { method: 'OPTIONS', headers });
    t.strictSame(granted(answered), [], path);
    t.notMatch(answered.headers.vary, 'Origin');
  }
});
