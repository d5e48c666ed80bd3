import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';
import { itemOf, reviewer } from './reviewer.ts';

let at = Date.now();
const community = await testCommunity(t, { now: () => at });
const { db, pool, url } = community;
const { decide } = reviewer(community);

const seen = (key: string) => ask(url, `plugin?plugin_key=${key}`);
const detail = async (key: string) => dataOf(await seen(key), contract.readPlugin.data);
const value = async (sql: string, ...parameters: unknown[]) => (await pool.query(sql, parameters)).rows[0];

t.test('revoking the approval of the only version removes the plugin from the marketplace', async (t) => {
  const pluginId = await addPlugin(db, { key: 'taken-off', auditStatus: 1 });
  await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
  await addSubmission(db, { pluginId });
  await decide({ plugin_key: 'taken-off', audit_status: 2 });
  t.equal((await seen('taken-off')).status, 200);
  const taken = await decide({
    plugin_key: 'taken-off',
    audit_status: 3,
    expected_status: 2,
    reason: 'It spies.',
  });
  t.hasStrict(itemOf(taken), { audit_status: 3, reason: 'It spies.', is_live: false });
  t.equal((await seen('taken-off')).status, 404);
  t.hasStrict(await value('select audit_status, current_version_id from plugin where id = $1', pluginId), {
    audit_status: 3,
    current_version_id: null,
  });
  t.hasStrict(
    await value(`select action, detail from audit_trail where action = 'submission.take_back' limit 1`),
    { detail: { plugin_key: 'taken-off', before: 2, reason: 'It spies.' } },
  );
});

t.test(
  'revoking the approval of the current version makes the last other approved version current',
  async (t) => {
    const pluginId = await addPlugin(db, { key: 'falls-back' });
    const listing = (name: string) => ({ name: { 'en-US': name } });
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
      await addSubmission(db, { pluginId, version, listing: listing(`Named ${version}`) });
      at += 1000;
      t.equal((await decide({ plugin_key: 'falls-back', audit_status: 2 })).status, 200);
    }
    await db
      .updateTable('plugin_version')
      .set({ is_hidden: true })
      .where('plugin_id', '=', pluginId)
      .where('version', '=', '1.2.0')
      .execute();
    const taken = await decide({
      plugin_key: 'falls-back',
      version: '1.3.0',
      audit_status: 3,
      expected_status: 2,
      reason: 'Broken.',
    });
    t.hasStrict(itemOf(taken), { audit_status: 3, is_live: true });
    t.hasStrict(await detail('falls-back'), { version: '1.1.0', name: 'Named 1.2.0', audit_status: 2 });
  },
);

t.test('revoking the approval of a listing change restores the earlier listing', async (t) => {
  const pluginId = await addPlugin(db, { key: 'listing-back' });
  await addSubmission(db, { pluginId, version: '1.1.0', listing: { name: { 'en-US': 'First' } } });
  await decide({ plugin_key: 'listing-back', audit_status: 2 });
  at += 1000;
  await addSubmission(db, { pluginId, listing: { name: { 'en-US': 'Second' } } });
  await decide({ plugin_key: 'listing-back', audit_status: 2 });
  t.hasStrict(await detail('listing-back'), { name: 'Second', version: '1.1.0' });
  await decide({ plugin_key: 'listing-back', audit_status: 3, expected_status: 2, reason: 'Rude.' });
  t.hasStrict(await detail('listing-back'), { name: 'First', version: '1.1.0', audit_status: 2 });
});

t.test('a refused submission can be approved later, unless a newer one was approved', async (t) => {
  const pluginId = await addPlugin(db, { key: 'second-thought' });
  const first = await addSubmission(db, { pluginId, version: '1.1.0' });
  await decide({ plugin_key: 'second-thought', audit_status: 3, reason: 'No.' });
  t.hasStrict(
    itemOf(await decide({ plugin_key: 'second-thought', audit_status: 2, expected_status: 3 }, 2)),
    {
      audit_status: 2,
      reason: null,
      decided_by: { user_id: 2 },
    },
  );
  t.hasStrict(await detail('second-thought'), { version: '1.1.0' });
  await decide({ plugin_key: 'second-thought', audit_status: 3, expected_status: 2, reason: 'No.' });
  await addSubmission(db, { pluginId, version: '1.2.0' });
  await decide({ plugin_key: 'second-thought', audit_status: 2 });
  const late = await decide({
    plugin_key: 'second-thought',
    submission_id: first,
    audit_status: 2,
    expected_status: 3,
  });
  t.hasStrict(late.json, { code: 'CONFLICT', data: { by: { user_id: 1 }, audit_status: 2 } });
  t.hasStrict(await detail('second-thought'), { version: '1.2.0' });
});
