import t from 'tap';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

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

function bearers(gateway: TestGateway): (string | undefined)[] {
  return gateway.community.seen(`POST ${INSTALL}`).map(({ headers }) => headers.authorization);
}

t.test('R 9.16: 50 concurrent calls make one refresh', async (t) => {
  const { gateway, install } = await signedIn(t);
  gateway.clock.ahead = EXPIRED;
  const answers = await Promise.all(Array.from({ length: 50 }, () => install()));
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(gateway.issued.refreshes, 1);
  t.equal(new Set(bearers(gateway)).size, 1);
  t.match(await gateway.registry.metrics(), 'bff_token_refresh_total{outcome="renewed"} 1');
});

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

t.test('R 9.19: refresh five seconds before expiry, by the clock of the user service', async (t) => {
  const { gateway, install } = await signedIn(t);
  gateway.clock.ahead = 900_000 - 8000;
  await install();
  t.equal(gateway.issued.refreshes, 0, 'eight seconds before expiry');
  gateway.clock.ahead = 900_000 - 3000;
  await install();
  t.equal(gateway.issued.refreshes, 1, 'three seconds before expiry');

  const skewed = await startGateway(t);
  skewed.community.on(`POST ${INSTALL}`, () => ({}));
  skewed.clock.ahead = -3_600_000;
  const browser = skewed.browser();
  await browser.signIn();
  await browser.call(INSTALL, { method: 'POST', body: '{}' });
  t.equal(skewed.issued.refreshes, 0, 'our clock an hour behind');
  skewed.clock.ahead += EXPIRED;
  await browser.call(INSTALL, { method: 'POST', body: '{}' });
  t.equal(skewed.issued.refreshes, 1, 'sixteen minutes later anyway');
});

t.test('R 9.17: a rejected refresh ends the session', async (t) => {
  for (const refusal of [
    stubAnswer(401, { code: 401, message: 'expired' }),
    stubAnswer(200, { code: 401, message: 'expired' }),
    stubAnswer(400, { error: 'invalid_grant' }),
  ]) {
    const { gateway, browser, install } = await signedIn(t);
    gateway.identity.on('POST /user/refresh_token', () => refusal);
    gateway.clock.ahead = EXPIRED;
    const answer = await install();
    t.equal(answer.status, 401);
    t.equal(answer.json().code, 'SESSION_ENDED');
    t.equal(browser.cookies.size, 0);
    t.strictSame(bearers(gateway), []);
    t.ok(gateway.lines().some(({ event }) => event === 'refresh_refused'));
  }
});

t.test('R 9.17: a failing user service ends no session', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  gateway.clock.ahead = EXPIRED;
  for (const failure of [
    stubAnswer(500, 'oops'),
    stubAnswer(403, {}),
    stubAnswer(200, { code: 0, data: {} }),
    stubAnswer(200, '<html>'),
  ]) {
    gateway.identity.on('POST /user/refresh_token', () => failure);
    const answer = await install();
    t.equal(answer.status, 502);
    t.equal(answer.json().code, 'UPSTREAM_INVALID');
    t.equal(browser.cookies.has('session'), true);
  }
  t.strictSame(bearers(gateway), []);
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

t.test('R 9.18: an upstream 401 is followed by one refresh and one replay', async (t) => {
  const { gateway, install } = await signedIn(t);
  let refusals = 1;
  gateway.community.on(`POST ${INSTALL}`, ({ body }) => {
    if (refusals > 0) {
      refusals -= 1;
      return stubAnswer(401, { code: 'TOKEN_INVALID', message: 'no' });
    }
    return { length: body.length };
  });
  const body = JSON.stringify({ text: 'x'.repeat(1000) });
  const answer = await install(body);
  t.equal(answer.status, 200);
  t.equal(answer.json().data.length, body.length);
  t.equal(gateway.issued.refreshes, 1);
  t.equal(new Set(bearers(gateway)).size, 2);

  refusals = 5;
  const refused = await install();
  t.equal(refused.status, 401, 'a second 401 is returned');
  t.equal(refused.json().code, 'TOKEN_INVALID');
  t.equal(gateway.issued.refreshes, 2);
  t.equal(bearers(gateway).length, 4);

  const large = await install(JSON.stringify({ text: 'x'.repeat(70_000) }));
  t.equal(large.status, 401, 'a body over 64 KB is sent once');
  t.equal(bearers(gateway).length, 5);
});

t.test('CVE-2026-40155: one session never gets the tokens of another', async (t) => {
  const gateway = await startGateway(t);
  let person = 0;
  gateway.identity.on('GET /user/login/code/user', () => {
    person += 1;
    return {
      user_id: person,
      access_token: gateway.issued.accessToken(),
      refresh_token: `refresh-${person}`,
    };
  });
  gateway.identity.on('POST /user/refresh_token', async ({ headers }) => {
    const who = headers.authorization?.replace('Bearer refresh-', '') ?? '';
    await new Promise((done) => setTimeout(done, Math.random() * 20));
    return { access_token: `access-of-${who}`, refresh_token: `refresh-${who}` };
  });
  gateway.community.on(`POST ${INSTALL}`, ({ headers }) => ({
    // The complete token would be masked.
    seen: headers.authorization?.split('-').at(-1),
  }));
  const browsers = Array.from({ length: 20 }, () => gateway.browser());
  for (const browser of browsers) await browser.signIn();
  gateway.clock.ahead = EXPIRED;
  const answers = await Promise.all(
    browsers.flatMap((browser) =>
      Array.from({ length: 3 }, () => browser.call(INSTALL, { method: 'POST', body: '{}' })),
    ),
  );
  t.strictSame(
    answers.map((answer) => answer.json().data.seen),
    browsers.flatMap((_, index) => Array.from({ length: 3 }, () => String(index + 1))),
  );
});
