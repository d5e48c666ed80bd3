import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';

const HOUR = 3_600_000;
const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR);

const community = await testCommunity(t, { publishers: 'members' });
const { db, url, bearer, pool } = community;

const ownOf = async (userId: number) => {
  const answer = await ask(url, 'plugin/audit', { headers: await bearer(userId) });
  const { plugin_list } = dataOf(answer, contract.listOwnPlugins.data);
  return new Map(plugin_list.map(({ plugin, queue }) => [plugin.plugin_key, queue]));
};
const editableOf = async (userId: number, key: string) =>
  dataOf(
    await ask(url, `plugin/edit?plugin_key=${key}`, { headers: await bearer(userId) }),
    contract.readEditablePlugin.data,
  );

async function submit(key: string, publisherId: number, createdAt: Date): Promise<number> {
  const pluginId = await addPlugin(db, { key, publisherId });
  return addSubmission(db, { pluginId, createdBy: publisherId, createdAt });
}

/** A submission that was decided a while ago, after it had waited for the given hours. */
async function decided(key: string, waited: number, decidedAt = ago(1)): Promise<number> {
  const pluginId = await addPlugin(db, { key });
  const createdAt = new Date(decidedAt.getTime() - waited * HOUR);
  const id = await addSubmission(db, { pluginId, createdAt });
  await pool.query('update submission set audit_status = 2, decided_at = $2 where id = $1', [id, decidedAt]);
  return id;
}

t.test('publishers see the place of their submission in the review order', async (t) => {
  await submit('queue-of-another', 31, ago(10));
  await submit('queue-second', 30, ago(3));
  await submit('queue-first', 30, ago(20));
  const passed = await addPlugin(db, { key: 'queue-passed', publisherId: 30 });
  await addSubmission(db, { pluginId: passed, status: 2, createdBy: 30, createdAt: ago(30) });
  const withdrawn = await submit('queue-withdrawn', 31, ago(15));
  await pool.query('update submission set is_superseded = true where id = $1', [withdrawn]);

  const own = await ownOf(30);
  const untold = { place_estimated: false, usual_wait_hours: null, is_late: false };
  t.strictSame(own.get('queue-first'), { place: 1, ...untold });
  t.strictSame(own.get('queue-second'), { place: 3, ...untold });
  t.equal(own.get('queue-passed'), undefined, 'a decided submission has no place');
  t.strictSame((await editableOf(30, 'queue-second')).queue, { place: 3, ...untold });
  t.equal((await editableOf(30, 'queue-passed')).queue, undefined);
});

t.test('the usual wait is shown after five decisions, in steps, and a longer wait is late', async (t) => {
  for (const [index, waited] of [1, 1, 30].entries()) await decided(`queue-past-${index}`, waited);
  await decided('queue-long-past', 500, ago(24 * 100));
  await decided('queue-past-3', 1.5);
  t.equal((await ownOf(30)).get('queue-first')?.usual_wait_hours, null, 'four of the last 90 days');

  const lately = await decided('queue-past-4', 1);
  const own = await ownOf(30);
  t.hasStrict(own.get('queue-first'), { usual_wait_hours: 2, is_late: true });
  t.hasStrict(own.get('queue-second'), { usual_wait_hours: 2, is_late: true });
  await submit('queue-third', 30, ago(1));
  t.hasStrict((await ownOf(30)).get('queue-third'), { place: 4, usual_wait_hours: 2, is_late: false });

  for (const index of [5, 6, 7, 8, 9]) await decided(`queue-past-${index}`, 20);
  const slower = await ownOf(30);
  t.hasStrict(slower.get('queue-first'), { usual_wait_hours: 24, is_late: false });

  await pool.query('update submission set audit_status = 3, reason = $2, decided_at = now() where id = $1', [
    lately,
    'Taken back.',
  ]);
  await pool.query(
    `insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      select id, 2, null, 1, created_at + interval '1 hour' from submission where id = $1`,
    [lately],
  );
  t.hasStrict((await ownOf(30)).get('queue-first'), { usual_wait_hours: 24, is_late: false });
});

t.test('a usual wait of more than a month is not shown', async (t) => {
  await pool.query(
    `update submission set created_at = decided_at - interval '40 days' where decided_at is not null`,
  );
  await pool.query('delete from review');
  t.hasStrict((await ownOf(30)).get('queue-first'), { usual_wait_hours: null, is_late: false });
});

t.test('places after a thousand are not counted', async (t) => {
  await pool.query(
    `with many as (
      insert into plugin (plugin_key, publisher_id, default_lang, audit_status)
        select 'queue-many-' || n, 31, 'en-US', 1 from generate_series(1, 999) n
        returning id, plugin_key
    ), versions as (
      insert into plugin_version (plugin_id, version, audit_status) select id, '1.0.0', 1 from many returning id, plugin_id
    )
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by, created_at)
      select plugin_id, id, true, true, '{}', 31, now() - interval '12 hours' from versions`,
  );
  const own = await ownOf(30);
  t.hasStrict(own.get('queue-first'), { place: 1, place_estimated: false });
  t.hasStrict(own.get('queue-second'), { place: 1001, place_estimated: true });
  const last = (await editableOf(31, 'queue-of-another')).queue;
  t.hasStrict(last, { place: 1001, place_estimated: false }, 'a thousand are before it, and no more');
});
