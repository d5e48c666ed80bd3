import t from 'tap';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { reviewer } from './reviewer.ts';

const ADMIN = 1;
const COLLEAGUE = 2;
const community = await testCommunity(t);
const { db, pool } = community;
const { claim, list, answer } = reviewer(community);

const isOpened = async (id: number, userId = ADMIN) =>
  (await list('audit_status=0', userId)).audit_list.find(({ submission_id }) => submission_id === id)
    ?.is_opened;

t.test('a submission is opened for the reviewer who reads its details', async (t) => {
  const pluginId = await addPlugin(db, { key: 'opened-one' });
  const id = await addSubmission(db, { pluginId, version: '1.1.0' });
  t.equal(await isOpened(id), false);
  for (let times = 0; times < 2; times += 1) {
    const { status, json } = await answer(`manager/plugin/audit?submission_id=${id}`);
    t.equal(status, 200);
    t.hasStrict(json, { data: { item: { is_opened: true } } }, 'the view is an opening');
  }
  t.equal(await isOpened(id), true);
  t.equal(await isOpened(id, COLLEAGUE), false, 'not for another reviewer');
  await pool.query('update submission set is_superseded = true where id = $1', [id]);
  const next = await addSubmission(db, { pluginId, version: '1.2.0' });
  t.equal(await isOpened(next), false, 'the next submission is not opened');
});

t.test('a claim opens it, releasing does not', async (t) => {
  const pluginId = await addPlugin(db, { key: 'claimed-one' });
  const id = await addSubmission(db, { pluginId, version: '1.1.0' });
  t.equal((await claim(id, COLLEAGUE, false)).status, 200);
  t.equal(await isOpened(id, COLLEAGUE), false);
  t.hasStrict((await claim(id)).json, { data: { is_opened: true } });
  t.equal((await claim(id, COLLEAGUE)).status, 409);
  t.equal(await isOpened(id, COLLEAGUE), false, 'nor does a claim that came second');
});

t.test('a list, or a missing submission, opens nothing', async (t) => {
  const before = await pool.query('select count(*)::int as openings from review_opening');
  await list();
  t.equal((await answer('manager/plugin/audit?submission_id=999999')).status, 404);
  const after = await pool.query('select count(*)::int as openings from review_opening');
  t.strictSame(after.rows, before.rows);
});
