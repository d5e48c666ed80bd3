import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import t from 'tap';
import { createEncryptor } from '../../../server/encryption/encryptor.ts';
import { loadSessionKeys } from '../../../server/gateway/session/cookie.ts';
import { cookieLine, cookies, joinCookies, namesOf, splitIntoCookies } from '../../../server/http/cookies.ts';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

t.test('size', async (t) => {
  const INSTALL = '/api/cmt/plugin/user';
  const LARGE = 6000;

  t.test('new tokens above the cookie size limit end the session, logged once', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on(`POST ${INSTALL}`, () => ({}));
    const browser = gateway.browser();
    const install = () => browser.call(INSTALL, { method: 'POST', body: '{}' });
    await browser.signIn();
    const old = browser.cookies.get('session') ?? '';
    gateway.issued.padding = LARGE;
    gateway.clock.ahead = 16 * 60_000;
    const ended = await install();
    t.equal(ended.status, 401);
    t.equal(ended.json().code, 'SESSION_ENDED');
    t.equal(browser.cookies.size, 0);
    browser.cookies.set('session', old);
    t.equal((await install()).status, 401);
    t.equal(gateway.issued.refreshes, 1, 'no repeated refresh');
    const told = await until(() => gateway.identity.seen('POST /user/logout')[0]);
    t.match(told.headers.authorization, /^Bearer CANARY-refresh-/, 'its tokens are revoked too');
    t.ok(gateway.lines().some(({ event }) => event === 'session_too_large'));

    const again = await browser.signIn();
    t.equal(again.status, 502, 'the next sign-in logs the cause');
    t.match(again.text, 'login_error=UPSTREAM_INVALID');
  });

  t.test('a change of enterprise above the limit ends the session too', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    gateway.identity.on('POST /user/reset_token', () => ({
      access_token: `a.b.${'c'.repeat(LARGE)}`,
      refresh_token: 'd',
    }));
    const ended = await browser.call('/api/auth/enterprise', { method: 'POST', body: '{"e_id":2}' });
    t.equal(ended.status, 401);
    t.equal(ended.json().code, 'SESSION_ENDED');
  });

  t.test('user info above the limit is not updated', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    gateway.identity.on('GET /user/valid', () => ({ info: { ...USER, nick_name: 'x'.repeat(LARGE) } }));
    gateway.clock.ahead = 6 * 60_000;
    const { data } = (await browser.call('/api/auth/session')).json();
    t.hasStrict(data, { signed_in: true, user: { nick_name: 'Ada' } });
  });
});

t.test('encryption', async (t) => {
  type Part = { name: string; value: string };

  const key = randomBytes(32);

  t.test('an encrypted value can be decrypted, and nothing else', async (t) => {
    const encryptor = createEncryptor([key], 'session');
    const encrypted = encryptor.encrypt('söme text', 'name');
    t.equal(encryptor.decrypt(encrypted, 'name'), 'söme text');
    t.not(encryptor.encrypt('söme text', 'name'), encrypted, 'each value has its own nonce');
    t.notMatch(encrypted, /text/);
  });

  t.test('any flipped bit is refused', async (t) => {
    const encryptor = createEncryptor([key], 'session');
    const encrypted = encryptor.encrypt('text', 'name');
    const [id = '', body = ''] = encrypted.split('.');
    const bytes = Buffer.from(body, 'base64url');
    const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return encryptor.decrypt(`${id}.${altered.toString('base64url')}`, 'name');
    });
    t.ok(
      opened.every((text) => text === undefined),
      `${opened.length} alterations`,
    );
  });

  t.test('non-canonical, empty and truncated values are refused', async (t) => {
    const encryptor = createEncryptor([key], 'session');
    const encrypted = encryptor.encrypt('text', 'name');
    for (const value of [
      '',
      '.',
      'x',
      `${encrypted}.`,
      `${encrypted}=`,
      ` ${encrypted}`,
      encrypted.slice(0, -1),
      encrypted.slice(0, 20),
    ]) {
      t.equal(encryptor.decrypt(value, 'name'), undefined, JSON.stringify(value));
    }
  });

  t.test('a value is bound to its purpose and its cookie', async (t) => {
    const encrypted = createEncryptor([key], 'session').encrypt('text', 'name');
    t.equal(createEncryptor([key], 'login transaction').decrypt(encrypted, 'name'), undefined);
    t.equal(createEncryptor([key], 'session').decrypt(encrypted, 'other'), undefined);
  });

  t.test('key rotation: the first key encrypts, all decrypt, a removed one does not', async (t) => {
    const newer = randomBytes(32);
    const old = createEncryptor([key], 'session').encrypt('text', 'name');
    const rotated = createEncryptor([newer, key], 'session');
    t.equal(rotated.decrypt(old, 'name'), 'text');
    t.equal(createEncryptor([newer], 'session').decrypt(rotated.encrypt('text', 'name'), 'name'), 'text');
    t.equal(createEncryptor([newer], 'session').decrypt(old, 'name'), undefined);
    t.throws(() => createEncryptor([], 'session'), /needs a key/);
  });

  t.test('long values become several cookies, each small enough for browsers and proxies', async (t) => {
    const app = Fastify();
    await app.register(cookies);
    const name = '__Host-Http-session';
    const attributes = { secure: true, sameSite: 'strict' } as const;
    const sent = (parts: Part[]) => Object.fromEntries(parts.map((part) => [part.name, part.value]));
    for (const [length, count] of [
      [1, 1],
      [3600, 1],
      [3800, 2],
      [7300, 2],
    ] as const) {
      const value = 'x'.repeat(length);
      const parts = splitIntoCookies(name, value, attributes) ?? [];
      t.equal(parts.length, count, `chunks for ${length} bytes`);
      for (const part of parts) {
        const line = cookieLine(part.name, part.value, 400 * 86_400_000, attributes);
        t.ok(line.length <= 3800, `${length} bytes: ${part.name} has ${line.length} with its attributes`);
      }
      t.equal(joinCookies(sent(parts), name), value);
      t.equal(joinCookies(sent(parts.toReversed()), name), value, 'in any order');
      if (parts.length > 1) {
        t.equal(joinCookies(sent(parts.slice(0, 1)), name), null, 'without its last chunk');
        t.equal(joinCookies(sent(parts.slice(1)), name), null, 'without its first chunk');
      }
    }
    t.equal(splitIntoCookies(name, 'x'.repeat(7600), attributes), undefined);
  });

  t.test('larger chunks of a former version are joined too', async (t) => {
    const [first, second] = ['x'.repeat(4075), 'y'.repeat(3900)];
    t.equal(joinCookies({ session: `2.${first}`, 'session-1': second }, 'session'), first + second);
  });

  t.test('an incomplete session is refused', async (t) => {
    t.equal(joinCookies({}, 'session'), undefined);
    t.equal(joinCookies({ other: 'session' }, 'session'), undefined);
    t.equal(joinCookies({ session: 'nonsense' }, 'session'), null);
    t.equal(joinCookies({ session: '1.a', 'session-1': 'stale' }, 'session'), 'a');
    t.equal(joinCookies({ session: '' }, 'session'), null, 'sent twice');
    t.equal(joinCookies({ session: '1.a', 'session-1': '' }, 'session'), null, 'a stale chunk sent twice');
    const names = ['a', 'session', 'session-1', 'session-x', 'sessions', '\xA0session', 'Session'];
    const sent = Object.fromEntries(names.map((name) => [name, 'x']));
    t.strictSame(namesOf(sent, 'session'), ['session', 'session-1']);
  });
});

t.test('keys', async (t) => {
  t.test('configured keys are used unchanged', async (t) => {
    const configured = [randomBytes(32), randomBytes(32)];
    const dataDir = t.testdir();
    t.strictSame(loadSessionKeys({ configured, dataDir }), configured);
    t.strictSame(readdirSync(dataDir), []);
  });

  t.test('without configured keys one is generated once, readable by its owner only', async (t) => {
    const dataDir = join(t.testdir(), 'not', 'there', 'yet');
    const [first] = loadSessionKeys({ configured: [], dataDir });
    t.equal(first?.length, 32);
    t.strictSame(loadSessionKeys({ configured: [], dataDir }), [first]);
    t.strictSame(readdirSync(dataDir), ['session-keys'], 'no draft file remains');
    t.equal(statSync(join(dataDir, 'session-keys')).mode & 0o777, 0o600);
  });

  t.test('an invalid key file is refused', async (t) => {
    const dataDir = t.testdir();
    for (const text of ['', 'short\n', `${randomBytes(32).toString('base64url')},short`]) {
      writeFileSync(join(dataDir, 'session-keys'), text);
      t.throws(() => loadSessionKeys({ configured: [], dataDir }), /keys of 32 bytes/);
    }
  });
});

t.test('planted cookies', async (t) => {
  const SITE = { settings: { PUBLIC_URL: 'https://square.example' } };
  const LOGIN = '__Host-Http-login';
  const SECURE = 'Path=/; HttpOnly; Secure';

  const pairs = ({ cookies }: Browser): string[] => [...cookies].map(([name, value]) => `${name}=${value}`);

  /** The session and the Set-Cookie lines of a call with exactly these cookies. */
  async function asked(browser: Browser, cookies: readonly string[]) {
    const answer = await browser.call('/api/auth/session', { headers: { cookie: cookies.join('; ') } });
    const { data } = answer.json();
    return { signedIn: data.signed_in, lines: answer.setCookies };
  }

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
    t.hasStrict(await asked(browser, ['session=of-another-port', ...pairs(browser)]), { signedIn: false });
  });
});
