import t from 'tap';
import { startGateway } from '../support/gateway.ts';

t.test('a code in the address of a page is taken away, not exchanged', async (t) => {
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

t.test('oauth2=1 says that the parameter is no code; other names are none either', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const address of ['/plugins/?code=x&oauth2=1', '/plugins/?codes=x', '/plugins/?tag=code']) {
    t.equal((await browser.visit(address)).status, 200, address);
  }
});

t.test('ALLOW_UNSOLICITED_CODE exchanges it', async (t) => {
  const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
  const browser = gateway.browser();
  const answer = await browser.visit('/plugins/?code=good');
  t.equal(answer.status, 303);
  t.equal(answer.headers.location, '/plugins/');
  t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);

  const other = gateway.browser();
  const failed = await other.visit('/plugins/?code=bad');
  t.equal(failed.status, 303);
  t.equal(other.cookies.size, 0);
});
