import t from 'tap';
import { tellInstallers } from '../../../../server/community/catalogue/telling/telling.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { addRelease, packageText } from '../../use/packages/add-release.ts';
import { settleChanges } from '../changes/settle-changes.ts';

const ADMIN = 1;
const OTHER = 101;
const USER = 7;
const TEXT = { 'en-US': 'Use the new one', 'ja-JP': '新しい方を使ってください' };

t.test('deprecated plugins', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, pool, bearer } = community;
  const now = () => Date.now();
  const deprecate = async (
    plugin_key: string,
    more: object = {},
    caller: [number, (0 | 2)?] = [PUBLISHER_ID],
  ) =>
    ask(url, 'plugin/deprecation', {
      method: 'PUT',
      headers: await bearer(...caller),
      body: { plugin_key, is_deprecated: true, ...more },
    });
  const install = async (plugin_key: string, userId = USER) =>
    t.equal(
      (await ask(url, 'plugin/user', { method: 'POST', headers: await bearer(userId), body: { plugin_key } }))
        .status,
      200,
    );
  const move = async (plugin_key: string, successor_key: string, version: string, userId = USER) =>
    ask(url, 'plugin/user/successor', {
      method: 'PUT',
      headers: await bearer(userId),
      body: { plugin_key, successor_key, version },
    });
  const state = async (userId = USER, headers: Record<string, string> = {}) =>
    ask(url, 'plugin/user/state', { headers: { ...(await bearer(userId)), ...headers } });
  const items = async (userId = USER, headers: Record<string, string> = {}) =>
    dataOf(await state(userId, headers), contract.readInstalledState.data).plugin_list;
  const detail = async (key: string) =>
    dataOf(await ask(url, `plugin?plugin_key=${key}`), contract.readPlugin.data);
  const changeOf = async (key: string) => {
    await settleChanges(db);
    const { change_list } = dataOf(await ask(url, 'plugin/changes'), contract.readCatalogueChanges.data);
    return change_list.find(({ plugin_key }) => plugin_key === key);
  };
  async function addCurrent(
    key: string,
    { domains = ['api.example.com'], name = {}, userId = PUBLISHER_ID } = {},
  ) {
    const pluginId = await addPlugin(db, { key, name: { 'en-US': key, ...name }, publisherId: userId });
    const content = packageText(key);
    const { id } = await addRelease(community, { pluginId, version: '1.1.0', content, isCurrent: true });
    await db.updateTable('plugin_version').set({ allowed_domains: domains }).where('id', '=', id).execute();
    return { pluginId, versionId: id };
  }

  t.test('the page, lists and changes say it, with the successor', async (t) => {
    await addCurrent('old-plugin');
    await addCurrent('new-plugin', { name: { 'ja-JP': '新版' }, userId: OTHER });
    const answer = await deprecate('old-plugin', { successor_key: 'new-plugin', text: TEXT });
    t.strictSame(dataOf(answer, contract.deprecatePlugin.data), {
      plugin_key: 'old-plugin',
      is_deprecated: true,
      successor: { plugin_key: 'new-plugin', name: 'new-plugin', lang: 'en-US' },
      text: TEXT,
    });
    const { deprecation, is_deprecated } = await detail('old-plugin');
    t.equal(is_deprecated, true);
    t.match(deprecation, {
      text: 'Use the new one',
      text_lang: 'en-US',
      successor: { plugin_key: 'new-plugin', name: 'new-plugin', lang: 'en-US' },
    });
    t.notOk((await detail('new-plugin')).is_deprecated);
    const { plugin_list } = dataOf(await ask(url, 'plugin/list'), contract.listPlugins.data);
    t.strictSame(
      plugin_list.filter((one) => one.is_deprecated).map(({ plugin_key }) => plugin_key),
      ['old-plugin'],
    );
    t.match(await changeOf('old-plugin'), {
      state: 'listed',
      deprecation: { texts: TEXT, successor: 'new-plugin' },
    });
    t.equal((await changeOf('new-plugin'))?.deprecation, null);
  });

  t.test('only for who may change the plugin, and only with a successor that helps', async (t) => {
    t.equal((await deprecate('old-plugin', {}, [OTHER])).status, 403);
    t.equal((await deprecate('nothing-here')).status, 404);
    await addPlugin(db, { key: 'hidden-plugin', isHidden: true });
    for (const successor_key of ['old-plugin', 'hidden-plugin', 'nothing-here']) {
      const { status, json } = await deprecate('old-plugin', { successor_key });
      t.equal(status, 400, successor_key);
      t.match(json, {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/successor_key', message: 'must be another listed plugin that is not deprecated' },
        ],
      });
    }
    t.equal(
      (await deprecate('new-plugin', { successor_key: 'old-plugin' }, [OTHER])).status,
      400,
      'nobody moves in a circle',
    );
    t.equal((await detail('old-plugin')).deprecation?.successor?.plugin_key, 'new-plugin', 'nothing is lost');
  });

  t.test('who has it is told once, in their language, in batches', async (t) => {
    await pool.query(
      `insert into plugin_install (user_id, plugin_id)
        select n, p.id from generate_series(1000, 1024) n, plugin p where p.plugin_key = 'old-plugin'
        union all select $1::bigint, id from plugin where plugin_key = 'old-plugin'`,
      [PUBLISHER_ID],
    );
    t.equal(await tellInstallers(db, { now, batch: 10 }), 25, 'and not the publisher');
    t.equal((await deprecate('old-plugin', { is_deprecated: false })).status, 200);
    t.notOk((await detail('old-plugin')).deprecation);
    t.equal((await changeOf('old-plugin'))?.deprecation, null);
    const { json } = await deprecate('old-plugin', { successor_key: 'new-plugin', text: TEXT });
    t.match(json, { data: { is_deprecated: true } });
    t.equal(await tellInstallers(db, { now, batch: 10 }), 0, 'not a second time');
    const headers = { ...(await bearer(1000)), 'accept-language': 'ja-JP' };
    const { notice_list } = dataOf(await ask(url, 'notice/list', { headers }), contract.listNotices.data);
    t.match(notice_list, [
      {
        kind: 'installed_deprecated',
        data: {
          plugin_key: 'old-plugin',
          successor_key: 'new-plugin',
          successor_name: '新版',
          reason: TEXT['ja-JP'],
        },
      },
    ]);
    const { rows } = await pool.query(
      `select count(*)::int as mailed from notice where kind = 'installed_deprecated' and mail_key is not null`,
    );
    t.strictSame(rows, [{ mailed: 0 }]);
  });

  t.test('an administrator does it too: the publisher is told, and the log says who', async (t) => {
    await addCurrent('left-plugin', { userId: OTHER });
    t.equal((await deprecate('left-plugin', { text: TEXT }, [ADMIN, 2])).status, 200);
    t.equal((await deprecate('left-plugin', { text: TEXT }, [ADMIN, 2])).status, 200);
    const headers = await bearer(OTHER);
    const { notice_list } = dataOf(await ask(url, 'notice/list', { headers }), contract.listNotices.data);
    t.match(notice_list, [{ kind: 'plugin_deprecated', data: { reason: 'Use the new one' } }]);
    t.equal(notice_list.length, 1, 'once');
    t.equal((await deprecate('left-plugin', { is_deprecated: false }, [ADMIN, 2])).status, 200);
    const { rows } = await pool.query(
      `select action, actor_id, detail from audit_trail where target_id = 'left-plugin' order by id`,
    );
    t.strictSame(rows, [
      { action: 'plugin.deprecate', actor_id: ADMIN, detail: { reason: 'Use the new one' } },
      { action: 'plugin.undeprecate', actor_id: ADMIN, detail: {} },
    ]);
  });

  t.test('it runs on, and one call moves to a successor that asks for no more', async (t) => {
    await install('old-plugin');
    t.hasStrict(await items(), [
      {
        plugin_key: 'old-plugin',
        state: 'deprecated',
        version: '1.1.0',
        withdrawal: null,
        deprecation: {
          text: 'Use the new one',
          successor: { plugin_key: 'new-plugin', version: '1.1.0', domains: [], permissions: [] },
        },
      },
    ]);
    t.equal((await move('old-plugin', 'left-plugin', '1.1.0')).status, 409, 'another successor');
    t.equal((await move('left-plugin', 'new-plugin', '1.1.0')).status, 404, 'not installed');
    const moved = await move('old-plugin', 'new-plugin', '1.1.0');
    t.match(moved.json, { data: { plugin_key: 'new-plugin', is_installed: true, install_count: 1 } });
    t.hasStrict(await items(), [{ plugin_key: 'new-plugin', state: 'active' }]);
    const { rows } = await pool.query(
      `select install_count from plugin_counter join plugin p on p.id = plugin_id where plugin_key = 'old-plugin'`,
    );
    t.strictSame(rows, [{ install_count: 0 }], 'and counts');
    t.equal((await move('old-plugin', 'new-plugin', '1.1.0')).status, 404);
  });

  t.test(
    'more rights are named, and a version that asks for more than the seen one is refused',
    async (t) => {
      const { pluginId } = await addCurrent('wide-plugin', {
        domains: ['api.example.com', 'more.example.com'],
      });
      t.equal((await deprecate('old-plugin', { successor_key: 'wide-plugin' })).status, 200);
      await install('old-plugin', 20);
      const before = await state(20);
      t.match(dataOf(before, contract.readInstalledState.data).plugin_list, [
        { deprecation: { successor: { version: '1.1.0', domains: ['more.example.com'] } } },
      ]);
      const content = packageText('yet more');
      const { id } = await addRelease(community, { pluginId, version: '2.0.0', content, isCurrent: true });
      await db
        .updateTable('plugin_version')
        .set({ allowed_domains: ['*'] })
        .where('id', '=', id)
        .execute();
      t.equal((await move('old-plugin', 'wide-plugin', '1.1.0', 20)).status, 409);
      await settleChanges(db);
      const etag = before.headers.get('etag') ?? '';
      t.match(
        await items(20, { 'if-none-match': etag }),
        [{ plugin_key: 'old-plugin', deprecation: { successor: { version: '2.0.0', domains: ['*'] } } }],
        'a change of the successor is one of the plugin',
      );
      t.equal((await move('old-plugin', 'wide-plugin', '2.0.0', 20)).status, 200);
      t.hasStrict(await items(20), [{ plugin_key: 'wide-plugin', state: 'active', version: '2.0.0' }]);
    },
  );

  t.test('a successor that nobody can get is not offered', async (t) => {
    await install('old-plugin', 21);
    await db.updateTable('plugin').set({ is_hidden: true }).where('plugin_key', '=', 'wide-plugin').execute();
    t.match(await items(21), [{ state: 'deprecated', deprecation: { successor: null } }]);
    t.equal((await detail('old-plugin')).deprecation?.successor, null);
    t.equal((await move('old-plugin', 'wide-plugin', '2.0.0', 21)).status, 409);
    t.match(await items(21), [{ plugin_key: 'old-plugin' }], 'and nothing was uninstalled');
  });
});
