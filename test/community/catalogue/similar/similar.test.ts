import t from 'tap';
import { countNext as countOnce } from '../../../../server/community/catalogue/rounds/rounds.ts';
import { SIMILAR_ROUND } from '../../../../server/community/catalogue/similar/similar.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { countNext } from '../count-next.ts';

const DAY = 24 * 60 * 60 * 1000;

t.test('similar plugins', async (t) => {
  // By its own clock no round is due in the service.
  const { db, pool, url, bearer } = await testCommunity(t, { now: () => 0 });
  const tag = await addTag(db, 'tools');
  const ids = new Map<string, number>();
  for (const [place, key] of [
    'icons-tool',
    'charts-tool',
    'common-tool',
    'rare-tool',
    'silent-tool',
    'hidden-tool',
    'tagged-tool',
    'alone-tool',
  ].entries()) {
    const tags = key === 'icons-tool' || key === 'tagged-tool' || key === 'charts-tool' ? [tag] : [];
    ids.set(key, await addPlugin(db, { key, tags, isHidden: key === 'hidden-tool', likes: place }));
  }
  const install = (users: number[], keys: string[], isSilent = false) =>
    pool.query(
      `insert into plugin_install (user_id, plugin_id, is_silent)
        select u, p, $3 from unnest($1::bigint[]) u, unnest($2::bigint[]) p`,
      [users, keys.map((key) => ids.get(key)), isSilent],
    );
  await install([11, 12, 13, 14], ['icons-tool', 'charts-tool', 'common-tool', 'hidden-tool']);
  await install([11, 12, 13], ['silent-tool'], true);
  await install([11, 12], ['rare-tool']);
  await install([21, 22, 23, 24, 25, 26, 27, 28, 29], ['common-tool']);
  await pool.query(`update plugin_counter c set install_count = (
    select count(*) from plugin_install i where i.plugin_id = c.plugin_id)`);
  await flushAll(db);
  let now = Date.parse('2026-01-01T00:00:00Z');
  const countAll = async (batch: number): Promise<number> => {
    let batches = 1;
    while ((await countNext(db, { ...SIMILAR_ROUND, batch }, now)) === 'batch') batches += 1;
    return batches;
  };
  const similarTo = async (key: string, headers = {}) => {
    const response = await ask(url, `plugin/similar?plugin_key=${key}`, { headers });
    const { plugin_list } = dataOf(response, contract.listSimilar.data);
    return plugin_list.map(({ plugin_key }) => plugin_key);
  };

  t.test('before anything is counted, they are the popular ones of the first tag', async (t) => {
    t.strictSame(await similarTo('icons-tool'), ['tagged-tool', 'charts-tool']);
    t.strictSame(await similarTo('alone-tool'), []);
  });

  t.test('those whose users are the same come first, and what everybody has after them', async (t) => {
    t.equal(await countAll(3), 3, 'eight plugins, three at a time');
    t.strictSame(await similarTo('icons-tool'), ['charts-tool', 'common-tool', 'tagged-tool']);
  });

  t.test('two users with both, installs by default, and what is hidden do not count', async (t) => {
    t.strictSame(await similarTo('rare-tool'), []);
    t.strictSame(await similarTo('silent-tool'), []);
    await pool.query('update plugin set is_hidden = false where id = $1', [ids.get('hidden-tool')]);
    t.strictSame(
      await similarTo('charts-tool'),
      ['icons-tool', 'hidden-tool', 'common-tool', 'tagged-tool'],
      'once it is shown again',
    );
  });

  t.test('an uninstall counts in the next round, a day later', async (t) => {
    await pool.query(
      'update plugin_install set uninstalled_at = now() where plugin_id = $1 and user_id in (11, 12)',
      [ids.get('charts-tool')],
    );
    now += DAY - 1;
    t.equal(await countAll(3), 1, 'no round is due');
    t.equal((await similarTo('icons-tool'))[0], 'charts-tool');
    now += 1;
    await countAll(100);
    t.strictSame(
      await similarTo('icons-tool'),
      ['hidden-tool', 'common-tool', 'tagged-tool', 'charts-tool'],
      'charts by its tag only',
    );
  });

  t.test('an instance that finds another one counting leaves it alone', async (t) => {
    now += DAY;
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from similar_round for update');
    t.equal(await countOnce(db, { ...SIMILAR_ROUND, batch: 3 }, now), 'taken');
    await other.query('rollback');
    other.release();
    t.equal(await countNext(db, { ...SIMILAR_ROUND, batch: 3 }, now), 'batch');
  });

  t.test('what has the same rare words fills up, before the popular ones of the first tag', async (t) => {
    const names = [
      'Gradient mesh painter',
      'Mesh of a gradient',
      'Painter for walls',
      'Hidden gradient mesh',
    ];
    for (const [place, name] of names.entries())
      await addPlugin(db, {
        key: `word-tool-${place}`,
        name: { 'en-US': name },
        tags: place === 0 ? [tag] : [],
        isHidden: place === 3,
      });
    t.strictSame(await similarTo('word-tool-0'), [
      'word-tool-1',
      'word-tool-2',
      'tagged-tool',
      'charts-tool',
    ]);
  });

  t.test('a plugin that the caller may not see has none', async (t) => {
    await addPlugin(db, { key: 'waiting-tool', auditStatus: 1 });
    const response = await ask(url, 'plugin/similar?plugin_key=waiting-tool', { headers: await bearer(7) });
    t.equal(response.status, 404);
    t.hasStrict(response.json, { code: 'PLUGIN_NOT_FOUND' });
  });
});
