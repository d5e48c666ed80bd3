import { createHash } from 'node:crypto';
import t from 'tap';
import { LIVE_TOKENS_MAX } from '../../../server/community/tokens/tokens.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { type Answer, ask, dataOf } from '../ask.ts';

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
