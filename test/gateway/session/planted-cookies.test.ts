import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

const SITE = { settings: { PUBLIC_URL: 'https://square.example' } };
const SESSION = '__Host-Http-session';
const LOGIN = '__Host-Http-login';
const SECURE = 'Path=/; HttpOnly; Secure';

const pairs = ({ cookies }: Browser): string[] => [...cookies].map(([name, value]) => `${name}=${value}`);

/** The session and the Set-Cookie lines of a call with exactly these cookies. */
async function asked(browser: Browser, cookies: readonly string[]) {
  const answer = await browser.call('/api/auth/session', { headers: { cookie: cookies.join('; ') } });
  const { data } = answer.json();
  return { signedIn: data.signed_in, lines: answer.setCookies };
}

t.test('a session cookie under a similar name is ignored', async (t) => {
  const gateway = await startGateway(t, SITE);
  const attacker = gateway.browser();
  await attacker.signIn();
  const victim = gateway.browser();
  await victim.signIn();
  const planted = attacker.cookies.get(SESSION);
  for (const name of [`\xA0${SESSION}`, `${SESSION}\xA0`, `\x85${SESSION}`, SESSION.toLowerCase()]) {
    const disguised = `${name}=${planted}`;
    t.strictSame(await asked(attacker, [disguised]), { signedIn: false, lines: [] }, JSON.stringify(name));
    const beside = await asked(victim, [disguised, ...pairs(victim)]);
    t.strictSame(beside, { signedIn: true, lines: [] }, 'the own session stays valid');
  }
});

t.test('a session cookie sent twice is anonymous, and every chunk is deleted', async (t) => {
  const gateway = await startGateway(t, SITE);
  const attacker = gateway.browser();
  gateway.issued.padding = 2500;
  await attacker.signIn();
  const victim = gateway.browser();
  await victim.signIn();
  const [first = '', second = ''] = pairs(victim);
  const [planted = '', plantedPart = ''] = pairs(attacker);
  const deleted = [SESSION, `${SESSION}-1`].map((name) => `${name}=; Max-Age=0; ${SECURE}; SameSite=Strict`);
  for (const [what, cookies] of [
    ['the first part', [planted, first, second]],
    ['the first part, the other way round', [first, planted, second]],
    ['the second part', [first, plantedPart, second]],
    ['both', [planted, plantedPart, first, second]],
    ['one and the same', [first, first, second]],
  ] as const) {
    const { signedIn, lines } = await asked(victim, cookies);
    t.equal(signedIn, false, what);
    t.strictSame([...lines].sort(), [...deleted].sort(), `${what}: deleted cookies`);
  }
  gateway.issued.padding = 0;
  await victim.signIn();
  const [small = ''] = pairs(victim);
  const { signedIn, lines } = await asked(victim, [small, plantedPart, `${SESSION}-1=x`]);
  t.equal(signedIn, false, 'a chunk that this session does not have');
  t.strictSame([...lines].sort(), [...deleted].sort());

  const cookie = [planted, first, second].join('; ');
  const refused = await victim.call('/api/cmt/plugin/user', {
    method: 'POST',
    body: '{}',
    headers: { cookie },
  });
  t.equal(refused.status, 401);
  t.equal(refused.json().code, 'UNAUTHENTICATED');
  t.strictSame([...refused.setCookies].sort(), [...deleted].sort());
});

t.test('a planted cookie cannot complete the sign-in of another browser', async (t) => {
  const gateway = await startGateway(t, SITE);
  const begun = async () => {
    const browser = gateway.browser();
    const { headers } = await browser.visit('/api/auth/login');
    const callback = new URL(new URL(headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    return { browser, path: `${callback.pathname}${callback.search}&code=good` };
  };
  const attacker = await begun();
  const victim = await begun();
  const finish = (path: string, cookies: readonly string[]) =>
    gateway.browser().visit(path, { site: 'same-site', headers: { cookie: cookies.join('; ') } });
  const [planted = ''] = pairs(attacker.browser);
  const [own = ''] = pairs(victim.browser);

  const disguised = await finish(attacker.path, [`\xA0${planted}`]);
  t.equal(disguised.status, 400);
  t.match(disguised.text, 'login_error=LOGIN_TRANSACTION_INVALID');
  t.strictSame(disguised.setCookies, []);
  for (const cookies of [
    [planted, own],
    [own, planted],
    [planted, planted],
  ]) {
    const twice = await finish(attacker.path, cookies);
    t.equal(twice.status, 400);
    t.strictSame(
      twice.setCookies,
      [`${LOGIN}=; Max-Age=0; ${SECURE}; SameSite=Lax`],
      'the cookie is deleted',
    );
  }
  t.strictSame(gateway.identity.seen('GET /user/login/code/user'), [], 'no code is exchanged');
  t.equal((await finish(victim.path, [`\xA0${planted}`, own])).status, 303, 'the own sign-in still works');
});

t.test('without a name prefix the first of two cookies counts', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  t.strictSame(await asked(browser, [...pairs(browser), 'session=of-another-port']), {
    signedIn: true,
    lines: [],
  });
});
