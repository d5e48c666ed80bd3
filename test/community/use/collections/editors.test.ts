/** Collections of the editors, and what everybody finds of them and of users' own. */
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { picture, sendForm } from '../../send-form.ts';

const ADA = 7;
const ADMIN = 1;
const PATH = 'manager/collection/editors';

const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
const admin = await bearer(ADMIN, 1);
const ada = await bearer(ADA, 0);
const ids = new Map<string, number>();
for (const key of ['grid-plugin', 'icon-plugin'])
  ids.set(key, await addPlugin(db, { key, name: { 'en-US': key.slice(0, 4) } }));

const refused = ({ status, json }: Answer) => [status, Object(json).code];
const save = (parts: Record<string, unknown>, headers = admin) => sendForm(url, PATH, headers, parts);
const saved = async (parts: Record<string, unknown>) =>
  dataOf(await save(parts), contract.saveManagedCollection.data);
const send = (method: string, path: string, body: object, headers = admin) =>
  ask(url, path, { method, headers, body });
const collect = (collection_key: string, plugin_key: string, headers = admin, is_in = true) =>
  send('PUT', 'collection/plugin', { collection_key, plugin_key, is_in }, headers);
const managed = async (query = '') =>
  dataOf(await ask(url, `${PATH}/list${query}`, { headers: admin }), contract.listManagedCollections.data)
    .collection_list;
const get = (slug: string, headers = {}) => ask(url, `collection/editors?slug=${slug}`, { headers });
const shown = async () =>
  dataOf(await ask(url, 'collection/editors/list'), contract.listEditorsCollections.data).collection_list;
const shared = async (query = '') =>
  dataOf(await ask(url, `collection/public/list?${query}`), contract.listPublicCollections.data);
const having = async (key: string) =>
  dataOf(await ask(url, `collection/with/list?plugin_key=${key}`), contract.listCollectionsWith.data)
    .collection_list;
const TITLES = { 'en-US': 'Icon tools', 'zh-CN': '图标工具' };

t.afterEach(() => pool.query('delete from collection; delete from audit_trail'));

t.test('administrators make them, with texts by language and a cover', async (t) => {
  const made = await saved({
    slug: 'icon-tools',
    title: TITLES,
    description: { 'zh-CN': '常用' },
    default_lang: 'zh-CN',
  });
  t.match(made, { slug: 'icon-tools', title: TITLES, is_published: false, plugin_count: 0, picture: null });
  t.equal((await collect(made.collection_key, 'grid-plugin')).status, 200);
  t.strictSame(await shown(), [], 'not published');
  t.strictSame(refused(await get('icon-tools')), [404, 'COLLECTION_NOT_FOUND']);
  t.match(await get('icon-tools', admin), { status: 200, json: { data: { is_own: true } } });
  await saved({ id: made.id, is_published: true, picture: await picture(300, 300) });
  t.match(await shown(), [
    {
      title: 'Icon tools',
      title_lang: 'en-US',
      description: '常用',
      description_lang: 'zh-CN',
      slug: 'icon-tools',
      picture: { width: 300 },
    },
  ]);
  t.match(dataOf(await get('icon-tools'), contract.readEditorsCollection.data), {
    collection_key: made.collection_key,
    access: 'public',
    is_own: false,
    owner: { user_id: 0, nick_name: '' },
    plugin_list: [{ plugin: { plugin_key: 'grid-plugin' }, is_available: true }],
  });
  t.equal((await saved({ id: made.id, remove_picture: true })).picture, null);
  t.match(await managed('?plugin_key=grid-plugin'), [{ has_plugin: true }]);
  t.match(await managed('?plugin_key=icon-plugin'), [{ has_plugin: false }]);
  await send('DELETE', PATH, { id: made.id });
  t.strictSame(await managed(), []);
  const log = await auditLogOf(pool, 'editors_collection');
  t.strictSame(
    log.map(({ action }) => action),
    ['add', 'change', 'change', 'change', 'delete'].map((verb) => `editors_collection.${verb}`),
  );
  t.match(log[1], { target_name: '图标工具', detail: { added: 'grid-plugin' } });
});

t.test('need a title and an address that is free', async (t) => {
  const invalid = async (parts: Record<string, unknown>) => (await save(parts)).json;
  t.match(await invalid({ slug: 'a', title: { 'en-US': ' ' } }), {
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/title', message: 'must not be empty' }],
  });
  t.match(await invalid({ title: TITLES }), { errors: [{ pointer: '/slug', message: 'must not be empty' }] });
  t.match(await invalid({ slug: 'Not this', title: TITLES }), { errors: [{ pointer: '/slug' }] });
  const { id } = await saved({ slug: 'one', title: TITLES });
  t.match(await save({ slug: 'one', title: TITLES }), {
    status: 409,
    json: { code: 'COLLECTION_ADDRESS_TAKEN', message: 'Another collection has this address.' },
  });
  t.equal((await saved({ id, slug: 'two', title: TITLES })).slug, 'one', 'an address stays');
  t.strictSame(refused(await save({ id: id + 1, title: TITLES })), [404, 'NOT_FOUND']);
});

t.test('are put in order', async (t) => {
  const [first, second] = [
    await saved({ slug: 'one', title: TITLES }),
    await saved({ slug: 'two', title: TITLES }),
  ];
  const order = (list: number[]) => send('PUT', `${PATH}/order`, { ids: list });
  t.equal((await order([second.id, first.id])).status, 200);
  t.strictSame(
    (await managed()).map(({ slug }) => slug),
    ['two', 'one'],
  );
  t.strictSame(refused(await order([first.id, first.id])), [400, 'VALIDATION_FAILED']);
});

t.test('belong to no user: only their plugins change like those of own ones', async (t) => {
  const { collection_key } = await saved({ slug: 'one', title: TITLES, is_published: true });
  t.strictSame(refused(await collect(collection_key, 'grid-plugin', ada)), [404, 'COLLECTION_NOT_FOUND']);
  const report = { collection_key, kind: 'other', reason: 'Why?' };
  const answers = [
    await send('POST', 'collection', { collection_key, title: 'Mine' }),
    await send('DELETE', 'collection', { collection_key }),
    await send('POST', 'collection/report', report),
    await send('PUT', 'manager/collection/hidden', { collection_key, is_hidden: true }),
  ];
  for (const answer of answers) t.strictSame(refused(answer), [404, 'COLLECTION_NOT_FOUND']);
  await collect(collection_key, 'grid-plugin');
  await collect(collection_key, 'icon-plugin');
  const plugin_keys = ['icon-plugin', 'grid-plugin'];
  t.equal((await send('PUT', 'collection/order', { collection_key, plugin_keys })).status, 200);
  t.match(await get('one'), {
    json: { data: { plugin_list: plugin_keys.map((plugin_key) => ({ plugin: { plugin_key } })) } },
  });
  const plugins = [{ plugin_key: 'grid-plugin', version: '1.0.0' }];
  t.equal((await send('POST', 'collection/install', { collection_key, plugins }, ada)).status, 200);
});

t.test('what users share with everybody is listed, the last changed first', async (t) => {
  const make = async (title: string, access: string) => {
    const { json } = await send('POST', 'collection', { title, access }, ada);
    return String(Object(json).data.collection_key);
  };
  const [empty, own, linked, first, second] = [
    await make('Empty', 'public'),
    await make('Own', 'private'),
    await make('Linked', 'link'),
    await make('First', 'public'),
    await make('Second', 'public'),
  ];
  for (const key of [own, linked, first, second]) await collect(key, 'grid-plugin', ada);
  await collect(empty, 'grid-plugin', ada);
  await collect(empty, 'grid-plugin', ada, false);
  await pool.query("update collection set updated_at = now() - interval '1 hour' where collection_key = $1", [
    first,
  ]);
  const titles = async (query = '') => (await shared(query)).collection_list.map(({ title }) => title);
  t.strictSame(await titles(), ['Second', 'First']);
  t.strictSame(await titles(`user_id=${ADA}`), ['Second', 'First']);
  t.strictSame(await titles(`user_id=${ADMIN}`), []);
  t.match(await having('grid-plugin'), [{ title: 'Second', owner: { user_id: ADA } }, { title: 'First' }]);
  const editors = await saved({ slug: 'picked', title: TITLES, is_published: true });
  await collect(editors.collection_key, 'grid-plugin');
  t.match(await having('grid-plugin'), [{ slug: 'picked' }, { title: 'Second' }, { title: 'First' }]);
  t.strictSame(await having('icon-plugin'), []);
  const { collection_list } = dataOf(
    await ask(url, 'collection/sitemap'),
    contract.listSitemapCollections.data,
  );
  t.match(collection_list, [{ slug: 'picked' }, { collection_key: second }, { collection_key: first }]);

  await send('PUT', 'manager/collection/hidden', { collection_key: second, is_hidden: true });
  t.strictSame(await titles(), ['First']);
  await pool.query('update plugin set is_hidden = true where id = $1', [ids.get('grid-plugin')]);
  t.strictSame(await titles(), [], 'nothing in it is published');
  t.strictSame(await shown(), []);
  t.strictSame(await having('grid-plugin'), []);
  await pool.query('update plugin set is_hidden = false where id = $1', [ids.get('grid-plugin')]);
});
