import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { deleteExpiredRows } from '../../../../server/identity/clean-up.ts';
import { sendAccountMail, sendDueAccountMail } from '../../../../server/identity/mail/account-mails.ts';
import { createMailer, type MailServer } from '../../../../server/identity/mail/mailer.ts';
import { mailTexts } from '../../../../server/identity/mail/mails.ts';
import { GIVEN_UP_AFTER, sendDueMail, startSending } from '../../../../server/identity/mail/queue.ts';
import { insertNoticeMails } from '../../../../server/identity/mail/store.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
import { selfSigned } from '../../../support/certificate.ts';
import { startHostileMailServer } from '../../../support/hostile-mail-server.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  EXCHANGE,
  exchange,
  newPerson,
  PUBLIC_URL,
  renewTokens,
  signUp,
  type TestIdentity,
  testIdentity,
} from '../../../support/identity.ts';
import { silentLog } from '../../../support/log.ts';
import { linkIn, startMailServer } from '../../../support/mail-server.ts';
import { startStub } from '../../../support/stub-upstream.ts';
import { until } from '../../../support/until.ts';
import { packOf } from '../../../web/support/texts.ts';

t.test('change', async (t) => {
  const CHANGE = 'PUT /user/account/password';
  const LOGOUT = 'POST /api/auth/backchannel-logout';
  const NEW = 'seven-quiet-lanterns';

  const gateway = await startStub(t);
  gateway.on(LOGOUT, () => ({}));
  const { app, db, clock, logged } = await testIdentity(t, { gatewayUrl: gateway.url });

  const change = (bearer: string, current_password: string, password = NEW) =>
    ask(app, CHANGE, { bearer, body: { current_password, password } });
  const signIn = (account: string, password: string) =>
    ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
  const isAlive = async (refresh: string) => (await renewTokens(app, refresh)).status === 200;
  t.afterEach(async () => {
    await db.deleteFrom('attempt').execute();
  });

  t.test('a new password ends the other sessions and keeps this one', async (t) => {
    const { email, password, code } = await signUp(app);
    const here = await exchange(app, code);
    const there = await exchange(app, codeIn(await signIn(email, password)));
    const elsewhere = await exchange(app, codeIn(await signIn(email, password)));
    const stranger = await exchange(app, (await signUp(app)).code);
    const waiting = codeIn(await signIn(email, password));
    t.strictSame((await ask(app, 'GET /user/account/password', { bearer: here.access })).body.data, {
      has_password: true,
      password_min: 10,
    });

    const logoutsBefore = gateway.seen(LOGOUT).length;
    clock.now += 1000;
    t.strictSame((await change(here.access, password)).body, { code: 0, message: 'ok', data: {} });
    t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 2, 'one logout token for each session that ended');
    t.ok(await isAlive(here.refresh));
    t.notOk(await isAlive(there.refresh));
    t.notOk(await isAlive(elsewhere.refresh));
    t.ok(await isAlive(stranger.refresh));
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: here.access })).status, 200);
    t.equal((await ask(app, `${EXCHANGE}${waiting}`)).status, 400);
    t.equal((await signIn(email, password)).status, 401);
    t.equal((await signIn(email, NEW)).status, 200);
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('password changed'));
    t.equal(lines.length, 1);
    t.match(lines[0], `"user_id":${here.userId}`);
  });

  t.test(
    'a wrong current password keeps the session, and is rate-limited like a failed sign-in',
    async (t) => {
      const { email, password, code } = await signUp(app);
      const { access, refresh } = await exchange(app, code);
      for (let tries = 0; tries < 5; tries += 1) {
        const { status, body } = await change(access, 'wrong password');
        t.equal(status, 422);
        t.hasStrict(body, { code: 'PASSWORD_WRONG', errors: [{ pointer: '/current_password' }] });
      }
      const { status, headers } = await change(access, password);
      t.equal(status, 429);
      t.match(headers['retry-after'], /^\d+$/);
      t.equal((await signIn(email, password)).status, 429, 'at sign-in too');
      clock.now += 60_000;
      t.equal((await change(access, password)).status, 200);
      t.equal((await signIn(email, NEW)).status, 200, 'and the right one ends it');
      t.ok(await isAlive(refresh));
    },
  );

  t.test('weak passwords are rejected, and nothing changes', async (t) => {
    const { email, password, code } = await signUp(app);
    const { access } = await exchange(app, code);
    const { status, body } = await change(access, password, 'password123');
    t.equal(status, 422);
    t.hasStrict(body.errors, [{ pointer: '/password', code: 'PASSWORD_COMMON' }]);
    t.equal((await signIn(email, password)).status, 200);
  });

  t.test('one of two concurrent changes succeeds', async (t) => {
    const { email, password, code } = await signUp(app);
    const { access } = await exchange(app, code);
    const passwords = ['seven-quiet-lanterns', 'eight-quiet-lanterns'];
    const answers = await Promise.all(passwords.map((wanted) => change(access, password, wanted)));
    const refused = answers.filter(({ status }) => status !== 200);
    t.equal(refused.length, 1);
    // The slower one may already see the new password, so that its current password is wrong.
    t.match(`${refused[0]?.status} ${refused[0]?.body.code}`, /^(409 CONFLICT|422 PASSWORD_WRONG)$/);
    for (const [n, wanted] of passwords.entries())
      t.equal((await signIn(email, wanted)).status, answers[n]?.status === 200 ? 200 : 401);
  });

  t.test('users without a password get an error', async (t) => {
    const { email, password, code } = await signUp(app);
    const { access } = await exchange(app, code);
    await db.updateTable('account').set({ password_hash: null }).where('email', '=', email).execute();
    t.hasStrict((await ask(app, 'GET /user/account/password', { bearer: access })).body.data, {
      has_password: false,
    });
    const { status, body } = await change(access, password);
    t.equal(status, 409);
    t.equal(body.code, 'PASSWORD_ELSEWHERE');
  });

  t.test('changing a password requires a session', async (t) => {
    t.equal((await ask(app, CHANGE, { body: { current_password: 'a', password: NEW } })).status, 401);
    t.equal((await change('no-token', 'a')).status, 401);
    t.equal((await ask(app, 'GET /user/account/password')).status, 401);
    const { code } = await signUp(app);
    const { access } = await exchange(app, code);
    for (const body of [
      {},
      { current_password: '', password: NEW },
      { current_password: 'a', password: 'x'.repeat(201) },
    ]) {
      t.equal((await ask(app, CHANGE, { bearer: access, body })).body.code, 'VALIDATION_FAILED');
    }
  });
});

t.test('links of administrators', async (t) => {
  const LINK = 'POST /user/member/password_link';
  const NEW = 'seven-quiet-lanterns';
  const DAY = 24 * 60 * 60 * 1000;

  const { app, db, clock, logged } = await testIdentity(t);
  const signIn = (account: string, password: string) =>
    ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
  const root = await exchange(app, codeIn(await signIn(ADMIN.email, ADMIN.password)));
  const handLink = (user_id: number, bearer = root.access) =>
    ask(app, LINK, { bearer, body: { user_id, password: ADMIN.password } });
  const finish = (link: string) =>
    ask(app, 'POST /user/page/password', { body: { token: new URL(link).hash.slice(1), password: NEW } });
  t.afterEach(async () => {
    await db.deleteFrom('attempt').execute();
  });

  t.test('without a mail server administrators create links', async (t) => {
    t.equal((await ask(app, 'GET /user/page/options')).body.data.reset, 'administrator');
    const body = { account: ADMIN.email, language: 'en-US' };
    t.equal((await ask(app, 'POST /user/page/password_reset', { body })).status, 404);
  });

  t.test(
    'a link sets a new password once, within a day; it is in the audit log and never in the log',
    async (t) => {
      const { email, code } = await signUp(app);
      const { userId, refresh } = await exchange(app, code);
      const { status, body } = await handLink(userId);
      t.equal(status, 200);
      const link = String(body.data.link);
      t.equal(new Date(String(body.data.expires_at)).getTime(), clock.now + DAY);
      const auditLog = await ask(app, 'GET /user/member/change/list', { bearer: root.access });
      t.match(auditLog.body.data.entry_list, [{ action: 'member.password_link', target_id: String(userId) }]);
      t.notMatch(JSON.stringify(auditLog.body), new URL(link).hash);

      t.equal((await finish(link)).status, 200);
      t.equal((await finish(link)).body.code, 'PASSWORD_LINK_INVALID');
      t.equal((await renewTokens(app, refresh)).status, 401);
      t.equal((await signIn(email, NEW)).status, 200);
      t.notMatch(logged(), new URL(link).hash.slice(1));

      const late = String((await handLink(userId)).body.data.link);
      clock.now += DAY;
      t.equal((await finish(late)).body.code, 'PASSWORD_LINK_INVALID');
    },
  );

  t.test('only super administrators create links, and only for users with a password', async (t) => {
    const root = await exchange(app, codeIn(await signIn(ADMIN.email, ADMIN.password)));
    const person = await newPerson(app);
    t.equal((await handLink(person.userId, person.access)).status, 403);
    t.equal((await ask(app, LINK, { body: { user_id: person.userId } })).status, 401);
    t.equal((await handLink(999_999, root.access)).status, 404);
    const set = (values: { disabled_at?: Date | null; password_hash?: null }) =>
      db.updateTable('account').set(values).where('user_id', '=', person.userId).execute();
    await set({ disabled_at: new Date() });
    t.equal((await handLink(person.userId, root.access)).body.code, 'ACCOUNT_DISABLED');
    await set({ disabled_at: null, password_hash: null });
    t.equal((await handLink(person.userId, root.access)).body.code, 'PASSWORD_ELSEWHERE');
    t.equal(
      (await db.selectFrom('password_link').selectAll().where('user_id', '=', person.userId).execute())
        .length,
      0,
    );
  });

  t.test('expired links are deleted', async (t) => {
    const person = await newPerson(app);
    const { access } = await exchange(app, codeIn(await signIn(ADMIN.email, ADMIN.password)));
    await handLink(person.userId, access);
    const links = () =>
      db.selectFrom('password_link').selectAll().where('user_id', '=', person.userId).execute();
    await deleteExpiredRows(db, clock.now + DAY - 1000);
    t.equal((await links()).length, 1);
    await deleteExpiredRows(db, clock.now + DAY);
    t.equal((await links()).length, 0);
  });
});

t.test('mail servers', async (t) => {
  const FROM = 'square@example.org';
  const MAIL = { to: 'ann@example.org', subject: 'Hello', text: 'Text', html: '<p>Text</p>' };
  const DELIVERY = { messageId: '<1@square.example>', beforeHandover: async () => undefined };
  /** Timeout in milliseconds for a server that never replies; others have none, as the machine may be busy. */
  const TIMEOUT = 300;
  const LONG = 60_000;
  const mailer = (server: MailServer, ca?: string) => createMailer({ server, from: FROM, ca, timeout: LONG });
  const keys = selfSigned();

  t.test('delivers over TLS and STARTTLS to a server with a trusted certificate', async (t) => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const { server, mail } = await startMailServer(t, { tls, ...keys });
      await mailer(server, keys.cert).send(MAIL, DELIVERY);
      t.hasStrict(await mail(1), { from: FROM, to: [MAIL.to] });
      await t.rejects(mailer(server).send(MAIL, DELIVERY), {
        code: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|ESOCKET|ETLS)$/,
      });
    }
  });

  t.test('sends nothing in plain text when STARTTLS is required', async (t) => {
    const { server, received } = await startMailServer(t);
    const login = { user: 'square', password: 'a-secret-word' };
    await t.rejects(mailer({ ...server, ...login, tls: 'starttls' }).send(MAIL, DELIVERY), { code: 'ETLS' });
    t.equal(received.length, 0);
  });

  t.test('authenticates at the mail server', async (t) => {
    const seen: unknown[] = [];
    const { server, mail } = await startMailServer(t, {
      tls: 'starttls',
      ...keys,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        seen.push([username, password]);
        done(null, password === 'a-secret-word' ? { user: username } : {});
      },
    });
    await mailer({ ...server, user: 'square', password: 'a-secret-word' }, keys.cert).send(MAIL, DELIVERY);
    await mail(1);
    t.strictSame(seen, [['square', 'a-secret-word']]);
    await t.rejects(
      mailer({ ...server, user: 'square', password: 'wrong' }, keys.cert).send(MAIL, DELIVERY),
      {
        code: 'EAUTH',
      },
    );
  });

  const refusing = await startMailServer(t, {
    onRcptTo: (_address, _session, done) => done(new Error('mailbox unknown')),
  });
  /** Accepts connections and never replies. */
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    t.teardown(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const silentAddress = silent.address();
  const silentPort = typeof silentAddress === 'object' && silentAddress ? silentAddress.port : 0;
  const wrongTls = await startMailServer(t, { tls: 'starttls', ...keys });

  /** Tries of each waiting mail, oldest first. */
  const triesOf = (db: TestIdentity['db'], queue: 'account_mail' | 'notice_mail' = 'account_mail') =>
    db
      .selectFrom(queue)
      .select(['tries', 'next_try_at'])
      .where('state', '=', 'waiting')
      .orderBy('id')
      .execute();

  /** An identity service with mails, and its queues in the hands of the test. */
  async function queuesOf(t: Test, server: MailServer) {
    const { app, db, clock, logged } = await testIdentity(t, { mail: { server, from: FROM, timeout: LONG } });
    const mailer = createMailer({ server, from: FROM, timeout: LONG });
    const now = () => clock.now;
    const sending = { db, now, encryptor: ENCRYPTOR, publicUrl: PUBLIC_URL, mailer, log: silentLog };
    const { user_id } = await db.selectFrom('account').select('user_id').executeTakeFirstOrThrow();
    const addNotice = async () => {
      const at = new Date(clock.now);
      const notice = { key: randomUUID(), user_id, kind: 'approved' as const, data: {}, created_at: at };
      await insertNoticeMails(db, [notice], at);
    };
    const addMailTo = (to: string) => {
      const mail = { to, language: 'en-US', link: `${PUBLIC_URL}/plugins/` } as const;
      return sendAccountMail(sending, 'exists', mail, silentLog);
    };
    return { app, db, clock, logged, sending, addNotice, addMailTo };
  }

  /** Refuses mailboxes for now, as greylisting does, until they are let in. */
  async function startGreylisting(t: Test) {
    const accepted = new Set<string>();
    const asked: string[] = [];
    const smtp = await startMailServer(t, {
      onRcptTo: ({ address }, _session, done) => {
        asked.push(address);
        if (accepted.has(address)) done();
        else done(Object.assign(new Error('greylisted'), { responseCode: 450 }));
      },
    });
    return { ...smtp, accepted, asked, ...(await queuesOf(t, smtp.server)) };
  }
  const MINUTE = 60_000;
  const reset = (app: TestIdentity['app'], account: string) =>
    ask(app, 'POST /user/page/password_reset', { body: { account, language: 'en-US' } });

  /** Waits until the outcome of a first try is stored. */
  const waits = (db: TestIdentity['db'], at: number) =>
    until(async () => (await triesOf(db))[0]?.next_try_at.getTime() === at);

  t.test('a mail that is refused for now is sent later, while its link is valid', async (t) => {
    const { app, db, clock, accepted, asked, received, mail, sending, logged } = await startGreylisting(t);
    const sealed = async () =>
      (await db.selectFrom('account_mail').select('sealed').execute()).map(({ sealed }) => sealed);
    await reset(app, ADMIN.email);
    await until(() => /"mail (?:dropped|not sent, retried later)"/.test(logged()));
    t.match(logged(), '"mail not sent, retried later"');
    await waits(db, clock.now + MINUTE);
    t.equal(asked.length, 1);
    t.notMatch((await sealed()).join(''), ADMIN.email, 'stored encrypted');
    t.equal(await sendDueAccountMail(sending), undefined, 'not at once');
    clock.now += MINUTE;
    t.hasStrict(await sendDueAccountMail(sending), { isServerAway: false });
    accepted.add(ADMIN.email);
    t.equal(await sendDueAccountMail(sending), undefined);
    clock.now += 2 * MINUTE;
    t.equal(await sendDueAccountMail(sending), 'sent');
    t.hasStrict(received, [{ to: [ADMIN.email] }]);
    const token = new URL(linkIn(await mail(1))).hash.slice(1);
    const body = { token, password: 'seven-quiet-lanterns' };
    t.equal((await ask(app, 'POST /user/page/password', { body })).status, 200);
    t.strictSame(await sealed(), [], 'and forgotten');
  });

  t.test('a mail whose link has run out is not sent any more', async (t) => {
    const { app, clock, db, accepted, received, sending } = await startGreylisting(t);
    await reset(app, ADMIN.email);
    await waits(db, clock.now + MINUTE);
    accepted.add(ADMIN.email);
    clock.now += 31 * MINUTE;
    t.equal(await sendDueAccountMail(sending), 'dropped');
    t.strictSame(received, []);
    t.strictSame(await db.selectFrom('account_mail').selectAll().execute(), []);
  });

  t.test('the service itself tries again', async (t) => {
    const { app, clock, db, accepted, asked, received, addNotice } = await startGreylisting(t);
    await reset(app, ADMIN.email);
    await waits(db, clock.now + MINUTE);
    await addNotice();
    accepted.add(ADMIN.email);
    clock.now += MINUTE;
    t.equal(asked.length, 1, 'not before it listens');
    await app.listen({ host: '127.0.0.1', port: 0 });
    await until(() => received.length === 2);
    t.match(received[0]?.text, 'password', 'of the account first');
    t.hasStrict(received, [{ to: [ADMIN.email] }, { to: [ADMIN.email] }]);
  });

  t.test('a mail that waits stops no other', async (t) => {
    const { asked, accepted, mail, sending, clock, addMailTo } = await startGreylisting(t);
    for (const to of ['grey@example.org', 'new@example.org']) await addMailTo(to);
    accepted.add('new@example.org');
    clock.now += MINUTE;
    const queue = Fastify();
    // Only the first run matters.
    startSending(queue, sending, [sendDueAccountMail, sendDueMail], LONG);
    t.teardown(() => queue.close());
    await queue.listen({ host: '127.0.0.1', port: 0 });
    t.hasStrict(await mail(1), { to: ['new@example.org'] });
    t.strictSame(asked, ['grey@example.org', 'new@example.org', 'grey@example.org', 'new@example.org']);
  });

  t.test('a notice that can never be delivered is given up after three days', async (t) => {
    const { clock, db, sending, addNotice } = await startGreylisting(t);
    await addNotice();
    const start = clock.now;
    let outcome = await sendDueMail(sending);
    for (let tries = 1; typeof outcome === 'object' && tries < 100; tries += 1) {
      clock.now = outcome.retryAt.getTime();
      outcome = await sendDueMail(sending);
    }
    t.equal(outcome, 'dropped');
    t.ok(clock.now - start > GIVEN_UP_AFTER, 'not earlier');
    t.equal(GIVEN_UP_AFTER, 3 * 24 * 60 * MINUTE);
    t.strictSame(await db.selectFrom('notice_mail').select('state').execute(), [{ state: 'dropped' }]);
    t.equal(await sendDueMail(sending), undefined);
  });

  t.test(
    'a server that closes for everybody (421) loses no mail, and gets no more in this run',
    async (t) => {
      const smtp = await startHostileMailServer(t);
      const { clock, db, sending, addNotice, addMailTo } = await queuesOf(t, smtp.server);
      for (const step of ['connect', 'MAIL', 'RCPT', 'DATA', 'dot'] as const) {
        smtp.behave({ [step]: '421 closing' });
        await addMailTo('ann@example.org');
        clock.now += MINUTE;
        const again = { retryAt: new Date(clock.now + 2 * MINUTE), isServerAway: true };
        t.strictSame(await sendDueAccountMail(sending), again, step);
        await db.deleteFrom('account_mail').execute();
      }
      smtp.behave({ RCPT: '421 closing' });
      for (const to of ['ann@example.org', 'bob@example.org']) await addMailTo(to);
      await addNotice();
      clock.now += MINUTE;
      const run = async () => {
        const queue = Fastify();
        startSending(queue, sending, [sendDueAccountMail, sendDueMail], LONG);
        await queue.listen({ host: '127.0.0.1', port: 0 });
        return queue;
      };
      const first = await run();
      await waits(db, clock.now + 2 * MINUTE);
      await first.close();
      const tried = async () =>
        [...(await triesOf(db)), ...(await triesOf(db, 'notice_mail'))].map(({ tries }) => tries);
      t.strictSame(await tried(), [2, 1, 0]);
      smtp.behave({});
      clock.now += 2 * MINUTE;
      const second = await run();
      await until(() => smtp.taken.length === 3);
      await second.close();
      t.strictSame(await tried(), [], 'all are sent later');
    },
  );

  const HOSTILE: Record<string, MailServer> = {
    'refuses the mailbox': refusing.server,
    'never answers': { host: '127.0.0.1', port: silentPort, tls: 'none' },
    'has a certificate that nobody vouches for': wrongTls.server,
    'is not there': { host: '127.0.0.1', port: 1, tls: 'none' },
  };

  for (const [what, server] of Object.entries(HOSTILE)) {
    t.test(`a mail server that ${what}: same response, the error is logged once`, async (t) => {
      const { app, logged } = await testIdentity(t, { mail: { server, from: FROM, timeout: TIMEOUT } });
      const body = { account: ADMIN.email, language: 'en-US' };
      t.strictSame((await ask(app, 'POST /user/page/password_reset', { body })).body, {
        code: 0,
        message: 'ok',
        data: {},
      });
      await app.close();
      const lines = logged()
        .split('\n')
        .filter((line) => /"mail (?:dropped|not sent, retried later)"/.test(line));
      t.equal(lines.length, 1);
      t.match(lines[0], /"user_id":\d+/);
      t.notMatch(logged(), /#[\w-]{43}/);
      t.notMatch(logged(), '"mail sent"');
    });
  }

  t.test('mails use the name of the site, with the same placeholders in each language', async (t) => {
    for (const language of LANGUAGES) {
      const say = mailTexts({ language });
      t.match(say('reset_subject'), nameOf(language));
      t.match(say('reset_expiry', { minutes: 41 }), '41');
      t.notMatch(say('reset_text') + say('elsewhere_text'), /[{}]/);
    }
  });

  function nameOf(language: (typeof LANGUAGES)[number]): string {
    const { site } = packOf(language);
    const name = typeof site === 'object' ? site.name : undefined;
    if (typeof name !== 'string') throw new Error(`${language} does not name the site`);
    return name;
  }
});
