import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';
import { pluginForm } from '../publish/form-parts.ts';
import { itemOf, reviewer } from './reviewer.ts';

const ADMIN = 1;
const COLLEAGUE = 2;
const OWN = {
  code: 'OWN_SUBMISSION',
  message:
    'Nobody decides on their own submission. Another administrator can, or REVIEW_OWN_SUBMISSIONS=yes allows it.',
};

const community = await testCommunity(t);
const { db, pool, url, bearer } = community;
const { decide, claim, list, answer } = reviewer(community);

const submitPlugin = async (key: string, version = '1.1.0') => {
  const pluginId = await addPlugin(db, { key, publisherId: ADMIN });
  return addSubmission(db, { pluginId, version, createdBy: ADMIN });
};
const statusOf = async (id: number) =>
  (await pool.query('select audit_status, claimed_by from submission where id = $1', [id])).rows[0];

for (const decision of [{ audit_status: 2 }, { audit_status: 3, reason: 'No.' }]) {
  t.test(`reviewers cannot decide on their own submission: ${decision.audit_status}`, async (t) => {
    const plugin_key = `own-decided-${decision.audit_status}`;
    const submission_id = await submitPlugin(plugin_key);
    for (const body of [{ plugin_key, submission_id }, { plugin_key }, { plugin_key, version: '1.1.0' }]) {
      const refused = await decide({ ...body, ...decision });
      t.equal(refused.status, 403);
      t.strictSame(refused.json, OWN);
    }
    t.strictSame(await statusOf(submission_id), { audit_status: 1, claimed_by: null });
    t.equal((await pool.query('select from review where submission_id = $1', [submission_id])).rowCount, 0);
    t.match(itemOf(await decide({ plugin_key, submission_id, ...decision }, COLLEAGUE)), decision);
  });
}

t.test('reviewers cannot change a decision of others on their own submission', async (t) => {
  const submission_id = await submitPlugin('own-taken-back');
  const body = { plugin_key: 'own-taken-back', submission_id };
  itemOf(await decide({ ...body, audit_status: 2 }, COLLEAGUE));
  const back = { ...body, audit_status: 3, expected_status: 2, reason: 'No.' };
  t.strictSame((await decide(back)).json, OWN);
  itemOf(await decide(back, COLLEAGUE));
  t.strictSame((await decide({ ...body, audit_status: 2, expected_status: 3 })).json, OWN);
  t.hasStrict(await statusOf(submission_id), { audit_status: 3 });
});

t.test('reviewers cannot claim their own submission', async (t) => {
  const submission_id = await submitPlugin('own-claimed');
  const refused = await claim(submission_id);
  t.equal(refused.status, 403);
  t.strictSame(refused.json, OWN);
  t.strictSame(await statusOf(submission_id), { audit_status: 1, claimed_by: null });
  t.equal((await claim(submission_id, COLLEAGUE)).status, 200);
});

t.test('a submission by a reviewer’s own publish token is their own', async (t) => {
  const headers = await bearer(ADMIN, 2);
  const created = await ask(url, 'plugin/token', { headers, body: { name: 'CI', days: 1 } });
  const { secret } = dataOf(created, contract.createPublishToken.data);
  const response = await fetch(`${url}/api/cmt/plugin`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: pluginForm(),
  });
  t.equal(response.status, 200);
  const { data } = (await response.json()) as { data: { plugin_key: string } };
  const refused = await decide({ plugin_key: data.plugin_key, audit_status: 2 });
  t.equal(refused.status, 403);
  t.strictSame(refused.json, OWN);
  t.hasStrict(itemOf(await decide({ plugin_key: data.plugin_key, audit_status: 2 }, COLLEAGUE)), {
    audit_status: 2,
  });
});

t.test(
  'a colleague’s change of one’s own plugin is theirs, and one’s change of theirs is one’s own',
  async (t) => {
    const pluginId = await addPlugin(db, { key: 'shared-one', publisherId: ADMIN });
    const theirs = await addSubmission(db, { pluginId, version: '1.1.0', createdBy: COLLEAGUE });
    t.equal(
      (await decide({ plugin_key: 'shared-one', submission_id: theirs, audit_status: 2 }, COLLEAGUE)).status,
      403,
    );
    t.equal((await decide({ plugin_key: 'shared-one', submission_id: theirs, audit_status: 2 })).status, 200);
  },
);

t.test('list and details mark own submissions as barred', async (t) => {
  const submission_id = await submitPlugin('own-listed');
  const mine = (await list('audit_status=1')).audit_list.find((item) => item.submission_id === submission_id);
  t.hasStrict(mine, { is_own: true, is_barred: true });
  const theirs = (await list('audit_status=1', COLLEAGUE)).audit_list.find(
    (item) => item.submission_id === submission_id,
  );
  t.hasStrict(theirs, { is_own: false, is_barred: false });
  const path = `manager/plugin/audit?submission_id=${submission_id}`;
  t.hasStrict(dataOf(await answer(path), contract.readAudit.data).item, { is_own: true, is_barred: true });
});

t.test('a setting allows it for a site with only one administrator', async (t) => {
  const alone = await testCommunity(t, { reviewsOwn: true });
  const pluginId = await addPlugin(alone.db, { key: 'own-allowed', publisherId: ADMIN });
  const submission_id = await addSubmission(alone.db, { pluginId, version: '1.1.0', createdBy: ADMIN });
  const chief = reviewer(alone);
  const [mine] = (await chief.list()).audit_list;
  t.hasStrict(mine, { is_own: true, is_barred: false });
  t.equal((await chief.claim(submission_id)).status, 200);
  t.hasStrict(itemOf(await chief.decide({ plugin_key: 'own-allowed', submission_id, audit_status: 2 })), {
    audit_status: 2,
  });
  const { rows } = await alone.pool.query('select detail from audit_trail where target_id = $1', [
    String(submission_id),
  ]);
  t.hasStrict(rows[0].detail, { own: true }, 'the audit trail marks it');
});
