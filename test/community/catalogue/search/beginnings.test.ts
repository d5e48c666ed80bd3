import { sql } from 'kysely';
import t from 'tap';
import { readBeginnings } from '../../../../server/community/catalogue/search/beginnings.ts';
import { beginningsIn, queryOfKeyword } from '../../../../server/community/catalogue/search/query.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

const { db, url } = await testCommunity(t);
const tag = await addTag(db, 'grid');
await addPlugin(db, { key: 'grid-plain', name: { 'en-US': 'Grid', 'zh-CN': '网格' }, tags: [tag] });
await addPlugin(db, { key: 'grid-plural', name: { 'en-US': 'Grids of "c++"' }, tags: [tag] });
await addPlugin(db, { key: 'grid-other', name: { 'en-US': 'Gridlock' } });
await flushAll(db);

const within = { tagId: tag, filters: [] };
const wordsOf = async (keyword: string, place: { tagId: number; filters: string[] } = within) =>
  Object.fromEntries(
    [...(await readBeginnings(db, keyword, place))].map(([beginning, words]) => [
      beginning,
      words.toSorted(),
    ]),
  );

t.test('the words of all plugins that begin as those of a keyword', async (t) => {
  t.strictSame(await wordsOf('Grid'), { grid: ['grid', 'gridlock', 'grids'] });
  t.strictSame(await wordsOf('c+'), { 'c+': ['c++'] });
  t.strictSame(await wordsOf('gridl grids'), { gridl: ['gridlock'], grids: ['grids'] });
  t.strictSame(await wordsOf('wangg'), { '~wangg': ['~wangge'] }, 'also by their sound');
  t.strictSame(await wordsOf('网格'), {}, 'characters without spaces begin nothing');
  t.strictSame(await wordsOf('zzzz'), {});
  t.strictSame(
    beginningsIn('网格', new Map([['网格', 'モウカク']])),
    ['^モウカク'],
    'kanji by their reading',
  );
});

t.test('without a tag or filters they are not needed', async (t) => {
  t.strictSame(await wordsOf('grid', { tagId: 0, filters: [] }), {});
  t.strictSame(await wordsOf('grid', { tagId: 0, filters: ['reach'] }), {
    grid: ['grid', 'gridlock', 'grids'],
  });
});

t.test('a query looks for them in place of their beginning', async (t) => {
  const words = queryOfKeyword('grid', 0, new Map(), await readBeginnings(db, 'grid', within))?.words;
  t.equal(words, "(('grid' | 'gridlock' | 'grids') | '~grid':*)");
});

t.test('what more than 32 words begin with stays a beginning', async (t) => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Flow${index + 10}`).join(' ');
  await addPlugin(db, { key: 'flow-some', name: { 'en-US': names(32) }, tags: [tag] });
  await flushAll(db);
  t.equal((await wordsOf('flow')).flow?.length, 32);
  await addPlugin(db, { key: 'flow-many', name: { 'en-US': names(33) }, tags: [tag] });
  await flushAll(db);
  t.strictSame(await wordsOf('flow'), {});
  const { plugin_list } = dataOf(
    await ask(url, `plugin/list?keyword=flow&tag_id=${tag}`),
    contract.listPlugins.data,
  );
  t.strictSame(keysOf({ plugin_list }).toSorted(), ['flow-many', 'flow-some']);
});

t.test('names, properties and publishers are not among the words', async (t) => {
  const { rows } = await sql`select lexeme from search_lexeme where lexeme ~ '^[=#@]'`.execute(db);
  t.strictSame(rows, []);
});
