import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { type Answer, ask, dataOf, keysOf } from '../ask.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { db, url, bearer, pool } = community;
const OWNER = PUBLISHER_ID;
const STRANGER = 7;
const tag = await addTag(db, 'tagged');

const remove = async (userId: number, body: unknown, role: 0 | 1 | 2 = 0): Promise<Answer> =>
  ask(url, 'plugin', { method: 'DELETE', headers: await bearer(userId, role), body });

async function uses(plugin_key: string, userId: number): Promise<void> {
  const answer = await ask(url, 'plugin/user', { headers: await bearer(userId), body: { plugin_key } });
  t.equal(answer.status, 200);
}

const statesOf = async (pluginId: number) =>
  db
    .selectFrom('submission')
    .select(['audit_status', 'is_superseded'])
    .where('plugin_id', '=', pluginId)
    .orderBy('id')
    .execute();

t.test('a deleted plugin is no longer found, and stays for users who have installed it', async (t) => {
  const id = await addPlugin(db, { key: 'going-away', name: { 'en-US': 'Goner' }, tags: [tag] });
  await addSubmission(db, { pluginId: id, status: 2 });
  await addSubmission(db, { pluginId: id, version: '1.1.0' });
  await pool.query('insert into recommendation (plugin_id, position) values ($1, 1)', [id]);
  await pool.query('insert into silent_install (plugin_id) values ($1)', [id]);
  await pool.query(
    `insert into resource_slot (plugin_id, link, start_at, end_at)
      values ($1, 'https://example.com', now(), now() + interval '1 day')`,
    [id],
  );
  await uses('going-away', STRANGER);

  const answer = await remove(OWNER, { plugin_key: 'going-away' });
  t.strictSame(answer.json, { code: 0, message: 'ok', data: {} });

  for (const query of ['', `tag_id=${tag}`, 'keyword=goner', `keyword=goner&tag_id=${tag}`]) {
    const page = dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data);
    t.strictSame([keysOf(page), page.total], [[], 0], query);
  }
  const recommended = await ask(url, 'plugin/recommendation/list');
  t.strictSame(dataOf(recommended, contract.listRecommended.data).plugin_list, []);
  for (const [userId, role] of [
    [OWNER, 0],
    [STRANGER, 0],
    [1, 1],
  ] as const) {
    const detail = await ask(url, 'plugin?plugin_key=going-away', { headers: await bearer(userId, role) });
    t.equal(detail.status, 404);
  }
  const { rows } = await pool.query(
    `select (select count(*)::int from silent_install) as silent, (select count(*)::int from recommendation) as recommended,
        (select bool_and(is_disabled) from resource_slot) as disabled`,
  );
  t.strictSame(rows, [{ silent: 0, recommended: 0, disabled: true }]);
  t.strictSame(await statesOf(id), [
    { audit_status: 2, is_superseded: false },
    { audit_status: 1, is_superseded: true },
  ]);

  t.equal(
    (await ask(url, 'plugin/user', { headers: await bearer(8), body: { plugin_key: 'going-away' } })).status,
    404,
  );
  const installed = await ask(url, 'plugin/user/list', { headers: await bearer(STRANGER) });
  t.hasStrict(dataOf(installed, contract.listInstalled.data), {
    total: 1,
    plugin_list: [
      { is_available: false, plugin: { plugin_key: 'going-away', name: 'Goner', is_installed: true } },
    ],
  });
  const uninstalled = await ask(url, 'plugin/user', {
    method: 'DELETE',
    headers: await bearer(STRANGER),
    body: { plugin_key: 'going-away' },
  });
  t.hasStrict(dataOf(uninstalled, contract.uninstallPlugin.data), { is_installed: false });
});

const refusals: [
  title: string,
  userId: number,
  role: 0 | 1 | 2,
  key: string,
  status: number,
  code: string,
][] = [
  ['another user', STRANGER, 0, 'well-guarded', 403, 'FORBIDDEN'],
  ['another user, an invisible plugin', STRANGER, 0, 'unseen-one', 404, 'PLUGIN_NOT_FOUND'],
  ['the owner, an unknown plugin', OWNER, 0, 'no-such-plugin', 404, 'PLUGIN_NOT_FOUND'],
];
t.test('two more plugins are added', async () => {
  await addPlugin(db, { key: 'well-guarded' });
  await addPlugin(db, { key: 'unseen-one', auditStatus: 1 });
});
for (const [title, userId, role, plugin_key, status, code] of refusals) {
  t.test(`${title}: nothing is deleted`, async (t) => {
    const answer = await remove(userId, { plugin_key }, role);
    t.equal(answer.status, status);
    t.hasStrict(answer.json, { code });
    const left = await db.selectFrom('plugin').select('id').where('deleted_at', 'is', null).execute();
    t.equal(left.length, 2);
  });
}

for (const [title, body] of [
  ['no key', {}],
  ['a key of another type', { plugin_key: 5 }],
  ['a malformed key', { plugin_key: "x' or 1=1" }],
  ['a list', ['well-guarded']],
] as const) {
  t.test(`${title} is refused`, async (t) => {
    const answer = await remove(OWNER, body);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
  });
}

t.test('an administrator deletes plugins of others, also unpublished ones', async (t) => {
  t.equal((await remove(1, { plugin_key: 'unseen-one' }, 2)).status, 200);
  t.equal((await remove(1, { plugin_key: 'unseen-one' }, 2)).status, 404);
});

t.test('of many simultaneous deletions one succeeds', async (t) => {
  await addPlugin(db, { key: 'fought-over' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => remove(OWNER, { plugin_key: 'fought-over' })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  t.strictSame(statuses, [200, ...Array.from({ length: 7 }, () => 404)]);
});
