import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';

t.test('own sessions', async (t) => {
  const CHROME =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';

  const isSignedIn = async (browser: Browser) => (await browser.call('/api/auth/userinfo')).status === 200;
  const post = (browser: Browser, path: string, body: unknown = {}) =>
    browser.call(path, { method: 'POST', body: JSON.stringify(body) });
  async function sessionsOf(browser: Browser): Promise<Record<string, unknown>[]> {
    const { session_list } = (await browser.call('/user/session/list')).json().data;
    return Array.isArray(session_list) ? session_list : [];
  }
  const bootOf = (html: string) => JSON.parse(/id="boot">([^<]*)</.exec(html)?.[1] ?? '{}');

  t.test('one browser signs out another, effective at its next call', async (t) => {
    const { gateway, signedIn, newPerson } = await startBoth(t);
    const { email, password } = await newPerson();
    const [here, there] = [await signedIn(email, password, CHROME), await signedIn(email, password, FIREFOX)];
    const sessions = await sessionsOf(here);
    t.hasStrict(sessions.map(({ browser, system, is_current }) => [browser, system, is_current]).sort(), [
      ['Chrome', 'Windows', true],
      ['Firefox', 'Linux', false],
    ]);
    const other = sessions.find(({ is_current }) => is_current === false);
    const ended = await post(here, '/user/session/sign_out', { sid: other?.sid });
    t.hasStrict([ended.status, ended.json().data], [200, {}]);
    t.notOk(await isSignedIn(there));
    t.ok(await isSignedIn(here));
    t.equal((await sessionsOf(here)).length, 1);
    t.notMatch(here.received.join('\n'), /"(?:access|refresh)_token"|Bearer ey/);
    const calls = gateway.lines().filter(({ event }) => event === 'backchannel_logout');
    t.hasStrict(calls, [{ by: 'sid' }]);
    t.equal(bootOf((await gateway.browser().visit('/plugins/')).text).own_accounts, true);
  });

  t.test('without local accounts the calls do not exist, and pages know', async (t) => {
    const gateway = await startGateway(t, {
      settings: { IDENTITY_URL: 'https://users.example', LOGIN_URL: 'https://login.example/' },
    });
    const browser = gateway.browser();
    await browser.signIn();
    t.equal((await browser.call('/user/session/list')).status, 404);
    t.equal((await post(browser, '/user/session/sign_out_others')).status, 404);
    t.equal(bootOf((await browser.visit('/plugins/')).text).own_accounts, false);
  });
});
