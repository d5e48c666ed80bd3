import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../add-plugin.ts';
import { type Answer, ask, dataOf } from '../ask.ts';
import { addVersion } from './add-version.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { bearer, db, url, dataDir } = community;

type Body = Record<string, unknown>;
const change = async (body: Body, userId = PUBLISHER_ID, role: 0 | 1 | 2 = 0): Promise<Answer> =>
  ask(url, 'plugin/version', { method: 'PUT', headers: await bearer(userId, role), body });

/** Versions 1.0.0, 1.2.0 and 1.10.0 (current) have passed, 2.0.0 waits, 0.9.0 was refused. */
async function addHistory(key: string): Promise<number> {
  const pluginId = await addPlugin(db, { key });
  await addVersion(db, dataDir, { pluginId, version: '0.9.0', status: 3 });
  await addVersion(db, dataDir, { pluginId, version: '1.2.0' });
  await addVersion(db, dataDir, { pluginId, version: '1.10.0', isCurrent: true });
  await addVersion(db, dataDir, { pluginId, version: '2.0.0', status: 1 });
  return pluginId;
}

const detail = async (key: string) =>
  dataOf(await ask(url, `plugin?plugin_key=${key}`), contract.readPlugin.data);
const shown = async (key: string) => {
  const answer = await ask(url, `plugin/version/list?plugin_key=${key}`);
  return dataOf(answer, contract.listVersions.data).version_list.map(({ version }) => version);
};

t.test('switching to an earlier version and back', async (t) => {
  const key = 'back-and-forth';
  await addHistory(key);
  const before = (await detail(key)).updated_at;
  t.strictSame((await change({ plugin_key: key, version: '1.0.0', is_current: true })).json, {
    code: 0,
    message: 'ok',
    data: {},
  });
  t.hasStrict(await detail(key), { version: '1.0.0', updated_at: before });
  t.equal((await change({ plugin_key: key, version: '1.0.0', is_current: true })).status, 200);
  t.equal((await detail(key)).version, '1.0.0', 'nothing has changed');
  t.equal((await change({ plugin_key: key, version: '1.10.0', is_current: true })).status, 200);
  t.hasStrict(await detail(key), { version: '1.10.0', updated_at: before });
});

t.test('hiding and showing another version does not change the current one', async (t) => {
  const key = 'hide-an-old-one';
  await addHistory(key);
  const before = await detail(key);
  t.equal((await change({ plugin_key: key, version: '1.2.0', is_hidden: true })).status, 200);
  t.strictSame(await shown(key), ['1.10.0', '1.0.0']);
  t.strictSame(await detail(key), before);
  t.equal((await change({ plugin_key: key, version: '1.2.0', is_hidden: false })).status, 200);
  t.strictSame(await shown(key), ['1.10.0', '1.2.0', '1.0.0']);
  t.strictSame(await detail(key), before);
});

t.test('hiding the current version makes the greatest of the others current', async (t) => {
  const key = 'hide-the-current';
  await addHistory(key);
  const hide = (version: string) => change({ plugin_key: key, version, is_hidden: true });
  t.equal((await hide('1.10.0')).status, 200);
  t.equal((await detail(key)).version, '1.2.0', 'not 2.0.0, which waits');
  t.equal((await hide('1.2.0')).status, 200);
  t.equal((await detail(key)).version, '1.0.0');
  const refused = await hide('1.0.0');
  t.equal(refused.status, 409);
  t.match(refused.json, { code: 'VERSION_NEEDED', message: /only version/ });
  t.strictSame(await shown(key), ['1.0.0']);
  t.equal((await change({ plugin_key: key, version: '1.2.0', is_current: true })).status, 200);
  t.equal((await detail(key)).version, '1.2.0', 'the new current version is shown again');
  t.strictSame(await shown(key), ['1.2.0', '1.0.0']);
});

await addHistory('all-refused');
await addPlugin(db, { key: 'never-passed', auditStatus: 1 });
const key = 'all-refused';
const OWNER = PUBLISHER_ID;
const refusals: [title: string, body: Body, userId: number, status: number, code: string][] = [
  ['an unknown version', { version: '3.0.0', is_current: true }, OWNER, 404, 'VERSION_NOT_FOUND'],
  ['a waiting version as current', { version: '2.0.0', is_current: true }, OWNER, 422, 'VERSION_NOT_PASSED'],
  ['one that was refused', { version: '0.9.0', is_current: true }, OWNER, 422, 'VERSION_NOT_PASSED'],
  ['one that waits, hidden', { version: '2.0.0', is_hidden: true }, OWNER, 422, 'VERSION_NOT_PASSED'],
  ['no change', { version: '1.2.0' }, OWNER, 400, 'VALIDATION_FAILED'],
  ['both at once', { version: '1.2.0', is_current: true, is_hidden: true }, OWNER, 400, 'VALIDATION_FAILED'],
  ['no current version', { version: '1.2.0', is_current: false }, OWNER, 400, 'VALIDATION_FAILED'],
  ['no version', { is_current: true }, OWNER, 400, 'VALIDATION_FAILED'],
  ['a number for a version', { version: 1, is_hidden: true }, OWNER, 400, 'VALIDATION_FAILED'],
  ['a plugin of another user', { version: '1.2.0', is_current: true }, 7, 403, 'FORBIDDEN'],
  [
    'an unknown plugin',
    { plugin_key: 'no-such-plugin', version: '1.0.0', is_hidden: true },
    OWNER,
    404,
    'PLUGIN_NOT_FOUND',
  ],
  [
    'an unpublished plugin of another user',
    { plugin_key: 'never-passed', version: '1.0.0', is_hidden: true },
    7,
    404,
    'PLUGIN_NOT_FOUND',
  ],
  [
    'a plugin that never passed',
    { plugin_key: 'never-passed', version: '1.0.0', is_current: true },
    OWNER,
    422,
    'VERSION_NOT_PASSED',
  ],
];
for (const [title, body, userId, status, code] of refusals) {
  t.test(`refused, and nothing changed: ${title}`, async (t) => {
    const answer = await change({ plugin_key: key, ...body }, userId);
    t.equal(answer.status, status);
    t.hasStrict(answer.json, { code });
    t.equal((await detail(key)).version, '1.10.0');
    t.strictSame(await shown(key), ['1.10.0', '1.2.0', '1.0.0']);
  });
}

const trailOf = async (target: string) => {
  const headers = await bearer(1, 2);
  const answer = await ask(url, `manager/audit-trail/list?target_id=${target}`, { headers });
  return dataOf(answer, contract.listTrail.data).entry_list.map(({ action, actor, detail, target_name }) => [
    action,
    actor.user_id,
    detail.version,
    target_name,
  ]);
};

t.test('administrators may change versions, which is recorded in the audit trail', async (t) => {
  const key = 'kept-in-mind';
  const name = 'Plugin of kept-in-mind';
  const pluginId = await addHistory(key);
  await db.updateTable('plugin_text').set({ name }).where('plugin_id', '=', pluginId).execute();
  const asAdmin = async (body: Body) => (await change({ plugin_key: key, ...body }, 1, 2)).status;
  t.equal(await asAdmin({ version: '1.2.0', is_current: true }), 200);
  t.equal((await detail(key)).version, '1.2.0');
  t.equal(await asAdmin({ version: '1.2.0', is_current: true }), 200, 'nothing has changed');
  t.equal(await asAdmin({ version: '1.10.0', is_hidden: true }), 200);
  t.equal(await asAdmin({ version: '1.10.0', is_hidden: false }), 200);
  t.equal(await asAdmin({ version: '1.2.0', is_hidden: true }), 200, 'another one becomes current by it');
  t.equal(await asAdmin({ version: '9.9.9', is_hidden: true }), 404);
  t.strictSame(await trailOf(key), [
    ['version.current', 1, '1.10.0', name],
    ['version.hide', 1, '1.2.0', name],
    ['version.show', 1, '1.10.0', name],
    ['version.hide', 1, '1.10.0', name],
    ['version.current', 1, '1.2.0', name],
  ]);
});

t.test('changes by publishers are not in the audit trail', async (t) => {
  await addHistory('own-affair');
  t.equal((await change({ plugin_key: 'own-affair', version: '1.2.0', is_hidden: true })).status, 200);
  t.strictSame(await trailOf('own-affair'), []);
});

t.test('of two simultaneous requests that hide the last two versions one fails', async (t) => {
  const pluginId = await addPlugin(db, { key: 'race-to-hide' });
  await addVersion(db, dataDir, { pluginId, version: '1.1.0', isCurrent: true });
  const answers = await Promise.all(
    ['1.0.0', '1.1.0'].map((version) => change({ plugin_key: 'race-to-hide', version, is_hidden: true })),
  );
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 409]);
  t.strictSame(await shown('race-to-hide'), [(await detail('race-to-hide')).version]);
});
