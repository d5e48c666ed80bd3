import t from 'tap';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  exchange,
  PUBLIC_URL,
  renewTokens,
} from '../../../support/identity.ts';
import { challengeOf, codeAt, codesOf, dataOf, withSecondFactor } from './support.ts';

const WRONG = { status: 422, body: { code: 'SECOND_FACTOR_WRONG' } };
const ENDED = { status: 400, body: { code: 'CHALLENGE_INVALID' } };

const service = await withSecondFactor(t);
/** The tests sign up and in more often than the rate limit of one address allows. */
t.afterEach(async () => {
  await service.db.deleteFrom('attempt').execute();
});

t.test('after the password the code is required, and only then the redirect', async (t) => {
  const { app, passwordOf, pass, guarded } = service;
  const person = await guarded();
  const first = await passwordOf(person.email, person.password);
  t.equal(first.status, 200);
  const { token } = challengeOf(first);
  t.strictSame(dataOf(first), { continue_to: null, challenge: { token, kind: 'code', set_up: null } });
  t.match(token, /^[\w-]{43}$/);

  t.match(await pass(token, '000000'), WRONG);
  const answer = await pass(token, person.app());
  t.strictSame(codesOf(answer), []);
  const session = await exchange(app, codeIn(answer));
  t.equal(session.userId, person.userId);
  t.match(await pass(token, person.app()), ENDED, 'the challenge is used up');
});

t.test('a code is valid once: replayed, older and concurrent ones are rejected', async (t) => {
  const { clock, pass, guarded } = service;
  const person = await guarded();
  const [first, second, third] = [
    await person.challenge(),
    await person.challenge(),
    await person.challenge(),
  ];
  const old = person.app();
  clock.now += 30_000;
  const answers = await Promise.all([first, second].map((token) => pass(token, person.app())));
  t.strictSame(answers.map(({ status }) => status).toSorted(), [200, 422], 'one of two wins');
  t.match(await pass(third, person.app()), WRONG, 'replayed');
  t.match(await pass(third, old), WRONG, 'of the step before, and not used');
  clock.now += 30_000;
  t.equal((await pass(third, person.app())).status, 200);
});

t.test('accepts a clock skew of half a minute, but not of a minute', async (t) => {
  const { clock, pass, guarded } = service;
  const person = await guarded();
  clock.now += 60_000;
  const codeFrom = (distance: number) => codeAt(person.secret, clock.now + distance);
  t.match(await pass(await person.challenge(), codeFrom(-60_000)), WRONG);
  t.match(await pass(await person.challenge(), codeFrom(60_000)), WRONG);
  t.equal((await pass(await person.challenge(), codeFrom(-30_000))).status, 200);
  t.equal((await pass(await person.challenge(), codeFrom(30_000))).status, 200);
});

t.test('a recovery code replaces the app, once', async (t) => {
  const { app, pass, guarded } = service;
  const person = await guarded();
  const [code = '', other = ''] = person.recoveryCodes;
  const [first, second] = [await person.challenge(), await person.challenge()];
  const answers = await Promise.all([first, second].map((token) => pass(token, code)));
  t.strictSame(answers.map(({ status }) => status).toSorted(), [200, 422], 'one of two wins');
  t.match(await pass(await person.challenge(), code), WRONG);
  t.hasStrict(dataOf(await person.own('GET ')), { recovery_codes_left: 9 });
  const typed = ` ${other.toUpperCase().replaceAll('-', ' ')}`;
  const answer = await pass(await person.challenge(), typed);
  t.equal((await exchange(app, codeIn(answer))).userId, person.userId);
});

t.test('after five wrong codes the sign-in starts again, with a delay', async (t) => {
  const { clock, pass, guarded } = service;
  const person = await guarded();
  const token = await person.challenge();
  for (let tried = 0; tried < 4; tried += 1) t.match(await pass(token, '000000'), WRONG);
  t.hasStrict(await pass(token, 'nonsense'), {
    status: 403,
    body: { code: 'CHALLENGE_SPENT', message: 'Too many wrong codes. Sign in again.' },
  });
  t.match(await pass(token, person.app()), ENDED, 'the right one comes too late');
  const next = await person.challenge();
  const early = await pass(next, person.app());
  t.hasStrict(
    early,
    { status: 429, body: { code: 'TOO_MANY_REQUESTS' } },
    'a new sign-in allows no new attempts',
  );
  t.equal(early.headers['retry-after'], '2');
  clock.now += 2000;
  t.equal((await pass(next, person.app())).status, 200);
});

t.test('parallel guesses do not bypass the limit', async (t) => {
  const { pass, guarded } = service;
  const person = await guarded();
  const tokens = [await person.challenge(), await person.challenge(), await person.challenge()];
  const guesses = tokens.flatMap((token) => Array.from({ length: 4 }, () => pass(token, '000000')));
  const answers = await Promise.all(guesses);
  t.equal(answers.filter(({ status }) => status === 422).length, 5);
  t.equal(answers.filter(({ status }) => status === 429).length, 7);
});

t.test('a challenge returns to its own address only, for ten minutes', async (t) => {
  const { clock, passwordOf, pass, guarded } = service;
  const person = await guarded();
  const token = await person.challenge();
  for (const elsewhere of [`${PUBLIC_URL}/api/auth/callback?nonce=another`, 'https://evil.example/', 'x']) {
    t.match(await pass(token, person.app(), elsewhere), ENDED, elsewhere);
  }
  t.match(await pass('x'.repeat(43), person.app()), ENDED, 'an unknown challenge');
  t.match(await pass(person.code, person.app()), ENDED, 'another secret of ours');
  const silent = challengeOf(await passwordOf(person.email, person.password, { response_type: 'none' }));
  const answer = await pass(silent.token, person.app());
  t.equal(dataOf(answer).continue_to, CALLBACK, 'response_type none returns no code');
  clock.now += 10 * 60_000;
  t.match(await pass(token, person.app()), ENDED, 'it has run out');
});

t.test('disabled or signed-out users cannot complete the sign-in', async (t) => {
  const { db, clock, pass, guarded } = service;
  const [signedOut, disabled] = [await guarded(), await guarded()];
  const tokens = [await signedOut.challenge(), await disabled.challenge()];
  const at = new Date(clock.now);
  await db
    .updateTable('account')
    .set({ signed_out_at: at })
    .where('user_id', '=', signedOut.userId)
    .execute();
  await db.updateTable('account').set({ disabled_at: at }).where('user_id', '=', disabled.userId).execute();
  t.match(await pass(tokens[0] ?? '', signedOut.app()), ENDED);
  t.hasStrict(await pass(tokens[1] ?? '', disabled.app()), {
    status: 403,
    body: { code: 'ACCOUNT_DISABLED' },
  });
});

t.test('administrators set up a required second factor during sign-in', async (t) => {
  const { app, clock, passwordOf, pass, finish, guarded } = await withSecondFactor(t, 'administrators');
  const response = await passwordOf(ADMIN.email, ADMIN.password);
  const { token, kind, secret } = challengeOf(response);
  t.equal(kind, 'enrol');
  t.equal(dataOf(response).continue_to, null);
  t.match(secret, /^[A-Z2-7]{32}$/);
  const rival = challengeOf(await passwordOf(ADMIN.email, ADMIN.password));
  t.not(rival.secret, secret);

  t.match(await finish(token), ENDED, 'not before it is set up');
  t.match(await pass(token, codeAt(rival.secret, clock.now)), WRONG, 'of another sign-in');
  const answer = await pass(token, codeAt(secret, clock.now));
  t.equal(dataOf(answer).continue_to, null, 'the codes must be saved first');
  t.equal(codesOf(answer).length, 10);
  t.match(await pass(token, codeAt(secret, clock.now)), ENDED);
  t.match(await pass(rival.token, codeAt(rival.secret, clock.now)), ENDED, 'one of two sets it up');
  t.match(await finish(token, `${CALLBACK}x`), ENDED);
  clock.now += 9 * 60_000;
  const done = await finish(token);
  const session = await exchange(app, codeIn(done));
  t.match(await finish(token), ENDED, 'once');

  const state = await ask(app, 'GET /user/account/second_factor', { bearer: session.access });
  t.hasStrict(dataOf(state), { recovery_codes_left: 10, is_required: true, is_elsewhere: false });
  t.equal(
    challengeOf(await passwordOf(ADMIN.email, ADMIN.password)).kind,
    'code',
    'from now on it is required',
  );
  const member = await guarded();
  t.equal((await member.own('GET ')).status, 200, 'members choose themselves');
});

t.test('a super administrator removes it for a user who has lost it', async (t) => {
  const { app, passwordOf, pass, guarded } = service;
  const person = await guarded();
  const waiting = await person.challenge();
  const root = await exchange(app, codeIn(await passwordOf(ADMIN.email, ADMIN.password)));
  const remove = (bearer: string) =>
    ask(app, 'POST /user/member/second_factor/remove', {
      bearer,
      body: { user_id: person.userId, password: ADMIN.password },
    });
  t.hasStrict(await remove(person.access), { status: 403, body: { code: 'FORBIDDEN' } });
  const answer = await remove(root.access);
  t.hasStrict(answer, { status: 200, body: { data: { has_second_factor: false, session_count: 0 } } });
  t.equal((await renewTokens(app, person.refresh)).status, 401);
  t.match(await pass(waiting, person.app()), ENDED);
  const signedIn = await passwordOf(person.email, person.password);
  t.match(codeIn(signedIn), /^[\w-]{43}$/, 'the password is enough again');
  const auditLog = await ask(app, 'GET /user/member/change/list', { bearer: root.access });
  t.hasStrict(auditLog.body.data.entry_list, [
    { action: 'member.second_factor', target_id: `${person.userId}` },
  ]);
});

t.test('no secret is returned twice or logged', async (t) => {
  const { logged, passwordOf, pass, guarded } = service;
  const person = await guarded();
  const token = await person.challenge();
  const [recovery = ''] = person.recoveryCodes;
  const answers = [
    await person.own('GET '),
    await person.own('POST /begin', {}),
    await person.own('POST /confirm', { code: person.app() }),
    await passwordOf(person.email, person.password),
    await pass(token, '000000'),
    await pass(token, recovery),
  ];
  for (const { body } of answers) t.notOk(JSON.stringify(body).includes(person.secret));
  t.match(logged(), '"msg":"second factor enabled"');
  t.match(logged(), `"user_id":${person.userId},"msg":"wrong second-factor code"`);
  t.match(logged(), `"user_id":${person.userId},"msg":"recovery code used"`);
  for (const secret of [person.secret, token, recovery, recovery.replaceAll('-', ''), person.app()]) {
    t.notOk(logged().includes(secret), secret.slice(0, 8));
  }
});
