import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

t.test('suggestions', async (t) => {
  const { db, url } = await testCommunity(t);
  const colour = await addTag(db, 'secai', { 'en-US': 'Colour tools', 'zh-CN': '色彩' });
  await addTag(db, 'daima', { 'en-US': 'Code', 'es-ES': 'Código' });
  await addPlugin(db, { key: 'exact-one', name: { 'en-US': 'Color', 'zh-CN': '配色' }, likes: 1 });
  await addPlugin(db, { key: 'begins-two', name: { 'en-US': 'Color Picker' }, likes: 5, tags: [colour] });
  await addPlugin(db, { key: 'within-three', name: { 'en-US': 'My color notes' }, likes: 50 });
  await addPlugin(db, {
    key: 'intro-four',
    name: { 'en-US': 'Swatches' },
    intro: { 'en-US': 'Any color' },
    likes: 60,
  });
  await addPlugin(db, {
    key: 'text-five',
    name: { 'en-US': 'Export' },
    description: { 'en-US': 'Keeps each color' },
    likes: 99,
  });
  await addPlugin(db, { key: 'hidden-six', name: { 'en-US': 'Color' }, isHidden: true });
  for (let n = 1; n <= 8; n += 1) {
    await addPlugin(db, { key: `grid-tool-${n}`, name: { 'en-US': `Grid ${n}` }, likes: n });
  }
  await flushAll(db);

  const suggest = async (keyword: string, language = 'en-US') => {
    const path = `plugin/suggestion/list?keyword=${encodeURIComponent(keyword)}&language=${language}`;
    // The language of the address counts: any cache may keep the response.
    return dataOf(
      await ask(url, path, { headers: { 'accept-language': 'ru-RU' } }),
      contract.suggestPlugins.data,
    );
  };
  const keys = async (keyword: string) =>
    (await suggest(keyword)).plugin_list.map(({ plugin_key }) => plugin_key);
  const tags = async (keyword: string, language?: string) =>
    (await suggest(keyword, language)).tag_list.map(({ name }) => name);

  t.test('are plugins by name, then by intro, the popular first, and nothing else', async (t) => {
    t.strictSame(await keys('color'), ['exact-one', 'begins-two', 'within-three', 'intro-four']);
    t.strictSame(await keys('  COL'), ['begins-two', 'exact-one', 'within-three', 'intro-four']);
    t.strictSame(await keys('配'), ['exact-one']);
    t.strictSame(await keys('export'), ['text-five']);
  });

  t.test('are six plugins at most', async (t) => {
    t.strictSame(
      await keys('grid'),
      [8, 7, 6, 5, 4, 3].map((n) => `grid-tool-${n}`),
    );
  });

  t.test('have names in the language of the address', async (t) => {
    const [first] = (await suggest('color', 'zh-CN')).plugin_list;
    t.strictSame(first, { plugin_key: 'exact-one', name: '配色', lang: 'zh-CN', icon: null });
  });

  t.test('are tags by the words of their names in all languages', async (t) => {
    t.strictSame(await tags('col'), ['Colour tools']);
    t.strictSame(await tags('too'), ['Colour tools']);
    t.strictSame(await tags('co'), ['Colour tools', 'Code']);
    t.strictSame(await tags('色', 'zh-CN'), ['色彩']);
    t.strictSame(await tags('codigo', 'es-ES'), ['Código']);
    t.strictSame(await tags('olour'), []);
  });

  t.test('are publishers by the words of their name and handle, and by readings', async (t) => {
    const publish = async (userId: number, name: string, handle: string, likes: number) => {
      await db.insertInto('person').values({ user_id: userId, nick_name: name, handle }).execute();
      await addPlugin(db, { key: `of-person-${userId}`, publisherId: userId, likes });
    };
    await publish(201, 'Nordlicht', 'nordlicht-works', 3);
    await publish(202, 'Nordlicht Studio', 'p-000000000202', 70);
    await publish(203, 'Werkstatt Nord', 'werk-nord', 80);
    await publish(204, '设计工坊', 'p-000000000204', 1);
    await publish(205, 'Nordwind', 'nordwind', 90);
    await db.insertInto('person').values({ user_id: 206, nick_name: 'Nordlicht' }).execute();
    await db.updateTable('person').set({ verified_as: 'nord.example' }).where('user_id', '=', 202).execute();
    await flushAll(db);
    const publishers = async (keyword: string) =>
      ((await suggest(keyword)).publisher_list ?? []).map(({ user_id }) => user_id);
    t.strictSame(await publishers('nordlicht'), [201, 202], 'who is called so comes first');
    t.strictSame(
      await publishers('nord'),
      [205, 202, 201],
      'then who begins so, the popular first; three at most',
    );
    t.strictSame(await publishers('studio'), [202]);
    t.strictSame(await publishers('works'), [201], 'a handle counts');
    t.strictSame(await publishers('p-0000'), [], 'a random one does not');
    t.strictSame(await publishers('shejigong'), [204]);
    t.strictSame(await publishers('工坊'), [204]);
    const [, studio] = (await suggest('nordlicht')).publisher_list ?? [];
    t.strictSame(studio, {
      user_id: 202,
      nick_name: 'Nordlicht Studio',
      avatar_url: '',
      handle: 'p-000000000202',
      verified: 'nord.example',
    });

    await db.updateTable('plugin').set({ is_hidden: true }).where('publisher_id', '=', 201).execute();
    t.strictSame(await publishers('nordlicht'), [202], 'who has nothing to find any more');
    await db.updateTable('person').set({ nick_name: 'Polarlicht' }).where('user_id', '=', 202).execute();
    await flushAll(db);
    t.strictSame([await publishers('nordlicht'), await publishers('polar')], [[], [202]], 'a new name');
    await db.updateTable('plugin').set({ is_hidden: false }).where('publisher_id', '=', 201).execute();
    await flushAll(db);
    t.strictSame(await publishers('nordlicht'), [201]);
  });

  t.test('are none for what has no words', async (t) => {
    t.strictSame(await suggest('!?'), { plugin_list: [], publisher_list: [], tag_list: [] });
    t.strictSame(await suggest('xyzzy'), { plugin_list: [], publisher_list: [], tag_list: [] });
  });

  t.test('need a keyword and a language', async (t) => {
    for (const query of ['', '?keyword=a', '?keyword=a&language=xx']) {
      const answer = await ask(url, `plugin/suggestion/list${query}`);
      t.equal(answer.status, 400, query);
      t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' }, query);
    }
    for (const keyword of ['', '%E2%80%8B']) {
      const { json } = await ask(url, `plugin/suggestion/list?keyword=${keyword}&language=en-US`);
      t.hasStrict(
        json,
        { code: 0, data: { plugin_list: [], publisher_list: [], tag_list: [] } },
        'nothing to see is nothing to suggest',
      );
    }
  });
});
