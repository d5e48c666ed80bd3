import t from 'tap';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  exchange,
  newPerson,
  testIdentity,
} from '../support/identity.ts';

const ISSUE = 'POST /user/publish-grant';
const CHECK = 'POST /user/publish-grant/check';

const { app, db, clock, logged } = await testIdentity(t);
const issue = (bearer?: string) => ask(app, ISSUE, bearer === undefined ? {} : { bearer });
const granted = async (bearer: string) => String((await issue(bearer)).body.data.grant);
const rolesOf = async (...grant_list: string[]) =>
  (await ask(app, CHECK, { body: { grant_list } })).body.data.role_list;

t.test('a grant returns the current role of its account', async (t) => {
  const person = await newPerson(app);
  const signed = await ask(app, 'POST /user/page/sign_in', {
    body: { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK },
  });
  const root = await exchange(app, codeIn(signed));
  const answer = await issue(person.access);
  t.equal(answer.status, 200);
  t.match(answer.body, { code: 0, data: { grant: /^[\w-]+\.[\w-]+$/, role: 0, signed_out_at: null } });
  const grant = String(answer.body.data.grant);
  t.strictSame(
    await rolesOf(grant, await granted(root.access), grant),
    [0, 1, 0],
    'in the order of the request',
  );
  await db.updateTable('account').set({ role: 2 }).where('user_id', '=', person.userId).execute();
  t.strictSame(await rolesOf(grant), [2]);
  await db
    .updateTable('account')
    .set({ disabled_at: new Date(clock.now) })
    .where('user_id', '=', person.userId)
    .execute();
  t.strictSame(await rolesOf(grant), [null]);
});

t.test('a grant ends with the next sign-out everywhere, independent of clocks', async (t) => {
  const person = await newPerson(app);
  const before = await granted(person.access);
  clock.now -= 60_000;
  t.equal((await ask(app, 'POST /user/session/sign_out_others', { bearer: person.access })).status, 200);
  const signedOutAt = clock.now;
  clock.now += 60_000;
  const after = await issue(person.access);
  t.equal(after.body.data.signed_out_at, signedOutAt);
  t.strictSame(await rolesOf(before, String(after.body.data.grant)), [null, 0]);
});

t.test('a grant is issued to valid sessions only', async (t) => {
  const person = await newPerson(app);
  t.hasStrict(await issue(), { status: 401, body: { code: 'UNAUTHENTICATED' } });
  t.hasStrict(await issue(person.refresh), { status: 401, body: { code: 'TOKEN_INVALID' } });
  await ask(app, 'POST /user/logout', { bearer: person.refresh, body: {} });
  t.hasStrict(await issue(person.access), { status: 401, body: { code: 'TOKEN_INVALID' } });
});

t.test('an invalid grant returns no role', async (t) => {
  const person = await newPerson(app);
  const grant = await granted(person.access);
  const content = JSON.stringify({ user_id: person.userId, signed_out_at: null });
  t.strictSame(
    await rolesOf(
      'x',
      `${grant}A`,
      grant.slice(0, -2),
      String(person.userId),
      person.access.slice(0, 400),
      ENCRYPTOR.encrypt(content, 'second factor'),
      ENCRYPTOR.encrypt('{}', 'publish grant'),
    ),
    [null, null, null, null, null, null, null],
  );
  for (const grant_list of [[], ['x'.repeat(401)], Array(101).fill('x'), 'x', [1], undefined]) {
    const refused = await ask(app, CHECK, { body: { grant_list } });
    t.hasStrict(refused, { status: 400, body: { code: 'VALIDATION_FAILED' } });
  }
  t.notOk(logged().includes(grant), 'no grant in the log');
});
