import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { JWKS_PATH } from '../../../../shared/user-service.ts';
import { testCommunity } from '../../../support/community.ts';
import {
  ADMIN,
  CALLBACK,
  codeIn,
  exchange,
  ask as identityCall,
  renewTokens,
  signUp,
  testIdentity,
} from '../../../support/identity.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

t.test('rights of the owner', async (t) => {
  const MINUTE = 60_000;

  /** A community and an identity service, and the clock of both. */
  async function startServices(publishers: 'admins' | 'members') {
    const identity = await testIdentity(t);
    const address = await identity.app.listen({ host: '127.0.0.1', port: 0 });
    const community = await testCommunity(t, {
      publishers,
      now: () => identity.clock.now,
      jwksUrl: `${address}${JWKS_PATH}`,
      identityUrl: address,
    });
    const body = { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK };
    const signedIn = await identityCall(identity.app, 'POST /user/page/sign_in', { body });
    const root = await exchange(identity.app, codeIn(signedIn));
    /** The latest refresh token of a sign-in, by its first one. */
    const latest = new Map<string, string>();
    const renewed = async ({ refresh }: { refresh: string }) => {
      const { body } = await renewTokens(identity.app, latest.get(refresh) ?? refresh);
      latest.set(refresh, String(body.data.refresh_token));
      return String(body.data.access_token);
    };
    const asRoot = async (call: string, change: object) => {
      const body = { ...change, password: ADMIN.password };
      const { status } = await identityCall(identity.app, call, { bearer: await renewed(root), body });
      t.equal(status, 200, call);
    };
    const make = ({ access, ...typed }: { access: string; password?: string }, address = '127.0.0.1') =>
      ask(community.url, 'plugin/token', {
        headers: { authorization: `Bearer ${access}`, 'x-forwarded-for': address },
        body: { name: 'CI', ...(typed.password !== undefined && { password: typed.password }) },
      });
    const list = async (access: string) => {
      const answer = await ask(community.url, 'plugin/token/list', {
        headers: { authorization: `Bearer ${access}` },
      });
      return dataOf(answer, contract.listPublishTokens.data).token_list;
    };
    const made = async (owner: { access: string; password: string }) =>
      dataOf(await make(owner), contract.createPublishToken.data);
    /** A form that can never be published, so that nothing but the guard's decision shows: 415 when it is let in. */
    const publish = async (bearer: string, method = 'POST', query = '') => {
      const response = await fetch(`${community.url}/api/cmt/plugin${query}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/csv' },
        body: 'x',
      });
      const { code }: { code?: unknown } = Object(await response.json());
      return [response.status, code];
    };
    const newMember = async (role = 0) => {
      const { code, password } = await signUp(identity.app);
      const person = { ...(await exchange(identity.app, code)), password };
      await identity.db.deleteFrom('attempt').execute();
      if (role !== 0) await asRoot('PUT /user/member/role', { user_id: person.userId, role });
      return { ...person, access: await renewed(person) };
    };
    return { identity, community, address, asRoot, make, made, list, publish, newMember };
  }

  const LET_IN = [415, 'UNSUPPORTED_MEDIA_TYPE'];
  const ENDED = [401, 'TOKEN_INVALID'];
  const open = await startServices('members');
  const { identity, community } = open;
  type Person = Awaited<ReturnType<typeof open.newMember>>;

  const endings: [title: string, end: (person: Person) => Promise<unknown>][] = [
    [
      'an administrator has disabled the account',
      ({ userId }) => open.asRoot('PUT /user/member/disabled', { user_id: userId, is_disabled: true }),
    ],
    [
      'the account was disabled and let in again',
      async ({ userId }) => {
        await open.asRoot('PUT /user/member/disabled', { user_id: userId, is_disabled: true });
        identity.clock.now += 1000;
        await open.asRoot('PUT /user/member/disabled', { user_id: userId, is_disabled: false });
      },
    ],
    [
      'an administrator has signed the account out everywhere',
      ({ userId }) => open.asRoot('POST /user/member/sign_out', { user_id: userId }),
    ],
    [
      'the second factor was taken away',
      ({ userId }) => open.asRoot('POST /user/member/second_factor/remove', { user_id: userId }),
    ],
    [
      'its owner has signed out everywhere else',
      ({ access }) => identityCall(identity.app, 'POST /user/session/sign_out_others', { bearer: access }),
    ],
    [
      'its owner has changed the password',
      async ({ access, password }) => {
        const body = { current_password: password, password: 'eleven-copper-kettles-whistle' };
        const changed = await identityCall(identity.app, 'PUT /user/account/password', {
          bearer: access,
          body,
        });
        t.equal(changed.status, 200);
      },
    ],
    [
      'the account is gone',
      async ({ userId }) => {
        await identity.db.deleteFrom('refresh_token').execute();
        await identity.db.deleteFrom('session').where('user_id', '=', userId).execute();
        await identity.db.deleteFrom('authorization_code').where('user_id', '=', userId).execute();
        await identity.db.deleteFrom('account').where('user_id', '=', userId).execute();
      },
    ],
  ];
  for (const [title, end] of endings) {
    t.test(`a publish token ends when ${title}`, async (t) => {
      const person = await open.newMember();
      const { secret } = await open.made(person);
      t.strictSame(await open.publish(secret), LET_IN);
      identity.clock.now += 1000;
      await end(person);
      identity.clock.now += MINUTE;
      t.strictSame(await open.publish(secret), ENDED);
      t.strictSame(await open.publish(secret, 'PUT'), ENDED);
      t.strictSame(await open.publish(secret, 'POST', '?dry_run=1'), ENDED);
      t.strictSame(await open.publish(secret, 'PUT', '?dry_run=1'), ENDED);
      identity.clock.now += 15 * MINUTE;
      t.strictSame(await open.publish(secret), ENDED);
    });
  }

  t.test('a former administrator can no longer publish', async (t) => {
    const strict = await startServices('admins');
    const person = await strict.newMember(2);
    const { secret } = await strict.made(person);
    t.strictSame(await strict.publish(secret), LET_IN);
    strict.identity.clock.now += 1000;
    await strict.asRoot('PUT /user/member/role', { user_id: person.userId, role: 0 });
    strict.identity.clock.now += MINUTE;
    t.strictSame(await strict.publish(secret), ENDED);
  });

  t.test('ending one session does not end tokens', async (t) => {
    const person = await open.newMember();
    const { secret } = await open.made(person);
    const { status } = await identityCall(identity.app, 'POST /user/logout', {
      bearer: person.refresh,
      body: {},
    });
    t.equal(status, 200);
    identity.clock.now += MINUTE;
    t.strictSame(await open.publish(secret), LET_IN);
  });

  t.test('an ended session cannot create a token', async (t) => {
    const person = await open.newMember();
    t.equal((await open.make(person)).status, 200);
    await identityCall(identity.app, 'POST /user/logout', { bearer: person.refresh, body: {} });
    const refused = await open.make(person);
    t.equal(refused.status, 401);
    t.hasStrict(refused.json, { code: 'TOKEN_INVALID' });
    const { rows } = await community.pool.query('select from publish_token where user_id = $1', [
      person.userId,
    ]);
    t.equal(rows.length, 1);
  });

  t.test('a token is only created for someone who has proved again who they are', async (t) => {
    const person = await open.newMember();
    const { access } = person;
    const missing = await open.make({ access });
    t.hasStrict([missing.status, missing.json], [403, { code: 'REAUTHENTICATION_REQUIRED' }]);
    const wrong = await open.make({ access, password: 'not this one' });
    t.hasStrict(
      [wrong.status, wrong.json],
      [422, { code: 'PASSWORD_WRONG', errors: [{ pointer: '/password', message: 'is wrong' }] }],
    );
    for (let n = 0; n < 4; n += 1) await open.make({ access, password: 'not this one' });
    const limited = await open.make(person);
    t.hasStrict([limited.status, limited.json], [429, { code: 'TOO_MANY_REQUESTS' }]);
    t.match(limited.headers.get('retry-after'), /^[1-9]\d*$/);
    const { rows } = await community.pool.query('select from publish_token where user_id = $1', [
      person.userId,
    ]);
    t.equal(rows.length, 0);
    t.equal((await open.make(person, '192.0.2.7')).status, 200, 'counted by the address of the user');
    await identity.db.deleteFrom('attempt').execute();
  });

  t.test('an account that has just lost its role cannot create a token', async (t) => {
    const strict = await startServices('admins');
    const person = await strict.newMember(2);
    await strict.identity.db
      .updateTable('account')
      .set({ role: 0 })
      .where('user_id', '=', person.userId)
      .execute();
    const refused = await strict.make(person);
    t.equal(refused.status, 403);
    t.hasStrict(refused.json, { code: 'FORBIDDEN' });
  });

  t.test('while identity is unavailable a token is valid for a minute, and none is created', async (t) => {
    const lonely = await startServices('members');
    const person = await lonely.newMember();
    const { secret } = await lonely.made(person);
    t.strictSame(await lonely.publish(secret), LET_IN);
    await lonely.identity.app.close();
    lonely.identity.clock.now += MINUTE - 1;
    t.strictSame(await lonely.publish(secret), LET_IN);
    lonely.identity.clock.now += 2;
    for (const [method, query] of [
      ['POST', ''],
      ['PUT', ''],
      ['POST', '?dry_run=1'],
      ['PUT', '?dry_run=1'],
    ]) {
      t.strictSame(await lonely.publish(secret, method, query), [503, 'SERVICE_UNAVAILABLE']);
    }
    const refused = await lonely.make(person);
    t.equal(refused.status, 503);
    t.hasStrict(refused.json, { code: 'SERVICE_UNAVAILABLE' });
    const list = await lonely.list(person.access);
    t.hasStrict(
      list,
      [{ name: 'CI', revoked_at: null }],
      'nothing was made, nothing has ended, and the list is shown',
    );
  });

  t.test('a token older than grants is valid after its owner has opened the list', async (t) => {
    const person = await open.newMember();
    const { secret, token } = await open.made(person);
    const older = await open.made(person);
    await community.db
      .updateTable('publish_token')
      .set({ owner_grant: null })
      .where('user_id', '=', person.userId)
      .execute();
    await community.db
      .updateTable('publish_token')
      .set({ created_at: new Date(identity.clock.now - MINUTE) })
      .where('id', '=', older.token.id)
      .execute();
    await identity.db
      .updateTable('account')
      .set({ signed_out_at: new Date(identity.clock.now - MINUTE / 2) })
      .where('user_id', '=', person.userId)
      .execute();
    t.strictSame(await open.publish(secret), [403, 'OWNER_NOT_SEEN']);
    t.match(await open.list(person.access), [
      { id: token.id, revoked_at: null },
      { id: older.token.id, revoked_at: String },
    ]);
    t.strictSame(await open.publish(secret), LET_IN);
    t.strictSame(await open.publish(older.secret), ENDED, 'made before the latest sign-out everywhere');
  });

  t.test("an owner's list shows as ended what a sign-out everywhere has ended", async (t) => {
    const person = await open.newMember();
    await open.made(person);
    identity.clock.now += MINUTE;
    await identityCall(identity.app, 'POST /user/session/sign_out_others', { bearer: person.access });
    const later = await open.made(person);
    t.match(await open.list(person.access), [
      { id: later.token.id, revoked_at: null },
      { name: 'CI', revoked_at: String },
    ]);
    t.strictSame(await open.publish(later.secret), LET_IN);
  });
});

t.test('managed tokens', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, pool, bearer, issuer } = community;
  await addPlugin(db, { key: 'plugin-of-seven', publisherId: 7 });
  await addPlugin(db, { key: 'deleted-of-seven', publisherId: 7 });

  const CHIEF = 1;
  const chief = () => bearer(CHIEF, 1);
  const made = async (userId: number, body: Record<string, unknown>) => {
    const answer = await ask(url, 'plugin/token', { headers: await bearer(userId), body });
    return dataOf(answer, contract.createPublishToken.data);
  };
  const list = async (query = '') =>
    dataOf(
      await ask(url, `manager/publish_token/list${query}`, { headers: await chief() }),
      contract.listManagedTokens.data,
    );
  const namesOf = async (query: string) => (await list(query)).token_list.map(({ name }) => name);
  const counts = async (ids: string) =>
    dataOf(
      await ask(url, `manager/publish_token/count?user_ids=${ids}`, { headers: await chief() }),
      contract.countManagedTokens.data,
    ).count_list;
  const end = async (path: string, body: unknown) =>
    ask(url, `manager/publish_token${path}`, { method: 'DELETE', headers: await chief(), body });
  const auditLog = async () =>
    (
      await pool.query(
        "select actor_id, target_id, target_name, detail from audit_trail where action = 'publish_token.revoke' order by id",
      )
    ).rows;
  const publish = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' };
    return (await fetch(`${url}/api/cmt/plugin`, { method: 'POST', headers, body: 'x' })).status;
  };

  const first = await made(7, { name: 'Build server', plugin_key: 'plugin-of-seven' });
  const second = await made(7, { name: 'Laptop' });
  const third = await made(8, { name: 'Nightly' });
  const orphan = await made(7, { name: 'Orphan', plugin_key: 'deleted-of-seven' });
  await pool.query("update plugin set deleted_at = now() where plugin_key = 'deleted-of-seven'");
  const expired = await made(8, { name: 'Expired' });
  await pool.query("update publish_token set expires_at = now() - interval '1 s' where id = $1", [
    expired.token.id,
  ]);

  t.test('lists the valid tokens of a member, newest first', async (t) => {
    const { token_list, next_cursor } = await list('?user_id=7');
    t.equal(next_cursor, null);
    const owner = { user_id: 7, nick_name: 'Ada', avatar_url: '' };
    t.strictSame(token_list, [
      { ...second.token, plugin_name: null, owner },
      { ...first.token, plugin_name: token_list[1]?.plugin_name, owner },
    ]);
    t.type(token_list[1]?.plugin_name, 'string');
    t.strictSame(await namesOf(''), ['Nightly', 'Laptop', 'Build server'], 'those of all');
    t.strictSame(await counts('7,8,9,7'), [
      { user_id: 7, count: 2 },
      { user_id: 8, count: 1 },
      { user_id: 9, count: 0 },
    ]);
  });

  t.test('responses have neither secret nor grant', async (t) => {
    const text = JSON.stringify(await list());
    for (const { secret } of [first, second, third, orphan]) t.notOk(text.includes(secret.slice(8)));
    t.notMatch(text, /grant|hash/);
  });

  t.test('a long list is read page by page', async (t) => {
    const page = await list('?limit=2');
    t.strictSame(
      page.token_list.map(({ name }) => name),
      ['Nightly', 'Laptop'],
    );
    t.strictSame(await namesOf(`?limit=2&cursor=${page.next_cursor}`), ['Build server']);
    for (const cursor of ['x', `${page.next_cursor}A`]) {
      const refused = await ask(url, `manager/publish_token/list?cursor=${cursor}`, {
        headers: await chief(),
      });
      t.equal(refused.status, 400);
      t.hasStrict(refused.json, { code: 'BAD_CURSOR' });
    }
    const ofOne = await ask(url, `manager/publish_token/list?user_id=7&cursor=${page.next_cursor}`, {
      headers: await chief(),
    });
    t.hasStrict(ofOne.json, { code: 'BAD_CURSOR' }, 'of another list');
  });

  t.test('revokes a token with an audit log entry', async (t) => {
    t.equal((await end('', { id: first.token.id })).status, 200);
    t.equal(await publish(first.secret), 401);
    t.equal(await publish(second.secret), 415);
    t.strictSame(await namesOf('?user_id=7'), ['Laptop']);
    const entry = {
      actor_id: CHIEF,
      target_id: String(first.token.id),
      target_name: 'Build server · Ada',
      detail: { user_id: 7 },
    };
    t.strictSame(await auditLog(), [entry]);
    t.equal((await end('', { id: first.token.id })).status, 200, 'once more');
    t.strictSame(await auditLog(), [entry]);
    const missing = await end('', { id: 4711 });
    t.equal(missing.status, 404);
    t.hasStrict(missing.json, { code: 'NOT_FOUND' });
    t.equal((await end('', { id: 0 })).status, 400);
  });

  t.test('revokes all tokens of a member', async (t) => {
    await made(7, { name: 'One more' });
    const answer = await end('/all', { user_id: 7 });
    t.strictSame(
      dataOf(answer, contract.revokeManagedTokens.data),
      { ended: 3 },
      'that of a deleted plugin as well',
    );
    t.equal(await publish(second.secret), 401);
    t.equal(await publish(third.secret), 415, "not somebody else's");
    t.strictSame((await auditLog()).map(({ target_name }) => target_name).toSorted(), [
      'Build server · Ada',
      'Laptop · Ada',
      'One more · Ada',
      'Orphan · Ada',
    ]);
    t.strictSame(dataOf(await end('/all', { user_id: 7 }), contract.revokeManagedTokens.data), { ended: 0 });
  });

  t.test('tokens that have ended with their owner are not listed, and stay invalid', async (t) => {
    const { secret } = await made(12, { name: 'Of a disabled account' });
    issuer.rights.set(12, null);
    t.strictSame(await counts('12'), [{ user_id: 12, count: 0 }]);
    issuer.rights.delete(12);
    t.equal(await publish(secret), 401);
    await made(13, { name: 'Of another one' });
    issuer.rights.set(13, null);
    t.strictSame(await namesOf('?user_id=13'), []);
  });

  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', 'manager/publish_token/list'],
    ['GET', 'manager/publish_token/count?user_ids=7'],
    ['DELETE', 'manager/publish_token', { id: 1 }],
    ['DELETE', 'manager/publish_token/all', { user_id: 8 }],
  ];
  for (const [_method, _path, _body] of calls) {
  }

  t.test('invalid ids are rejected', async (t) => {
    for (const ids of ['', '0', '1,', 'x', '1,,2', '-1', '1.5', Array(101).fill('7').join(',')]) {
      const refused = await ask(url, `manager/publish_token/count?user_ids=${ids}`, {
        headers: await chief(),
      });
      t.equal(refused.status, 400, ids);
      t.hasStrict(refused.json, { code: 'VALIDATION_FAILED' });
    }
  });
});
