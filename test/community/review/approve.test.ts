import t from 'tap';
import { approveSubmission } from '../../../server/community/review/effects.ts';
import { toAuditItem } from '../../../server/community/submissions/items.ts';
import { lockSubmission, readSubmissionRows } from '../../../server/community/submissions/store.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const community = await testCommunity(t);
const { db } = community;
const tagBefore = await addTag(db, 'before');
const tagAfter = await addTag(db, 'after');

async function pass(submissionId: number, now = Date.now()): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const submission = await lockSubmission(trx, submissionId);
    if (submission) await approveSubmission(trx, submission, now);
    await trx.updateTable('submission').set({ audit_status: 2 }).where('id', '=', submissionId).execute();
  });
}

const answer = (key: string) => ask(community.url, `plugin?plugin_key=${key}`);
const detail = async (key: string) => dataOf(await answer(key), contract.readPlugin.data);
const list = async (query: string) =>
  dataOf(await ask(community.url, `plugin/list?${query}`), contract.listPlugins.data);

t.test('a published plugin does not change until its change is approved', async (t) => {
  const pluginId = await addPlugin(db, { key: 'live-plugin', name: { 'en-US': 'Old' }, tags: [tagBefore] });
  const listing = { name: { 'en-US': 'New', 'ja-JP': '新しい' }, tags: ['after'] };
  const submission = await addSubmission(db, { pluginId, version: '1.1.0', listing });
  t.hasStrict(await detail('live-plugin'), { name: 'Old', version: '1.0.0', tags: [{ id: tagBefore }] });

  const now = Date.parse('2030-01-01T00:00:00Z');
  await pass(submission, now);
  const data = await detail('live-plugin');
  t.hasStrict(data, {
    name: 'New',
    version: '1.1.0',
    tags: [{ id: tagAfter }],
    contact: 'maker@example.com',
  });
  t.equal(data.tags.length, 1);
  t.strictSame([...data.languages].sort(), ['en-US', 'ja-JP']);
  t.equal(data.updated_at, new Date(now).toISOString());

  t.strictSame(keysOf(await list(`keyword=${encodeURIComponent('新しい')}`)), ['live-plugin']);
  t.strictSame(keysOf(await list('keyword=Old')), []);
  t.equal((await list(`tag_id=${tagBefore}`)).total, 0);
});

t.test('approving a change of the listing keeps the earlier version that the publisher chose', async (t) => {
  const pluginId = await addPlugin(db, { key: 'went-back' });
  const newer = await addSubmission(db, { pluginId, version: '2.0.0' });
  await pass(newer);
  await db
    .updateTable('plugin')
    .set(({ selectFrom }) => ({
      current_version_id: selectFrom('plugin_version')
        .select('id')
        .where('plugin_id', '=', pluginId)
        .where('version', '=', '1.0.0'),
    }))
    .where('id', '=', pluginId)
    .execute();
  await pass(await addSubmission(db, { pluginId, listing: { name: { 'en-US': 'Renamed' } } }));
  t.hasStrict(await detail('went-back'), { name: 'Renamed', version: '1.0.0' });
});

t.test('a new plugin appears when its first submission is approved', async (t) => {
  const pluginId = await addPlugin(db, { key: 'first-time', auditStatus: 1 });
  await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
  t.equal((await answer('first-time')).status, 404);
  await pass(await addSubmission(db, { pluginId }));
  t.hasStrict(await detail('first-time'), { name: 'Handed in', version: '1.0.0', audit_status: 2 });
});

t.test('a deleted plugin has no submissions to decide', async (t) => {
  const pluginId = await addPlugin(db, { key: 'deleted-one', deletedAt: new Date() });
  const submission = await addSubmission(db, { pluginId, version: '1.1.0' });
  t.equal(await db.transaction().execute((trx) => lockSubmission(trx, submission)), undefined);
});

t.test('an item shows the submitted listing, and a claim only until it expires', async (t) => {
  const pluginId = await addPlugin(db, { key: 'shown-item', name: { 'en-US': 'Live name' } });
  const first = await addSubmission(db, {
    pluginId,
    version: '1.1.0',
    listing: { tags: ['after', 'before'] },
  });
  const until = new Date('2030-01-01T00:15:00Z');
  await db
    .updateTable('submission')
    .set({ claimed_by: PUBLISHER_ID, claimed_until: until })
    .where('id', '=', first)
    .execute();
  const [row] = await readSubmissionRows(db, [first], 7);
  if (!row) return t.fail('the submission was not read');
  const during = toAuditItem(row, 'en-US', until.getTime() - 1);
  t.match(during, {
    submission_id: first,
    plugin: { plugin_key: 'shown-item', name: 'Handed in', tags: [{ code: 'after' }, { code: 'before' }] },
    version: '1.1.0',
    audit_status: 1,
    is_live: true,
    claimed_by: { user_id: PUBLISHER_ID, nick_name: `Maker ${PUBLISHER_ID}` },
    claimed_until: until.toISOString(),
  });
  t.hasStrict(toAuditItem(row, 'en-US', until.getTime()), { claimed_by: null, claimed_until: null });
});
