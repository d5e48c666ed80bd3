import t from 'tap';
import {
  ADMIN,
  ask,
  CALLBACK,
  exchange,
  ownAddress,
  PUBLIC_URL,
  SOME_MAIL,
  signUp,
  type TestIdentity,
  testIdentity,
} from '../../support/identity.ts';
import { linkIn, startMailServer } from '../../support/mail-server.ts';
import { openPortal } from '../../support/portal.ts';

const LINK = 'POST /user/account/email/link';
const VERIFY = 'POST /user/account/email/verify';
const HOUR = 60 * 60 * 1000;

const portal = await openPortal();
const methods = [{ method: 'local' } as const, portal.settings];
const mails = await startMailServer(t);
const MAIL = { server: mails.server, from: 'square@example.org' };
let sent = 0;
const nextMail = () => {
  sent += 1;
  return mails.mail(sent);
};

const codeOf = (to: URL) => to.searchParams.get('code') ?? '';
const arrival = async (identity: TestIdentity, sub: string, email: string) =>
  exchange(identity.app, codeOf(await portal.handOver(identity, { sub, email })));
const emailsOf = ({ db }: TestIdentity, key: string) =>
  db
    .selectFrom('account')
    .select(['user_id', 'email_verified_at'])
    .where('email_key', '=', key)
    .orderBy('user_id')
    .execute();

t.test('an unverified address does not capture the first sign-in of another user', async (t) => {
  for (const mail of [undefined, SOME_MAIL]) {
    const identity = await testIdentity(t, { methods, ...(mail && { mail }) });
    const squatter = await signUp(identity.app, { email: 'ada@corp.example' });
    const { userId } = await exchange(identity.app, squatter.code);
    const to = await portal.handOver(identity, { sub: 'ada', email: 'Ada@corp.example' });
    t.equal(to.searchParams.get('bind'), null, 'no password of another account is required');
    const ada = await exchange(identity.app, codeOf(to));
    t.not(ada.userId, userId);
    const { body } = await ask(identity.app, 'GET /user/userinfo', { bearer: ada.access });
    t.hasStrict(body.data, { email: 'Ada@corp.example', nick_name: 'Ada' });
    t.equal((await arrival(identity, 'ada', 'ada@corp.example')).userId, ada.userId);
    const signIn = await ask(identity.app, 'POST /user/page/sign_in', {
      body: { account: 'ada@corp.example', password: squatter.password, redirect_uri: CALLBACK },
    });
    t.equal(signIn.status, 200, 'the user who signed up still signs in with this address');
  }
});

t.test('only owners of a verified address are asked to link, and nobody without a mail server', async (t) => {
  for (const mail of [undefined, SOME_MAIL]) {
    const identity = await testIdentity(t, { methods, ...(mail && { mail }) });
    const { email } = await signUp(identity.app);
    await ownAddress(identity.db, email);
    for (const [sub, address] of [
      ['one', email],
      ['two', ADMIN.email],
    ] as const) {
      const to = await portal.handOver(identity, { sub, email: address });
      t.equal(
        to.searchParams.has('bind'),
        mail !== undefined,
        `${address} ${mail ? 'with' : 'without'} mails`,
      );
    }
  }
});

t.test('two directories may have the same address; neither counts as verified', async (t) => {
  const identity = await testIdentity(t, { methods, mail: SOME_MAIL });
  const one = await arrival(identity, 'one', 'ada@corp.example');
  const two = await arrival(identity, 'two', 'ada@corp.example');
  t.not(one.userId, two.userId);
  t.strictSame(
    (await emailsOf(identity, 'ada@corp.example')).map((row) => row.email_verified_at),
    [null, null],
  );
});

t.test('a signed-in user verifies the address with a mailed link, and other accounts lose it', async (t) => {
  const identity = await testIdentity(t, { methods, mail: MAIL });
  const { app, db, clock } = identity;
  const squatter = await signUp(app, { email: 'ada@corp.example' });
  const held = await exchange(app, squatter.code);
  const ada = await arrival(identity, 'ada', 'ada@corp.example');
  const state = await ask(app, 'GET /user/account/email', { bearer: ada.access });
  t.hasStrict(state.body.data, { email: 'ada@corp.example', verified_at: null, can_verify: true });

  t.strictSame((await ask(app, LINK, { bearer: ada.access, body: { language: 'en-US' } })).body.data, {});
  const mail = await nextMail();
  t.strictSame(mail.to, ['ada@corp.example']);
  const link = linkIn(mail);
  t.equal(link.split('#')[0], `${PUBLIC_URL}/user/login/verify`);
  const token = new URL(link).hash.slice(1);
  const verify = (bearer: string, given = token) => ask(app, VERIFY, { bearer, body: { token: given } });
  t.equal((await verify(held.access)).body.code, 'MAIL_LINK_INVALID', 'it is of use to nobody else');
  t.equal((await verify(ada.access, 'x')).body.code, 'MAIL_LINK_INVALID');
  const verified = await verify(ada.access);
  t.match(verified.body.data, {
    email: 'ada@corp.example',
    verified_at: new Date(clock.now).toISOString(),
    can_verify: true,
  });
  t.equal((await verify(ada.access)).body.code, 'MAIL_LINK_INVALID', 'once');
  const again = await ask(app, LINK, { bearer: ada.access, body: { language: 'en-US' } });
  t.hasStrict(again, { status: 409, body: { code: 'CONFLICT' } });
  t.hasStrict(await emailsOf(identity, 'ada@corp.example'), [{ user_id: ada.userId }]);
  const released = await db
    .selectFrom('account')
    .select(['email', 'email_key', 'user_name'])
    .where('user_id', '=', held.userId)
    .executeTakeFirstOrThrow();
  t.hasStrict(released, { email: '', email_key: null });
  const byName = { account: released.user_name, password: squatter.password, redirect_uri: CALLBACK };
  t.equal(
    (await ask(app, 'POST /user/page/sign_in', { body: byName })).status,
    200,
    'the other account keeps its user name',
  );
  const byAddress = { ...byName, account: 'ada@corp.example' };
  t.equal((await ask(app, 'POST /user/page/sign_in', { body: byAddress })).status, 401);
  t.notMatch(identity.logged(), token);
});

t.test(
  'a link expires, is rate-limited, and is invalid after another account has verified the address',
  async (t) => {
    const identity = await testIdentity(t, { methods, mail: MAIL });
    const { app, clock } = identity;
    const [one, two] = [
      await arrival(identity, 'one', 'ada@corp.example'),
      await arrival(identity, 'two', 'ada@corp.example'),
    ];
    const askLink = (bearer: string) => ask(app, LINK, { bearer, body: { language: 'ru-RU' } });
    const tokens: string[] = [];
    for (const { access } of [one, two, one]) {
      t.equal((await askLink(access)).status, 200);
      tokens.push(new URL(linkIn(await nextMail())).hash.slice(1));
    }
    t.hasStrict(await askLink(two.access), { status: 429, headers: { 'retry-after': '60' } }, 'one mailbox');
    const verify = (bearer: string, token = '') => ask(app, VERIFY, { bearer, body: { token } });
    clock.now += 10 * 60_000;
    t.equal((await verify(one.access, tokens[0])).status, 200);
    t.equal((await verify(two.access, tokens[1])).body.code, 'MAIL_LINK_INVALID');
    t.equal((await askLink(two.access)).status, 404, 'it has no address any more');
    const late = await arrival(identity, 'late', 'late@corp.example');
    await askLink(late.access);
    const token = new URL(linkIn(await nextMail())).hash.slice(1);
    clock.now += 24 * HOUR;
    const { access } = await arrival(identity, 'late', 'late@corp.example');
    t.equal((await verify(access, token)).body.code, 'MAIL_LINK_INVALID');
  },
);

t.test('without a mail server there is no link', async (t) => {
  const identity = await testIdentity(t, { methods });
  const { access } = await arrival(identity, 'ada', 'ada@corp.example');
  const state = await ask(identity.app, 'GET /user/account/email', { bearer: access });
  t.hasStrict(state.body.data, { verified_at: null, can_verify: false });
  const response = await ask(identity.app, LINK, { bearer: access, body: { language: 'en-US' } });
  t.equal(response.status, 404);
  for (const call of [LINK, VERIFY, 'GET /user/account/email']) {
    const anonymous = await ask(identity.app, call, call.startsWith('GET') ? {} : { body: {} });
    t.equal(anonymous.status, 401, call);
  }
});

t.test('the address of the first administrator counts as verified', async (t) => {
  const { db } = await testIdentity(t);
  const [admin] = await db.selectFrom('account').selectAll().execute();
  t.ok(admin?.email_verified_at);
});
