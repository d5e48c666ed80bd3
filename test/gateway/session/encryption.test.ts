import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import t from 'tap';
import { createEncryptor } from '../../../server/encryption/encryptor.ts';
import { cookieLine, cookies, joinCookies, namesOf, splitIntoCookies } from '../../../server/http/cookies.ts';

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
