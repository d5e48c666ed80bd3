import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import t from 'tap';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  sixDigits,
  stepOf,
  totpAddress,
} from '../../../server/identity/second-factor/codes.ts';

/** The secret of RFC 6238 appendix B. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32;

/** Seconds since 1970 and the code of that moment (RFC 6238 appendix B, SHA-1), of which apps show the last six digits. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

t.test('the vectors of RFC 6238', async (t) => {
  for (const [seconds, code] of VECTORS) {
    t.equal(stepOf(SECRET, code.slice(2), seconds * 1000), Math.floor(seconds / 30), `${seconds} s`);
  }
});

t.test('accepts a clock skew of one step in either direction, and no more', async (t) => {
  const [seconds, code] = VECTORS[3];
  const step = Math.floor(seconds / 30);
  const inStep = (distance: number) => stepOf(SECRET, code.slice(2), (step + distance) * 30_000);
  t.strictSame(
    [-2, -1, 0, 1, 2].map(inStep),
    [undefined, step, step, step, undefined],
    'and the step is that of the code, not of the clock',
  );
});

t.test('a secret has 160 bits, and its address contains the parameters for apps', async (t) => {
  const secret = newTotpSecret(randomBytes);
  t.match(secret, /^[A-Z2-7]{32}$/);
  t.not(newTotpSecret(randomBytes), secret);
  const address = new URL(totpAddress(secret, { issuer: 'square.example', account: 'mei+1@example.org' }));
  t.equal(address.protocol, 'otpauth:');
  t.match(address.href, 'square.example:mei%2B1%40example.org');
  t.strictSame(Object.fromEntries(address.searchParams), {
    issuer: 'square.example',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

t.test('there are ten different recovery codes, accepted in every notation', async (t) => {
  const codes = newRecoveryCodes(randomBytes);
  t.equal(new Set(codes).size, 10);
  for (const code of codes) t.match(code, /^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
  const [code = ''] = codes;
  const hash = recoveryHash(code);
  t.equal(hash?.length, 32);
  for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `]) {
    t.strictSame(recoveryHash(typed), hash, typed);
  }
  for (const typed of ['', code.slice(1), `${code}a`, code.replace(/.$/, 'l'), '123456']) {
    t.equal(recoveryHash(typed), undefined, typed);
  }
});

t.test('six digits are accepted in every notation', async (t) => {
  for (const typed of ['123456', '123 456', ' 123-456\n', '１２３４５６', '12\u00a03456']) {
    t.equal(sixDigits(typed), '123456', JSON.stringify(typed));
  }
  for (const typed of ['', '12345', '1234567', '12345a', '-1e5.0', '١٢٣٤٥٦']) {
    t.equal(sixDigits(typed), undefined, typed);
  }
});
