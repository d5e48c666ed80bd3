import t from 'tap';
import { type Contract, contract, type Operation } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { type TestCommunity, testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

const MINUTE = 60_000;
const clock = { ahead: 0 };
const community = await testCommunity(t, { publishers: 'members', now: () => Date.now() + clock.ahead });
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
  const expected: (keyof Contract)[] = ['publishPlugin', 'updatePlugin'];
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
  clock.ahead = 24 * 60 * MINUTE - 1000;
  t.ok(isLetIn(await publish(community, expiring.secret)));
  clock.ahead = 24 * 60 * MINUTE + 1000;
  t.hasStrict(await publish(community, expiring.secret), [401, { code: 'TOKEN_INVALID' }]);
  clock.ahead = 0;
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
  const strict = await testCommunity(t, {
    now: () => Date.now() + clock.ahead,
    perf: { now: () => performance.now() + elapsed.ahead },
  });
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
