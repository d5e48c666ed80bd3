import { createHash } from 'node:crypto';
import t from 'tap';
import { LIVE_TOKENS_MAX } from '../../../../server/community/publishing/tokens/tokens.ts';
import { type Contract, contract, type Operation } from '../../../../shared/contract.ts';
import type { Route } from '../../../../shared/route.ts';
import { type TestCommunity, testCommunity } from '../../../support/community.ts';
import { startStub, stubAnswer } from '../../../support/stub-upstream.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';

t.test('publish tokens', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, pool, bearer } = community;
  const DAY = 24 * 60 * 60 * 1000;
  await addPlugin(db, { key: 'plugin-of-seven', publisherId: 7 });
  await addPlugin(db, { key: 'plugin-of-eight', publisherId: 8 });
  await addPlugin(db, { key: 'deleted-of-seven', publisherId: 7, deletedAt: new Date() });

  const make = async (userId: number, body: unknown): Promise<Answer> =>
    ask(url, 'plugin/token', { headers: await bearer(userId), body });
  const made = async (userId: number, body: Record<string, unknown>) =>
    dataOf(await make(userId, body), contract.createPublishToken.data);
  const list = async (userId: number) =>
    dataOf(
      await ask(url, 'plugin/token/list', { headers: await bearer(userId) }),
      contract.listPublishTokens.data,
    ).token_list;
  const revoke = async (userId: number, body: unknown): Promise<Answer> =>
    ask(url, 'plugin/token', { method: 'DELETE', headers: await bearer(userId), body });

  t.test('the secret is shown once, and stored as a hash', async (t) => {
    const before = Date.now();
    const { token, secret } = await made(7, { name: 'CI of Ada' });
    t.match(secret, /^psq_[\w-]{43}$/);
    t.match(token, {
      name: 'CI of Ada',
      hint: secret.slice(0, 8),
      plugin_key: null,
      last_used_at: null,
      revoked_at: null,
    });
    const lifetime = Date.parse(token.expires_at) - Date.parse(token.created_at);
    t.equal(lifetime, 90 * DAY);
    t.ok(Date.parse(token.created_at) >= before);
    const { rows } = await pool.query('select * from publish_token where id = $1', [token.id]);
    t.strictSame(rows[0].secret_hash, createHash('sha256').update(secret).digest());
    t.notMatch(JSON.stringify(rows), secret.slice(8));
    t.strictSame(await list(7), [token]);
    t.notMatch(JSON.stringify(await list(7)), secret.slice(8));
    t.strictSame(await list(8), []);
  });

  t.test('a token for one plugin and a number of days', async (t) => {
    const { token } = await made(7, { name: 'One plugin', plugin_key: 'plugin-of-seven', days: 365 });
    t.equal(token.plugin_key, 'plugin-of-seven');
    t.equal(Date.parse(token.expires_at) - Date.parse(token.created_at), 365 * DAY);
    t.strictSame(
      (await list(7)).map(({ name }) => name),
      ['One plugin', 'CI of Ada'],
      'newest first',
    );
  });

  const refusals: [title: string, body: unknown, status: number, code: string][] = [
    ['no name', { days: 3 }, 400, 'VALIDATION_FAILED'],
    ['an empty name', { name: '' }, 400, 'VALIDATION_FAILED'],
    ['a name too long', { name: 'x'.repeat(65) }, 400, 'VALIDATION_FAILED'],
    ['no day at all', { name: 'x', days: 0 }, 400, 'VALIDATION_FAILED'],
    ['more than a year', { name: 'x', days: 366 }, 400, 'VALIDATION_FAILED'],
    ['half a day', { name: 'x', days: 0.5 }, 400, 'VALIDATION_FAILED'],
    ['days in quotes', { name: 'x', days: '9' }, 400, 'VALIDATION_FAILED'],
    ['a malformed key', { name: 'x', plugin_key: 'x' }, 400, 'VALIDATION_FAILED'],
    ['an unknown plugin', { name: 'x', plugin_key: 'no-such-plugin' }, 404, 'PLUGIN_NOT_FOUND'],
    ["somebody else's plugin", { name: 'x', plugin_key: 'plugin-of-eight' }, 404, 'PLUGIN_NOT_FOUND'],
    ['a deleted plugin', { name: 'x', plugin_key: 'deleted-of-seven' }, 404, 'PLUGIN_NOT_FOUND'],
  ];
  for (const [title, body, status, code] of refusals) {
    t.test(`no token for ${title}`, async (t) => {
      const answer = await make(7, body);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
      t.equal((await list(7)).length, 2);
    });
  }

  t.test('only the owner can revoke a token, and revoking is idempotent', async (t) => {
    const { token } = await made(7, { name: 'To be ended' });
    const foreign = await revoke(8, { id: token.id });
    t.equal(foreign.status, 404);
    t.hasStrict(foreign.json, { code: 'NOT_FOUND' });
    t.equal((await revoke(7, { id: token.id })).status, 200);
    const [ended] = await list(7);
    t.match(ended, { id: token.id, revoked_at: String });
    t.equal((await revoke(7, { id: token.id })).status, 200);
    t.strictSame((await list(7))[0], ended);
    t.equal((await revoke(7, { id: 4711 })).status, 404);
    t.equal((await revoke(7, { id: 0 })).status, 400);
    t.equal((await revoke(7, {})).status, 400);
  });

  t.test('the limit of valid tokens holds for concurrent requests', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: LIVE_TOKENS_MAX + 5 }, (_, index) => make(9, { name: `Token ${index}` })),
    );
    t.equal(answers.filter(({ status }) => status === 200).length, LIVE_TOKENS_MAX);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      t.equal(answer.status, 409);
      t.hasStrict(answer.json, { code: 'TOKEN_LIMIT_REACHED' });
    }
    const [first] = await list(9);
    await revoke(9, { id: first?.id });
    t.equal((await make(9, { name: 'Room again' })).status, 200);
    await pool.query("update publish_token set expires_at = now() - interval '1 s' where user_id = 9");
    t.equal((await make(9, { name: 'Those have expired' })).status, 200);
  });
});

t.test('last use', async (t) => {
  const DAY = 24 * 60 * 60 * 1000;
  const USER_INFO = 'GET /user/userinfo';

  /** A user service of another make: it has the calls R 14.43 to 14.53 alone. */
  const foreign = await startStub(t);
  foreign.on(USER_INFO, () => stubAnswer(200, { data: { data: { user_id: '7', nick_name: 'Ada' } } }));
  const clock = { ahead: 0 };
  const community = await testCommunity(t, {
    identityUrl: foreign.url,
    publishRights: 'last-seen',
    now: () => Date.now() + clock.ahead,
  });
  const make = async (userId: number, role: 0 | 1 | 2) =>
    ask(community.url, 'plugin/token', {
      headers: await community.bearer(userId, role),
      body: { name: 'CI' },
    });
  const publish = async (secret: string) => {
    const response = await fetch(`${community.url}/api/cmt/plugin?dry_run=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' },
      body: 'x',
    });
    const { code }: { code?: unknown } = Object(await response.json());
    return [response.status, code];
  };
  const LET_IN = [415, 'UNSUPPORTED_MEDIA_TYPE'];
  const seenDaysAgo = (days: number) =>
    community.pool.query('update person set seen_at = $1 where user_id = 7', [
      new Date(Date.now() - days * DAY),
    ]);

  t.test("a token is valid for a week after its owner's last request", async (t) => {
    const { secret } = dataOf(await make(7, 2), contract.createPublishToken.data);
    t.match(foreign.seen(USER_INFO)[0]?.headers.authorization, /^Bearer eyJ/);
    t.strictSame(await publish(secret), LET_IN);
    await seenDaysAgo(6.9);
    t.strictSame(await publish(secret), LET_IN, 'its own use is no sign of its owner');
    await seenDaysAgo(7.1);
    t.strictSame(await publish(secret), [403, 'OWNER_NOT_SEEN']);
    // What was written a minute ago counts as written.
    clock.ahead = 61_000;
    await ask(community.url, 'plugin/token/list', { headers: await community.bearer(7, 2) });
    t.strictSame(await publish(secret), LET_IN);
    await ask(community.url, 'plugin/token/list', { headers: await community.bearer(7, 0) });
    t.strictSame(await publish(secret), [403, 'FORBIDDEN'], 'by the role they were last seen with');
  });

  t.test('a token is only created if the user service confirms the user', async (t) => {
    const answers: [unknown, number, string][] = [
      [stubAnswer(401, { code: 401 }), 401, 'TOKEN_INVALID'],
      [stubAnswer(200, { data: { user_id: 8 } }), 401, 'TOKEN_INVALID'],
      [stubAnswer(500, {}), 503, 'SERVICE_UNAVAILABLE'],
      [stubAnswer(200, { data: {} }), 503, 'SERVICE_UNAVAILABLE'],
    ];
    const before = await community.pool.query('select from publish_token');
    for (const [answer, status, code] of answers) {
      foreign.on(USER_INFO, () => answer);
      const refused = await make(7, 2);
      t.equal(refused.status, status);
      t.hasStrict(refused.json, { code });
    }
    const after = await community.pool.query('select from publish_token');
    t.equal(after.rows.length, before.rows.length);
  });

  t.test('by default a user service without our own calls makes no tokens', async (t) => {
    const strict = await testCommunity(t, { identityUrl: foreign.url });
    foreign.on(USER_INFO, () => stubAnswer(200, { data: { user_id: 7 } }));
    const refused = await ask(strict.url, 'plugin/token', {
      headers: await strict.bearer(7, 2),
      body: { name: 'CI' },
    });
    t.equal(refused.status, 503);
    t.hasStrict(refused.json, { code: 'SERVICE_UNAVAILABLE' });
  });
});

t.test('marked routes', async (t) => {
  const MINUTE = 60_000;
  /** With `still`, the time does not pass. */
  const clock: { ahead: number; still?: number } = { ahead: 0 };
  const now = () => clock.still ?? Date.now() + clock.ahead;
  const community = await testCommunity(t, { publishers: 'members', now });
  const { db } = community;
  await addPlugin(db, { key: 'plugin-of-seven', publisherId: 7 });

  async function issue(of: TestCommunity, userId: number, role: 0 | 1 | 2 = 0, plugin_key?: string) {
    const exp = Math.floor((Date.now() + clock.ahead) / 1000) + 600;
    const signed = await of.issuer.sign({ sub: String(userId), role, exp, nick_name: `Person ${userId}` });
    const answer = await ask(of.url, 'plugin/token', {
      headers: { authorization: `Bearer ${signed}` },
      body: { name: 'CI', days: 1, ...(plugin_key && { plugin_key }) },
    });
    return dataOf(answer, contract.createPublishToken.data);
  }

  /** A form that can never be published, so that nothing but the guard's decision shows. */
  async function publish(of: TestCommunity, bearer: string, method = 'POST'): Promise<[number, unknown]> {
    const response = await fetch(`${of.url}/api/cmt/plugin?dry_run=1`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/csv' },
      body: 'x',
    });
    return [response.status, await response.json()];
  }

  const isLetIn = ([status]: [number, unknown]): boolean => ![401, 403].includes(status);

  t.test('a token is accepted on marked routes only', async (t) => {
    const { secret } = await issue(community, 7);
    const routes = (Object.entries(contract) as [Operation, Route][]).filter(
      ([, route]) => route.service === 'community',
    );
    const marked: Operation[] = [];
    for (const [name, route] of routes) {
      const path = route.path.replace('{key}', 'no-such-plugin').replace('{name}', `${'0'.repeat(64)}.webp`);
      const response = await fetch(community.url + path, {
        method: route.method,
        headers: { authorization: `Bearer ${secret}` },
      });
      const body: unknown = await response.json();
      if (route.publishToken) {
        marked.push(name);
        t.ok(isLetIn([response.status, body]), name);
      } else {
        t.equal(response.status, 401, name);
        t.hasStrict(body, { code: 'TOKEN_INVALID' }, name);
        t.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      }
    }
    const expected: (keyof Contract)[] = [
      'publishPlugin',
      'updatePlugin',
      'readInsights',
      'exportStatistics',
    ];
    t.strictSame(marked, expected);
  });

  t.test('invalid tokens are rejected', async (t) => {
    const { secret } = await issue(community, 7);
    for (const wrong of [
      'psq_',
      'psq_short',
      `${secret}A`,
      secret.slice(0, -1),
      `psq_${'A'.repeat(43)}`,
      secret.toLowerCase() === secret ? secret.toUpperCase() : secret.toLowerCase(),
      `PSQ_${secret.slice(4)}`,
    ]) {
      const [status, body] = await publish(community, wrong);
      t.equal(status, 401, wrong);
      t.hasStrict(body, { code: 'TOKEN_INVALID', message: 'The token is not valid.' });
    }
  });

  t.test('expired, revoked and orphaned tokens are rejected', async (t) => {
    const expiring = await issue(community, 7);
    const revoked = await issue(community, 7);
    const bound = await issue(community, 7, 0, 'plugin-of-seven');
    for (const { secret } of [expiring, revoked, bound]) t.ok(isLetIn(await publish(community, secret)));
    await ask(community.url, 'plugin/token', {
      method: 'DELETE',
      headers: await community.bearer(7),
      body: { id: revoked.token.id },
    });
    t.hasStrict(await publish(community, revoked.secret), [401, { code: 'TOKEN_INVALID' }]);
    await ask(community.url, 'plugin', {
      method: 'DELETE',
      headers: await community.bearer(7),
      body: { plugin_key: 'plugin-of-seven' },
    });
    t.hasStrict(await publish(community, bound.secret), [401, { code: 'TOKEN_INVALID' }]);
    const end = Date.parse(expiring.token.expires_at);
    clock.still = end - 1000;
    t.ok(isLetIn(await publish(community, expiring.secret)));
    clock.still = end + 1000;
    t.hasStrict(await publish(community, expiring.secret), [401, { code: 'TOKEN_INVALID' }]);
    delete clock.still;
  });

  t.test('the last use is updated at most once a minute', async (t) => {
    const { token, secret } = await issue(community, 7);
    const used = async () => {
      const found = db.selectFrom('publish_token').select('last_used_at').where('id', '=', token.id);
      return (await found.executeTakeFirstOrThrow()).last_used_at?.getTime();
    };
    t.equal(await used(), undefined);
    await publish(community, secret);
    const first = await used();
    t.type(first, 'number');
    clock.ahead = MINUTE / 2;
    await publish(community, secret, 'PUT');
    t.equal(await used(), first);
    clock.ahead = MINUTE + 1000;
    await Promise.all([publish(community, secret), publish(community, secret)]);
    t.ok(Number(await used()) > Number(first) + MINUTE);
    clock.ahead = 0;
  });

  t.test('if only administrators may publish, the owner must still be one', async (t) => {
    const elapsed = { ahead: 0 };
    const start = performance.now();
    const strict = await testCommunity(t, { now, perf: { now: () => start + elapsed.ahead } });
    const { rights } = strict.issuer;
    const { secret } = await issue(strict, 3, 2);
    t.ok(isLetIn(await publish(strict, secret)));
    const person = () =>
      strict.db.selectFrom('person').select(['nick_name', 'role']).where('user_id', '=', 3).execute();
    t.strictSame(await person(), [{ nick_name: 'Person 3', role: 2 }]);
    rights.set(3, 0);
    elapsed.ahead = MINUTE - 1000;
    t.ok(isLetIn(await publish(strict, secret)), 'what was said less than a minute ago holds');
    elapsed.ahead = MINUTE + 1000;
    t.hasStrict(await publish(strict, secret), [403, { code: 'FORBIDDEN' }]);
    rights.set(3, 1);
    elapsed.ahead = 2 * MINUTE + 2000;
    t.ok(isLetIn(await publish(strict, secret)));
    rights.set(3, null);
    clock.ahead = -MINUTE;
    elapsed.ahead = 3 * MINUTE + 3000;
    t.hasStrict(
      await publish(strict, secret),
      [401, { code: 'TOKEN_INVALID' }],
      'a clock set back prolongs nothing',
    );
    rights.set(3, 1);
    t.hasStrict(
      await publish(strict, secret),
      [401, { code: 'TOKEN_INVALID' }],
      'what has ended does not come back',
    );
    clock.ahead = 0;
  });

  t.test('users who may no longer publish cannot create a token', async (t) => {
    const strict = await testCommunity(t);
    strict.issuer.rights.set(3, 0);
    const headers = await strict.bearer(3, 2);
    const refused = await ask(strict.url, 'plugin/token', { headers, body: { name: 'CI' } });
    t.equal(refused.status, 403);
    t.hasStrict(refused.json, { code: 'FORBIDDEN' });
    const { rows } = await strict.pool.query('select from publish_token');
    t.equal(rows.length, 0);
  });

  t.test('access tokens are still accepted everywhere', async (t) => {
    const headers = await community.bearer(7);
    t.equal((await ask(community.url, 'manager/verify', { headers })).status, 200);
    t.equal((await ask(community.url, 'plugin/token/list', { headers })).status, 200);
  });
});
