import { createHash } from 'node:crypto';
import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

t.test('codes of the login page', async (t) => {
  const UPSTREAM = 'GET /user/login/code';
  const PATH = '/api/auth/login-code';

  t.test('the page learns that a code exists, never the code itself', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    t.equal((await browser.call(PATH)).json().code, 'UNAUTHENTICATED');
    await browser.signIn();
    for (const [body, data] of [
      [
        { code: 0, data: { code: 'CANARY-code', expires_in: 60 } },
        { issued: true, expires_in: 60 },
      ],
      [
        { code: 0, data: { data: { code: 'CANARY-code' } } },
        { issued: true, expires_in: null },
      ],
      [
        { code: 'CANARY-code', expires_in: 30 },
        { issued: true, expires_in: 30 },
      ],
      [
        { code: 0, data: {} },
        { issued: false, expires_in: null },
      ],
      [
        { code: 403, message: 'not you' },
        { issued: false, expires_in: null },
      ],
    ] as const) {
      gateway.identity.on(UPSTREAM, () => stubAnswer(200, body));
      const answer = await browser.call(PATH);
      t.equal(answer.status, 200);
      t.strictSame(answer.json().data, data);
      t.notMatch(JSON.stringify(answer.headers) + answer.text, 'CANARY');
      t.equal(answer.headers['cache-control'], 'no-store');
    }
    t.match(gateway.identity.seen(UPSTREAM)[0]?.headers.authorization, /^Bearer e30\./);
    t.notMatch(gateway.logText(), 'CANARY');
  });

  t.test('failures', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    gateway.identity.on(UPSTREAM, () => stubAnswer(500, 'oops'));
    t.equal((await browser.call(PATH)).json().code, 'UPSTREAM_INVALID');
    gateway.identity.on(UPSTREAM, () => stubAnswer(401, {}));
    t.equal((await browser.call(PATH)).json().code, 'UNAUTHENTICATED');
    t.equal(gateway.issued.refreshes, 1, 'after one refresh');
  });
});

t.test('code binding', async (t) => {
  const EXCHANGE = 'GET /user/login/code/user';
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

  /** Starts a sign-in; returns the parameters of the login URL. */
  async function begin(browser: Browser): Promise<URLSearchParams> {
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    return new URL(started.headers.location ?? '').searchParams;
  }

  /** The callback of a sign-in with a code. */
  function backWith(login: URLSearchParams, code: string): string {
    const { pathname, searchParams } = new URL(login.get('redirect_uri') ?? '');
    searchParams.set('code', code);
    return `${pathname}?${searchParams}`;
  }

  const isSignedIn = async (browser: Browser): Promise<unknown> =>
    (await browser.call('/api/auth/session')).json().data.signed_in;

  t.test('with our identity service a code is refused in another browser', async (t) => {
    const { gateway, typeIn, newPerson } = await startBoth(t);
    const [attacker, victim] = [gateway.browser(), gateway.browser()];
    const { email, password } = await newPerson();
    const typed = await typeIn(attacker, email, password);
    const code = new URL(String(typed.json().data.continue_to)).searchParams.get('code') ?? '';
    t.match(code, /^[\w-]{43}$/);
    const login = await begin(victim);
    const swapped = await victim.visit(backWith(login, code));
    t.equal(swapped.status, 400);
    t.match(swapped.text, 'login_error=CODE_INVALID');
    t.equal(await isSignedIn(victim), false);
    t.equal(await isSignedIn(attacker), false);
  });

  /** A user service that checks the binding of a code, as docs/sign-in.md requires. */
  function keepCodes(gateway: TestGateway, checks: 'redirect_uri' | 'code_verifier') {
    const issued = new Map<string, URLSearchParams>();
    const isOf = {
      redirect_uri: (login: URLSearchParams, query: URLSearchParams) =>
        login.get('redirect_uri') === query.get('redirect_uri'),
      code_verifier: (login: URLSearchParams, query: URLSearchParams) =>
        login.get('code_challenge') === sha256(query.get('code_verifier') ?? ''),
    };
    gateway.identity.on(EXCHANGE, ({ query }) => {
      const login = issued.get(query.get('code') ?? '');
      if (!login || !isOf[checks](login, query)) return stubAnswer(400, { code: 400, message: 'code err' });
      return { ...USER, access_token: gateway.issued.accessToken(), refresh_token: 'CANARY-kept' };
    });
    return issued;
  }

  for (const checks of ['redirect_uri', 'code_verifier'] as const) {
    t.test(`an external user service can check the binding of a code by ${checks}`, async (t) => {
      const gateway = await startGateway(t);
      const issued = keepCodes(gateway, checks);
      const [attacker, victim] = [gateway.browser(), gateway.browser()];
      const [theirs, own] = [await begin(attacker), await begin(victim)];
      issued.set('theirs', theirs).set('own', own);
      t.equal((await victim.visit(backWith(own, 'theirs'))).status, 400);
      t.equal(await isSignedIn(victim), false);
      t.equal((await attacker.visit(backWith(theirs, 'theirs'))).status, 303);
      t.equal(await isSignedIn(attacker), true);
    });
  }
});

t.test('unsolicited code', async (t) => {
  t.test('a code in a page URL is removed, not exchanged', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [address, stripped] of [
      ['/plugins/?code=good', '/plugins/'],
      ['/plugins/?a=1&code=good&b=%20x', '/plugins/?a=1&b=%20x'],
      ['/plugins/?%63ode=good&code=again', '/plugins/'],
      ['/plugins/plugin/abcdefgh?code=', '/plugins/plugin/abcdefgh'],
      ['/user/login?code=good', '/user/login'],
    ] as const) {
      const answer = await browser.visit(address, { site: 'cross-site' });
      t.equal(answer.status, 303, address);
      t.equal(answer.headers.location, stripped);
      t.equal(answer.headers['referrer-policy'], 'no-referrer');
      t.equal(answer.headers['cache-control'], 'no-store');
    }
    t.strictSame(gateway.identity.requests, []);
    t.notMatch(gateway.logText(), 'good');
  });

  t.test('with oauth2=1 the parameter is not a code; neither are other names', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const address of ['/plugins/?code=x&oauth2=1', '/plugins/?codes=x', '/plugins/?tag=code']) {
      t.equal((await browser.visit(address)).status, 200, address);
    }
  });

  t.test('ALLOW_UNSOLICITED_CODE exchanges the code', async (t) => {
    const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
    const browser = gateway.browser();
    const answer = await browser.visit('/plugins/?code=good');
    t.equal(answer.status, 303);
    t.equal(answer.headers.location, '/plugins/');
    t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);

    t.match(
      gateway.identity.seen('GET /user/login/code/user')[0]?.target,
      '/user/login/code/user?code=good&redirect_uri=http%3A%2F%2Flocalhost%3A8080%2Fplugins%2F',
      'bound to this page',
    );

    const other = gateway.browser();
    const failed = await other.visit('/plugins/?code=bad');
    t.equal(failed.status, 303);
    t.equal(other.cookies.size, 0);
  });

  t.test('ALLOW_UNSOLICITED_CODE: embedded content signs nobody in', async (t) => {
    const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
    for (const [dest, mode, site] of [
      ['image', 'no-cors', 'same-site'],
      ['iframe', 'navigate', 'cross-site'],
      ['empty', 'cors', 'same-origin'],
    ] as const) {
      const browser = gateway.browser();
      const headers = { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode };
      const answer = await browser.visit('/plugins/?code=good', { site, headers });
      t.equal(answer.status, 303, dest);
      t.equal(answer.headers.location, '/plugins/');
      t.equal(browser.cookies.size, 0);
    }
    t.strictSame(gateway.identity.requests, []);
  });

  t.test('ALLOW_UNSOLICITED_CODE: the callback still needs its transaction', async (t) => {
    const { gateway, typeIn, newPerson } = await startBoth(t, {
      settings: { ALLOW_UNSOLICITED_CODE: 'true' },
    });
    const { email, password } = await newPerson();
    const typed = await typeIn(gateway.browser(), email, password);
    const code = new URL(String(typed.json().data.continue_to)).searchParams.get('code');
    const victim = gateway.browser();
    t.equal((await victim.visit(`/plugins/?code=${code}`)).status, 303);
    t.equal((await victim.call('/api/auth/session')).json().data.signed_in, false);

    const body = { account: email, password, redirect_uri: `${gateway.publicUrl}/plugins/?sort=1` };
    const led = await victim.call('/user/page/sign_in', { method: 'POST', body: JSON.stringify(body) });
    const { pathname, search } = new URL(String(led.json().data.continue_to));
    t.equal((await victim.visit(pathname + search)).headers.location, '/plugins/?sort=1');
    t.equal(
      (await victim.call('/api/auth/session')).json().data.signed_in,
      true,
      'a code of this page is exchanged',
    );
  });
});
