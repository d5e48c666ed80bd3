import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { db, url, bearer } = community;
await addTag(db, 'colour');

const listOf = async (userId: number, query = '') =>
  ask(url, `plugin/audit${query}`, { headers: await bearer(userId) });
const pageOf = async (userId: number, query = '') =>
  dataOf(await listOf(userId, query), contract.listOwnPlugins.data);
const edit = async (userId: number, key: string, role: 0 | 1 | 2 = 0) =>
  ask(url, `plugin/edit?plugin_key=${key}`, { headers: await bearer(userId, role) });

t.test('without plugins the list is empty', async (t) => {
  t.strictSame(await pageOf(4711), { total: 0, total_estimated: false, next_cursor: null, plugin_list: [] });
});

t.test('each plugin shows its last submission and current counts', async (t) => {
  const id = await addPlugin(db, { key: 'shown-to-owner', publisherId: 20, name: { 'en-US': 'Live name' } });
  await addSubmission(db, { pluginId: id, status: 2, createdBy: 20 });
  await addSubmission(db, {
    pluginId: id,
    version: '1.2.0',
    status: 3,
    reason: 'The cover is not yours.',
    listing: { name: { 'en-US': 'New name', 'zh-CN': '新名' }, tags: ['colour'] },
    createdBy: 20,
  });
  await ask(url, 'plugin/user/praise', {
    headers: await bearer(5),
    body: { plugin_key: 'shown-to-owner', praise: 1 },
  });
  const page = await pageOf(20);
  t.equal(page.total, 1);
  t.hasStrict(page.plugin_list, [
    {
      plugin: {
        plugin_key: 'shown-to-owner',
        name: 'New name',
        praise_count: 1,
        version: '1.2.0',
        tags: [{ code: 'colour' }],
      },
      audit_status: 3,
      reason: 'The cover is not yours.',
      is_live: true,
      brings_version: true,
    },
  ]);
  const headers = { ...(await bearer(20)), 'accept-language': 'zh-CN' };
  const chinese = dataOf(await ask(url, 'plugin/audit', { headers }), contract.listOwnPlugins.data);
  t.equal(chinese.plugin_list[0]?.plugin.name, '新名');
});

t.test('pages have no gap, also among plugins of the same time', async (t) => {
  for (let index = 0; index < 7; index += 1) {
    const updatedAt = new Date(Date.UTC(2025, 0, index < 4 ? 1 : index));
    const id = await addPlugin(db, { key: `paged-number-${index}`, publisherId: 21, updatedAt });
    await addSubmission(db, { pluginId: id, createdBy: 21 });
  }
  const deleted = await addPlugin(db, { key: 'paged-deleted', publisherId: 21, deletedAt: new Date() });
  await addSubmission(db, { pluginId: deleted, createdBy: 21 });
  const all = (await pageOf(21)).plugin_list.map(({ plugin }) => plugin.plugin_key);
  t.equal(all.length, 7);
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await pageOf(21, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    t.equal(page.total, 7);
    walked.push(...page.plugin_list.map(({ plugin }) => plugin.plugin_key));
    cursor = page.next_cursor;
  }
  t.strictSame(walked, all);
  const foreign = (await pageOf(21, '?limit=3')).next_cursor;
  const answer = await listOf(20, `?cursor=${foreign}`);
  t.equal(answer.status, 400);
  t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
});

t.test('the editing form has the last submission of a plugin', async (t) => {
  const id = await addPlugin(db, { key: 'being-edited', publisherId: 22 });
  const listing = {
    name: { 'en-US': 'Second', 'ja-JP': '二番目' },
    support: 'help@example.com',
    copyright: { kind: 'custom', holder: 'Somebody' } as const,
  };
  await addSubmission(db, { pluginId: id, version: '1.10.0', status: 3, reason: 'No.', createdBy: 22 });
  await addSubmission(db, { pluginId: id, version: '1.9.0', status: 2, createdBy: 22 });
  const newest = await addSubmission(db, { pluginId: id, listing, createdBy: 22 });
  for (const [userId, role] of [
    [22, 0],
    [1, 2],
  ] as const) {
    const data = dataOf(await edit(userId, 'being-edited', role), contract.readEditablePlugin.data);
    t.match(data, {
      plugin_key: 'being-edited',
      submission_id: newest,
      listing: { ...listing, contact: 'maker@example.com', icon: null, media: [] },
      audit_status: 1,
      reason: null,
      version: '1.9.0',
      version_note: { 'en-US': 'Next' },
      last_version: '1.10.0',
      current_version: '1.0.0',
    });
  }
});

const refusals: [title: string, userId: number, key: string, status: number, code: string][] = [
  ['another user', 5, 'being-edited', 403, 'FORBIDDEN'],
  ['another user, an unpublished plugin', 5, 'not-published', 404, 'PLUGIN_NOT_FOUND'],
  ['the owner, a deleted plugin', PUBLISHER_ID, 'deleted-one', 404, 'PLUGIN_NOT_FOUND'],
  ['a key that is none', 22, 'x', 400, 'VALIDATION_FAILED'],
];
for (const [title, userId, key, status, code] of refusals) {
  t.test(`editing is refused: ${title}`, async (t) => {
    if (key === 'not-published') await addPlugin(db, { key, auditStatus: 1 });
    if (key === 'deleted-one') await addPlugin(db, { key, deletedAt: new Date() });
    const answer = await edit(userId, key);
    t.equal(answer.status, status);
    t.hasStrict(answer.json, { code });
  });
}
