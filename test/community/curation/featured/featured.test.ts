import { createHash } from 'node:crypto';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { picture, sendForm } from '../../send-form.ts';

const WORKS = 'manager/community/featured';
const ACTIVITY = 'manager/activity';
const community = await testCommunity(t);
const { pool, url } = community;
const admin = await community.bearer(1, 1);
const image = await picture(800, 600);
const imageKey = createHash('sha256').update(image).digest('hex').slice(0, 32);

const WORK = { title: { 'en-US': 'Poster', 'zh-CN': '海报' }, author: 'Ada', url: '/community/work/1' };
const save = (parts: Record<string, unknown>) => sendForm(url, WORKS, admin, parts);
const saved = async (parts: Record<string, unknown>) => dataOf(await save(parts), contract.saveWork.data);
const added = (parts: Record<string, unknown> = {}) => saved({ ...WORK, picture: image, ...parts });
const list = async () =>
  dataOf(await ask(url, `${WORKS}/list`, { headers: admin }), contract.listManagedWorks.data).work_list;
const order = (ids: number[]) => ask(url, `${WORKS}/order`, { method: 'PUT', headers: admin, body: { ids } });
const remove = (id: number) => ask(url, WORKS, { method: 'DELETE', headers: admin, body: { id } });
const shown = async (language = 'en-US') =>
  dataOf(
    await ask(url, 'community/featured', { headers: { 'accept-language': language } }),
    contract.listFeaturedWorks.data,
  ).work_list;
const idsShown = async () => (await shown()).map(({ id }) => id);

const saveCard = (parts: Record<string, unknown>) => sendForm(url, ACTIVITY, admin, parts);
const savedCard = async (parts: Record<string, unknown>) =>
  dataOf(await saveCard(parts), contract.saveActivity.data);
const managedCard = async () =>
  dataOf(await ask(url, ACTIVITY, { headers: admin }), contract.readManagedActivity.data).activity;
const card = () => ask(url, 'activity/activity/info?activity_id=30');
const removeCard = () => ask(url, ACTIVITY, { method: 'DELETE', headers: admin });

t.afterEach(() => pool.query('delete from featured_work; delete from activity; delete from audit_trail'));

t.test("adds a work, shows it in the visitor's language, and changes it", async (t) => {
  const work = await added({ title: { 'en-US': ' Poster ', 'zh-CN': '海报', 'ru-RU': '' }, like_num: 7 });
  t.hasStrict(work, {
    title: { 'en-US': 'Poster', 'zh-CN': '海报' },
    default_lang: 'en-US',
    author: 'Ada',
    url: '/community/work/1',
    picture: { key: imageKey, width: 800, height: 600, widths: [320, 640] },
    view_num: 0,
    like_num: 7,
    is_hidden: false,
    is_shown: true,
  });
  t.notOk('ru-RU' in work.title, 'an empty text is none');
  t.strictSame(await list(), [work]);
  t.hasStrict(await shown('zh-CN'), [
    { id: work.id, title: '海报', lang: 'zh-CN', author: 'Ada', like_num: 7 },
  ]);
  t.equal((await fetch(`${url}/api/cmt/media/${imageKey}-640.webp`)).status, 200);

  const other = await saved({ id: work.id, author: 'Grace', picture: await picture(640, 480, '#ff0000') });
  t.hasStrict(other, {
    title: { 'en-US': 'Poster' },
    author: 'Grace',
    url: '/community/work/1',
    like_num: 7,
  });
  t.not(other.picture?.key, imageKey);
  t.match(await auditLogOf(pool, 'featured_work'), [
    { actor_id: 1, action: 'work.add', target_id: String(work.id), target_name: 'Poster' },
    { action: 'work.change', target_name: 'Poster', detail: { url: '/community/work/1', is_hidden: false } },
  ]);
});

t.test('shows the first four visible works in order', async (t) => {
  const ids: number[] = [];
  for (const author of ['A', 'B', 'C', 'D', 'E', 'F']) ids.push((await added({ author })).id);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ids;
  t.strictSame(await idsShown(), [a, b, c, d]);
  t.hasStrict(await saved({ id: b, is_hidden: true }), { is_hidden: true, is_shown: false });
  t.strictSame(await idsShown(), [a, c, d, e]);
  t.equal((await order([f, e, a])).status, 200);
  t.strictSame(await idsShown(), [f, e, a, c], 'those that are not named stay behind');
  t.strictSame(
    (await list()).map(({ id, is_shown }) => [id, is_shown]),
    [
      [f, true],
      [e, true],
      [a, true],
      [b, false],
      [c, true],
      [d, false],
    ],
  );
  t.hasStrict(await saved({ id: b, is_hidden: false }), { is_shown: true });
  t.hasStrict((await auditLogOf(pool, 'featured_work')).at(-2), { action: 'work.order', target_id: 'all' });
  t.hasStrict(await order([f, f]), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  t.hasStrict(await order([999_999]), { status: 409, json: { code: 'CONFLICT' } });
});

t.test('a deleted work is not shown', async (t) => {
  const { id } = await added();
  t.equal((await remove(id)).status, 200);
  t.strictSame(await list(), []);
  t.strictSame(await shown(), []);
  t.hasStrict(await remove(id), { status: 404, json: { code: 'NOT_FOUND' } });
  t.hasStrict(await save({ id, author: 'Ada' }), { status: 404, json: { code: 'NOT_FOUND' } });
  t.strictSame(
    (await auditLogOf(pool, 'featured_work')).map(({ action }) => action),
    ['work.add', 'work.delete'],
  );
});

t.test('invalid works are rejected, and nothing is stored', async (t) => {
  const refused = async (parts: Record<string, unknown>, status: number, code: string, pointer?: string) => {
    const answer = await save(parts);
    t.hasStrict(answer, { status, json: { code } }, JSON.stringify(pointer ?? code));
    if (pointer) t.hasStrict(answer.json, { errors: [{ pointer }] });
  };
  const { title, author, url: link } = WORK;
  await refused({ author, url: link, picture: image }, 400, 'VALIDATION_FAILED', '/title');
  await refused({ ...WORK, title: { 'en-US': ' ' }, picture: image }, 400, 'VALIDATION_FAILED', '/title');
  await refused({ title, url: link, picture: image }, 400, 'VALIDATION_FAILED', '/author');
  await refused({ ...WORK, author: '  ', picture: image }, 400, 'VALIDATION_FAILED', '/author');
  await refused({ ...WORK, author: 'x'.repeat(65), picture: image }, 400, 'VALIDATION_FAILED', '/author');
  await refused({ title, author, picture: image }, 400, 'VALIDATION_FAILED', '/url');
  await refused(WORK, 400, 'VALIDATION_FAILED', '/picture');
  await refused({ ...WORK, like_num: -1, picture: image }, 400, 'VALIDATION_FAILED', '/like_num');
  await refused({ ...WORK, url: 'javascript:alert(1)', picture: image }, 422, 'LINK_INVALID');
  await refused({ ...WORK, picture: Buffer.from('no picture') }, 415, 'IMAGE_FORMAT');
  t.strictSame(await list(), []);
  t.strictSame(await auditLogOf(pool, 'featured_work'), []);
});

t.test('the limit is forty works', async (t) => {
  await added();
  await pool.query(`insert into featured_work (title, default_lang, author, url, picture_key, position)
    select title, default_lang, author, url, picture_key, n from featured_work, generate_series(1, 39) n`);
  t.hasStrict(await save({ ...WORK, picture: image }), { status: 409, json: { code: 'WORK_LIMIT_REACHED' } });
  t.equal((await list()).length, 40);
});

t.test('adds, changes, hides, shows and deletes the activity card', async (t) => {
  t.equal(await managedCard(), null);
  t.hasStrict(await card(), { status: 404, json: { code: 'ACTIVITY_NOT_FOUND' } });
  t.strictSame(await savedCard({ participate_num: 12, tutorial_url: ' /designskills/ ' }), {
    view_num: 0,
    participate_num: 12,
    cover: null,
    tutorial_url: '/designskills/',
    is_hidden: false,
  });
  t.hasStrict(await card(), { json: { code: 200, data: { participate_num: 12, cover: '' } } });
  t.hasStrict(await savedCard({ cover: image, view_num: 99 }), {
    participate_num: 12,
    view_num: 99,
    cover: { key: imageKey },
  });
  t.hasStrict((await card()).json, { data: { view_num: 99, cover: `/api/cmt/media/${imageKey}-640.webp` } });

  t.hasStrict(await savedCard({ is_hidden: true, tutorial_url: '' }), { is_hidden: true, tutorial_url: '' });
  t.hasStrict(await card(), { status: 404, json: { code: 'ACTIVITY_NOT_FOUND' } });
  t.hasStrict(await managedCard(), { is_hidden: true, cover: { key: imageKey }, view_num: 99 });
  t.hasStrict(await savedCard({ is_hidden: false }), { is_hidden: false });
  t.equal((await card()).status, 200);

  t.equal((await removeCard()).status, 200);
  t.equal((await card()).status, 404);
  t.equal(await managedCard(), null);
  t.hasStrict(await removeCard(), { status: 404, json: { code: 'ACTIVITY_NOT_FOUND' } });
  t.hasStrict(await auditLogOf(pool, 'activity'), [
    { actor_id: 1, action: 'activity.add', target_id: '30' },
    { action: 'activity.change' },
    { action: 'activity.change', detail: { is_hidden: true } },
    { action: 'activity.change' },
    { action: 'activity.delete', detail: { cover: imageKey } },
  ]);
});

t.test('invalid activity cards are rejected', async (t) => {
  t.hasStrict(await saveCard({ tutorial_url: '//evil.example/' }), {
    status: 422,
    json: { code: 'LINK_INVALID' },
  });
  t.hasStrict(await saveCard({ view_num: 'many' }), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  t.hasStrict(await saveCard({ cover: Buffer.from('no picture') }), {
    status: 415,
    json: { code: 'IMAGE_FORMAT' },
  });
  t.equal(await managedCard(), null);
});
