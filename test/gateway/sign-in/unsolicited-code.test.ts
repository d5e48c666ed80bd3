import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';

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
