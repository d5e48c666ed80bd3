import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

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
const trail = async () =>
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
    const refused = await ask(url, `manager/publish_token/list?cursor=${cursor}`, { headers: await chief() });
    t.equal(refused.status, 400);
    t.hasStrict(refused.json, { code: 'BAD_CURSOR' });
  }
  const ofOne = await ask(url, `manager/publish_token/list?user_id=7&cursor=${page.next_cursor}`, {
    headers: await chief(),
  });
  t.hasStrict(ofOne.json, { code: 'BAD_CURSOR' }, 'of another list');
});

t.test('revokes a token with an audit trail entry', async (t) => {
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
  t.strictSame(await trail(), [entry]);
  t.equal((await end('', { id: first.token.id })).status, 200, 'once more');
  t.strictSame(await trail(), [entry]);
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
  t.strictSame((await trail()).map(({ target_name }) => target_name).toSorted(), [
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
for (const [method, path, body] of calls) {
  t.test(`${method} ${path} is for super administrators`, async (t) => {
    for (const role of [0, 2] as const) {
      const refused = await ask(url, path, { method, headers: await bearer(8, role), body });
      t.equal(refused.status, 403);
      t.hasStrict(refused.json, { code: 'FORBIDDEN' });
    }
    const token = await ask(url, path, {
      method,
      headers: { authorization: `Bearer ${third.secret}` },
      body,
    });
    t.equal(token.status, 401);
    t.equal(await publish(third.secret), 415, 'nothing was ended');
  });
}

t.test('invalid ids are rejected', async (t) => {
  for (const ids of ['', '0', '1,', 'x', '1,,2', '-1', '1.5', Array(101).fill('7').join(',')]) {
    const refused = await ask(url, `manager/publish_token/count?user_ids=${ids}`, { headers: await chief() });
    t.equal(refused.status, 400, ids);
    t.hasStrict(refused.json, { code: 'VALIDATION_FAILED' });
  }
});
