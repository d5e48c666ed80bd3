import t from 'tap';
import { LANGUAGES } from '../../../shared/languages.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  exchange,
  PUBLIC_URL,
  signUp,
  testIdentity,
} from '../../support/identity.ts';
import { linkIn, partsOf, startMailServer } from '../../support/mail-server.ts';

const ASK = 'POST /user/page/sign_up';
const FINISH = 'POST /user/page/sign_up/finish';
const PASSWORD = 'violet-umbrella-tram';
const MINUTE = 60_000;

const mails = await startMailServer(t);
const { app, db, clock, logged } = await testIdentity(t, {
  mail: { server: mails.server, from: 'square@example.org' },
});
let sent = 0;
const nextMail = () => {
  sent += 1;
  return mails.mail(sent);
};
const askFor = (email: string, more: Record<string, unknown> = {}) =>
  ask(app, ASK, { body: { email, language: 'en-US', redirect_uri: CALLBACK, ...more } });
const finish = (token: string, more: Record<string, unknown> = {}) =>
  ask(app, FINISH, { body: { token, nick_name: 'Ada', password: PASSWORD, ...more } });
const signIn = (account: string, password = PASSWORD) =>
  ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
const tokenOf = async () => new URL(linkIn(await nextMail())).hash.slice(1);
const accountOf = (email: string) =>
  db.selectFrom('account').selectAll().where('email_key', '=', email).executeTakeFirst();
t.afterEach(async () => {
  await db.deleteFrom('attempt').execute();
});

t.test('the response to a sign-up does not reveal whether an account exists', async (t) => {
  const answers = [await askFor(ADMIN.email), await askFor('new@example.org')];
  for (const answer of answers) {
    t.equal(answer.status, 200);
    t.strictSame(answer.body, { code: 0, message: 'ok', data: { continue_to: null } });
  }
  t.strictSame(Object.keys(answers[0]?.headers ?? {}), Object.keys(answers[1]?.headers ?? {}));
  const both = [await nextMail(), await nextMail()].sort((a, b) =>
    (a.to[0] ?? '').localeCompare(b.to[0] ?? ''),
  );
  t.strictSame(
    both.map(({ to }) => to),
    [['new@example.org'], [ADMIN.email]],
  );
  const [fresh, owner] = both.map((mail) => partsOf(mail).text);
  t.match(fresh, `${PUBLIC_URL}/user/login/sign-up#`);
  t.match(owner, 'you already have an account');
  t.notMatch(owner, '/user/login/sign-up');
  t.notOk(await accountOf('new@example.org'), 'no account is created before the link is used');
});

t.test('the link creates the account of the user who opens it', async (t) => {
  const { body } = await ask(app, 'GET /user/page/options');
  t.hasStrict(body.data, { sign_up: true, sign_up_by_mail: true });
  await askFor('Ada@Example.org', {
    channel: 'partner',
    nick_name: 'Mallory',
    password: 'known to Mallory',
  });
  const token = await tokenOf();
  const weak = await finish(token, { password: 'password123' });
  t.hasStrict(weak, { status: 422, body: { errors: [{ pointer: '/password', code: 'PASSWORD_COMMON' }] } });
  const nameless = await finish(token, { nick_name: ' ' });
  t.hasStrict(nameless, { status: 400, body: { errors: [{ pointer: '/nick_name' }] } });
  t.strictSame((await finish(token)).body.data, {});
  t.match(await accountOf('ada@example.org'), {
    email: 'Ada@Example.org',
    nick_name: 'Ada',
    channel: 'partner',
    role: 0,
    email_verified_at: new Date(clock.now),
  });
  t.equal((await finish(token)).body.code, 'MAIL_LINK_INVALID', 'once');
  t.equal((await signIn('ada@example.org', 'known to Mallory')).status, 401);
  const { access } = await exchange(app, codeIn(await signIn('ada@example.org')));
  t.equal((await ask(app, 'GET /user/userinfo', { bearer: access })).status, 200);
  t.notMatch(logged(), token);
});

t.test('the first used link of several wins; links expire after a day', async (t) => {
  await askFor('race@example.org');
  await askFor('race@example.org');
  const tokens = [await tokenOf(), await tokenOf()];
  const answers = await Promise.all([...tokens, ...tokens].map((token) => finish(token)));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  await askFor('late@example.org');
  const late = await tokenOf();
  clock.now += 24 * 60 * MINUTE;
  t.equal((await finish(late)).body.code, 'MAIL_LINK_INVALID');
  for (const token of ['', 'x'.repeat(129)]) t.equal((await finish(token)).body.code, 'VALIDATION_FAILED');
  t.equal((await finish('nobodys')).body.code, 'MAIL_LINK_INVALID');
});

t.test('an unverified address does not prevent its owner from signing up', async (t) => {
  const squatter = await signUp(app, { email: 'squatted@example.org' });
  const { userId } = await exchange(app, squatter.code);
  await askFor('squatted@example.org');
  const mail = await nextMail();
  t.match(partsOf(mail).text, 'There’s already an account that signs in with this address');
  t.equal((await finish(new URL(linkIn(mail)).hash.slice(1))).status, 200);
  const owner = await accountOf('squatted@example.org');
  t.not(owner?.user_id, userId);
  t.equal((await signIn('squatted@example.org', squatter.password)).status, 401);
  t.equal((await signIn('squatted@example.org')).status, 200);
});

t.test('mails to one mailbox are limited, and the responses do not reveal it', async (t) => {
  for (let asked = 0; asked < 5; asked += 1) {
    t.equal((await askFor('flood@example.org')).status, 200);
    if (asked < 3) t.strictSame((await nextMail()).to, ['flood@example.org']);
  }
  await askFor('after@example.org');
  t.strictSame((await nextMail()).to, ['after@example.org']);
});

t.test('disabled accounts get no mail', async (t) => {
  await db
    .updateTable('account')
    .set({ disabled_at: new Date() })
    .where('email_key', '=', 'ada@example.org')
    .execute();
  t.equal((await askFor('ada@example.org')).status, 200);
  await askFor('other@example.org');
  t.strictSame((await nextMail()).to, ['other@example.org']);
});

t.test('mails exist in each language and contain no user input', async (t) => {
  const subjects = new Set<string>();
  for (const language of LANGUAGES) {
    await db.deleteFrom('attempt').execute();
    for (const email of [ADMIN.email, 'words@example.org']) {
      await askFor(email, { language, nick_name: '<b>Win</b> https://evil.example', channel: 'evil' });
      const { headers, text, html } = partsOf(await nextMail());
      t.match(html, `<html lang="${language}">`);
      t.notMatch(text + html, /evil|Win|\{|\}\s*</);
      subjects.add(/^Subject: (.*)$/m.exec(headers)?.[1] ?? '');
    }
  }
  t.equal(subjects.size, LANGUAGES.length * 2);
});

t.test('without mails the address must be free, and name and password are required', async (t) => {
  const bare = await testIdentity(t);
  const { body } = await ask(bare.app, 'GET /user/page/options');
  t.hasStrict(body.data, { sign_up: true, sign_up_by_mail: false });
  const typed = { email: ADMIN.email, nick_name: 'A', password: PASSWORD, redirect_uri: CALLBACK };
  t.equal((await ask(bare.app, ASK, { body: typed })).body.code, 'ACCOUNT_EXISTS');
  for (const name of ['nick_name', 'password']) {
    const missing = await ask(bare.app, ASK, {
      body: { ...typed, email: 'b@example.org', [name]: undefined },
    });
    t.hasStrict(missing, { status: 400, body: { errors: [{ pointer: `/${name}` }] } });
  }
});
