import { decodeJwt } from 'jose';
import t from 'tap';
import { joinEnterprise, upsertEnterprise } from '../../server/identity/accounts/store.ts';
import { ask, newPerson, testIdentity } from '../support/identity.ts';

const { app, db, clock } = await testIdentity(t);

const me = await newPerson(app);
await db
  .insertInto('enterprise_member')
  .values([
    { user_id: me.userId, e_id: 7, department: 'Design', is_owner: true, staff_status: 1 },
    { user_id: me.userId, e_id: 8, is_administrator: true },
  ])
  .execute();

t.test('a member switches to an enterprise and gets its tokens and user info', async (t) => {
  const { status, body } = await ask(app, 'POST /user/reset_token', { bearer: me.access, body: { e_id: 7 } });
  t.equal(status, 200);
  t.strictSame(Object.keys(body.data).sort(), [
    'access_token',
    'refresh_expires_in',
    'refresh_token',
    'user_info',
  ]);
  t.hasStrict(body.data.user_info, {
    user_id: me.userId,
    e_id: 7,
    department: 'Design',
    is_owner: true,
    is_administrator: false,
    staff_status: 1,
  });
  const bearer = String(body.data.refresh_token);
  t.not(bearer, me.refresh);
  t.equal((await ask(app, 'GET /user/valid', { bearer })).status, 200);
  t.equal(decodeJwt(String(body.data.access_token)).sid, decodeJwt(me.access).sid, 'one session');
  clock.now += 59_000;
  t.equal((await ask(app, 'GET /user/valid', { bearer: me.refresh })).status, 200, 'calls under way go on');

  const other = await ask(app, 'POST /user/reset_token', {
    bearer: String(body.data.access_token),
    body: { e_id: 8 },
  });
  t.hasStrict(other.body.data.user_info, {
    e_id: 8,
    department: '',
    is_owner: false,
    is_administrator: true,
  });
});

t.test('users cannot switch to an enterprise of others', async (t) => {
  const stranger = await newPerson(app);
  for (const e_id of [7, 9, Number.MAX_SAFE_INTEGER]) {
    const answer = await ask(app, 'POST /user/reset_token', { bearer: stranger.access, body: { e_id } });
    t.equal(answer.status, 403);
    t.strictSame(answer.body, { code: 'FORBIDDEN', message: 'The current account has no permission.' });
  }
  t.equal((await ask(app, 'GET /user/valid', { bearer: stranger.refresh })).status, 200);
});

t.test('a former member has no enterprise', async (t) => {
  await db.deleteFrom('enterprise_member').where('user_id', '=', me.userId).execute();
  const fresh = await ask(app, 'GET /user/userinfo', { bearer: me.access });
  t.hasStrict(fresh.body.data, { e_id: 0, department: '', is_owner: false, is_administrator: false });
});

t.test('users see their own enterprises with the configured names', async (t) => {
  const list = 'GET /user/account/enterprise/list';
  t.equal((await ask(app, list)).status, 401);
  const person = await newPerson(app);
  t.strictSame((await ask(app, list, { bearer: person.access })).body.data, { enterprises: [] });
  const member = { user_id: person.userId, department: 'Lab' };
  await joinEnterprise(db, { userId: person.userId, eId: 70, department: 'Lab' });
  await db
    .insertInto('enterprise_member')
    .values({ ...member, e_id: 60, is_owner: true })
    .execute();
  await upsertEnterprise(db, 70, 'Nordlys');
  await upsertEnterprise(db, 70, 'Nordlys Studio');
  const { body } = await ask(app, list, { bearer: person.access });
  const enterprise = { department: 'Lab', is_owner: false, is_administrator: false };
  t.strictSame(body.data.enterprises, [
    { ...enterprise, e_id: 60, name: '', is_owner: true },
    { ...enterprise, e_id: 70, name: 'Nordlys Studio' },
  ]);
  t.hasStrict((await ask(app, 'GET /user/userinfo', { bearer: person.access })).body.data, { e_id: 70 });
});
