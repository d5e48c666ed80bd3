import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { askHelp, dataOf } from './ask-help.ts';

const community = await testCommunity(t);
const { pool, url } = community;
const { add, addCategory, ask, change } = askHelp(url, await community.bearer(1, 2));

async function search(keyword: string, language = 'en-US') {
  const query = new URLSearchParams({ keyword, language });
  const answer = await askHelp(url, {}).ask('GET', `article/search?${query}`);
  return dataOf(answer, contract.searchHelpArticles.data).article_list;
}
const titles = async (keyword: string, language?: string) =>
  (await search(keyword, language)).map(({ title }) => title);

t.afterEach(() => pool.query('delete from help_article; delete from help_category; delete from audit_trail'));

t.test('searches titles and texts of published articles', async (t) => {
  const text = await add({
    title: { 'en-US': 'First steps' },
    body: {
      'en-US':
        '# Begin\n\n## Wait\n\nPress **Install** and wait.\n\n| Key | Does |\n|---|---|\n| F9 | opens plugins |',
    },
    default_lang: 'en-US',
    is_published: true,
  });
  const named = await add({
    title: { 'en-US': 'Install offline' },
    body: { 'en-US': 'By hand. See https://example.org/secretword' },
    default_lang: 'en-US',
    is_published: true,
  });
  const draft = await add({
    title: { 'en-US': 'Install later' },
    body: { 'en-US': 'x' },
    default_lang: 'en-US',
  });
  t.strictSame(await titles('install'), ['Install offline', 'First steps'], 'titles first');
  t.strictSame(
    await titles('INST'),
    ['Install offline', 'First steps'],
    'by the beginning of a word, in any case',
  );
  t.strictSame(await titles('opens plugins'), ['First steps'], 'cells of a table');
  t.strictSame(await titles('install wait'), ['First steps'], 'all words, in title or text');
  t.strictSame(await titles('install giraffe'), []);
  for (const nothing of ['', '  ', '***', "' | !x & (", '\\', ':*'])
    t.strictSame(await titles(nothing), [], nothing);
  t.hasStrict(await search('wait'), [
    { id: text.id, lang: 'en-US', excerpt: 'Press Install and wait.', excerpt_lang: 'en-US' },
  ]);
  await change({ id: draft.id, is_published: true });
  t.strictSame(await titles('later'), ['Install later']);
  await change({ id: draft.id, is_published: false });
  t.strictSame(await titles('later'), [], 'withdrawn again');
  await change({ id: named.id, title: { 'en-US': 'Without a network' }, body: { 'en-US': 'By hand.' } });
  t.strictSame(await titles('install'), ['First steps'], 'what it was before is forgotten');
  await ask('DELETE', 'manager/article', { id: text.id });
  t.strictSame(await titles('install'), []);
});

t.test("matches any language, and shows the reader's or the best available one", async (t) => {
  const category = await addCategory({ name: { 'en-US': 'All' }, default_lang: 'en-US' });
  await add({
    title: { 'en-US': 'Colours', 'zh-CN': '调色板', 'ko-KR': '색상' },
    body: { 'en-US': 'Choose a palette.', 'zh-CN': '在面板里选择颜色，再点击安装。' },
    default_lang: 'en-US',
    category_id: category.id,
    is_published: true,
  });
  t.strictSame(await titles('颜色', 'zh-CN'), ['调色板'], 'a word inside a sentence without spaces');
  t.hasStrict(await search('颜色', 'en-US'), [
    {
      title: 'Colours',
      lang: 'en-US',
      excerpt: '在面板里选择颜色，再点击安装。',
      excerpt_lang: 'zh-CN',
      category_id: category.id,
    },
  ]);
  t.strictSame(await titles('palette', 'zh-CN'), ['调色板']);
  t.strictSame(await titles('palette', 'ru-RU'), ['Colours']);
  t.strictSame(await titles('색상', 'ko-KR'), [], 'a title without a text is no article');
});

t.test('an excerpt is the part of a long text around the match', async (t) => {
  const long = `${'before '.repeat(60)}needle${' after'.repeat(60)}`;
  const article = {
    title: { 'en-US': 'Long' },
    body: { 'en-US': long },
    default_lang: 'en-US',
    is_published: true,
  };
  await add(article);
  const [hit] = await search('needle');
  t.match(hit?.excerpt, /^….*needle.*…$/);
  t.ok([...(hit?.excerpt ?? '')].length <= 162, `${hit?.excerpt.length}`);
});

t.test('finds articles written by another release', async (t) => {
  await add({ title: { 'en-US': 'One' }, body: { 'en-US': 'x' }, default_lang: 'en-US', is_published: true });
  await pool.query('delete from help_article_search');
  t.strictSame(await titles('one'), ['One'], 'made when first searched for');
  await pool.query(
    `update help_article set title = '{"en-US":"Two"}', updated_at = now() + interval '1 second'`,
  );
  t.strictSame([await titles('one'), await titles('two')], [[], ['Two']]);
});

t.test('the search uses an index', async (t) => {
  const client = await pool.connect();
  t.teardown(() => client.release());
  await client.query('set enable_seqscan = off');
  const { rows } = await client.query(
    `explain select article_id from help_article_search where words @@ '''install'':*'::tsquery`,
  );
  await client.query('reset enable_seqscan');
  t.match(JSON.stringify(rows), 'help_article_search_words');
});

t.test('long keywords are cut', async (t) => {
  const answer = await askHelp(url, {}).ask('GET', `article/search?keyword=${'x'.repeat(5000)}`);
  t.hasStrict(answer, {
    status: 400,
    json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/keyword' }] },
  });
});
