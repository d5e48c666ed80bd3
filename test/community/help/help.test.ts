import { pino } from 'pino';
import t from 'tap';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { sweep, UPLOAD_AGE } from '../../../server/community/sweep/sweep.ts';
import { contract } from '../../../shared/contract.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { testCommunity } from '../../support/community.ts';
import { auditLogOf } from '../audit-log.ts';
import { picture } from '../send-form.ts';
import { askHelp, dataOf } from './ask-help.ts';

t.test('articles', async (t) => {
  const community = await testCommunity(t);
  const { pool, url } = community;
  const admin = await community.bearer(1, 2);
  const { add, change, list, managed, read, order } = askHelp(url, admin);

  t.afterEach(() =>
    pool.query('delete from help_article; delete from help_category; delete from audit_trail'),
  );

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
      [{ title: 'Install a plugin', lang: 'en-US' }],
      'a title without a text is no article: English stands in',
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
      (await auditLogOf(pool, 'help_article')).map(({ action, target_name }) => [action, target_name]),
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
    t.hasStrict((await auditLogOf(pool, 'help_category')).at(-1), {
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
      ...['>'.repeat(10_000), `${'- '.repeat(4900)}x`, `${'1. '.repeat(3000)}x`].map(
        (text): [string, object, number, string] => [
          `too deep a text: ${text.slice(0, 4)}`,
          { ...whole, body: { 'en-US': text } },
          400,
          '/body/en-US',
        ],
      ),
      [
        'another language',
        { ...whole, title: { 'en-US': 'T' }, default_lang: 'fr-FR' },
        400,
        '/default_lang',
      ],
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
    t.hasStrict(
      await ask('PUT', 'manager/article', { id: made.id, updated_at, title: { 'en-US': 'Mine' } }),
      {
        status: 409,
        json: { code: 'CONFLICT' },
      },
    );
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
});

t.test('pictures', async (t) => {
  const community = await testCommunity(t);
  const { db, url, dataDir } = community;
  const admin = await community.bearer(1, 1);
  const { add, change, read } = askHelp(url, admin);

  async function upload(content: Buffer | undefined, headers: Record<string, string> = admin) {
    const form = new FormData();
    if (content) form.set('picture', new Blob([new Uint8Array(content)]), 'picture.png');
    const response = await fetch(`${url}/api/helpcenter/upload/picture`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  const kept = async (content: Buffer) => dataOf(await upload(content), contract.uploadHelpPicture.data);
  const isServed = async (address: string) => (await fetch(url + address)).status === 200;
  const sweepTomorrow = () =>
    sweep({
      db,
      files: openFolderStore(dataDir),
      dataDir,
      now: () => Date.now() + UPLOAD_AGE + 60_000,
      log: pino({ level: 'silent' }),
    });

  t.test('a picture is validated, and the response has its address', async (t) => {
    const { url: address, key, width, height } = await kept(await picture(700, 350));
    t.strictSame([address, width, height], [`/api/cmt/media/${key}-640.webp`, 700, 350]);
    t.ok(await isServed(address));
    t.hasStrict(await upload(Buffer.from('not a picture')), { status: 415, json: { code: 'IMAGE_FORMAT' } });
    t.hasStrict(await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), {
      status: 415,
      json: { code: 'IMAGE_FORMAT' },
    });
    t.hasStrict(await upload(Buffer.alloc(10 * 1024 * 1024 + 1)), {
      status: 413,
      json: { code: 'IMAGE_TOO_LARGE' },
    });
    t.hasStrict(await upload(undefined), { status: 400, json: { errors: [{ pointer: '/picture' }] } });
    t.hasStrict(await upload(await picture(10, 10), await community.bearer(7, 0)), { status: 403 });
    t.hasStrict(await upload(await picture(10, 10), {}), { status: 401 });
  });

  t.test('pictures are kept while an article shows them in any language', async (t) => {
    const used = await kept(await picture(400, 200, '#00aa00'));
    const unused = await kept(await picture(400, 200, '#aa0000'));
    const { id } = await add({
      title: { 'en-US': 'T', 'ru-RU': 'Т' },
      body: { 'en-US': 'x', 'ru-RU': `![Вид](${used.url})` },
      default_lang: 'en-US',
      is_published: true,
    });
    t.hasStrict((await read(id, { 'accept-language': 'ru-RU' })).json.data.blocks, [
      { runs: [{ text: 'Вид', src: used.url, width: 400, height: 200 }] },
    ]);
    await sweepTomorrow();
    t.ok(await isServed(used.url));
    t.notOk(await isServed(unused.url));
    await change({ id, body: { 'en-US': 'x', 'ru-RU': 'y' } });
    await sweepTomorrow();
    t.notOk(await isServed(used.url), 'gone with the last article that showed it');
  });
});

t.test('search', async (t) => {
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

  t.afterEach(() =>
    pool.query('delete from help_article; delete from help_category; delete from audit_trail'),
  );

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
    await add({
      title: { 'en-US': 'One' },
      body: { 'en-US': 'x' },
      default_lang: 'en-US',
      is_published: true,
    });
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
});

t.test('a text that is nested too deeply is refused, and others can be read', async (t) => {
  const community = await testCommunity(t);
  const { ask: call } = askHelp(community.url, await community.bearer(1, 2));
  const send = async (text: string) => {
    const whole = {
      title: { 'en-US': 'T' },
      body: { 'en-US': text },
      default_lang: 'en-US',
      is_published: true,
    };
    const added = await call('POST', 'manager/article', whole);
    const isSaved = added.status === 200;
    return { added, read: isSaved ? (await call('GET', `article/${added.json.data.id}`)).status : null };
  };
  for (const depth of [150, 1200, 2400])
    t.hasStrict(
      await send(`${'- '.repeat(depth)}x`),
      { added: { status: 400, json: { code: 'VALIDATION_FAILED' } } },
      `${depth} lists`,
    );
  t.hasStrict(await send(`${'- '.repeat(40)}x`), { added: { status: 200 }, read: 200 });
  for (const mark of ['*a ', '_a**'])
    for (const depth of [100, 1200, 2400]) {
      const { added, read } = await send(`${mark.repeat(depth).slice(0, 9998)}x`);
      // It may take too long on a slow machine.
      t.ok([200, 400].includes(added.status), `${mark}${depth}: ${added.status}`);
      t.equal(read, added.status === 200 ? 200 : null, `${mark}${depth}`);
    }
});
