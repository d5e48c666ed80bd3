import t from 'tap';
import { ADMIN, ask, EXCHANGE } from '../../support/identity.ts';
import { linkIn, startMailServer } from '../../support/mail-server.ts';
import { ACCOUNT, challengeOf, dataOf, withSecondFactor } from '../second-factor/support.ts';

const NEW = 'seven-quiet-lanterns';
const FINISH = 'POST /user/page/password';
const REMOVE = 'POST /user/page/password/second_factor';
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const mails = await startMailServer(t);
const service = await withSecondFactor(t, 'optional', { server: mails.server, from: 'square@example.org' });
const { app, db, clock, guarded, passwordOf, pass } = service;
let sent = 0;

/** Sets a new password with a mailed link. @returns the data of the response */
async function reset(account: string, password = NEW) {
  await db.deleteFrom('attempt').execute();
  await ask(app, 'POST /user/page/password_reset', { body: { account, language: 'en-US' } });
  sent += 1;
  const token = new URL(linkIn(await mails.mail(sent))).hash.slice(1);
  clock.now += 1000;
  const answer = await ask(app, FINISH, { body: { token, password } });
  t.equal(answer.status, 200);
  return dataOf(answer);
}

const tokenIn = (result: Record<string, unknown>): string =>
  String(Object.entries(result.second_factor ?? {}).find(([name]) => name === 'token')?.[1]);
const remove = (token: string, code: string) => ask(app, REMOVE, { body: { token, code } });

t.test('a reset returns the ended sessions, and the remaining second factor', async (t) => {
  const person = await guarded();
  const since = new Date(clock.now - 30_000).toISOString();
  const passed = await pass(await person.challenge(), person.app());
  const code = new URL(String(passed.body.data.continue_to)).searchParams.get('code') ?? '';
  await ask(app, EXCHANGE + code, { headers: { 'user-agent': AGENT } });
  const result = await reset(person.email);
  t.match(result.second_factor, { since, recovery_codes_left: 10, is_required: false, token: String });
  const sessions = Array.isArray(result.ended_sessions) ? result.ended_sessions : [];
  t.hasStrict(sessions.map(({ browser, system, login_method }) => [browser, system, login_method]).sort(), [
    ['', '', 'local'],
    ['Chrome', 'Windows', 'local'],
  ]);
  t.notMatch(JSON.stringify(result), person.secret);
  t.equal(
    (await ask(app, 'GET /user/userinfo', { bearer: person.access })).status,
    401,
    'the session has ended',
  );
  const signedIn = await passwordOf(person.email, NEW);
  t.equal(challengeOf(signedIn).kind, 'code', 'the mailbox alone does not pass the second factor');
});

t.test('mailbox and recovery code disable the second factor, the mailbox alone does not', async (t) => {
  const person = await guarded();
  const token = tokenIn(await reset(person.email));
  for (const wrong of ['000000', 'aaaa-aaaa-aaaa-aaaa', '']) {
    const refused = await remove(token, wrong);
    t.equal(refused.body.code, wrong === '' ? 'VALIDATION_FAILED' : 'SECOND_FACTOR_WRONG', wrong);
  }
  const [code = ''] = person.recoveryCodes;
  for (const forged of ['', 'x', token.slice(1), `${token}x`]) {
    const refused = await remove(forged, code);
    t.equal(refused.body.code, forged === '' ? 'VALIDATION_FAILED' : 'PASSWORD_LINK_INVALID', forged);
  }
  t.strictSame(await remove(token, code).then(({ status, body }) => [status, body.data]), [200, {}]);
  t.equal((await remove(token, code)).status, 404, 'there is none any more');
  const { body } = await passwordOf(person.email, NEW);
  t.type(body.data.continue_to, 'string', 'the password is enough now');
});

t.test('a code of the app disables it as well, but not after ten minutes', async (t) => {
  const person = await guarded();
  const token = tokenIn(await reset(person.email));
  clock.now += 10 * 60_000;
  t.equal((await remove(token, person.app())).body.code, 'PASSWORD_LINK_INVALID');
  const again = tokenIn(await reset(person.email, 'eight-quiet-lanterns'));
  t.equal((await remove(again, person.app())).status, 200);
});

t.test('guesses of the code count like those at sign-in', async (t) => {
  const person = await guarded();
  const token = tokenIn(await reset(person.email));
  for (let tried = 0; tried < 5; tried += 1) t.equal((await remove(token, '000000')).status, 422);
  const refused = await remove(token, person.recoveryCodes[0] ?? '');
  t.hasStrict(refused, { status: 429, headers: { 'retry-after': '2' } });
});

t.test('without a second factor the response has none, and a required one cannot be disabled', async (t) => {
  t.equal((await reset(ADMIN.email)).second_factor, null);
  const strict = await withSecondFactor(t, 'administrators', { server: mails.server, from: 's@example.org' });
  const person = await strict.guarded();
  await strict.db.updateTable('account').set({ role: 2 }).where('user_id', '=', person.userId).execute();
  await ask(strict.app, 'POST /user/page/password_reset', {
    body: { account: person.email, language: 'en-US' },
  });
  sent += 1;
  const token = new URL(linkIn(await mails.mail(sent))).hash.slice(1);
  const result = dataOf(await ask(strict.app, FINISH, { body: { token, password: NEW } }));
  t.hasStrict(result.second_factor, { is_required: true });
  const refused = await ask(strict.app, REMOVE, {
    body: { token: tokenIn(result), code: person.recoveryCodes[0] },
  });
  t.equal(refused.body.code, 'SECOND_FACTOR_REQUIRED');
});

t.test('a stolen session cannot set up a second factor', async (t) => {
  const person = await guarded();
  await ask(app, `POST ${ACCOUNT}/remove`, { bearer: person.access, body: { code: person.app() } });
  clock.now += 6 * 60_000;
  const started = await ask(app, `POST ${ACCOUNT}/begin`, { bearer: person.access, body: {} });
  t.equal(started.body.code, 'SIGN_IN_NOT_RECENT');
});
