import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { settleChanges } from '../../catalogue/changes/settle-changes.ts';
import { addRelease, packageText } from '../packages/add-release.ts';

const ADMIN = 1;
const DAY = 86_400_000;

t.test('how old versions must be', async (t) => {
  let now = Date.now();
  const updates = { days: 7, choice: 'longer' } as const;
  const community = await testCommunity(t, { now: () => now, updates });
  const { url, db, bearer } = community;
  const call = async (method: string, path: string, userId: number, body?: Record<string, unknown>) =>
    ask(url, path, { method, headers: await bearer(userId), ...(body && { body }) });
  const withdraw = async (plugin_key: string, version: string, reason: string) => {
    const more = { is_withdrawn: true, reason, text: { 'en-US': 'Broken' }, must_stop: true };
    const body = { plugin_key, version, ...more };
    const headers = await bearer(ADMIN, 2);
    t.equal((await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body })).status, 200);
  };
  const items = async (userId: number) =>
    dataOf(await call('GET', 'plugin/user/state', userId), contract.readInstalledState.data).plugin_list;
  const seen = async (userId: number) =>
    (await items(userId)).map(({ state, version, waiting }) =>
      [state, version, ...(waiting ? [`then ${waiting.version}`] : [])].join(' '),
    );
  /** A plugin with a first version of long ago. */
  const addOld = async (key: string) => {
    const id = await addPlugin(db, { key });
    const created_at = new Date(now - 365 * DAY);
    await db.updateTable('plugin_version').set({ created_at }).where('plugin_id', '=', id).execute();
    return id;
  };
  /** A published version that was approved some days ago. */
  const add = async (pluginId: number, version: string, days: number) => {
    const content = packageText(`${pluginId} ${version}`);
    const { id } = await addRelease(community, { pluginId, version, content, isCurrent: true });
    await approvedAt(id, now - days * DAY);
    return id;
  };
  const approvedAt = (id: number, at: number) =>
    db
      .updateTable('plugin_version')
      .set({ created_at: new Date(at) })
      .where('id', '=', id)
      .execute();
  const install = async (plugin_key: string, userId: number) =>
    t.equal((await call('POST', 'plugin/user', userId, { plugin_key })).status, 200);
  const choose = (userId: number, body: Record<string, unknown>) =>
    call('PUT', 'plugin/user/update_age', userId, body);

  t.test('an update comes once it is old enough; what is installed again comes at once', async (t) => {
    const pluginId = await addOld('aged-plugin');
    await add(pluginId, '1.1.0', 30);
    await install('aged-plugin', 10);
    await add(pluginId, '1.2.0', 7);
    const id = await add(pluginId, '1.3.0', 6);
    t.hasStrict(await items(10), [
      {
        state: 'active',
        version: '1.2.0',
        waiting: { version: '1.3.0', from: new Date(now + DAY).toISOString() },
      },
    ]);
    await install('aged-plugin', 11);
    t.strictSame(await seen(11), ['active 1.3.0']);
    const listed = await call('GET', 'plugin/user/list', 10);
    t.hasStrict(dataOf(listed, contract.listInstalled.data).plugin_list, [
      { version: '1.2.0', waiting: { version: '1.3.0' } },
    ]);
    const early = { plugin_key: 'aged-plugin', version: '1.3.0' };
    t.hasStrict(await call('PUT', 'plugin/user', 10, early), { status: 409, json: { code: 'CONFLICT' } });
    await approvedAt(id, now - 7 * DAY);
    t.strictSame(await seen(10), ['active 1.3.0']);
  });

  t.test('the time of an approval counts, not that of the upload', async (t) => {
    const pluginId = await addOld('approved-plugin');
    await add(pluginId, '1.1.0', 30);
    await install('approved-plugin', 12);
    const id = await add(pluginId, '1.2.0', 20);
    await db
      .insertInto('submission')
      .values({
        plugin_id: pluginId,
        plugin_version_id: id,
        brings_version: true,
        is_first: false,
        created_by: 100,
        listing: '{}',
        audit_status: 2,
        created_at: new Date(now - 20 * DAY),
        decided_at: new Date(now - 2 * DAY),
      })
      .execute();
    t.strictSame(await seen(12), ['active 1.1.0 then 1.2.0']);
  });

  t.test('a security release comes at once, and what is withdrawn is replaced', async (t) => {
    const pluginId = await addOld('urgent-plugin');
    await add(pluginId, '1.1.0', 30);
    await install('urgent-plugin', 13);
    await add(pluginId, '1.2.0', 10);
    await add(pluginId, '1.3.0', 1);
    await add(pluginId, '1.4.0', 0);
    t.strictSame(await seen(13), ['active 1.2.0 then 1.4.0']);
    await withdraw('urgent-plugin', '1.2.0', 'vulnerable');
    t.strictSame(await seen(13), ['active 1.3.0 then 1.4.0']);

    const other = await addOld('replaced-plugin');
    await add(other, '1.1.0', 30);
    await install('replaced-plugin', 14);
    await add(other, '1.2.0', 1);
    await withdraw('replaced-plugin', '1.1.0', 'policy');
    t.strictSame(await seen(14), ['active 1.2.0']);
  });

  t.test('hiding what is installed brings nothing younger', async (t) => {
    const pluginId = await addOld('hiding-plugin');
    const id = await add(pluginId, '1.1.0', 30);
    await install('hiding-plugin', 15);
    await add(pluginId, '1.2.0', 1);
    await db.updateTable('plugin_version').set({ is_hidden: true }).where('id', '=', id).execute();
    t.strictSame(await seen(15), ['active 1.1.0 then 1.2.0']);
  });

  t.test('people choose a longer time, or any where the site allows it', async (t) => {
    const age = { days: 7, own: null, site: 7, shortest: 7 };
    const { json } = await call('GET', 'plugin/user/update_age', 16);
    t.strictSame(json, { code: 0, message: 'ok', data: age });
    const pluginId = await addOld('chosen-plugin');
    await add(pluginId, '1.1.0', 60);
    await install('chosen-plugin', 16);
    await add(pluginId, '1.2.0', 20);
    await add(pluginId, '1.3.0', 10);
    t.strictSame(await seen(16), ['active 1.3.0']);
    t.hasStrict(await choose(16, { days: 14 }), { json: { data: { ...age, days: 14, own: 14 } } });
    t.strictSame(await seen(16), ['active 1.2.0 then 1.3.0']);
    const { status, json: refused } = await choose(16, { days: 6 });
    t.hasStrict(
      [status, refused],
      [400, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/days', message: 'must be 7 or more' }] }],
    );
    t.equal((await choose(16, { days: 91 })).status, 400);
    t.hasStrict(await choose(16, {}), { json: { data: age } });
    t.strictSame(await seen(16), ['active 1.3.0']);

    const free = await testCommunity(t, { beside: community, updates: { days: 7, choice: 'any' } });
    const body = { days: 0 };
    const headers = await bearer(16);
    const answer = await ask(free.url, 'plugin/user/update_age', { method: 'PUT', headers, body });
    t.hasStrict(answer.json, { data: { days: 0, own: 0, site: 7, shortest: 0 } });
    const kept = await call('GET', 'plugin/user/update_age', 16);
    t.hasStrict(kept.json, { data: { days: 7, own: 0 } }, 'the site does not allow it any more');
  });

  t.test('304 until a version is old enough, and not longer', async (t) => {
    const person = 17;
    const pluginId = await addOld('checked-plugin');
    await add(pluginId, '1.1.0', 30);
    await install('checked-plugin', person);
    const id = await add(pluginId, '1.2.0', 1);
    await approvedAt(id, now - 7 * DAY + 60_000);
    let etag = '';
    const check = async () => {
      await settleChanges(db);
      const headers = { ...(await bearer(person)), 'if-none-match': etag };
      const answer = await ask(url, 'plugin/user/state', { headers });
      etag = answer.headers.get('etag') ?? '';
      return answer.status;
    };
    t.equal(await check(), 200);
    t.equal(await check(), 304);
    now += 59_999;
    t.equal(await check(), 304);
    now += 1;
    t.equal(await check(), 200);
    t.strictSame(await seen(person), ['active 1.2.0']);
    t.equal(await check(), 304);
    t.equal((await choose(person, { days: 30 })).status, 200);
    t.equal(await check(), 200, 'another choice');
    t.equal(await check(), 304);
  });
});
