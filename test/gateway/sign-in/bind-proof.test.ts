import t from 'tap';
import { post, startBindSite } from '../../support/bind-site.ts';

const { gateway, newPerson, guarded, arrive, signInHere, linkedTo } = await startBindSite(t);
const COOKIE = '__Host-Http-bind';

t.test('only the browser of the sign-in can bind, once and with a proof', async (t) => {
  const owner = await guarded('noor');
  const browser = gateway.browser();
  const link = await arrive(browser, 'noor');
  await signInHere(browser, owner);
  const id = link.searchParams.get('id');
  t.match(id, /^[\w-]{32}$/);
  const set = browser.received.filter((head) => head.includes(`${COOKIE}=`)).at(-1) ?? '';
  t.match(set, /__Host-Http-bind=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Strict/);
  const shown = await post(browser, '/api/auth/bind/read', { id });
  t.strictSame(shown.json().data, {
    label: 'Ada ID',
    method: 'oidc',
    name: 'noor Lovelace',
    email: 'noor@example.org',
    avatar_url: '',
    proof: 'code',
  });
  const bare = await post(browser, '/api/auth/bind', { id });
  t.hasStrict([bare.status, bare.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
  const byPassword = await post(browser, '/api/auth/bind', { id, password: owner.password });
  t.hasStrict([byPassword.status, byPassword.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
  const wrong = await post(browser, '/api/auth/bind', { id, code: '000000' });
  t.hasStrict([wrong.status, wrong.json().code], [422, 'SECOND_FACTOR_WRONG']);
  t.strictSame(await linkedTo(owner.userId), []);
  const bound = await post(browser, '/api/auth/bind', { id, code: owner.totp() });
  t.equal(bound.status, 200);
  t.strictSame(bound.json().data, {});
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'noor' }]);
  t.equal(browser.cookies.has(COOKIE), false, 'forgotten');
  t.hasStrict((await post(browser, '/api/auth/bind', { id })).json(), { code: 'BIND_REFUSED' });
});

t.test('wrong passwords are counted per account and refused with Retry-After', async (t) => {
  const owner = await newPerson({ email: 'olga@example.org' });
  const browser = gateway.browser();
  const id = (await arrive(browser, 'olga')).searchParams.get('id');
  await signInHere(browser, owner);
  for (let tries = 0; tries < 5; tries += 1) {
    const wrong = await post(browser, '/api/auth/bind', { id, password: 'wrong' });
    t.hasStrict([wrong.status, wrong.json().code], [422, 'PASSWORD_WRONG']);
  }
  const early = await post(browser, '/api/auth/bind', { id, password: owner.password });
  t.hasStrict(
    [early.status, early.json().code, early.headers['retry-after']],
    [429, 'TOO_MANY_REQUESTS', '2'],
  );
  t.strictSame(await linkedTo(owner.userId), []);
});
