import t from 'tap';
import { deleteExpiredRows } from '../../../server/identity/store.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  exchange,
  newPerson,
  signUp,
  testIdentity,
} from '../../support/identity.ts';

const LINK = 'POST /user/member/password_link';
const NEW = 'seven-quiet-lanterns';
const DAY = 24 * 60 * 60 * 1000;

const { app, db, clock, logged } = await testIdentity(t);
const signIn = (account: string, password: string) =>
  ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
const root = await exchange(app, codeIn(await signIn(ADMIN.email, ADMIN.password)));
const handLink = (user_id: number, bearer = root.access) => ask(app, LINK, { bearer, body: { user_id } });
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
  'a link sets a new password once, within a day; it is in the audit trail and never in the log',
  async (t) => {
    const { email, code } = await signUp(app);
    const { userId, refresh } = await exchange(app, code);
    const { status, body } = await handLink(userId);
    t.equal(status, 200);
    const link = String(body.data.link);
    t.equal(new Date(String(body.data.expires_at)).getTime(), clock.now + DAY);
    const trail = await ask(app, 'GET /user/member/change/list', { bearer: root.access });
    t.match(trail.body.data.entry_list, [{ action: 'member.password_link', target_id: String(userId) }]);
    t.notMatch(JSON.stringify(trail.body), new URL(link).hash);

    t.equal((await finish(link)).status, 200);
    t.equal((await finish(link)).body.code, 'PASSWORD_LINK_INVALID');
    t.equal((await ask(app, 'POST /user/refresh_token', { bearer: refresh })).status, 401);
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
    (await db.selectFrom('password_link').selectAll().where('user_id', '=', person.userId).execute()).length,
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
