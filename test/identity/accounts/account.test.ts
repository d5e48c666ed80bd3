import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { createBackground } from '../../../server/identity/base-context.ts';
import { deleteDueAccounts } from '../../../server/identity/own-account/deletion.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  exchange,
  newPerson,
  ownAddress,
  PUBLIC_URL,
  signUp,
  type TestIdentity,
  testIdentity,
} from '../../support/identity.ts';
import { linkIn, startMailServer } from '../../support/mail-server.ts';
import { until } from '../../support/until.ts';

const DAY = 24 * 60 * 60 * 1000;
const PICTURE = `/api/cmt/media/${'a'.repeat(32)}-320.webp`;
const PROFILE = 'POST /user/profile';
const CHANGE = 'POST /user/account/email/change';
const VERIFY = 'POST /user/account/email/verify';
const DELETION = 'GET /user/account/deletion';
const DELETE = 'POST /user/account/delete';

const signIn = ({ app }: TestIdentity, account: string, password: string) =>
  ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
const adminOf = async (identity: TestIdentity) =>
  exchange(identity.app, codeIn(await signIn(identity, ADMIN.email, ADMIN.password)));
const changesAfter = ({ app }: TestIdentity, after = 0) =>
  ask(app, 'POST /user/account-changes', { body: { after } });
/** Deletes due accounts, as the timer does. */
const deleteDue = ({ db, clock }: TestIdentity, lines: unknown[][] = []) => {
  const background = createBackground();
  const error = (...line: unknown[]) => void lines.push(line);
  const log = { info: () => undefined, error } as never;
  return deleteDueAccounts(
    {
      db,
      now: () => clock.now,
      random: randomBytes,
      encryptor: ENCRYPTOR,
      background,
      publicUrl: PUBLIC_URL,
    },
    log,
  );
};

t.test('name and picture change, and other services see the changes in order', async (t) => {
  const identity = await testIdentity(t);
  const { app } = identity;
  const ada = await newPerson(app);
  const bob = await newPerson(app);
  const change = (bearer: string, body: unknown) => ask(app, PROFILE, { bearer, body });
  const changed = await change(ada.access, { nick_name: '  Ada\u0301 ', avatar_url: PICTURE });
  t.equal(changed.status, 200);
  t.hasStrict(changed.body.data, { user_info: { nick_name: 'Adá', avatar_url: PICTURE } });
  const claims = JSON.parse(
    Buffer.from(String(changed.body.data.access_token).split('.')[1] ?? '', 'base64url').toString(),
  );
  t.match(claims, { sub: String(ada.userId), nick_name: 'Adá', avatar_url: PICTURE });
  t.equal((await change(bob.access, { nick_name: 'Bob' })).status, 200);
  const first = await changesAfter(identity);
  t.hasStrict(first.body.data, {
    change_list: [
      { user_id: ada.userId, shown: { nick_name: 'Adá', avatar_url: PICTURE }, plugins: 'keep' },
      { user_id: bob.userId, shown: { nick_name: 'Bob', avatar_url: '' } },
    ],
  });
  const seen = Number(first.body.data.last);
  t.equal((await change(ada.access, { nick_name: 'Adá' })).status, 200);
  t.strictSame(
    (await changesAfter(identity, seen)).body.data,
    { change_list: [], last: seen },
    'nothing has changed',
  );
  t.equal((await change(ada.access, { avatar_url: '' })).status, 200);
  const { body } = await changesAfter(identity, seen);
  t.hasStrict(body.data, {
    change_list: [{ user_id: ada.userId, shown: { nick_name: 'Adá', avatar_url: '' } }],
  });
  t.equal((body.data.change_list as unknown[]).length, 1, 'one row an account');
});

t.test('a profile rejects empty names, control characters and external pictures', async (t) => {
  const { app } = await testIdentity(t);
  const { access: bearer } = await newPerson(app);
  const wrong: [unknown, string][] = [
    [{ nick_name: '   ' }, '/nick_name'],
    [{ nick_name: 'a'.repeat(41) }, '/nick_name'],
    [{ nick_name: 'a\u202eb' }, '/nick_name'],
    [{ avatar_url: 'https://elsewhere.example/a.png' }, '/avatar_url'],
    [{ avatar_url: '/api/cmt/media/../secret' }, '/avatar_url'],
  ];
  for (const [body, pointer] of wrong) {
    const answer = await ask(app, PROFILE, { bearer, body });
    t.hasStrict(answer, { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ pointer }] } });
  }
  t.hasStrict(await ask(app, PROFILE, { body: { nick_name: 'x' } }), { status: 401 });
});

t.test(
  'an address changes with a link in its own mailbox, and the previous address gets a mail',
  async (t) => {
    const mails = await startMailServer(t);
    const identity = await testIdentity(t, { mail: { server: mails.server, from: 'square@example.org' } });
    const { app } = identity;
    const person = await signUp(app, { email: 'ada@old.example' });
    const ada = await exchange(app, person.code);
    const body = { email: 'Ada@New.example', language: 'en-US', password: person.password };
    const change = (given: Record<string, unknown>) =>
      ask(app, CHANGE, { bearer: ada.access, body: { ...body, ...given } });

    t.hasStrict(await ask(app, CHANGE, { bearer: ada.access, body: { ...body, password: undefined } }), {
      status: 403,
      body: { code: 'REAUTHENTICATION_REQUIRED' },
    });
    t.hasStrict(await change({ password: 'wrong' }), { status: 422, body: { code: 'PASSWORD_WRONG' } });
    t.hasStrict(await change({ email: 'nobody' }), {
      status: 400,
      body: { errors: [{ pointer: '/email' }] },
    });
    t.hasStrict(await change({ email: 'ADA@old.example' }), { status: 409, body: { code: 'CONFLICT' } });
    t.strictSame((await change({})).body.data, {});
    const mail = await mails.mail(1);
    t.strictSame(mail.to, ['Ada@new.example']);
    const token = new URL(linkIn(mail)).hash.slice(1);
    const state = () => ask(app, 'GET /user/account/email', { bearer: ada.access });
    t.hasStrict((await state()).body.data, { email: 'ada@old.example', new_email: 'Ada@New.example' });

    const stranger = await newPerson(app);
    const byStranger = await ask(app, VERIFY, { bearer: stranger.access, body: { token } });
    t.equal(byStranger.body.code, 'MAIL_LINK_INVALID', 'other users cannot use the link');
    const taken = await ask(app, VERIFY, { bearer: ada.access, body: { token, language: 'es-ES' } });
    t.hasStrict(taken.body.data, { email: 'Ada@New.example', new_email: null });
    const notice = await mails.mail(2);
    t.strictSame(notice.to, ['ada@old.example']);
    t.match(notice.text, /pasó a usar otra dirección/);
    t.notMatch(notice.text, /New\.example/, 'not where to');
    t.equal((await signIn(identity, 'ada@new.example', person.password)).status, 200);
    t.hasStrict(await signIn(identity, 'ada@old.example', person.password), {
      status: 401,
      body: { code: 'CREDENTIALS_INVALID' },
    });
    t.equal((await ask(app, VERIFY, { bearer: ada.access, body: { token } })).body.code, 'MAIL_LINK_INVALID');
  },
);

t.test('the response does not reveal the owner of an address; the owner gets a mail', async (t) => {
  const mails = await startMailServer(t);
  const identity = await testIdentity(t, { mail: { server: mails.server, from: 'square@example.org' } });
  const { app, db } = identity;
  const owner = await signUp(app, { email: 'owner@corp.example' });
  await ownAddress(db, owner.email);
  const person = await signUp(app);
  const { access: bearer } = await exchange(app, person.code);
  const answer = await ask(app, CHANGE, {
    bearer,
    body: { email: owner.email, language: 'en-US', password: person.password },
  });
  t.hasStrict(answer, { status: 200, body: { data: {} } });
  const mail = await mails.mail(1);
  t.strictSame(mail.to, [owner.email]);
  t.match(mail.text, /Nothing has changed/);
  t.notMatch(mail.text, /#/, 'no link that could be used');
});

t.test('without mails an address cannot be changed', async (t) => {
  const { app } = await testIdentity(t);
  const person = await signUp(app);
  const { access: bearer } = await exchange(app, person.code);
  const state = await ask(app, 'GET /user/account/email', { bearer });
  t.hasStrict(state.body.data, { can_change: false, new_email: null, proof: 'password' });
  const body = { email: 'new@corp.example', language: 'en-US', password: person.password };
  t.hasStrict(await ask(app, CHANGE, { bearer, body }), { status: 404, body: { code: 'NOT_FOUND' } });
});

t.test('an address that a directory has sent gets no mail about its account', async (t) => {
  const mails = await startMailServer(t);
  const identity = await testIdentity(t, { mail: { server: mails.server, from: 'square@example.org' } });
  const { app, db } = identity;
  const arrive = async (nick_name: string) => {
    const { code, email, password } = await signUp(app, { nick_name });
    const { access: bearer, userId } = await exchange(app, code);
    return { bearer, userId, email, password, body: { nick_name, plugins: 'keep', language: 'en-US' } };
  };
  const [zoe, ada] = [await arrive('Zoe'), await arrive('Ada')];
  // As a first sign-in by a directory makes it.
  await db.updateTable('account').set({ password_hash: null }).where('user_id', '=', zoe.userId).execute();
  t.equal((await ask(app, DELETE, { bearer: zoe.bearer, body: zoe.body })).status, 200);
  const body = { ...ada.body, password: ada.password };
  t.equal((await ask(app, DELETE, { bearer: ada.bearer, body })).status, 200);
  t.strictSame((await mails.mail(1)).to, [ada.email]);
});

t.test('an account is signed out immediately, and a sign-in within the delay keeps it', async (t) => {
  const mails = await startMailServer(t);
  const identity = await testIdentity(t, { mail: { server: mails.server, from: 'square@example.org' } });
  const { app, clock } = identity;
  const person = await signUp(app, { nick_name: 'Ada' });
  const ada = await exchange(app, person.code);
  const asked = await ask(app, DELETION, { bearer: ada.access });
  t.strictSame(asked.body.data, {
    proof: 'password',
    delay: 14 * DAY,
    refused_by: null,
    session_count: 1,
    linked_count: 0,
  });
  const body = { nick_name: 'Ada', plugins: 'keep', language: 'en-US', password: person.password };
  const remove = (given: Record<string, unknown>) =>
    ask(app, DELETE, { bearer: ada.access, body: { ...body, ...given } });
  t.hasStrict(await remove({ nick_name: 'ada' }), {
    status: 400,
    body: { errors: [{ pointer: '/nick_name' }] },
  });
  t.hasStrict(await remove({ password: 'wrong' }), { status: 422, body: { code: 'PASSWORD_WRONG' } });
  t.hasStrict(await remove({ password: undefined }), { body: { code: 'REAUTHENTICATION_REQUIRED' } });
  const at = new Date(clock.now + 14 * DAY).toISOString();
  t.hasStrict(await remove({}), { status: 200, body: { data: { delete_at: at } } });
  t.hasStrict(await ask(app, DELETION, { bearer: ada.access }), {
    status: 401,
    body: { code: 'TOKEN_INVALID' },
  });
  const mail = await mails.mail(1);
  t.strictSame(mail.to, [person.email]);
  t.match(mail.text, /“Ada” will be deleted on/);

  clock.now += 14 * DAY - 1;
  t.equal(await deleteDue(identity), 0);
  const back = await exchange(app, codeIn(await signIn(identity, person.email, person.password)));
  t.equal(back.userId, ada.userId);
  t.match((await mails.mail(2)).text, /won’t be deleted/);
  clock.now += 2 * DAY;
  t.equal(await deleteDue(identity), 0, 'it stays');
  t.equal((await signIn(identity, person.email, person.password)).status, 200);
});

t.test('a deleted account leaves only its id', async (t) => {
  const identity = await testIdentity(t);
  const { app, db, clock } = identity;
  const admin = await adminOf(identity);
  const person = await signUp(app, { nick_name: 'Ada' });
  const ada = await exchange(app, person.code);
  const body = { nick_name: 'Ada', plugins: 'remove', language: 'en-US', password: person.password };
  t.equal((await ask(app, DELETE, { bearer: ada.access, body })).status, 200);
  clock.now += 14 * DAY;
  t.equal(await deleteDue(identity), 1);
  t.equal(await deleteDue(identity), 0);
  t.hasStrict(await signIn(identity, person.email, person.password), {
    body: { code: 'CREDENTIALS_INVALID' },
  });
  t.hasStrict((await changesAfter(identity)).body.data, {
    change_list: [{ user_id: ada.userId, shown: null, plugins: 'remove' }],
  });
  const row = await db.selectFrom('account').selectAll().where('user_id', '=', ada.userId).executeTakeFirst();
  t.notMatch(JSON.stringify(row), new RegExp(`Ada|${person.email}`));
  t.hasStrict(row, { email: '', email_key: null, nick_name: '', password_hash: null, role: 0 });
  const { rows } = {
    rows: await db.selectFrom('session').selectAll().where('user_id', '=', ada.userId).execute(),
  };
  t.strictSame(rows, []);
  const bearer = (await adminOf(identity)).access;
  const members = await ask(app, 'GET /user/member/list?keyword=', { bearer });
  t.notMatch(members.body.data.member_list, [{ user_id: ada.userId }], 'administrators do not list it');
  const enable = { user_id: ada.userId, is_disabled: false, password: ADMIN.password };
  t.hasStrict(await ask(app, 'PUT /user/member/disabled', { bearer, body: enable }), {
    status: 404,
    body: { code: 'NOT_FOUND' },
  });
  const auditLog = await ask(app, 'GET /user/member/change/list', { bearer });
  t.hasStrict(auditLog.body.data.entry_list, [
    { action: 'account.delete', actor: { user_id: ada.userId, nick_name: '' } },
    { action: 'account.delete_asked', actor: { user_id: ada.userId, nick_name: '' } },
  ]);
  t.not(admin.userId, ada.userId);
  const again = await signUp(app, { email: person.email });
  t.not((await exchange(app, again.code)).userId, ada.userId, 'the address is free for a new account');
});

t.test('an account that cannot be deleted stops no other, and is tried again', async (t) => {
  const identity = await testIdentity(t);
  const { app, db, clock } = identity;
  const userIds: number[] = [];
  for (const nick_name of ['Ada', 'Bob', 'Eve']) {
    const person = await signUp(app, { nick_name });
    const { access: bearer, userId } = await exchange(app, person.code);
    const body = { nick_name, plugins: 'keep', language: 'en-US', password: person.password };
    t.equal((await ask(app, DELETE, { bearer, body })).status, 200);
    userIds.push(userId);
    clock.now += 1000;
  }
  const [ada = 0] = userIds;
  clock.now += 30 * 24 * 60 * 60 * 1000;
  const run = (text: string) => sql.raw(text).execute(db);
  await run(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused here'; end $$;
    create trigger refused before update on account for each row when (old.user_id = ${ada})
      execute function refuse()`);
  const lines: unknown[][] = [];
  t.equal(await deleteDue(identity, lines), 2);
  const left = async () =>
    (await db.selectFrom('account').select('user_id').where('delete_at', 'is not', null).execute()).map(
      ({ user_id }) => user_id,
    );
  t.strictSame(await left(), [ada]);
  t.match(lines, [
    [{ user_id: ada, err: { message: 'refused here' } }, 'account not deleted, retried later'],
  ]);
  t.equal(lines.length, 1);
  await run('drop trigger refused on account; drop function refuse');
  t.equal(await deleteDue(identity), 1, 'the next sweep');
  t.strictSame(await left(), []);
});

t.test('it is deleted immediately if the delay is zero', async (t) => {
  const identity = await testIdentity(t, { deletionDelay: 0 });
  const person = await signUp(identity.app, { nick_name: 'Ada' });
  const { access: bearer } = await exchange(identity.app, person.code);
  const body = { nick_name: 'Ada', plugins: 'keep', language: 'en-US', password: person.password };
  t.hasStrict(await ask(identity.app, DELETE, { bearer, body }), {
    status: 200,
    body: { data: { delete_at: null } },
  });
  t.hasStrict(await signIn(identity, person.email, person.password), {
    body: { code: 'CREDENTIALS_INVALID' },
  });
});

t.test('the last super administrator stays; those with a scheduled deletion do not count', async (t) => {
  const identity = await testIdentity(t);
  const { app, db } = identity;
  const admin = await adminOf(identity);
  const { data } = (await ask(app, 'GET /user/userinfo', { bearer: admin.access })).body;
  const mine = { nick_name: String(data.nick_name), plugins: 'keep', language: 'en-US' };
  t.hasStrict((await ask(app, DELETION, { bearer: admin.access })).body.data, {
    refused_by: 'LAST_SUPER_ADMIN',
  });
  const remove = (bearer: string, nick_name: string, password: string) =>
    ask(app, DELETE, { bearer, body: { ...mine, nick_name, password } });
  const refused = { status: 409, body: { code: 'LAST_SUPER_ADMIN' } };
  t.match(await remove(admin.access, mine.nick_name, ADMIN.password), refused);
  const second = await signUp(app, { nick_name: 'Ada' });
  const ada = await exchange(app, second.code);
  await db.updateTable('account').set({ role: 1 }).where('user_id', '=', ada.userId).execute();
  t.equal((await remove(ada.access, 'Ada', second.password)).status, 200);
  t.match(await remove(admin.access, mine.nick_name, ADMIN.password), refused);
});

t.test('an enterprise with other members keeps an owner', async (t) => {
  const { app, db, clock } = await testIdentity(t);
  const ada = await newPerson(app);
  const bob = await newPerson(app);
  const member = (user_id: number, is_owner: boolean) =>
    db.insertInto('enterprise_member').values({ user_id, e_id: 7, is_owner }).execute();
  await member(ada.userId, true);
  const refusedBy = async () => (await ask(app, DELETION, { bearer: ada.access })).body.data.refused_by;
  t.equal(await refusedBy(), null, 'alone there');
  await member(bob.userId, false);
  t.equal(await refusedBy(), 'LAST_OWNER');
  await db
    .updateTable('enterprise_member')
    .set({ is_owner: true })
    .where('user_id', '=', bob.userId)
    .execute();
  t.equal(await refusedBy(), null);
  const bobIs = (change: { delete_at?: Date | null; disabled_at?: Date | null }) =>
    db.updateTable('account').set(change).where('user_id', '=', bob.userId).execute();
  await bobIs({ disabled_at: new Date() });
  t.equal(await refusedBy(), 'LAST_OWNER', 'an owner who is disabled does not count');
  const eve = await newPerson(app);
  await member(eve.userId, false);
  await bobIs({ disabled_at: null, delete_at: new Date(clock.now + 60_000) });
  t.equal(await refusedBy(), 'LAST_OWNER', 'nor does one who is leaving');
  await db.deleteFrom('enterprise_member').where('user_id', '=', eve.userId).execute();
  t.equal(await refusedBy(), null, 'who is no member either');
});

t.test('of two owners who leave at the same time one stays', async (t) => {
  const { app, db } = await testIdentity(t);
  const owner = async (nick_name: string) => {
    const { code, password } = await signUp(app, { nick_name });
    return { nick_name, password, ...(await exchange(app, code)) };
  };
  const people = [await owner('Ada'), await owner('Bob')];
  const eve = await newPerson(app);
  for (const { userId } of [...people, eve]) {
    const is_owner = userId !== eve.userId;
    await db.insertInto('enterprise_member').values({ user_id: userId, e_id: 7, is_owner }).execute();
  }
  let done = 0;
  const leave = ({ access, nick_name, password }: (typeof people)[number]) =>
    ask(app, DELETE, {
      bearer: access,
      body: { nick_name, password, plugins: 'keep', language: 'en-US' },
    }).finally(() => {
      done += 1;
    });
  const leaving = await db.transaction().execute(async (trx) => {
    // Whoever ends their sessions has been found not to be the last owner.
    await sql`lock table session in share mode`.execute(trx);
    const answers = people.map(leave);
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length + done === people.length;
    });
    return { answers };
  });
  const answers = await Promise.all(leaving.answers);
  t.strictSame(answers.map(({ status, body }) => `${status} ${body.code}`).sort(), [
    '200 0',
    '409 LAST_OWNER',
  ]);
});

t.test('an export contains all stored data, but no secrets', async (t) => {
  const { app, db } = await testIdentity(t);
  const person = await signUp(app, { nick_name: 'Ada' });
  const ada = await exchange(app, person.code);
  const askExport = (typed: object) =>
    ask(app, 'POST /user/account-export', { bearer: ada.access, body: typed });
  t.hasStrict(await askExport({}), { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
  t.hasStrict(await askExport({ password: 'not this' }), { status: 422, body: { code: 'PASSWORD_WRONG' } });
  const { body } = await askExport({ password: person.password });
  t.hasStrict(body.data, {
    profile: { user_id: ada.userId, nick_name: 'Ada', email: person.email, has_password: true, role: 0 },
    second_factor_since: null,
    linked_sign_ins: [],
    enterprises: [],
    sessions: [{ login_method: 'local' }],
    account_changes: [],
  });
  const { password_hash } = await db
    .selectFrom('account')
    .select('password_hash')
    .where('user_id', '=', ada.userId)
    .executeTakeFirstOrThrow();
  for (const secret of [String(password_hash), ada.access, ada.refresh]) {
    t.notOk(JSON.stringify(body).includes(secret));
  }
  t.hasStrict(await ask(app, 'POST /user/account-export', { body: {} }), { status: 401 });
});
