import t from 'tap';
import { CLAIM_TIME } from '../../../server/community/review/claim.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { itemOf, reviewer } from './reviewer.ts';

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
