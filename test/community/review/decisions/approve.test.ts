import t from 'tap';
import { toAuditItem } from '../../../../server/community/catalogue/submissions/items.ts';
import {
  lockSubmission,
  readSubmissionRows,
} from '../../../../server/community/catalogue/submissions/store.ts';
import { CLAIM_TIME } from '../../../../server/community/review/decisions/claim.ts';
import { approveSubmission } from '../../../../server/community/review/decisions/effects.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';
import { itemOf, reviewer } from './reviewer.ts';

t.test('approve', async (t) => {
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
    t.strictSame(data.languages, ['en-US'], 'a name alone is no translation');
    t.equal(data.updated_at, new Date(now).toISOString());

    t.strictSame(keysOf(await list(`keyword=${encodeURIComponent('新しい')}`)), ['live-plugin']);
    t.strictSame(keysOf(await list('keyword=Old')), []);
    t.equal((await list(`tag_id=${tagBefore}`)).total, 0);
  });

  t.test(
    'approving a change of the listing keeps the earlier version that the publisher chose',
    async (t) => {
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
    },
  );

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
});

t.test('revoke approval', async (t) => {
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
});

t.test('claim', async (t) => {
  let at = Date.now();
  const community = await testCommunity(t, { now: () => at });
  const { db } = community;
  /** Tokens outlive the clock of this test. */
  const exp = Math.floor(at / 1000) + 24 * 60 * 60;
  const bearer = async (userId: number) => ({
    authorization: `Bearer ${await community.issuer.sign({ sub: String(userId), role: 2, exp })}`,
  });
  const { claim, decide, list } = reviewer({ ...community, bearer });

  async function waiting(key: string): Promise<number> {
    return addSubmission(db, { pluginId: await addPlugin(db, { key }), version: '1.1.0' });
  }

  t.test('a claim is shown, renewed and released', async (t) => {
    const id = await waiting('claimed-one');
    const first = itemOf(await claim(id));
    t.match(first, { claimed_by: { user_id: 1 }, claimed_until: new Date(at + CLAIM_TIME).toISOString() });
    at += 60_000;
    t.equal(itemOf(await claim(id)).claimed_until, new Date(at + CLAIM_TIME).toISOString());
    t.hasStrict((await list('audit_status=1', 2)).audit_list[0], { claimed_by: { user_id: 1 } });
    t.hasStrict(itemOf(await claim(id, 1, false)), { claimed_by: null, claimed_until: null });
    t.hasStrict(itemOf(await claim(id, 1, false)), { claimed_by: null }, 'once more is harmless');
    t.hasStrict(itemOf(await claim(id, 2)), { claimed_by: { user_id: 2 } });
  });

  t.test('the claim of another reviewer is neither taken over nor released', async (t) => {
    const id = await waiting('others-claim');
    await claim(id, 2);
    for (const isClaimed of [true, false]) {
      const refused = await claim(id, 1, isClaimed);
      t.equal(refused.status, 409);
      t.match(refused.json, {
        code: 'ALREADY_CLAIMED',
        message: 'Somebody else is reviewing this.',
        data: { by: { user_id: 2 }, at: new Date(at).toISOString(), audit_status: null },
      });
    }
  });

  t.test('an expired claim blocks nobody', async (t) => {
    const id = await waiting('run-out-claim');
    await claim(id, 2);
    at += CLAIM_TIME - 1;
    t.equal((await claim(id, 1)).status, 409);
    at += 1;
    t.hasStrict(itemOf(await claim(id, 1)), { claimed_by: { user_id: 1 } });
    t.equal((await claim(id, 2, false)).status, 409, 'it is the other one’s now');
  });

  t.test('of many simultaneous claims one succeeds', async (t) => {
    const id = await waiting('claim-race');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => claim(id, n + 1)));
    t.strictSame(answers.map((one) => one.status).sort(), [200, ...Array(11).fill(409)]);
  });

  t.test('a decided or missing submission cannot be claimed', async (t) => {
    const id = await waiting('decided-one');
    await decide({ plugin_key: 'decided-one', audit_status: 3, reason: 'No.' });
    const decided = await claim(id, 2);
    t.equal(decided.status, 409);
    t.hasStrict(decided.json, {
      code: 'ALREADY_DECIDED',
      data: { by: { user_id: 1 }, audit_status: 3, reason: 'No.' },
    });
    const missing = await claim(999_999);
    t.equal(missing.status, 404);
    t.hasStrict(missing.json, { code: 'SUBMISSION_NOT_FOUND' });
  });

  t.test('a superseded submission cannot be claimed', async (t) => {
    const id = await waiting('replaced-one');
    const { plugin_id: pluginId } = await db
      .updateTable('submission')
      .set({ is_superseded: true })
      .where('id', '=', id)
      .returning('plugin_id')
      .executeTakeFirstOrThrow();
    await addSubmission(db, { pluginId, version: '1.2.0' });
    const refused = await claim(id);
    t.equal(refused.status, 409);
    t.hasStrict(refused.json, { code: 'CONFLICT' });
  });
});
