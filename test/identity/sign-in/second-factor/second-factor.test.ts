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
} from '../../../../server/identity/sign-in/second-factor/codes.ts';
import { ask, exchange, newPerson, signUp, tokensIn } from '../../../support/identity.ts';
import { ACCOUNT, codeAt, codesOf, dataOf, withSecondFactor } from './support.ts';

t.test('own second factor', async (t) => {
  const service = await withSecondFactor(t);

  t.test('a user enables it with a code of the app, and disables it with another', async (t) => {
    const { app, clock, db, guarded } = service;
    const person = await newPerson(app);
    const own = (call: string, body?: unknown) => ask(app, call, { bearer: person.access, body });
    const before = await own(`GET ${ACCOUNT}`);
    t.equal(before.headers['cache-control'], 'no-store');
    t.strictSame(dataOf(before), {
      since: null,
      recovery_codes_left: 0,
      is_required: false,
      is_elsewhere: false,
      confirm: 'none',
    });

    const early = await own(`POST ${ACCOUNT}/confirm`, { code: '123456' });
    t.hasStrict(early, { status: 400, body: { code: 'CHALLENGE_INVALID' } }, 'nothing was started');
    const started = await own(`POST ${ACCOUNT}/begin`, {});
    const secret = String(dataOf(started).secret);
    t.match(dataOf(started).address, new RegExp(`^otpauth://totp/square\\.example:.*secret=${secret}`));
    const wrong = await own(`POST ${ACCOUNT}/confirm`, { code: codeAt(secret, clock.now - 60_000) });
    t.hasStrict(wrong, {
      status: 422,
      body: { code: 'SECOND_FACTOR_WRONG', message: 'The code is wrong or was used before.' },
    });
    t.equal(dataOf(await own(`GET ${ACCOUNT}`)).since, null, 'it is not on yet');
    const code = codeAt(secret, clock.now);
    const confirmed = await own(`POST ${ACCOUNT}/confirm`, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    t.equal(new Set(codesOf(confirmed)).size, 10);
    t.strictSame(dataOf(await own(`GET ${ACCOUNT}`)), {
      since: new Date(clock.now).toISOString(),
      recovery_codes_left: 10,
      is_required: false,
      is_elsewhere: false,
      confirm: 'none',
    });
    t.hasStrict(await own(`POST ${ACCOUNT}/begin`, {}), { status: 409, body: { code: 'CONFLICT' } });

    const replayed = await own(`POST ${ACCOUNT}/remove`, { code });
    t.equal(replayed.body.code, 'SECOND_FACTOR_WRONG', 'the code that turned it on does not turn it off');
    clock.now += 30_000;
    const removed = await own(`POST ${ACCOUNT}/remove`, { code: codeAt(secret, clock.now) });
    t.hasStrict(dataOf(removed), { since: null, recovery_codes_left: 0 });
    t.hasStrict(await own(`POST ${ACCOUNT}/remove`, { code }), { status: 404, body: { code: 'NOT_FOUND' } });
    t.equal((await db.selectFrom('recovery_code').selectAll().execute()).length, 0);

    const other = await guarded();
    const rows = await db.selectFrom('second_factor').selectAll().execute();
    t.notOk(JSON.stringify(rows).includes(other.secret), 'the secret is encrypted at rest');
    const moved = await db
      .updateTable('second_factor')
      .set({ user_id: person.userId })
      .where('user_id', '=', other.userId)
      .execute()
      .catch((error: unknown) => error);
    t.ok(moved instanceof Error, 'with its recovery codes it belongs to its account');
  });

  t.test('an unfinished setup expires, and only the last one is valid', async (t) => {
    const { app, clock } = service;
    const person = await newPerson(app);
    const own = (call: string, body?: unknown) => ask(app, call, { bearer: person.access, body });
    const first = String(dataOf(await own(`POST ${ACCOUNT}/begin`, {})).secret);
    const second = String(dataOf(await own(`POST ${ACCOUNT}/begin`, {})).secret);
    const confirm = (secret: string) => own(`POST ${ACCOUNT}/confirm`, { code: codeAt(secret, clock.now) });
    t.equal((await confirm(first)).body.code, 'SECOND_FACTOR_WRONG');
    clock.now += 10 * 60_000;
    t.equal((await confirm(second)).body.code, 'CHALLENGE_INVALID');
  });

  t.test('new recovery codes replace the old ones, and require a code', async (t) => {
    const { clock, guarded } = service;
    const person = await guarded();
    const [old = ''] = person.recoveryCodes;
    const renewed = await person.own('POST /recovery_codes', { code: person.app() });
    t.equal(codesOf(renewed).length, 10);
    t.notOk(codesOf(renewed).some((code) => person.recoveryCodes.includes(code)));
    t.equal((await person.own('POST /recovery_codes', { code: old })).body.code, 'SECOND_FACTOR_WRONG');
    clock.now += 30_000;
    const [fresh = ''] = codesOf(renewed);
    const again = await person.own('POST /recovery_codes', { code: fresh });
    t.equal(again.status, 200, 'a recovery code does, too');
    t.hasStrict(dataOf(await person.own('GET ')), { recovery_codes_left: 10 });
  });

  t.test('administrators cannot disable a required second factor', async (t) => {
    const { db, clock, guarded } = await withSecondFactor(t, 'administrators');
    const person = await guarded();
    await db.updateTable('account').set({ role: 2 }).where('user_id', '=', person.userId).execute();
    t.hasStrict(dataOf(await person.own('GET ')), { is_required: true });
    const refused = await person.own('POST /remove', { code: person.app() });
    t.hasStrict(refused, {
      status: 409,
      body: { code: 'SECOND_FACTOR_REQUIRED', message: 'Administrators must keep the second factor.' },
    });
    await db.updateTable('account').set({ role: 0 }).where('user_id', '=', person.userId).execute();
    clock.now += 30_000;
    t.equal((await person.own('POST /remove', { code: person.app() })).status, 200);
  });

  t.test('guesses at the account page are rate-limited like those at sign-in', async (t) => {
    const { clock, guarded } = service;
    const person = await guarded();
    for (let tried = 0; tried < 5; tried += 1) {
      t.equal((await person.own('POST /remove', { code: 'not a code' })).body.code, 'SECOND_FACTOR_WRONG');
    }
    const early = await person.own('POST /remove', { code: person.app() });
    t.hasStrict(early, { status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    t.equal(early.headers['retry-after'], '2');
    clock.now += 2000;
    t.equal((await person.own('POST /remove', { code: person.app() })).status, 200);
  });

  t.test('rejects requests without a session or with an invalid body', async (t) => {
    const { app, guarded } = service;
    const person = await guarded();
    for (const call of ['GET ', 'POST /begin', 'POST /confirm', 'POST /recovery_codes', 'POST /remove']) {
      const [method, path = ''] = call.split(' ');
      const answer = await ask(app, `${method} ${ACCOUNT}${path}`, { body: { code: '123456' } });
      t.hasStrict(answer, { status: 401, body: { code: 'UNAUTHENTICATED' } }, call);
    }
    for (const body of [{}, { code: '' }, { code: 123456 }, { code: 'a'.repeat(65) }]) {
      const answer = await person.own('POST /remove', body);
      t.hasStrict(
        answer,
        { status: 400, body: { code: 'VALIDATION_FAILED' } },
        JSON.stringify(body).slice(0, 20),
      );
    }
  });

  t.test('enabling it requires the password, unless the sign-in is at most five minutes old', async (t) => {
    const { app, clock, db } = service;
    const { email, password, code } = await signUp(app);
    const { access } = await exchange(app, code);
    const own = (call: string, body?: unknown) => ask(app, call, { bearer: access, body });
    const begin = (body: unknown = {}) => own(`POST ${ACCOUNT}/begin`, body);
    const confirm = async () => dataOf(await own(`GET ${ACCOUNT}`)).confirm;
    t.equal(await confirm(), 'none');
    clock.now += 5 * 60_000;
    t.equal((await begin()).status, 200);
    await db.deleteFrom('second_factor_setup').execute();
    clock.now += 1;
    t.equal(await confirm(), 'password');
    for (const body of [{}, { password: '' }]) {
      const refused = await begin(body);
      t.equal(refused.status, 403, JSON.stringify(body));
      t.strictSame(refused.body, {
        code: 'SIGN_IN_NOT_RECENT',
        message: 'Confirm this with your password, or sign in again.',
      });
    }
    const wrong = await begin({ password: 'wrong password' });
    t.hasStrict(wrong, { status: 422, body: { code: 'PASSWORD_WRONG', errors: [{ pointer: '/password' }] } });
    t.equal((await db.selectFrom('second_factor_setup').selectAll().execute()).length, 0);
    t.equal((await begin({ password })).status, 200);

    const minted = await own('GET /user/login/code');
    const answer = await ask(app, `GET /user/login/code/user?code=${dataOf(minted).code}`);
    const second = tokensIn(answer);
    const bySession = await ask(app, `POST ${ACCOUNT}/begin`, { bearer: second.access, body: {} });
    t.equal(bySession.body.code, 'SIGN_IN_NOT_RECENT', 'a session from a session is not a recent sign-in');

    for (let tried = 0; tried < 4; tried += 1) await begin({ password: 'wrong password' });
    t.hasStrict(await begin({ password }), { status: 200 }, 'a wrong one before was forgiven');
    for (let tried = 0; tried < 5; tried += 1) await begin({ password: 'wrong password' });
    const late = await begin({ password });
    t.hasStrict(late, { status: 429, headers: { 'retry-after': '2' } });
    t.ok(email);
  });

  t.test('sessions without a sign-in time are not recent', async (t) => {
    const { app, db } = service;
    const person = await newPerson(app);
    await db
      .updateTable('session')
      .set({ authenticated_at: null })
      .where('user_id', '=', person.userId)
      .execute();
    const refused = await ask(app, `POST ${ACCOUNT}/begin`, { bearer: person.access, body: {} });
    t.equal(refused.body.code, 'SIGN_IN_NOT_RECENT');
  });

  t.test('users without a password must sign in again', async (t) => {
    const { app, db, clock } = service;
    const person = await newPerson(app);
    await db
      .updateTable('account')
      .set({ password_hash: null })
      .where('user_id', '=', person.userId)
      .execute();
    clock.now += 6 * 60_000;
    const own = (call: string, body?: unknown) => ask(app, call, { bearer: person.access, body });
    t.equal(dataOf(await own(`GET ${ACCOUNT}`)).confirm, 'sign_in');
    for (const body of [{}, { password: 'violet-umbrella-tram' }]) {
      t.equal((await own(`POST ${ACCOUNT}/begin`, body)).body.code, 'SIGN_IN_NOT_RECENT');
    }
  });
});

t.test('TOTP', async (t) => {
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
});
