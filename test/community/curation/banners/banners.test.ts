import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { picture, sendForm } from '../../send-form.ts';

const PATH = 'manager/plugin-banner';
const community = await testCommunity(t);
const { pool, url, dataDir } = community;
const admin = await community.bearer(1, 1);
const wide = await picture(800, 300);
const wideKey = createHash('sha256').update(wide).digest('hex').slice(0, 32);

const save = (parts: Record<string, unknown>, headers = admin) => sendForm(url, PATH, headers, parts);
const saved = async (parts: Record<string, unknown>) => dataOf(await save(parts), contract.saveBanner.data);
const list = async () =>
  dataOf(await ask(url, `${PATH}/list`, { headers: admin }), contract.listManagedBanners.data).banner_list;
const shown = async () => dataOf(await ask(url, 'plugin-banner/all'), contract.listBanners.data).banner_list;
const order = (ids: unknown, headers = admin) =>
  ask(url, `${PATH}/order`, { method: 'PUT', headers, body: { ids } });
const remove = (id: unknown, headers = admin) => ask(url, PATH, { method: 'DELETE', headers, body: { id } });

t.afterEach(() => pool.query('delete from banner; delete from audit_trail'));

t.test('a banner with link and picture is shown', async (t) => {
  const banner = await saved({
    redirect_url: ' https://example.org/sale ',
    title: { 'en-US': 'Sale', 'zh-CN': '促销' },
    default_lang: 'zh-CN',
    picture: wide,
  });
  t.hasStrict(banner, {
    redirect_url: 'https://example.org/sale',
    title: { 'en-US': 'Sale', 'zh-CN': '促销' },
    default_lang: 'zh-CN',
    picture: { key: wideKey, width: 800, height: 300, widths: [320, 640] },
    position: 0,
    is_shown: true,
  });
  t.strictSame(await list(), [banner]);
  t.hasStrict(await shown(), [{ id: banner.id, title: 'Sale', picture: { key: wideKey } }]);
  t.equal((await fetch(`${url}/api/cmt/media/${wideKey}-640.webp`)).status, 200);
  t.strictSame(await readdir(join(dataDir, 'uploads')), [], 'no upload is left behind');
  t.match(await auditLogOf(pool, 'banner'), [
    { actor_id: 1, action: 'banner.add', target_id: String(banner.id), target_name: '促销' },
  ]);
});

t.test('a banner without link or picture is stored but not shown', async (t) => {
  t.hasStrict(await saved({ picture: wide }), {
    redirect_url: '',
    is_shown: false,
    title: {},
    default_lang: 'en-US',
  });
  t.hasStrict(await saved({ redirect_url: '/plugins/' }), { picture: null, is_shown: false, position: 1 });
  t.strictSame(await shown(), []);
  t.equal((await list()).length, 2);
});

t.test('omitted fields stay; an empty link hides the banner', async (t) => {
  const { id } = await saved({ redirect_url: '/a', title: { 'en-US': 'One' }, picture: wide });
  t.hasStrict(await saved({ id, title: { 'en-US': 'Two' } }), {
    id,
    redirect_url: '/a',
    title: { 'en-US': 'Two' },
    picture: { key: wideKey },
    is_shown: true,
  });
  const other = await picture(100, 50, '#ff0000');
  const changed = await saved({ id, picture: other });
  t.not(changed.picture?.key, wideKey);
  t.hasStrict(await saved({ id, redirect_url: '' }), { id, redirect_url: '', is_shown: false });
  t.strictSame(await shown(), []);
  t.strictSame(
    (await auditLogOf(pool, 'banner')).map(({ action }) => action),
    ['banner.add', 'banner.change', 'banner.change', 'banner.change'],
  );
});

t.test('orders banners, new ones last', async (t) => {
  const [a, b, c] = [
    await saved({ redirect_url: '/a', picture: wide }),
    await saved({ redirect_url: '/b', picture: wide }),
    await saved({ redirect_url: '/c', picture: wide }),
  ].map(({ id }) => id);
  dataOf(await order([c, a, b]), contract.orderBanners.data);
  t.strictSame(
    (await shown()).map(({ id }) => id),
    [c, a, b],
  );
  dataOf(await order([b]), contract.orderBanners.data);
  t.strictSame(
    (await list()).map(({ id, position }) => [id, position]),
    [
      [b, 0],
      [c, 1],
      [a, 2],
    ],
  );
  dataOf(await order([b, c, a]), contract.orderBanners.data);
  const { id: d } = await saved({});
  t.strictSame(
    (await list()).map(({ id }) => id),
    [b, c, a, d],
  );
  const orders = (await auditLogOf(pool, 'banner')).filter(({ action }) => action === 'banner.order');
  t.equal(orders.length, 2, 'an order that changes nothing leaves no trace');
});

t.test('concurrent orders and additions result in one order', async (t) => {
  const ids: number[] = [];
  for (let n = 0; n < 4; n += 1) ids.push((await saved({ redirect_url: `/${n}` })).id);
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => order(n % 2 ? ids : ids.toReversed())),
    save({ redirect_url: '/late' }),
  ]);
  t.ok(answers.every(({ status }) => status === 200));
  const places = (await list()).map(({ position }) => position);
  t.equal(new Set(places).size, 5);
});

t.test('a deleted banner is removed, and its picture stays for other rows', async (t) => {
  const { id } = await saved({ redirect_url: '/a', title: { 'en-US': 'Gone' }, picture: wide });
  dataOf(await remove(id), contract.deleteBanner.data);
  t.strictSame(await list(), []);
  t.equal((await fetch(`${url}/api/cmt/media/${wideKey}-320.webp`)).status, 200);
  t.hasStrict((await auditLogOf(pool, 'banner')).at(-1), { action: 'banner.delete', target_name: 'Gone' });
  t.hasStrict((await remove(id)).json, { code: 'NOT_FOUND' });
});

const REFUSED: [
  what: string,
  parts: Record<string, unknown>,
  status: number,
  code: string,
  message?: string,
][] = [
  [
    'another scheme',
    { redirect_url: 'javascript:alert(1)' },
    422,
    'LINK_INVALID',
    'Wrong url. Please try again.',
  ],
  ['another host as a path', { redirect_url: '//example.org' }, 422, 'LINK_INVALID'],
  ['no address', { redirect_url: 'example.org' }, 422, 'LINK_INVALID'],
  ['an address with a password', { redirect_url: 'https://a:b@example.org' }, 422, 'LINK_INVALID'],
  ['an endless link', { redirect_url: `/${'x'.repeat(2048)}` }, 400, 'VALIDATION_FAILED'],
  ['a title too long', { title: { 'en-US': 'x'.repeat(201) } }, 400, 'VALIDATION_FAILED'],
  ['a title in no language of ours', { title: { 'fr-FR': 'x' } }, 400, 'VALIDATION_FAILED'],
  ['a title with NUL', { title: { 'en-US': 'a\u0000' } }, 400, 'VALIDATION_FAILED'],
  ['a language we have not', { default_lang: 'fr-FR' }, 400, 'VALIDATION_FAILED'],
  ['a banner that is not there', { id: 4711, redirect_url: '/a' }, 404, 'NOT_FOUND'],
  ['an id that is none', { id: 'x' }, 400, 'VALIDATION_FAILED'],
  ['an unknown field', { position: 3 }, 400, 'VALIDATION_FAILED'],
  [
    'a picture that is none',
    { picture: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    415,
    'IMAGE_FORMAT',
    'Incorrect image format!',
  ],
  ['the head of a picture', { picture: wide.subarray(0, 40) }, 422, 'IMAGE_DAMAGED'],
  [
    'a picture too large',
    { picture: Buffer.alloc(10 * 1024 * 1024 + 1) },
    413,
    'IMAGE_TOO_LARGE',
    'The image size exceeds 10 MB',
  ],
];

for (const [what, parts, status, code, message] of REFUSED) {
  t.test(`rejected: ${what}`, async (t) => {
    const answer = await save(parts);
    t.match([answer.status, answer.json], [status, { code, ...(message && { message }) }]);
    t.strictSame(await list(), []);
  });
}

t.test('rejected: invalid orders', async (t) => {
  const { id } = await saved({ redirect_url: '/a' });
  for (const [ids, status, code] of [
    [[id, id], 400, 'VALIDATION_FAILED'],
    [[id, 4711], 409, 'CONFLICT'],
    [[0], 400, 'VALIDATION_FAILED'],
    ['all', 400, 'VALIDATION_FAILED'],
    [Array.from({ length: 201 }, (_, n) => n + 1), 400, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await order(ids);
    t.hasStrict([answer.status, answer.json], [status, { code }]);
  }
  const json = await ask(url, PATH, { method: 'PUT', headers: admin, body: { redirect_url: '/a' } });
  t.equal(json.status, 415, 'a form is a form');
  t.hasStrict(await list(), [{ id, redirect_url: '/a' }]);
});
