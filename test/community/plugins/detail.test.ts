import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

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

t.test("a missing language falls back to the plugin's default", async (t) => {
  t.hasStrict(await detail('es-ES'), { name: '道具', intro: '紹介', lang: 'ja-JP', tags: [{ name: 'Tag' }] });
});

t.test('a detail has all fields', async (t) => {
  const found = await detail('en-US');
  t.strictSame(found.languages.toSorted(), ['ja-JP', 'ru-RU', 'zh-CN']);
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
  t.hasStrict(
    own[1],
    { is_hidden: true, note: '二番目', lang: 'ja-JP' },
    "else in the plugin's own language",
  );
});
