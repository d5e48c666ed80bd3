import { createHash } from 'node:crypto';
import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

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

t.test('a user service that ignores the new parameters still works', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  t.equal((await browser.signIn()).status, 303);
  t.equal(await isSignedIn(browser), true);
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
