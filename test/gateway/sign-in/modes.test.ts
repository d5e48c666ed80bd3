import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import t, { type Test } from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

t.test('modes', async (t) => {
  const ORIGIN = 'http://localhost:8080';
  const SESSION = '__Host-Http-session';

  type Place = {
    opener?: boolean;
    framed?: boolean;
    /** Without an opener: whether a page replies on the channel, and whether the browser closes the window. */
    waiting?: boolean;
    stays?: boolean;
  };

  /** Runs the script of the page after a sign-in as a window would; returns its actions. */
  function runHandOff(
    html: string,
    { opener = false, framed = false, waiting = false, stays = false }: Place,
  ): unknown[] {
    const did: unknown[] = [];
    const host = { postMessage: (message: unknown, target: unknown) => did.push('message', message, target) };
    const page: Record<string, unknown> = {
      opener: opener ? host : null,
      close: () => {
        did.push('close');
        page.closed = !stays;
      },
      BroadcastChannel: class {
        onmessage = ({ data }: { data: unknown }) => data;
        constructor(name: string) {
          did.push(name);
        }
        postMessage(message: unknown) {
          did.push(message);
          if (!waiting) return;
          this.onmessage({ data: { type: 'something else' } });
          this.onmessage({ data: { type: 'plugin-square:signed-in-heard' } });
        }
      },
      setTimeout: (late: () => void) => (waiting ? 'timer' : late()),
      clearTimeout: (timer: unknown) => did.push('clear', timer),
    };
    page.parent = framed ? host : page;
    const mode = /data-mode="([^"]*)"/.exec(html)?.[1] ?? '';
    const returnTo = /data-return-to="([^"]*)"/.exec(html)?.[1] ?? '';
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';
    const location = { origin: ORIGIN, replace: (address: string) => did.push('go', address) };
    runInContext(
      script,
      createContext({ window: page, document: { body: { dataset: { returnTo, mode } } }, location }),
    );
    return JSON.parse(JSON.stringify(did));
  }

  t.test('a window or frame notifies its host, on our own origin only', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const message = { type: 'plugin-square:signed-in', return_to: '/plugins/here' };
    const popup = (await browser.signIn({ uxMode: 'popup', returnTo: '/plugins/here' })).text;
    t.strictSame(runHandOff(popup, { opener: true }), ['message', message, ORIGIN, 'close']);
    const frame = (await browser.signIn({ uxMode: 'auth', returnTo: '/plugins/here' })).text;
    t.strictSame(runHandOff(frame, { framed: true }), ['message', message, ORIGIN]);
    t.strictSame(runHandOff(frame, {}), ['go', '/plugins/here'], 'without an opener it continues itself');
    const told = ['plugin-square:sign-in', message];
    t.strictSame(
      runHandOff(popup, { waiting: true }),
      [...told, 'clear', 'timer', 'close'],
      'disconnected from its opener',
    );
    t.strictSame(
      runHandOff(popup, { waiting: true, stays: true }).slice(-3),
      ['close', 'go', '/plugins/here'],
      'a window that cannot be closed continues',
    );
    t.strictSame(runHandOff(popup, {}).sort(), [...told, 'go', '/plugins/here'].sort(), 'nobody waits');
  });

  /** Runs the script of the page after a failed sign-in as a window would; returns its actions. */
  function runFailed(html: string, { framed = false, opener = false }: Place = {}): unknown[] {
    const did: unknown[] = [];
    const host = { postMessage: (message: unknown, target: unknown) => did.push(message, target) };
    const page: Record<string, unknown> = { opener: opener ? host : null, close: () => did.push('close') };
    page.parent = framed ? host : page;
    const [, code, next, mode] =
      /data-code="([^"]*)" data-next="([^"]*)" data-mode="([^"]*)"/.exec(html) ?? [];
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
    const location = { origin: ORIGIN, replace: (address: string) => did.push('go', address) };
    runInContext(
      script,
      createContext({ window: page, document: { body: { dataset: { code, next, mode } } }, location }),
    );
    return JSON.parse(JSON.stringify(did));
  }

  t.test('a frame notifies its page of a failed sign-in, on our own origin only', async (t) => {
    const gateway = await startGateway(t, { settings: { FRAME_ANCESTORS: "'self' https://chat.example" } });
    const failed = await gateway.browser().signIn({ uxMode: 'auth', code: 'bad' });
    t.equal(failed.status, 400);
    const message = { type: 'plugin-square:sign-in-failed', code: 'CODE_INVALID' };
    t.strictSame(runFailed(failed.text, { framed: true }), [message, ORIGIN]);
    const next = '/plugins/?login_error=CODE_INVALID';
    t.strictSame(runFailed(failed.text), ['go', next]);
    const popup = await gateway.browser().signIn({ uxMode: 'popup', code: 'bad' });
    t.strictSame(
      runFailed(popup.text, { opener: true }),
      [message, ORIGIN, 'close'],
      'a window notifies its opener',
    );
    t.strictSame(runFailed(popup.text), ['go', next], 'disconnected from it, it continues itself');
    t.equal(
      popup.headers['cross-origin-opener-policy'],
      'same-origin-allow-popups',
      'it is not cut off here',
    );
    const redirect = await gateway.browser().signIn({ code: 'bad' });
    t.strictSame(runFailed(redirect.text, { opener: true }), ['go', next], 'no other window is closed');
    const script = /<script>([\s\S]*)<\/script>/.exec(failed.text)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    t.equal(
      failed.headers['content-security-policy'],
      `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'self' https://chat.example; base-uri 'none'`,
    );
  });

  /** A callback from another site: the responses to it and to its reload. */
  async function sentBack(t: Test, mode: { uxMode: string; dest: string; signedInBefore?: boolean }) {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
    const browser = gateway.browser();
    if (mode.signedInBefore) await browser.signIn();
    const signedOut = new Promise<unknown>((resolve) =>
      gateway.identity.on('POST /user/logout', ({ headers }) => {
        resolve(headers.authorization);
        return {};
      }),
    );
    const seen = gateway.identity.seen('GET /user/login/code/user').length;
    const started = await browser.visit(`/api/auth/login?ux_mode=${mode.uxMode}`);
    const back = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'good');
    const headers = { 'sec-fetch-dest': mode.dest };
    const strict = browser.cookies.get(SESSION);
    browser.cookies.delete(SESSION);
    const first = await browser.visit(back.pathname + back.search, { site: 'cross-site', headers });
    t.equal(first.status, 200);
    t.strictSame(first.setCookies, []);
    t.equal(gateway.identity.seen('GET /user/login/code/user').length, seen);
    t.notMatch(first.text, 'good', 'no code in it');
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(first.text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    t.equal(
      first.headers['content-security-policy'],
      `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'self'; base-uri 'none'`,
    );
    const went: string[] = [];
    const { pathname, search } = back;
    const location = { pathname, search, replace: (address: string) => went.push(address) };
    runInContext(script, createContext({ location }));
    t.strictSame(went, [`${pathname}${search}&again=1`]);
    if (strict !== undefined) browser.cookies.set(SESSION, strict);
    const second = await browser.visit(went[0] ?? '', { site: 'same-origin', headers });
    t.match(second.setCookies.join(), `${SESSION}=`);
    return { first, second, signedOut };
  }

  t.test('a callback from another site in a frame is reloaded before the code is exchanged', async (t) => {
    const { second } = await sentBack(t, { uxMode: 'auth', dest: 'iframe' });
    t.match(second.text, 'plugin-square:signed-in');
  });

  t.test('a window reloads the callback as well, and the former session ends', async (t) => {
    const window = { uxMode: 'redirect', dest: 'document', signedInBefore: true };
    const { second, signedOut } = await sentBack(t, window);
    t.equal(second.status, 303);
    t.match(await signedOut, /^Bearer CANARY-refresh-/, 'at the user service');
  });

  t.test('a sign-in window stays connected to its opener', async (t) => {
    const { first } = await sentBack(t, { uxMode: 'popup', dest: 'document' });
    t.equal(first.headers['cross-origin-opener-policy'], 'same-origin-allow-popups');
  });

  t.test('UX_MODE is the default mode; an unknown mode is refused', async (t) => {
    const gateway = await startGateway(t, { settings: { UX_MODE: 'popup' } });
    const browser = gateway.browser();
    const started = await browser.visit('/api/auth/login');
    t.equal(new URL(started.headers.location ?? '').searchParams.get('ux_mode'), 'popup');
    t.match((await browser.signIn()).text, '<script>');
    t.equal((await browser.visit('/api/auth/login?ux_mode=iframe')).status, 400);
  });

  t.test('long return addresses do not exceed the cookie size', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const long = `/plugins/?q=${'x'.repeat(2000)}`;
    for (let tab = 0; tab < 5; tab += 1) {
      const { setCookies } = await browser.visit(`/api/auth/login?return_to=${encodeURIComponent(long)}`);
      t.match(setCookies, [/^login=/]);
      t.ok(setCookies.join().length <= 3800, `${setCookies.join().length} bytes with its attributes`);
    }
    t.equal((await browser.signIn({ returnTo: long })).headers.location, long);
    const longer = await browser.signIn({ returnTo: `/plugins/?q=${'字'.repeat(600)}` });
    t.equal(
      longer.headers.location,
      '/plugins/',
      'a return address that does not fit is dropped, the sign-in works',
    );
  });

  t.test('a code of an app is exchanged at user/oauth2/login', async (t) => {
    const gateway = await startGateway(t);
    gateway.identity.on('POST /user/oauth2/login', () => ({
      ...USER,
      access_token: 'a.b.c',
      refresh_token: 'd',
    }));
    const browser = gateway.browser();
    const started = await browser.visit('/api/auth/login');
    const back = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    const finished = await browser.visit(`${back.pathname}${back.search}&code=good&app=desk`);
    t.equal(finished.status, 303);
    const [sent] = gateway.identity.seen('POST /user/oauth2/login');
    t.match(JSON.parse(String(sent?.body)), {
      app: 'desk',
      code: 'good',
      redirect_uri: back.href,
      code_verifier: /^[\w-]{43}$/,
    });
    t.strictSame(gateway.identity.seen('GET /user/login/code/user'), []);
  });

  t.test('the sign-in response is found at any place of the body', async (t) => {
    const answer = { ...USER, access_token: 'a.b.c', refresh_token: 'd' };
    for (const body of [
      answer,
      { code: 0, data: answer },
      { code: 200, data: { data: answer } },
      { data: null, ...answer },
    ]) {
      const gateway = await startGateway(t);
      gateway.identity.on('GET /user/login/code/user', () => stubAnswer(200, body));
      const browser = gateway.browser();
      t.equal((await browser.signIn()).status, 303);
      t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { user_id: 7 } });
    }
  });
});

t.test('third-party sign-in', async (t) => {
  const UPSTREAM = 'POST /3rd-party/oauth2/wechat/auth';
  const PATH = '/api/auth/third-party/wechat';
  const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl';

  /** Our own error envelope for a failing service. */
  const UNUSABLE = {
    code: 'UPSTREAM_INVALID',
    message: 'A service behind this site gave an unusable answer.',
  };

  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

  t.test('a third party signs in: tokens become a session and stay inside', async (t) => {
    const gateway = await startGateway(t);
    gateway.identity.on(UPSTREAM, () => ({
      ...USER,
      access_token: gateway.issued.accessToken(),
      refresh_token: 'CANARY-third-party',
      is_new: true,
    }));
    const browser = gateway.browser();
    const answer = await browser.call(PATH, post({ code: 'CANARY-their-code', scene: 3 }));
    t.equal(answer.status, 200);
    t.hasStrict(answer.json().data, {
      session: { signed_in: true, role: 0, user: { user_id: 7 } },
      answer: { is_new: true },
    });
    const [sent] = gateway.identity.seen(UPSTREAM);
    t.strictSame(JSON.parse(String(sent?.body)), { code: 'CANARY-their-code', scene: 3 });
    t.equal(sent?.headers.authorization, undefined);
    t.notMatch([answer.text, gateway.logText()].join(), 'CANARY');
    t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);
  });

  t.test('it replaces the session that was there', async (t) => {
    const gateway = await startGateway(t);
    gateway.identity.on(UPSTREAM, () => ({ ...USER, access_token: 'a.b.c', refresh_token: 'd' }));
    const browser = gateway.browser();
    await browser.signIn();
    const old = browser.cookies.get('session') ?? '';
    t.equal((await browser.call(PATH, post({}))).status, 200);
    t.not(browser.cookies.get('session'), old);
    browser.cookies.set('session', old);
    t.equal((await browser.call('/api/auth/userinfo')).status, 401);
  });

  t.test('an answer without tokens is passed on and signs nobody in', async (t) => {
    const gateway = await startGateway(t, {
      settings: { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' },
    });
    gateway.identity.on(UPSTREAM, () => ({ need_bind: true, id: 'abc' }));
    const browser = gateway.browser();
    const answer = await browser.call(PATH, post({}));
    t.strictSame(answer.json().data, { session: null, answer: { need_bind: true, id: 'abc' } });
    t.equal(browser.cookies.size, 0);
  });

  t.test('a refusal is answered with the body of the user service, without tokens', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const body = {
      code: 4007,
      message: 'not bound',
      data: {
        bind_id: 'abc',
        access_token: 'CANARY-1',
        nested: [{ refreshToken: 'CANARY-2', id_token: 'CANARY-3', code: 'CANARY-4', kept: 1 }, JWT],
        hint: `Bearer ${JWT}`,
      },
    };
    gateway.identity.on(UPSTREAM, () => stubAnswer(409, body));
    const refused = await browser.call(PATH, post({}));
    t.equal(refused.status, 409);
    t.strictSame(JSON.parse(refused.text), {
      code: 4007,
      message: 'not bound',
      data: { bind_id: 'abc', nested: [{ kept: 1 }] },
    });
    t.equal(refused.headers['cache-control'], 'no-store');

    gateway.identity.on(UPSTREAM, () => stubAnswer(200, { code: 4007, message: 'not bound' }));
    t.strictSame(JSON.parse((await browser.call(PATH, post({}))).text), { code: 4007, message: 'not bound' });
    t.equal(browser.cookies.size, 0);
  });

  t.test('a refusal without a body is an empty object, a failure our own envelope', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [answer, status] of [
      [stubAnswer(400, '<html>no</html>'), 400],
      [stubAnswer(500, { code: 500, message: 'oops' }), 502],
      [stubAnswer(501, ''), 502],
      [stubAnswer(302, '', { location: 'https://evil.example' }), 502],
      [stubAnswer(400, '["list"]'), 400],
    ] as const) {
      gateway.identity.on(UPSTREAM, () => answer);
      const refused = await browser.call(PATH, post({}));
      t.equal(refused.status, status);
      t.strictSame(JSON.parse(refused.text), status === 400 ? {} : UNUSABLE);
      t.equal(refused.headers.location, undefined);
    }
    await gateway.identity.stop();
    const down = await browser.call(PATH, post({}));
    t.equal(down.status, 502);
    t.equal(down.text, '{}');
  });

  t.test('invalid calls never reach the user service', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [path, body, code] of [
      ['/api/auth/third-party/%2e%2e', '{}', 'BAD_PATH'],
      ['/api/auth/third-party/a%2fb', '{}', 'BAD_PATH'],
      ['/api/auth/third-party/a%20b', '{}', 'VALIDATION_FAILED'],
      [`/api/auth/third-party/${'a'.repeat(65)}`, '{}', 'VALIDATION_FAILED'],
      [PATH, '[]', 'VALIDATION_FAILED'],
      [PATH, '"text"', 'VALIDATION_FAILED'],
      [PATH, '', 'VALIDATION_FAILED'],
      [PATH, '{"a":', 'MALFORMED_BODY'],
      [PATH, '{"__proto__":{"a":1}}', 'MALFORMED_BODY'],
      [PATH, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'BODY_TOO_DEEP'],
      [PATH, `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`, 'BODY_TOO_DEEP'],
      [PATH, `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'BODY_TOO_DEEP'],
    ] as const) {
      const answer = await browser.call(path, { method: 'POST', body });
      t.equal(answer.status, 400, `${path} ${body.slice(0, 40)}`);
      t.equal(answer.json().code, code, `${path} ${body.slice(0, 40)}`);
    }
    const large = await browser.call(PATH, post({ text: 'x'.repeat(70_000) }));
    t.equal(large.status, 413);
    const foreign = await browser.call(PATH, { ...post({}), headers: { 'x-requested-with': 'x' } });
    t.equal(foreign.status, 403);
    t.strictSame(gateway.identity.requests, []);
  });
});
