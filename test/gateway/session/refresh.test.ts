import t from 'tap';
import { startGateway } from '../../support/gateway.ts';

/** Later than an access token expires (15 min), earlier than the session. */
const EXPIRED = 16 * 60_000;
const INSTALL = '/api/cmt/plugin/user';

async function signedIn(t: Parameters<typeof startGateway>[0]) {
  const gateway = await startGateway(t);
  gateway.community.on(`POST ${INSTALL}`, ({ headers }) => ({ bearer: headers.authorization?.length }));
  const browser = gateway.browser();
  await browser.signIn();
  const install = (body = '{}') => browser.call(INSTALL, { method: 'POST', body });
  return { gateway, browser, install };
}

t.test('a browser with the older cookie gets the refreshed session', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  const old = browser.cookies.get('session') ?? '';
  gateway.clock.ahead = EXPIRED;
  await install();
  browser.cookies.set('session', old);
  const again = await install();
  t.equal(again.status, 200);
  t.equal(gateway.issued.refreshes, 1);
  t.equal(again.setCookies.length, 1);
});

t.test('a network error is retried once, then 502; the session is kept', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  gateway.clock.ahead = EXPIRED;
  let tries = 0;
  gateway.identity.on('POST /user/refresh_token', (_seen, response) => {
    tries += 1;
    if (tries === 1) return void response.destroy();
    return { access_token: gateway.issued.accessToken() };
  });
  t.equal((await install()).status, 200);
  t.equal(tries, 2);
  t.equal(browser.cookies.has('session'), true, 'a refresh token that was not replaced is kept');

  gateway.clock.ahead = 2 * EXPIRED;
  await gateway.identity.stop();
  const down = await install();
  t.equal(down.status, 502);
  t.equal(down.json().code, 'UPSTREAM_UNAVAILABLE');
  t.equal(browser.cookies.has('session'), true);
});
