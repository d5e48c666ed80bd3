import type { Pool } from 'pg';
import t from 'tap';
import { reorderByPopularity } from '../../../../server/community/catalogue/counters/store.ts';
import type { PluginChange } from '../../../../server/community/schema.ts';
import { contract } from '../../../../shared/contract.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

/** Works while the service does not reorder, as it does every five seconds. */
async function withoutReordering<Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> {
  const holder = await pool.connect();
  try {
    await holder.query("select pg_advisory_lock(hashtextextended('plugin-square popularity', 0))");
    return await work();
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
  }
}

t.test('list', async (t) => {
  const COUNT = 57;
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const tag = await addTag(db, 'seven', { 'en-US': 'Seven', 'ja-JP': '七' });
  const unused = await addTag(db, 'unused');
  for (let n = 0; n < COUNT; n += 1) {
    await addPlugin(db, {
      key: `plugin-${String(n).padStart(3, '0')}`,
      // Groups of ten share a moment and a popularity, so only the id puts them in order.
      updatedAt: new Date(Date.UTC(2025, 0, 1 + Math.floor(n / 10))),
      likes: (n * 7) % 10,
      tags: n % 7 === 0 ? [tag] : [],
    });
  }
  await flushAll(db);

  async function list(query: string, headers: Record<string, string> = {}): Promise<PluginPage> {
    return dataOf(await ask(url, `plugin/list?${query}`, { headers }), contract.listPlugins.data);
  }

  async function walk(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
    const keys: string[] = [];
    let cursor = '';
    do {
      const page = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      keys.push(...keysOf(page));
      cursor = page.next_cursor ?? '';
      await between();
    } while (cursor !== '');
    return keys;
  }

  const expected = Array.from(
    { length: COUNT },
    (_, n) => `plugin-${String(n).padStart(3, '0')}`,
  ).toReversed();

  t.test('latest first, 24 per page, with the total', async (t) => {
    const page = await list('');
    t.equal(page.total, COUNT);
    t.equal(page.total_estimated, false);
    t.strictSame(keysOf(page), expected.slice(0, 24));
  });

  t.test('every page of the latest gives every plugin exactly once', async (t) => {
    t.strictSame(await walk('limit=5'), expected);
    t.strictSame(await walk('limit=57'), expected);
    t.strictSame(await walk('limit=100'), expected);
  });

  t.test('the most popular first', async (t) => {
    const keys = await walk('sort=1&limit=10');
    t.strictSame(keys.toSorted(), expected.toSorted());
    const likes = (await list('sort=1&limit=100')).plugin_list.map((plugin) => plugin.praise_count);
    t.strictSame(
      likes,
      likes.toSorted((a, b) => b - a),
    );
  });

  t.test('paging by popularity shows every plugin once during concurrent likes', async (t) => {
    let user = 1000;
    const like = async () => {
      for (const plugin_key of ['plugin-050', 'plugin-001', 'plugin-030']) {
        user += 1;
        const body = { plugin_key, praise: 1 };
        const answer = await ask(url, 'plugin/user/praise', { headers: await community.bearer(user), body });
        t.equal(answer.status, 200);
      }
    };
    const keys = await withoutReordering(pool, () => walk('sort=1&limit=6', like));
    t.strictSame(keys.toSorted(), expected.toSorted());
    t.equal(new Set(keys).size, COUNT);
  });

  t.test('likes move a plugin up after reordering', async (t) => {
    await flushAll(db);
    t.strictSame(keysOf(await list('sort=1&limit=3')).toSorted(), ['plugin-001', 'plugin-030', 'plugin-050']);
    t.equal(await reorderByPopularity(db), 0);
  });

  t.test('a tag lists its plugins in both orders', async (t) => {
    const own = expected.filter((_, index) => (COUNT - 1 - index) % 7 === 0);
    t.strictSame(await walk(`tag_id=${tag}&limit=4`), own);
    t.strictSame((await walk(`tag_id=${tag}&sort=1&limit=4`)).toSorted(), own.toSorted());
    t.equal((await list(`tag_id=${tag}&limit=1`)).total, own.length);
  });

  t.test('a tag without plugins is empty, not unknown', async (t) => {
    t.hasStrict(await list(`tag_id=${unused}`), { total: 0, next_cursor: null, plugin_list: [] });
  });

  t.test('a blank keyword is ignored', async (t) => {
    t.equal((await list('keyword=%20%20')).total, COUNT);
  });

  t.test('a cursor is valid for its own list only', async (t) => {
    const { next_cursor: cursor } = await list('limit=5');
    for (const other of ['sort=1', `tag_id=${tag}`, 'keyword=plugin']) {
      const answer = await ask(url, `plugin/list?${other}&cursor=${cursor}`);
      t.equal(answer.status, 400, other);
      t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
    }
    t.equal((await list(`limit=100&cursor=${cursor}`)).plugin_list.length, COUNT - 5);
  });

  t.test('an altered cursor is rejected', async (t) => {
    const { next_cursor: cursor = '' } = await list('limit=5');
    const text = cursor ?? '';
    for (let at = 0; at < text.length; at += 1) {
      const altered = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
      const answer = await ask(url, `plugin/list?cursor=${altered}`);
      t.equal(answer.status, 400, altered);
    }
  });

  t.test('tag names are in the requested language, or else in English', async (t) => {
    const names = async (language: string) => {
      const answer = await ask(url, 'plugin/tag/list', { headers: { 'accept-language': language } });
      return dataOf(answer, contract.listTags.data).tag_list.map((item) => item.name);
    };
    t.strictSame(await names('ja-JP'), ['七', 'unused']);
    t.strictSame(await names('ko-KR'), ['Seven', 'unused']);
    t.strictSame(await names('tlh'), ['Seven', 'unused']);
  });
});

t.test('detail', async (t) => {
  const community = await testCommunity(t);
  const { db, url } = community;
  const tag = await addTag(db, 'tag', { 'en-US': 'Tag', 'ru-RU': 'Метка' });
  const id = await addPlugin(db, {
    key: 'many-tongues',
    defaultLang: 'ja-JP',
    name: { 'ja-JP': '道具', 'ru-RU': 'Инструмент', 'zh-CN': '工具' },
    intro: { 'ja-JP': '紹介', 'ru-RU': 'Коротко' },
    description: { 'ja-JP': '説明' },
    tags: [tag],
    likes: 3,
  });
  const picture = { picture_key: 'a'.repeat(64), width: 800, height: 600, widths: [320, 640] };
  const video = { file_key: 'b'.repeat(64), extension: 'mp4', mime_type: 'video/mp4', bytes: 10 };
  await db.insertInto('picture').values(picture).execute();
  await db.insertInto('stored_file').values(video).execute();
  await db
    .insertInto('plugin_media')
    .values([
      { plugin_id: id, position: 2, file_key: video.file_key },
      { plugin_id: id, position: 1, picture_key: picture.picture_key },
    ])
    .execute();
  await db.updateTable('plugin').set({ icon_key: picture.picture_key }).where('id', '=', id).execute();
  await db
    .insertInto('plugin_version')
    .values([
      {
        plugin_id: id,
        version: '1.1.0',
        note: '{"en-US":"Second","ja-JP":"二番目"}',
        audit_status: 2,
        is_hidden: true,
        created_at: new Date('2030-01-01'),
      },
      {
        plugin_id: id,
        version: '2.0.0',
        note: '{"ru-RU":"Новое"}',
        audit_status: 1,
        created_at: new Date('2030-02-01'),
      },
    ])
    .execute();

  async function detail(language: string, headers: Record<string, string> = {}) {
    const answer = await ask(url, 'plugin?plugin_key=many-tongues', {
      headers: { 'accept-language': language, ...headers },
    });
    return dataOf(answer, contract.readPlugin.data);
  }

  t.test('texts are in the requested language', async (t) => {
    t.hasStrict(await detail('ru-RU'), {
      name: 'Инструмент',
      intro: 'Коротко',
      lang: 'ru-RU',
      description: '説明',
      description_lang: 'ja-JP',
      tags: [{ id: tag, name: 'Метка', code: 'tag' }],
    });
  });

  t.test('a missing language falls back to English, each text for itself', async (t) => {
    await addPlugin(db, {
      key: 'half-translated',
      defaultLang: 'zh-CN',
      name: { 'zh-CN': '道具', 'en-US': 'Tool', 'ko-KR': '도구' },
      intro: { 'zh-CN': '介绍', 'en-US': 'Short' },
      description: { 'zh-CN': '说明' },
    });
    const read = async (language: string) => {
      const headers = { 'accept-language': language };
      const answer = await ask(url, 'plugin?plugin_key=half-translated', { headers });
      return dataOf(answer, contract.readPlugin.data);
    };
    t.hasStrict(await read('ko-KR'), { name: '도구', lang: 'ko-KR', intro: 'Short', intro_lang: 'en-US' });
    for (const language of ['ja-JP', 'ru-RU', 'es-ES']) {
      const found = await read(language);
      t.hasStrict(found, { name: 'Tool', lang: 'en-US', intro: 'Short' }, language);
      t.equal(found.intro_lang, undefined, 'the same as that of the name');
      t.hasStrict(found, { description: '说明', description_lang: 'zh-CN', languages: ['zh-CN'] });
    }
  });

  t.test("without English, a missing language falls back to the plugin's default", async (t) => {
    t.hasStrict(await detail('es-ES'), {
      name: '道具',
      intro: '紹介',
      lang: 'ja-JP',
      tags: [{ name: 'Tag' }],
    });
  });

  t.test('a detail has all fields', async (t) => {
    const found = await detail('en-US');
    t.strictSame(found.languages, ['ja-JP'], 'in which name, intro and description are written');
    t.strictSame(found.icon, { key: 'a'.repeat(64), width: 800, height: 600, widths: [320, 640] });
    t.equal(found.cover, null);
    t.match(found.media, [
      { kind: 'image', picture: { key: 'a'.repeat(64) } },
      { kind: 'video', url: `/api/cmt/media/${'b'.repeat(64)}.mp4`, mime_type: 'video/mp4' },
    ]);
    t.hasStrict(found, {
      praise_count: 3,
      install_count: 0,
      version: '1.0.0',
      audit_status: 2,
      copyright: { kind: 'author', holder: `Maker ${PUBLISHER_ID}` },
      publisher: { user_id: PUBLISHER_ID, nick_name: `Maker ${PUBLISHER_ID}` },
    });
  });

  t.test('signed-in users see their likes and installs', async (t) => {
    const headers = await community.bearer(7);
    t.hasStrict(await detail('en-US', headers), { is_praise: -1, is_installed: false });
    await ask(url, 'plugin/user', { headers, body: { plugin_key: 'many-tongues' } });
    await ask(url, 'plugin/user/praise', { headers, body: { plugin_key: 'many-tongues', praise: 1 } });
    t.hasStrict(await detail('en-US', headers), { is_praise: 1, is_installed: true, praise_count: 4 });
    t.hasStrict(await detail('en-US', await community.bearer(8)), { is_praise: -1, is_installed: false });
    t.hasStrict(await detail('en-US'), { is_praise: -1, is_installed: false, install_count: 1 });
    const publishAt = (moment: string) =>
      community.pool.query(
        `insert into publication (plugin_version_id, plugin_id, is_first, published_at)
          select current_version_id, id, false, installed_at + $1::interval
            from plugin join plugin_install on plugin_id = id where user_id = 7
          on conflict (plugin_version_id) do update set published_at = excluded.published_at`,
        [moment],
      );
    await publishAt('-1 second');
    t.notHas(await detail('en-US', headers), { is_updated: true }, 'the version that was installed');
    await publishAt('1 second');
    t.hasStrict(await detail('en-US', headers), { is_updated: true });
    t.notHas(await detail('en-US', await community.bearer(8)), { is_updated: true }, 'not installed');
  });

  t.test('versions are newest first; only the publisher sees unreviewed and hidden ones', async (t) => {
    const versions = async (headers: Record<string, string>) => {
      const answer = await ask(url, 'plugin/version/list?plugin_key=many-tongues', { headers });
      return dataOf(answer, contract.listVersions.data).version_list;
    };
    t.hasStrict(await versions({}), [{ version: '1.0.0', is_current: true, note: 'First', lang: 'en-US' }]);
    const own = await versions({ ...(await community.bearer(PUBLISHER_ID)), 'accept-language': 'ru-RU' });
    t.strictSame(
      own.map((version) => version.version),
      ['2.0.0', '1.1.0', '1.0.0'],
    );
    t.hasStrict(own[0], { note: 'Новое', lang: 'ru-RU', audit_status: 1, is_current: false });
    t.hasStrict(own[1], { is_hidden: true, note: 'Second', lang: 'en-US' }, 'else in English');
  });
});

t.test('recommended', async (t) => {
  const { db, url } = await testCommunity(t);

  async function showing(page: number) {
    return dataOf(await ask(url, `plugin/recommendation/list?page=${page}`), contract.listRecommended.data);
  }

  t.test('nothing recommended is an empty list, on any page', async (t) => {
    t.strictSame(await showing(0), { plugin_list: [], page_count: 0 });
    t.strictSame(await showing(3), { plugin_list: [], page_count: 0 });
  });

  t.test('eight per page in order; later pages wrap around', async (t) => {
    for (let n = 0; n < 12; n += 1) {
      const plugin_id = await addPlugin(db, { key: `recommended-${n}` });
      await db
        .insertInto('recommendation')
        .values({ plugin_id, position: 100 - n })
        .execute();
    }
    const keys = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, i) => `recommended-${from - i}`);
    t.equal((await showing(0)).page_count, 2);
    t.strictSame(keysOf(await showing(0)), keys(11, 4));
    t.strictSame(keysOf(await showing(1)), keys(3, 0));
    t.strictSame(keysOf(await showing(2)), keys(11, 4));
    t.strictSame(keysOf(await showing(9999)), keys(3, 0));
  });

  t.test('hidden plugins are not recommended', async (t) => {
    await db
      .updateTable('plugin')
      .set({ is_hidden: true })
      .where('plugin_key', '=', 'recommended-11')
      .execute();
    t.notOk(keysOf(await showing(0)).includes('recommended-11'));
  });
});

t.test('visibility', async (t) => {
  const community = await testCommunity(t);
  const { db, url } = community;
  const tag = await addTag(db, 'tag');
  await addPlugin(db, { key: 'always-there', name: { 'en-US': 'Seen' }, tags: [tag] });
  await addPlugin(db, { key: 'comes-and-goes', name: { 'en-US': 'Seen too' }, tags: [tag] });

  async function totals(): Promise<number[]> {
    const queries = ['', `tag_id=${tag}`, 'keyword=seen', `keyword=seen&tag_id=${tag}`];
    return Promise.all(
      queries.map(async (query) => {
        const page = dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data);
        t.equal(keysOf(page).length, page.total);
        return page.total;
      }),
    );
  }

  async function change(values: PluginChange): Promise<void> {
    await db.updateTable('plugin').set(values).where('plugin_key', '=', 'comes-and-goes').execute();
  }

  const HIDDEN: [title: string, away: PluginChange, back: PluginChange, ownerSees: number][] = [
    ['not yet reviewed', { audit_status: 1 }, { audit_status: 2 }, 200],
    ['refused', { audit_status: 3 }, { audit_status: 2 }, 200],
    ['hidden', { is_hidden: true }, { is_hidden: false }, 200],
    ['deleted', { deleted_at: new Date() }, { deleted_at: null }, 404],
  ];

  for (const [title, away, back, ownerSees] of HIDDEN) {
    t.test(`a plugin that is ${title} is in no list and no total, and comes back`, async (t) => {
      t.strictSame(await totals(), [2, 2, 2, 2]);
      await change(away);
      t.strictSame(await totals(), [1, 1, 1, 1]);
      const path = 'plugin?plugin_key=comes-and-goes';
      const stranger = await ask(url, path, { headers: await community.bearer(7) });
      t.equal((await ask(url, path)).status, 404);
      t.equal(stranger.status, 404);
      t.hasStrict(stranger.json, { code: 'PLUGIN_NOT_FOUND' });
      t.equal((await ask(url, path, { headers: await community.bearer(PUBLISHER_ID) })).status, ownerSees);
      t.equal((await ask(url, path, { headers: await community.bearer(1, 2) })).status, ownerSees);
      const body = { plugin_key: 'comes-and-goes' };
      t.equal((await ask(url, 'plugin/user', { headers: await community.bearer(7), body })).status, 404);
      await change(back);
      t.strictSame(await totals(), [2, 2, 2, 2]);
    });
  }

  t.test('adding and removing a tag changes the totals of that tag only', async (t) => {
    const { id } = await db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', 'always-there')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('plugin_tag').where('plugin_id', '=', id).execute();
    t.strictSame((await totals()).slice(0, 2), [2, 1]);
    await db.insertInto('plugin_tag').values({ plugin_id: id, tag_id: tag }).execute();
    t.strictSame((await totals()).slice(0, 2), [2, 2]);
  });

  t.test('totals stay correct while plugins are hidden and tagged concurrently', async (t) => {
    const rows = await db.selectFrom('plugin').select('id').execute();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        change({ is_hidden: round % 2 === 0 }),
        ...rows.map(({ id }) => db.deleteFrom('plugin_tag').where('plugin_id', '=', id).execute()),
        change({ updated_at: new Date(Date.UTC(2025, 5, round)) }),
      ]);
      const tags = rows.map(({ id }) => ({ plugin_id: id, tag_id: tag }));
      await Promise.all([
        change({ is_hidden: round % 2 === 1 }),
        ...tags.map((row) => db.insertInto('plugin_tag').values(row).execute()),
      ]);
      const visible = round % 2 === 0 ? 2 : 1;
      t.strictSame((await totals()).slice(0, 2), [visible, visible]);
    }
  });
});
