import { randomBytes } from 'node:crypto';
import t from 'tap';
import { joinCookies, namesOf, splitIntoCookies } from '../../server/gateway/session/chunks.ts';
import { createSealer } from '../../server/sealing/seal.ts';

const key = randomBytes(32);

t.test('what is sealed opens again, and nothing else does', async (t) => {
  const sealer = createSealer([key], 'session');
  const sealed = sealer.seal('söme text', 'name');
  t.equal(sealer.open(sealed, 'name'), 'söme text');
  t.not(sealer.seal('söme text', 'name'), sealed, 'each value has a nonce of its own');
  t.notMatch(sealed, /text/);
});

t.test('any flipped bit is refused', async (t) => {
  const sealer = createSealer([key], 'session');
  const sealed = sealer.seal('text', 'name');
  const [id = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return sealer.open(`${id}.${altered.toString('base64url')}`, 'name');
  });
  t.ok(
    opened.every((text) => text === undefined),
    `${opened.length} alterations`,
  );
});

t.test('other spellings, empty and cut values are refused', async (t) => {
  const sealer = createSealer([key], 'session');
  const sealed = sealer.seal('text', 'name');
  for (const value of [
    '',
    '.',
    'x',
    `${sealed}.`,
    `${sealed}=`,
    ` ${sealed}`,
    sealed.slice(0, -1),
    sealed.slice(0, 20),
  ]) {
    t.equal(sealer.open(value, 'name'), undefined, JSON.stringify(value));
  }
});

t.test('a value is bound to its purpose and its cookie', async (t) => {
  const sealed = createSealer([key], 'session').seal('text', 'name');
  t.equal(createSealer([key], 'login transaction').open(sealed, 'name'), undefined);
  t.equal(createSealer([key], 'session').open(sealed, 'other'), undefined);
});

t.test('keys rotate: the first seals, all open, a forgotten one opens nothing', async (t) => {
  const newer = randomBytes(32);
  const old = createSealer([key], 'session').seal('text', 'name');
  const rotated = createSealer([newer, key], 'session');
  t.equal(rotated.open(old, 'name'), 'text');
  t.equal(createSealer([newer], 'session').open(rotated.seal('text', 'name'), 'name'), 'text');
  t.equal(createSealer([newer], 'session').open(old, 'name'), undefined);
  t.throws(() => createSealer([], 'session'), /needs a key/);
});

t.test('long values become several cookies, each within what browsers keep', async (t) => {
  const header = (parts: { name: string; value: string }[]) =>
    parts.map(({ name, value }) => `${name}=${value}`).join('; ');
  const name = '__Host-Http-session';
  for (const length of [1, 4096 - name.length - 2, 4096 - name.length - 1, 7000]) {
    const value = 'x'.repeat(length);
    const parts = splitIntoCookies(name, value);
    t.ok(
      parts.every((part) => part.name.length + part.value.length <= 4096),
      `${length} bytes in ${parts.length}`,
    );
    t.equal(joinCookies(header(parts), name), value);
    t.equal(joinCookies(header(parts.toReversed()), name), value, 'in any order');
    if (parts.length > 1) {
      t.equal(joinCookies(header(parts.slice(0, 1)), name), null, 'without its last part');
      t.equal(joinCookies(header(parts.slice(1)), name), null, 'without its first part');
    }
  }
  t.throws(() => splitIntoCookies(name, 'x'.repeat(8000)), RangeError);
});

t.test('the first of two cookies with one name counts', async (t) => {
  t.equal(joinCookies('session=1.a; session=1.b', 'session'), 'a');
  t.equal(joinCookies(undefined, 'session'), undefined);
  t.equal(joinCookies('other=session', 'session'), undefined);
  t.equal(joinCookies('session=nonsense', 'session'), null);
  t.strictSame(namesOf('a=1; session=1.a; session-1=b; session-x=c; sessions=d', 'session'), [
    'session',
    'session-1',
  ]);
});
