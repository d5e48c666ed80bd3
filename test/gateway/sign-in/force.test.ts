import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

/** The URL that starts a sign-in with this page as its target. */
const begins = (page: string) =>
  `/api/auth/login?${new URLSearchParams({ return_to: page, ux_mode: 'redirect', force: '1' })}`;

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('/api/auth/session')).json().data.signed_in === true;

t.test('force=1 ignores the session and a code, and starts a sign-in', async (t) => {
  const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
  const browser = gateway.browser();
  await browser.signIn();
  const former = browser.cookies.get('session');
  const exchanged = gateway.identity.seen('GET /user/login/code/user').length;
  for (const [address, page] of [
    ['/plugins/?force=1', '/plugins/'],
    ['/plugins/?a=1&force=1&code=good&b=%20x', '/plugins/?a=1&b=%20x'],
    ['/plugins/plugin/abcdefgh?%66orce=1&code=good', '/plugins/plugin/abcdefgh'],
    ['/plugins/?force=1&oauth2=1&code=x', '/plugins/?oauth2=1&code=x'],
    ["/plugins/?q='&force=1", "/plugins/?q='"],
  ] as const) {
    const answer = await browser.visit(address, { site: 'cross-site' });
    t.match([answer.status, answer.headers.location], [303, begins(page)], address);
    t.equal(answer.headers['cache-control'], 'no-store');
    t.equal(answer.headers['referrer-policy'], 'no-referrer');
    t.strictSame(answer.setCookies, [], address);
  }
  t.equal(gateway.identity.seen('GET /user/login/code/user').length, exchanged, 'no code was exchanged');
  t.equal(browser.cookies.get('session'), former);

  const started = await browser.visit(begins('/plugins/?a=1'));
  t.equal(started.status, 302);
  const asked = new URL(started.headers.location ?? '').searchParams;
  t.notOk(asked.has('force'), 'the parameter is not sent to the login page');
  t.equal(asked.get('ux_mode'), 'redirect');
  t.strictSame(gateway.identity.seen('POST /user/logout'), [], 'the session stays valid');
  t.equal(await isSignedIn(browser), true);
  const back = new URL(asked.get('redirect_uri') ?? '');
  const finished = await browser.visit(`${back.pathname}${back.search}&code=good`, { site: 'same-origin' });
  t.hasStrict([finished.status, finished.headers.location], [303, '/plugins/?a=1']);
  t.not(browser.cookies.get('session'), former, 'the new session replaces it');
});

t.test('other values are not the force flag', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const address of ['/plugins/?force=0', '/plugins/?force=', '/plugins/?forced=1', '/plugins/?x=force'])
    t.equal((await browser.visit(address)).status, 200, address);
  t.equal((await browser.visit('/api/auth/login?force=yes')).status, 400);
});

t.test('embedded content cannot start a sign-in with it', async (t) => {
  const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
  const browser = gateway.browser();
  await browser.signIn();
  for (const [dest, mode, site] of [
    ['image', 'no-cors', 'same-site'],
    ['iframe', 'navigate', 'cross-site'],
    ['iframe', 'navigate', 'same-site'],
    ['object', 'navigate', 'same-origin'],
    ['empty', 'cors', 'same-origin'],
  ] as const) {
    const headers = { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode };
    const page = await browser.visit('/plugins/?force=1&code=good', { site, headers });
    t.hasStrict([page.status, page.headers.location], [303, '/plugins/'], `${dest} of ${site}`);
    t.strictSame(page.setCookies, []);
    const start = await browser.visit(begins('/plugins/'), { site, headers });
    t.equal(start.status, 403, `${dest} of ${site}`);
    t.strictSame(start.setCookies, []);
  }
  t.equal(await isSignedIn(browser), true);
  t.equal(gateway.identity.seen('GET /user/login/code/user').length, 1);
});

t.test('no redirect loop on the login page', async (t) => {
  const gateway = await startGateway(t);
  const page = await gateway.browser().visit('/user/login?force=1&redirect_uri=x');
  t.hasStrict([page.status, page.headers.location], [303, '/user/login?redirect_uri=x']);
});

t.test('at the callback the code is ignored and the same sign-in starts again', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F%3Fa%3D1&ux_mode=popup');
  const back = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
  const forced = `${back.pathname}${back.search}&code=good&force=1`;
  const again = await browser.visit(forced, { site: 'same-origin' });
  t.equal(again.status, 303);
  const { searchParams } = new URL(again.headers.location ?? '', gateway.publicUrl);
  t.strictSame(Object.fromEntries(searchParams), {
    return_to: '/plugins/?a=1',
    ux_mode: 'popup',
    force: '1',
  });
  t.equal((await browser.visit(forced, { site: 'same-origin' })).status, 400, 'once');
  const stranger = await gateway.browser().visit('/api/auth/callback?nonce=x&code=good&force=1');
  t.equal(stranger.status, 400, 'embedded content cannot start a sign-in there');
  t.strictSame(gateway.identity.requests, []);
});
