import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { type Browser, type Received, send } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const SITE = 'https://square.example';
const CANVAS = 'https://canvas.example';
const settings = { PUBLIC_URL: SITE, FRAME_ANCESTORS: `'self' ${CANVAS}`, RATE_LIMIT_FACTOR: '0' };
const COOKIE = '__Host-Http-tool-session';
const SITE_COOKIE = '__Host-Http-session';
const IN_TOOL = { 'x-requested-with': 'plugin-square-in-tool' };
const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };
const START = '/api/auth/login?ux_mode=auth&embed=tool';
const INSTALL = '/api/cmt/plugin/user';

/** Calls whose session is that of the user, named by hand. */
const OPEN = [
  'DELETE /api/cmt/plugin/user',
  'GET /api/auth/session',
  'GET /api/cmt/package/{sha256}',
  'GET /api/cmt/plugin',
  'GET /api/cmt/plugin/list',
  'GET /api/cmt/plugin/recommendation/list',
  'GET /api/cmt/plugin/resource_state/active',
  'GET /api/cmt/plugin/user/package',
  'GET /api/cmt/plugin/user/state',
  'GET /api/cmt/plugin/user/update_age',
  'POST /api/cmt/plugin/user',
  'POST /api/cmt/plugin/user/new/silent',
  'PUT /api/cmt/plugin/user',
  'PUT /api/cmt/plugin/user/hold',
  'PUT /api/cmt/plugin/user/successor',
  'PUT /api/cmt/plugin/user/update_age',
];

/** Tested below, or calls of the sign-in page. */
const ELSEWHERE = /^\/(?:user|api\/helpcenter)\/|logout$/;

/** Signs in as a page inside the tool does. @returns the answer to the callback */
async function signInInTool(browser: Browser): Promise<Received> {
  const started = await browser.visit(START, { site: 'same-origin', headers: FRAME });
  const login = new URL(started.headers.location ?? '');
  const callback = new URL(login.searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('code', 'good');
  return browser.visit(callback.pathname + callback.search, { site: 'same-origin', headers: FRAME });
}

async function signedIn(gateway: TestGateway): Promise<Browser> {
  const browser = gateway.browser();
  await signInInTool(browser);
  return browser;
}

const call = (browser: Browser, path: string, method = 'GET', headers: Record<string, string> = {}) =>
  browser.call(path, {
    method,
    headers: { ...IN_TOOL, ...headers },
    ...(method !== 'GET' && { body: '{}' }),
  });

const whoIs = async (browser: Browser) => (await call(browser, '/api/auth/session')).json().data;

t.test('tools are the origins that FRAME_ANCESTORS names in full', async (t) => {
  const toolsOf = (FRAME_ANCESTORS: string) => loadConfig({ PUBLIC_URL: SITE, FRAME_ANCESTORS }).toolOrigins;
  t.strictSame(loadConfig({}).toolOrigins, []);
  t.strictSame(toolsOf(`'self' ${CANVAS} http://localhost:5173 ${SITE}`), [CANVAS, 'http://localhost:5173']);
  for (const open of ['*', 'https:', 'https://*.example', 'canvas.example', 'https://canvas.example/app'])
    t.strictSame(toolsOf(`${CANVAS} ${open}`), [], open);
});

t.test('a session of pages inside a design tool', async (t) => {
  t.test('its cookie belongs to one site around it, and its tokens to scopes', async (t) => {
    const gateway = await startGateway(t, { settings });
    const browser = gateway.browser();
    const answer = await signInInTool(browser);
    t.equal(answer.status, 200);
    t.match(answer.text, 'plugin-square:signed-in');
    const [line = '', ...others] = answer.setCookies.filter((set) => /session=/.test(set));
    t.match(
      line,
      /^__Host-Http-tool-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
    );
    t.strictSame(others, [], 'no session of the site');
    const [exchange] = gateway.identity.seen('GET /user/login/code/user');
    t.match(exchange?.target, /scope=plugins%3Aread\+plugins%3Ainstall/);
    t.hasStrict(await whoIs(browser), { signed_in: true, role: 0, user: { user_id: 7 } });
    t.strictSame(gateway.community.seen('GET /api/cmt/manager/verify'), [], 'nobody asks for a role');
  });

  t.test('it is good for these calls of the contract and for no other', async (t) => {
    const gateway = await startGateway(t, { settings });
    const browser = await signedIn(gateway);
    const before = gateway.identity.requests.length;
    const open: string[] = [];
    for (const route of Object.values<Route>(contract)) {
      const name = `${route.method} ${route.path}`;
      const isOfPages = route.file && route.access === 'all' && !route.client;
      if (isOfPages || route.shared !== undefined || route.beacon || ELSEWHERE.test(route.path)) continue;
      const path = route.path.replace('{sha256}', 'a'.repeat(64)).replace(/\{\w+\}/g, 'x');
      const [service, seen] = [gateway.community, gateway.community.requests.length];
      const answer = await call(browser, path, route.method);
      const passed = service.requests.slice(seen);
      const carried = passed.some(({ headers }) => headers.authorization !== undefined);
      if (carried || name === 'GET /api/auth/session') open.push(name);
      if (carried || route.access === 'all') continue;
      t.hasStrict({ status: answer.status, ...answer.json() }, { status: 403, code: 'NOT_IN_TOOL' }, name);
      t.strictSame(passed, [], `${name} reaches no service`);
    }
    t.strictSame(open.sort(), OPEN);
    t.strictSame(gateway.identity.requests.slice(before), [], 'the user service is not asked at all');
    const refused = await call(browser, '/api/cmt/manager/plugin/list');
    t.equal(refused.json().message, 'This is not possible inside a design tool. Open the site itself.');
  });

  t.test('the help center and calls of a deployment see a visitor', async (t) => {
    const gateway = await startGateway(t, {
      settings: { ...settings, EXTRA_CMT_ROUTES: 'GET /api/cmt/own/{key}' },
    });
    gateway.helpcenter.on('GET /api/helpcenter/article', () => ({}));
    const browser = await signedIn(gateway);
    t.equal((await call(browser, '/api/helpcenter/article')).status, 200);
    t.equal(gateway.helpcenter.seen('GET /api/helpcenter/article')[0]?.headers.authorization, undefined);
    const fromBackstage = { 'x-page-path': '/plugins/backstage-index/help' };
    t.equal(
      (await call(browser, '/api/helpcenter/article', 'GET', fromBackstage)).json().code,
      'NOT_IN_TOOL',
    );
    gateway.community.on('GET /api/cmt/own/x', () => ({}));
    t.equal((await call(browser, '/api/cmt/own/x')).status, 200);
    t.equal(gateway.community.seen('GET /api/cmt/own/x')[0]?.headers.authorization, undefined);
  });

  t.test('the site beside it keeps its own session, and signing out ends one', async (t) => {
    const gateway = await startGateway(t, { settings });
    const browser = gateway.browser();
    await browser.signIn();
    const own = browser.cookies.get(SITE_COOKIE);
    await signInInTool(browser);
    t.equal(browser.cookies.get(SITE_COOKIE), own);
    const left = await call(browser, '/api/auth/logout', 'POST');
    t.equal(left.status, 200);
    t.match(left.setCookies, [`${COOKIE}=; Max-Age=0; Path=/; HttpOnly; Secure; Partitioned; SameSite=None`]);
    t.hasStrict(await whoIs(browser), { signed_in: false });
    t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);
  });
});

t.test('attacks on it', async (t) => {
  t.test('a stolen cookie is nobody outside of a tool, under its own name or another', async (t) => {
    const gateway = await startGateway(t, { settings });
    const stolen = (await signedIn(gateway)).cookies.get(COOKIE) ?? '';
    const thief = gateway.browser();
    for (const name of [COOKIE, SITE_COOKIE]) {
      thief.cookies.clear();
      thief.cookies.set(name, stolen);
      t.hasStrict((await thief.call('/api/auth/session')).json().data, { signed_in: false }, name);
      thief.cookies.set(name, stolen);
      t.equal((await thief.call(INSTALL, { method: 'POST', body: '{}' })).status, 401, name);
      thief.cookies.set(name, stolen);
      t.equal((await thief.call('/api/cmt/manager/plugin/list')).status, 401, name);
      thief.cookies.set(name, stolen);
      for (const headers of [{ 'sec-fetch-dest': 'document' }, FRAME])
        t.notMatch((await thief.visit('/plugins/', { headers })).text, '"signed_in":true', name);
    }
    t.strictSame(gateway.community.seen(`POST ${INSTALL}`), []);
  });

  t.test('a session of the site is not used inside of a tool', async (t) => {
    const gateway = await startGateway(t, { settings });
    const browser = gateway.browser();
    await browser.signIn();
    t.hasStrict(await whoIs(browser), { signed_in: false });
    browser.cookies.set(COOKIE, browser.cookies.get(SITE_COOKIE) ?? '');
    t.hasStrict(await whoIs(browser), { signed_in: false }, 'under its name');
    await browser.signIn();
    const page = await browser.visit('/plugins/?embed=tool', { site: 'cross-site', headers: FRAME });
    t.match(page.text, '"session":null', 'the page asks by a call');
  });

  t.test('another site cannot make calls with it', async (t) => {
    const gateway = await startGateway(t, { settings });
    const browser = await signedIn(gateway);
    const forged: [reason: string, headers: Record<string, string | string[]>][] = [
      ['fetch-site', { ...IN_TOOL, 'sec-fetch-site': 'cross-site' }],
      ['fetch-site', { ...IN_TOOL, 'sec-fetch-site': 'same-site' }],
      ['fetch-site', { ...IN_TOOL, 'sec-fetch-site': 'none' }],
      ['fetch-site', { ...IN_TOOL, 'sec-fetch-site': [] }],
      ['origin', { ...IN_TOOL, origin: CANVAS }],
      ['origin', { ...IN_TOOL, origin: 'null' }],
      ['header', { 'x-requested-with': [] }],
    ];
    for (const [reason, headers] of forged) {
      const answer = await browser.call(INSTALL, { method: 'POST', body: '{}', headers });
      t.hasStrict({ status: answer.status, ...answer.json() }, { status: 403, code: 'CSRF_REFUSED' }, reason);
      await gateway.logged();
      t.equal(
        gateway
          .lines()
          .filter(({ event }) => event === 'csrf_refused')
          .at(-1)?.reason,
        reason,
      );
    }
    const preflight = await send(gateway.url, INSTALL, {
      method: 'OPTIONS',
      headers: { origin: CANVAS, 'access-control-request-method': 'POST' },
    });
    t.equal(preflight.headers['access-control-allow-origin'], undefined);
    t.strictSame(gateway.community.seen(`POST ${INSTALL}`), []);
  });

  t.test('it begins only in a frame of the site inside of a tool', async (t) => {
    const gateway = await startGateway(t, { settings });
    const start = async (path: string, site: string, headers: Record<string, string>) => {
      const { status, setCookies } = await gateway.browser().visit(path, { site, headers });
      return [status, setCookies];
    };
    t.strictSame(await start(START, 'cross-site', FRAME), [403, []], 'a frame of another site');
    t.strictSame(await start(START, 'same-origin', { 'sec-fetch-dest': 'document' }), [403, []], 'a window');
    t.strictSame(await start(START, 'same-origin', {}), [403, []], 'an unknown place');
    for (const mode of ['popup', 'redirect'])
      t.strictSame(
        await start(START.replace('auth&', `${mode}&`), 'same-origin', FRAME),
        [403, []],
        `the mode ${mode}`,
      );
  });

  t.test('without origins of tools, or without https, it does not exist', async (t) => {
    for (const off of [{ PUBLIC_URL: SITE }, { FRAME_ANCESTORS: `'self' ${CANVAS}` }]) {
      const gateway = await startGateway(t, { settings: { RATE_LIMIT_FACTOR: '0', ...off } });
      const started = await gateway.browser().visit(START, { site: 'same-origin', headers: FRAME });
      t.equal(started.status, 404);
      t.strictSame(started.setCookies, []);
    }
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: SITE } });
    const answer = await call(gateway.browser(), '/api/auth/session');
    t.equal(answer.json().code, 'CSRF_REFUSED', 'the header of such pages is not known');
    const page = await gateway.browser().visit('/plugins/?embed=tool', { headers: FRAME });
    t.match(page.text, '"client":"browser"');
    t.notMatch(page.text, 'tool_origins');
  });

  t.test('a token of a tool beside its cookie does not count', async (t) => {
    const gateway = await startGateway(t, { settings: { ...settings, CLIENT_ORIGINS: CANVAS } });
    const browser = await signedIn(gateway);
    const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.', 'x-requested-with': [] };
    const answer = await browser.call('/api/cmt/plugin/user/state', { headers });
    t.equal(answer.json().code, 'CSRF_REFUSED');
  });
});

t.test('the document inside of a tool', async (t) => {
  const gateway = await startGateway(t, { settings });
  const visit = (path: string, dest: string) =>
    gateway.browser().visit(path, { site: 'cross-site', headers: { 'sec-fetch-dest': dest } });
  const framed = await visit('/plugins/?embed=tool', 'iframe');
  t.match(framed.text, '"client":"tool"');
  t.match(framed.text, `"tool_origins":["${CANVAS}"]`);
  t.match(framed.headers['content-security-policy'], `frame-ancestors 'self' ${CANVAS};`);
  t.match(framed.headers.vary, /\bSec-Fetch-Dest\b/);
  t.match((await visit('/plugins/?embed=tool', 'document')).text, '"client":"browser"', 'a window is none');
});
