import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';

const ADMIN = 1;
const MEMBER = 7;
const WHY = { reason: 'legal', text: { 'en-US': 'A court says so' }, must_stop: false };

t.test('removed plugins', async (t) => {
  const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
  const change = async (path: string, body: object): Promise<Answer> =>
    ask(url, path, { method: 'PUT', headers: await bearer(ADMIN, 2), body });
  const withdraw = (plugin_key: string, more: object = {}) =>
    change('manager/plugin/withdrawn', { plugin_key, is_withdrawn: true, ...WHY, ...more });
  const removed = async (query = '') =>
    dataOf(await ask(url, `plugin/removed${query}`), contract.listRemoved.data);
  const keysOf = async (query?: string) =>
    (await removed(query)).removed_list.map(({ plugin_key }) => plugin_key);

  t.test('the list says what, when and why, latest first, page by page', async (t) => {
    for (const key of ['removed-a', 'removed-b', 'removed-c']) await addPlugin(db, { key });
    await withdraw('removed-a');
    await withdraw('removed-b', { version: '1.0.0' });
    await withdraw('removed-c', { reason: 'publisher' });
    const { removed_list } = await removed();
    t.match(removed_list, [
      { plugin_key: 'removed-c', version: null, reason: 'publisher', must_stop: false },
      { plugin_key: 'removed-b', version: '1.0.0' },
      { plugin_key: 'removed-a', version: null, text: 'A court says so', text_lang: 'en-US' },
    ]);
    const first = await removed('?limit=2');
    t.equal(first.removed_list.length, 2);
    t.strictSame(await keysOf(`?limit=2&cursor=${first.next_cursor}`), ['removed-a']);
    t.strictSame(await keysOf('?plugin_key=removed-b'), ['removed-b']);
    await withdraw('removed-a', { is_withdrawn: false });
    t.strictSame(await keysOf(), ['removed-c', 'removed-b']);
  });

  t.test('what nobody has seen is not listed', async (t) => {
    const id = await addPlugin(db, { key: 'never-public' });
    await pool.query('update plugin_version set audit_status = 1 where plugin_id = $1', [id]);
    await pool.query('update plugin set audit_status = 1 where id = $1', [id]);
    t.equal((await withdraw('never-public')).status, 200);
    t.strictSame(await keysOf('?plugin_key=never-public'), []);
    t.equal((await ask(url, 'plugin?plugin_key=never-public')).status, 404);
  });

  t.test('everything of a publisher goes together, and comes back together', async (t) => {
    const headers = await bearer(ADMIN, 2);
    await addPlugin(db, { key: 'other-deleted', deletedAt: new Date() });
    const reach = async () =>
      dataOf(
        await ask(url, `manager/publisher/withdrawn?user_id=${PUBLISHER_ID}`, { headers }),
        contract.readPublisherReach.data,
      );
    const before = await reach();
    t.equal(before.withdrawn_count, 0);
    const asked = { user_id: PUBLISHER_ID, is_withdrawn: true, ...WHY };
    const answer = await change('manager/publisher/withdrawn', asked);
    t.hasStrict(answer.json, { code: 0, data: { plugin_count: before.plugin_count } });
    t.strictSame(await reach(), { plugin_count: 0, install_count: 0, withdrawn_count: before.plugin_count });
    t.hasStrict((await change('manager/publisher/withdrawn', asked)).json, { data: { plugin_count: 0 } });
    const { rows } = await pool.query(
      `select count(*)::int from plugin where publisher_id = $1 and withdrawn_at is null`,
      [PUBLISHER_ID],
    );
    t.strictSame(rows, [{ count: 0 }], 'deleted ones too');
    const restored = await change('manager/publisher/withdrawn', { ...asked, is_withdrawn: false });
    t.hasStrict(restored.json, { data: { plugin_count: before.plugin_count } });
    t.strictSame(await keysOf(), ['removed-c', 'removed-b'], 'what was withdrawn alone stays so');
  });

  t.test('a report is upheld by withdrawing', async (t) => {
    await addPlugin(db, { key: 'reported-one' });
    const body = { plugin_key: 'reported-one', kind: 'malicious', reason: 'It steals' };
    t.equal((await ask(url, 'plugin/report', { headers: await bearer(MEMBER), body })).status, 200);
    const { rows } = await pool.query(`select id from report order by id desc limit 1`);
    const decision = { id: rows[0].id, state: 'accepted', withdrawal: WHY };
    const dismissed = await change('manager/report', { ...decision, state: 'dismissed' });
    t.equal(dismissed.status, 400);
    t.match(dismissed.json, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/withdrawal' }] });
    t.equal((await change('manager/report', decision)).status, 200);
    t.equal((await change('manager/report', decision)).status, 200, 'the same once more');
    t.equal((await ask(url, 'plugin?plugin_key=reported-one')).status, 410);
    t.strictSame(await keysOf('?plugin_key=reported-one'), ['reported-one']);
  });
});
