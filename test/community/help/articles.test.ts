import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { testCommunity } from '../../support/community.ts';
import { trailOf } from '../trail.ts';
import { askHelp, dataOf } from './ask-help.ts';

const community = await testCommunity(t);
const { pool, url } = community;
const admin = await community.bearer(1, 2);
const { add, change, list, managed, read, order } = askHelp(url, admin);

t.afterEach(() => pool.query('delete from help_article; delete from help_category; delete from audit_trail'));

t.test('drafts are hidden; published articles are shown in the language of the reader', async (t) => {
  const draft = await add({
    title: { 'en-US': ' Install a plugin ', 'ja-JP': 'インストール', 'ko-KR': '설치' },
    body: { 'en-US': 'Press **Install**.', 'ja-JP': '「インストール」を押します。' },
    default_lang: 'ja-JP',
  });
  t.hasStrict(draft, {
    title: { 'en-US': 'Install a plugin' },
    is_published: false,
    written: ['en-US', 'ja-JP'],
    category_id: null,
    updated_by: { user_id: 1 },
  });
  t.strictSame(await list(), []);
  t.hasStrict(await read(draft.id), { status: 404, json: { code: 'ARTICLE_NOT_FOUND' } });
  t.hasStrict(await managed(), [{ id: draft.id, is_published: false }]);

  await change({ id: draft.id, is_published: true });
  t.hasStrict(await list(), [{ id: draft.id, title: 'Install a plugin', lang: 'en-US' }]);
  t.hasStrict(await list('?language=ja-JP'), [{ title: 'インストール', lang: 'ja-JP' }]);
  t.hasStrict(
    await list('?language=ko-KR'),
    [{ title: 'インストール', lang: 'ja-JP' }],
    'a title without a text is no article: its own language stands in',
  );
  const { data } = (await read(draft.id)).json;
  t.hasStrict(data, {
    title: 'Install a plugin',
    lang: 'en-US',
    blocks: [
      { kind: 'paragraph', runs: [{ text: 'Press ' }, { text: 'Install', strong: true }, { text: '.' }] },
    ],
  });
  const japanese = await read(draft.id, { 'accept-language': 'ja-JP' });
  t.equal(japanese.json.data.title, 'インストール');

  await change({ id: draft.id, body: { 'en-US': 'Now *this*.' } });
  t.hasStrict((await read(draft.id)).json.data.blocks, [
    { runs: [{ text: 'Now ' }, { text: 'this' }, { text: '.' }] },
  ]);
  t.equal((await read(draft.id, { 'accept-language': 'ja-JP' })).json.data.lang, 'en-US');

  await change({ id: draft.id, is_published: false });
  t.equal((await read(draft.id)).status, 404);
  t.strictSame(
    (await trailOf(pool, 'help_article')).map(({ action, target_name }) => [action, target_name]),
    [
      ['help_article.add', 'インストール'],
      ['help_article.publish', 'インストール'],
      ['help_article.change', 'インストール'],
      ['help_article.withdraw', 'インストール'],
    ],
  );
});

t.test('Markdown becomes blocks without HTML, with stored pictures only', async (t) => {
  const { json } = await askHelp(url, admin).ask('POST', 'manager/article/preview', {
    body: [
      '<img src=x onerror=alert(1)>',
      '[bad](javascript:alert(1)) [good](/plugins/) [out](https://example.org)',
      '![spy](https://evil.example/x.png) ![own](/api/cmt/media/../../x.webp)',
      '`npm i`\n\n```\nlet x;\n```',
    ].join('\n\n'),
  });
  t.strictSame(json.data.blocks, [
    { kind: 'paragraph', runs: [{ text: '<img src=x onerror=alert(1)>' }] },
    {
      kind: 'paragraph',
      runs: [
        { text: 'bad' },
        { text: ' ' },
        { text: 'good', href: '/plugins/' },
        { text: ' ' },
        { text: 'out', href: 'https://example.org/' },
      ],
    },
    { kind: 'paragraph', runs: [{ text: 'spy' }, { text: ' ' }, { text: 'own' }] },
    { kind: 'paragraph', runs: [{ text: 'npm i', code: true }] },
    { kind: 'code', text: 'let x;' },
  ]);
});

t.test('articles are ordered by category and position', async (t) => {
  const { addCategory, categories, orderCategories, removeCategory } = askHelp(url, admin);
  const first = await addCategory({ name: { 'en-US': 'First' }, default_lang: 'en-US' });
  const second = await addCategory({ name: { 'en-US': 'Second', 'zh-CN': '第二' }, default_lang: 'zh-CN' });
  const empty = await addCategory({ name: { 'en-US': 'Empty' }, default_lang: 'en-US' });
  const write = async (name: string, category_id: number | null) =>
    (
      await add({
        title: { 'en-US': name },
        body: { 'en-US': name },
        default_lang: 'en-US',
        category_id,
        is_published: true,
      })
    ).id;
  const ids = [await write('none', null), await write('b1', second.id), await write('a1', first.id)];
  const [none, b1, a1] = ids;
  const a2 = await write('a2', first.id);
  const titles = async () => (await list()).map(({ title }) => title);
  t.strictSame(await titles(), ['a1', 'a2', 'b1', 'none']);
  t.strictSame(await categories('?language=zh-CN'), [
    { id: first.id, name: 'First', lang: 'en-US', article_count: 2 },
    { id: second.id, name: '第二', lang: 'zh-CN', article_count: 1 },
  ]);
  t.equal((await order([a2, a1])).status, 200);
  t.strictSame(await titles(), ['a2', 'a1', 'b1', 'none'], 'all others keep their places');
  await orderCategories([second.id, first.id]);
  t.strictSame(await titles(), ['b1', 'a2', 'a1', 'none']);
  t.hasStrict((await order([a1, a1])).json, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/ids' }] });
  t.hasStrict((await order([a1, 999_999])).json, { code: 'CONFLICT' });

  await removeCategory(second.id);
  t.strictSame(await titles(), ['a2', 'a1', 'none', 'b1'], 'articles of a category that goes stay');
  t.hasStrict((await trailOf(pool, 'help_category')).at(-1), {
    action: 'help_category.delete',
    target_name: '第二',
    detail: { articles: 1 },
  });
  t.equal((await removeCategory(empty.id)).status, 200);
  t.hasStrict((await removeCategory(empty.id)).json, { code: 'NOT_FOUND' });
  t.ok(none && b1);
});

t.test('rejected changes', async (t) => {
  const { ask } = askHelp(url, admin);
  const whole = { title: { 'en-US': 'T' }, body: { 'en-US': 'B' }, default_lang: 'en-US' };
  const cases: [string, object, number, string][] = [
    ['no title', { ...whole, title: { 'en-US': ' ' } }, 400, '/title'],
    ['nothing to publish', { ...whole, body: { 'ru-RU': 'B' }, is_published: true }, 400, '/body'],
    ['no such category', { ...whole, category_id: 999_999 }, 400, '/category_id'],
    ['too long a title', { ...whole, title: { 'en-US': 'x'.repeat(121) } }, 400, '/title/en-US'],
    ['too long a text', { ...whole, body: { 'en-US': 'x'.repeat(10_001) } }, 400, '/body/en-US'],
    ['a control character', { ...whole, body: { 'en-US': 'a\u0007' } }, 400, '/body/en-US'],
    ['too deep a text', { ...whole, body: { 'en-US': '>'.repeat(10_000) } }, 400, '/body/en-US'],
    ['another language', { ...whole, title: { 'en-US': 'T' }, default_lang: 'fr-FR' }, 400, '/default_lang'],
  ];
  for (const [what, body, status, pointer] of cases) {
    const answer = await ask('POST', 'manager/article', body);
    t.equal(answer.status, status, what);
    t.hasStrict(answer.json, { code: 'VALIDATION_FAILED', errors: [{ pointer }] }, what);
  }
  t.strictSame(await managed(), []);
  t.hasStrict(await ask('PUT', 'manager/article', { id: 999_999, is_published: true }), {
    status: 404,
    json: { code: 'ARTICLE_NOT_FOUND' },
  });
  t.hasStrict(await ask('DELETE', 'manager/article', { id: 999_999 }), {
    json: { code: 'ARTICLE_NOT_FOUND' },
  });
});

t.test('saves the longest texts in all languages', async (t) => {
  const body = Object.fromEntries(LANGUAGES.map((language) => [language, '界'.repeat(10_000)]));
  const { id } = await add({ title: { 'en-US': 'Long' }, body, default_lang: 'en-US' });
  t.equal(
    (await askHelp(url, admin).ask('GET', `manager/article/${id}`)).json.data.body['ru-RU'].length,
    10_000,
  );
});

t.test('a concurrent change is a conflict', async (t) => {
  const { ask } = askHelp(url, admin);
  const made = await add({ title: { 'en-US': 'T' }, body: { 'en-US': 'B' }, default_lang: 'en-US' });
  const { updated_at } = made;
  await pool.query(`update help_article set updated_at = updated_at - interval '1 hour'`);
  t.hasStrict(await ask('PUT', 'manager/article', { id: made.id, updated_at, title: { 'en-US': 'Mine' } }), {
    status: 409,
    json: { code: 'CONFLICT' },
  });
  t.hasStrict(await managed(), [{ title: { 'en-US': 'T' } }]);
});

t.test('the number of articles is limited', async (t) => {
  const { ask } = askHelp(url, admin);
  await pool.query(`
    insert into help_article (title, body, default_lang, position)
      select '{"en-US": "T"}', '{}', 'en-US', n from generate_series(1, 300) n;
    insert into help_category (name, default_lang, position)
      select '{"en-US": "C"}', 'en-US', n from generate_series(1, 40) n`);
  t.hasStrict(
    await ask('POST', 'manager/article', { title: { 'en-US': 'One more' }, default_lang: 'en-US' }),
    {
      status: 409,
      json: { code: 'HELP_LIMIT_REACHED' },
    },
  );
  t.hasStrict(
    await ask('POST', 'manager/category', { name: { 'en-US': 'One more' }, default_lang: 'en-US' }),
    {
      status: 409,
      json: { code: 'HELP_LIMIT_REACHED' },
    },
  );
});

t.test('the caller of the help center', async (t) => {
  const { ask } = askHelp(url, admin);
  t.strictSame(dataOf(await ask('GET', 'user/admininfo'), contract.readHelpCaller.data), {
    user_id: 1,
    role: 2,
    nick_name: 'Ada',
    avatar_url: '',
  });
  t.equal((await askHelp(url, {}).ask('GET', 'user/admininfo')).status, 401);
});
