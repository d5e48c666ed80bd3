import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { ask, dataOf } from '../ask.ts';

const community = await testCommunity(t);
const { db, url } = community;
const picture_key = 'c'.repeat(64);
await db
  .insertInto('picture')
  .values({ picture_key, width: 1280, height: 320, widths: [320, 640, 1280] })
  .execute();
const title = JSON.stringify({ 'zh-CN': '横幅', 'en-US': 'Banner' });

t.test('banners with a link and a picture, in their order', async (t) => {
  const banner = { title, default_lang: 'zh-CN', picture_key } as const;
  await db
    .insertInto('banner')
    .values([
      { ...banner, redirect_url: '/second', position: 2 },
      { ...banner, redirect_url: '/first', position: 1 },
      { ...banner, redirect_url: '', position: 0 },
      { ...banner, redirect_url: null, position: 0 },
      { ...banner, redirect_url: '/no-picture', picture_key: null, position: 0 },
    ])
    .execute();
  const read = async (language: string) =>
    dataOf(
      await ask(url, 'plugin-banner/all', { headers: { 'accept-language': language } }),
      contract.listBanners.data,
    ).banner_list;
  t.hasStrict(await read('en-US'), [
    { redirect_url: '/first', title: 'Banner', lang: 'en-US', picture: { key: picture_key, width: 1280 } },
    { redirect_url: '/second' },
  ]);
  t.equal((await read('en-US')).length, 2);
  t.hasStrict(await read('ko-KR'), [{ title: '横幅', lang: 'zh-CN' }]);
});

t.test('the activity card, with and without a cover', async (t) => {
  await db
    .insertInto('activity')
    .values([
      { id: 30, view_num: 5, participate_num: 2, tutorial_url: '/learn', cover_key: picture_key },
      { id: 31, view_num: 0, participate_num: 0, tutorial_url: '' },
    ])
    .execute();
  const read = async (id: number) =>
    dataOf(await ask(url, `activity/activity/info?activity_id=${id}`), contract.readActivity.data);
  t.strictSame(await read(30), {
    view_num: 5,
    participate_num: 2,
    tutorial_url: '/learn',
    cover: `/api/cmt/media/${picture_key}-640.webp`,
  });
  t.hasStrict(await read(31), { cover: '' });
  const { json } = await ask(url, 'activity/activity/info?activity_id=30');
  t.hasStrict(json, { code: 200 }, 'the code that the specification names for this call');
});

t.test('four featured works, in their order', async (t) => {
  const work = {
    title,
    default_lang: 'en-US',
    author: 'Ada',
    url: '/w',
    picture_key,
    view_num: 1,
    like_num: 2,
  } as const;
  for (let position = 6; position > 0; position -= 1) {
    await db
      .insertInto('featured_work')
      .values({ ...work, url: `/w${position}`, position })
      .execute();
  }
  const { work_list } = dataOf(await ask(url, 'community/featured'), contract.listFeaturedWorks.data);
  t.strictSame(
    work_list.map((item) => item.url),
    ['/w1', '/w2', '/w3', '/w4'],
  );
});

t.test('returns the caller of the token', async (t) => {
  const read = async (role: 0 | 1 | 2) =>
    dataOf(
      await ask(url, 'manager/verify', { headers: await community.bearer(7, role) }),
      contract.verifyUser.data,
    );
  const person = { user_id: 7, nick_name: 'Ada', avatar_url: '' };
  t.strictSame(await read(0), { ...person, role: 0, may_publish: false });
  t.strictSame(await read(1), { ...person, role: 1, may_publish: true });
  t.strictSame(await read(2), { ...person, role: 2, may_publish: true });
});
