import t from 'tap';
import { deleteFilling, writeFilling } from '../../../../server/community/catalogue/filling/store.ts';
import { TREND_ROUND } from '../../../../server/community/catalogue/trends/trends.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';
import { countNext } from '../count-next.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

t.test('trending plugins', async (t) => {
  // By its own clock no round is due in the service.
  const { db, pool, url } = await testCommunity(t, { now: () => 0 });
  const ids = new Map<string, number>();
  let now = Date.parse('2026-01-10T12:00:00Z');
  /** Adds a plugin that was made some days ago, with the installs of each day. */
  const add = async (
    key: string,
    installs: Record<number, number>,
    { age = 400, total = 0, lang = 'en-US' }: { age?: number; total?: number; lang?: 'en-US' | 'ja-JP' } = {},
  ) => {
    const id = await addPlugin(db, { key, defaultLang: lang, name: { [lang]: key } });
    ids.set(key, id);
    await pool.query('update plugin set created_at = $2 where id = $1', [id, new Date(now - age * DAY)]);
    await pool.query('update plugin_counter set install_count = $2 where plugin_id = $1', [id, total]);
    for (const [ago, count] of Object.entries(installs))
      await pool.query(`insert into day_figure values ($1, day_of($2) - $3::integer, 'installs', $4)`, [
        id,
        new Date(now),
        ago,
        count,
      ]);
  };
  const countAll = async (batch = TREND_ROUND.batch): Promise<number> => {
    let batches = 1;
    while ((await countNext(db, { ...TREND_ROUND, batch }, now)) === 'batch') batches += 1;
    return batches;
  };
  const trending = async (query = '', language = 'en-US') => {
    const response = await ask(url, `plugin/trending/list${query}`, {
      headers: { 'accept-language': language },
    });
    return keysOf(dataOf(response, contract.listTrending.data));
  };
  const recount = () => {
    now += HOUR;
    return countAll();
  };

  t.equal(await countNext(db, TREND_ROUND, now), 'unfilled', 'no round begins in an empty catalogue');
  await add('ten-today', { 0: 10 }, { total: 10 });
  await add('twenty-long-ago', { 6: 20 }, { total: 20 });
  await add('forty-of-many', { 0: 40 }, { total: 4000 });
  await add('eighty-too-long-ago', { 21: 80 }, { total: 80 });
  await add('only-uninstalls', { 0: -3 });
  await add('new-and-wanted', { 3: 4 }, { age: 59, total: 4, lang: 'ja-JP' });
  await add('new-and-unknown', {}, { age: 1 });
  await add('no-longer-new', {}, { age: 61 });

  t.test('nothing is known before it is counted', async (t) => {
    t.strictSame(await trending(), []);
    const progress = { done: 1, total: 8 };
    await writeFilling(db, progress);
    t.equal(await countNext(db, TREND_ROUND, now), 'unfilled', 'nor while plugins are being added');
    await deleteFilling(db);
  });

  t.test('installs of the last days count, older ones less, and less of what many have', async (t) => {
    t.equal(await countAll(3), 3, 'eight plugins, three at a time');
    t.strictSame(await trending(), ['ten-today', 'forty-of-many', 'twenty-long-ago', 'new-and-wanted']);
    const { rows } = await pool.query('select score from plugin_trend where plugin_id = $1', [
      ids.get('twenty-long-ago'),
    ]);
    t.ok(Math.abs(rows[0].score - 20 / 4 / Math.sqrt(70)) < 1e-6, 'a quarter after six days');
  });

  t.test('new ones are those of 60 days, also without installs', async (t) => {
    t.strictSame(await trending('?is_new=1', 'ja-JP'), ['new-and-wanted', 'new-and-unknown']);
    t.strictSame(await trending('?is_new=1'), ['new-and-unknown', 'new-and-wanted']);
    const first = (published_at: Date) =>
      pool.query(
        `insert into publication (plugin_version_id, plugin_id, is_first, published_at)
          select current_version_id, id, true, $2 from plugin where id = $1`,
        [ids.get('no-longer-new'), published_at],
      );
    await first(new Date(now - 2 * DAY));
    await recount();
    t.strictSame(
      await trending('?is_new=1', 'ja-JP'),
      ['new-and-wanted', 'no-longer-new', 'new-and-unknown'],
      'the first publication counts, not when it was sent in',
    );
  });

  t.test('those in the language of the request come first', async (t) => {
    t.strictSame(await trending('', 'ja-JP'), [
      'new-and-wanted',
      'ten-today',
      'forty-of-many',
      'twenty-long-ago',
    ]);
  });

  t.test('a like counts half an install, and what is installed by default does not count', async (t) => {
    await pool.query(`insert into day_figure values ($1, day_of($2), 'likes', 30)`, [
      ids.get('only-uninstalls'),
      new Date(now),
    ]);
    await pool.query('insert into silent_install (plugin_id, created_by) values ($1, 1)', [
      ids.get('forty-of-many'),
    ]);
    await pool.query(`insert into figure_change values ($1, day_of($2), 'likes', 4)`, [
      ids.get('twenty-long-ago'),
      new Date(now),
    ]);
    await recount();
    t.strictSame(await trending(), ['only-uninstalls', 'ten-today', 'twenty-long-ago', 'new-and-wanted']);
    const { rows } = await pool.query('select score from plugin_trend where plugin_id = $1', [
      ids.get('twenty-long-ago'),
    ]);
    t.ok(
      Math.abs(rows[0].score - 7 / Math.sqrt(70)) < 1e-6,
      'five and two, of which the latter are not aggregated',
    );
  });

  t.test('a hidden plugin is gone at once, and an hour later from the counts', async (t) => {
    await pool.query('update plugin set is_hidden = true where id = $1', [ids.get('ten-today')]);
    t.strictSame(await trending(), ['only-uninstalls', 'twenty-long-ago', 'new-and-wanted']);
    now += HOUR - 1;
    t.equal(await countAll(), 1, 'no round is due');
    now += 1;
    await countAll();
    const { rows } = await pool.query('select from plugin_trend where plugin_id = $1', [
      ids.get('ten-today'),
    ]);
    t.equal(rows.length, 0);
  });

  t.test('the page of a tag has its introduction, and its recommended and trending plugins', async (t) => {
    const tag = await addTag(db, 'maps', { 'en-US': 'Maps' });
    const keys = ['twenty-long-ago', 'new-and-unknown', 'only-uninstalls'];
    for (const key of keys)
      await pool.query('insert into plugin_tag (plugin_id, tag_id) values ($1, $2)', [ids.get(key), tag]);
    await pool.query(
      'insert into recommendation (plugin_id, position, created_by) values ($1, 1, 1), ($2, 2, 1)',
      [ids.get('new-and-unknown'), ids.get('new-and-wanted')],
    );
    await flushAll(db);
    await pool.query('update tag set intro = $2 where id = $1', [
      tag,
      { 'en-US': 'Maps.', 'ja-JP': '地図。' },
    ]);
    const read = async (language: string) =>
      dataOf(
        await ask(url, `plugin/tag?tag_id=${tag}`, { headers: { 'accept-language': language } }),
        contract.readTagPage.data,
      );
    const page = await read('ja-JP');
    t.strictSame([page.intro, page.intro_lang], ['地図。', 'ja-JP']);
    t.strictSame(keysOf(page), ['new-and-unknown', 'only-uninstalls', 'twenty-long-ago']);
    t.hasStrict(await read('ko-KR'), { intro: 'Maps.', intro_lang: 'en-US' });
    await pool.query('update tag set is_hidden = true where id = $1', [tag]);
    const hidden = await ask(url, `plugin/tag?tag_id=${tag}`);
    t.equal(hidden.status, 404);
    t.hasStrict(hidden.json, { code: 'TAG_NOT_FOUND' });
  });
});
