import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

const ADA = 7;
const COLLECTOR = 8;

t.test('own reports of all kinds are on the same pages, newest first', async (t) => {
  const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
  const headers = await bearer(ADA);
  const read = async (query: string) =>
    dataOf(await ask(url, `plugin/report/list?${query}`, { headers }), contract.listOwnReports.data);
  const send = async (userId: number, path: string, body: object) =>
    ask(url, path, { method: 'POST', headers: await bearer(userId), body });

  for (const key of ['first-one', 'second-one']) await addPlugin(db, { key });
  const made = await send(COLLECTOR, 'collection', { title: 'Rude words', access: 'public' });
  const { collection_key } = dataOf(made, contract.saveCollection.data);
  const { rows: people } = await pool.query('select handle from person where user_id = $1', [PUBLISHER_ID]);
  const [{ handle }] = people;
  const why = { kind: 'other', reason: 'Look' };
  for (const [path, subject] of [
    ['plugin/report', { plugin_key: 'first-one' }],
    ['publisher/report', { handle }],
    ['plugin/report', { plugin_key: 'second-one' }],
    ['collection/report', { collection_key }],
  ] as const)
    t.equal((await send(ADA, path, { ...subject, ...why })).status, 200, path);
  // In this order, whatever the clock of a fast machine says.
  await pool.query(`
    update report set created_at = timestamptz '2026-01-01' + id * interval '2 days';
    update publisher_report set created_at = timestamptz '2026-01-04';
    update collection_report set created_at = timestamptz '2026-01-09'`);

  const plugins = await read('');
  t.equal(plugins.total, 2, 'those of plugins alone, unless others are asked for');
  t.notOk('other_list' in plugins);
  const all = await read('with_others=true');
  t.equal(all.total, 4);
  t.match(all.other_list, [
    { subject: 'publisher', key: handle, reason: 'Look', state: 'open', decided_at: null },
    { subject: 'collection', key: collection_key, name: 'Rude words', state: 'open' },
  ]);
  const seen: string[] = [];
  let next = all.next_cursor;
  for (let cursor = ''; next !== null || cursor === ''; cursor = `&cursor=${next}`) {
    const page = await read(`with_others=true&limit=1${cursor}`);
    seen.push(
      ...page.report_list.map(({ plugin_key }) => plugin_key),
      ...(page.other_list ?? []).map(({ subject }) => subject),
    );
    next = page.next_cursor;
    if (next === null) break;
  }
  t.strictSame(seen, ['collection', 'second-one', 'publisher', 'first-one']);

  const admin = await bearer(1, 2);
  await ask(url, 'manager/collection/hidden', {
    method: 'PUT',
    headers: admin,
    body: { collection_key, is_hidden: true },
  });
  await pool.query("update publisher_report set state = 'dismissed', decided_at = now(), decided_by = 1");
  t.match((await read('with_others=true')).other_list, [
    { subject: 'publisher', state: 'dismissed', decided_at: String },
    { subject: 'collection', key: '', name: '', state: 'accepted', decided_at: String },
  ]);
  const other = await ask(url, 'plugin/report/list?with_others=true', { headers: await bearer(COLLECTOR) });
  t.equal(dataOf(other, contract.listOwnReports.data).total, 0, 'nobody sees those of others');
});
