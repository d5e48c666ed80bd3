import t from 'tap';
import { createDownloadCounter } from '../../../../server/community/use/downloads/downloads.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { addRelease, packageText } from '../packages/add-release.ts';

t.test('downloads', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, pool, bearer } = community;
  const downloadsOf = async (plugin_key: string) => {
    await flushAll(db);
    const answer = await ask(url, `plugin/statistics?days=1&plugin_key=${plugin_key}`, {
      headers: await bearer(PUBLISHER_ID),
    });
    return dataOf(answer, contract.readOwnStatistics.data).days[0]?.downloads;
  };
  const addCurrent = async (key: string, version = '1.1.0', pluginId?: number) => {
    const id = pluginId ?? (await addPlugin(db, { key }));
    const content = packageText(`${key} ${version}`);
    return {
      pluginId: id,
      ...(await addRelease(community, { pluginId: id, version, content, isCurrent: true })),
    };
  };
  const nameOf = async (versionId: number) => {
    const { rows } = await pool.query('select package_key from plugin_version where id = $1', [versionId]);
    return `${rows[0].package_key}.json`;
  };

  t.test('what is delivered counts once a person and version', async (t) => {
    const downloads = createDownloadCounter({ key: Buffer.alloc(32, 1) });
    const first = await addCurrent('counted-plugin');
    const second = await addCurrent('counted-plugin', '1.2.0', first.pluginId);
    const [one, two] = [await nameOf(first.id), await nameOf(second.id)];
    for (const userId of [7, 8, 7]) downloads.add({ userId, packageName: one });
    await downloads.write(db, new Date());
    t.equal(await downloadsOf('counted-plugin'), 2);
    downloads.add({ userId: 7, packageName: one });
    downloads.add({ userId: 7, packageName: two });
    downloads.add({ userId: 7, packageName: `${'0'.repeat(64)}.json` });
    await downloads.write(db, new Date());
    t.equal(await downloadsOf('counted-plugin'), 3, 'another version counts, and nothing unknown');
    const { rows } = await pool.query('select length(download_hash) as bytes from plugin_download');
    t.strictSame(rows, [{ bytes: 16 }, { bytes: 16 }, { bytes: 16 }], 'nobody is named');
  });

  t.test('what could not be written is kept', async (t) => {
    const downloads = createDownloadCounter({ key: Buffer.alloc(32, 1) });
    const { id } = await addCurrent('kept-plugin');
    downloads.add({ userId: 7, packageName: await nameOf(id) });
    await pool.query('alter table plugin_download rename to elsewhere');
    await t.rejects(downloads.write(db, new Date()), { code: '42P01' });
    await pool.query('alter table elsewhere rename to plugin_download');
    await downloads.write(db, new Date());
    t.equal(await downloadsOf('kept-plugin'), 1);
  });

  t.test('both calls count, for a person who gets the content; nobody else does', async (t) => {
    const { digest } = await addCurrent('asked-plugin');
    const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      (await fetch(`${url}/api/cmt/${path}`, { method, headers })).status;
    await ask(url, 'plugin/user', { headers: await bearer(20), body: { plugin_key: 'asked-plugin' } });
    t.equal(await get(`package/${digest}`), 200, 'a stranger');
    t.equal(await get(`package/${digest}`, await bearer(21), 'HEAD'), 200);
    t.equal(await get(`package/${digest}`, { ...(await bearer(22)), 'if-none-match': `"${digest}"` }), 304);
    t.equal(await get(`package/${digest}`, await bearer(20)), 200);
    t.equal(await get('plugin/user/package?plugin_key=asked-plugin', await bearer(20)), 200, 'the same once');
    t.equal(await get(`package/${digest}`, { ...(await bearer(23)), range: 'bytes=0-3' }), 206);
    await until(async () => (await downloadsOf('asked-plugin')) === 2);
  });
});
