import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { countsOf, watchStatements } from '../../../support/plans.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { emptyTables } from '../../empty-tables.ts';
import { jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';

const PATH = 'manager/tag';
const community = await testCommunity(t);
const { db, pool, url } = community;
const admin = await community.bearer(1, 1);
const statementsOf = watchStatements(community);

const list = async () =>
  dataOf(await ask(url, `${PATH}/list`, { headers: admin }), contract.listManagedTags.data).tag_list;
const save = (body: object) => ask(url, PATH, { method: 'PUT', headers: admin, body });
const saved = async (body: object) => dataOf(await save(body), contract.saveTag.data);
const order = (ids: readonly number[]) =>
  ask(url, `${PATH}/order`, { method: 'PUT', headers: admin, body: { ids } });
const merge = (id: number, into_id: number) =>
  ask(url, `${PATH}/merge`, { method: 'POST', headers: admin, body: { id, into_id } });
const remove = (id: number) => ask(url, PATH, { method: 'DELETE', headers: admin, body: { id } });
const shown = async (language = 'en-US') => {
  const answer = await ask(url, 'plugin/tag/list', { headers: { 'accept-language': language } });
  return dataOf(answer, contract.listTags.data).tag_list.map(({ code, name }) => `${code} ${name}`);
};
const found = async (query: string) => {
  await flushAll(db);
  return keysOf(dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data)).toSorted();
};
const cardTags = async (key: string) => {
  const answer = dataOf(await ask(url, 'plugin/list?limit=100'), contract.listPlugins.data);
  return answer.plugin_list.find(({ plugin_key }) => plugin_key === key)?.tags.map(({ code }) => code);
};
/** Hands in a package that names these tags, and answers its key and what was found. */
async function submitPlugin(tags: string[], name: string) {
  const code = jsonFile(packageText({ listing: { tags }, files: { 'main.js': `// ${name}` } }));
  const form = pluginForm({ code, name: JSON.stringify({ 'en-US': name }), tags: undefined });
  const response = await fetch(`${url}/api/cmt/plugin`, { method: 'POST', headers: admin, body: form });
  const { data } = (await response.json()) as { data: { plugin_key: string; findings: { code: string }[] } };
  return data;
}
const handedIn = async (key: string) =>
  (
    await pool.query(
      `select listing -> 'tags' as tags from submission s join plugin p on p.id = s.plugin_id
        where plugin_key = $1 order by s.id desc limit 1`,
      [key],
    )
  ).rows[0].tags;

t.afterEach(() => emptyTables(pool, ['submission', 'plugin', 'tag', 'audit_trail']));

t.test('a change counts the plugins of one tag, after the lock', async (t) => {
  const [first, second, third] = [
    await addTag(db, 'one'),
    await addTag(db, 'two'),
    await addTag(db, 'three'),
  ];
  const counts = async (work: () => Promise<unknown>) =>
    countsOf(await statementsOf(work), 'from plugin_tag pt ');
  t.strictSame(await counts(list), { all: 1, locked: 0 });
  const add = () => save({ code: 'four', name: { 'en-US': 'Four' } });
  t.strictSame(await counts(add), { all: 1, locked: 0 });
  t.strictSame(await counts(() => save({ id: first, is_hidden: true })), { all: 1, locked: 0 });
  t.strictSame(await counts(() => order([second, first])), { all: 0, locked: 0 });
  t.strictSame(await counts(() => remove(third)), { all: 0, locked: 0 });
  // The audit log says how many plugins had the tag.
  t.strictSame(await counts(() => merge(first, second)), { all: 2, locked: 1 });
});

t.test('adds, renames, hides and shows a tag', async (t) => {
  const tag = await saved({ code: 'maps', name: { 'en-US': ' Maps ', 'zh-CN': '地图', 'ru-RU': '' } });
  t.hasStrict(tag, { code: 'maps', is_hidden: false, plugin_count: 0 });
  t.strictSame(tag.name, { 'en-US': 'Maps', 'zh-CN': '地图' });
  t.strictSame(await shown('zh-CN'), ['maps 地图']);
  t.strictSame(tag.intro, {});
  const introduced = await saved({ id: tag.id, intro: { 'en-US': ' To find the way. ', 'ja-JP': ' ' } });
  t.strictSame(introduced.intro, { 'en-US': 'To find the way.' });
  t.strictSame((await saved({ id: tag.id, is_hidden: false })).intro, introduced.intro, 'it stays');
  await saved({ id: tag.id, name: { 'en-US': 'Atlas', 'zh-CN': '地图集' } });
  t.strictSame(await shown(), ['maps Atlas']);
  await addPlugin(db, { key: 'the-first-one', tags: [tag.id] });
  t.hasStrict(await saved({ id: tag.id, is_hidden: true }), {
    code: 'maps',
    is_hidden: true,
    plugin_count: 1,
  });
  t.strictSame(await shown(), []);
  t.strictSame(await cardTags('the-first-one'), []);
  await saved({ id: tag.id, is_hidden: false });
  t.strictSame(await cardTags('the-first-one'), ['maps']);
  t.match(await auditLogOf(pool, 'tag'), [
    {
      actor_id: 1,
      action: 'tag.add',
      target_id: String(tag.id),
      target_name: 'Maps',
      detail: { code: 'maps' },
    },
    { action: 'tag.change', target_name: 'Maps' },
    { action: 'tag.change', target_name: 'Maps' },
    { action: 'tag.change', target_name: 'Atlas', detail: { before: 'Maps' } },
    { action: 'tag.change', detail: { is_hidden: true } },
    { action: 'tag.change', detail: { is_hidden: false } },
  ]);
});

t.test('codes and names are unique', async (t) => {
  const { id } = await saved({ code: 'maps', name: { 'en-US': 'Maps', 'zh-CN': '地图' } });
  const refused: [object, number, object][] = [
    [
      { code: 'maps', name: { 'en-US': 'Other' } },
      409,
      { code: 'TAG_EXISTS', errors: [{ pointer: '/code' }] },
    ],
    [
      { code: 'other', name: { 'es-ES': 'MAPS', 'ja-JP': '地図' } },
      409,
      {
        code: 'TAG_EXISTS',
        message: 'Another tag has this code or name.',
        errors: [{ pointer: '/name/es-ES' }],
      },
    ],
    [
      { code: 'quanbu', name: { 'en-US': 'All' } },
      409,
      { code: 'TAG_EXISTS', errors: [{ pointer: '/code' }] },
    ],
    [{ name: { 'en-US': 'Nameless' } }, 400, { errors: [{ pointer: '/code', message: 'is missing' }] }],
    [{ code: 'other', name: {} }, 400, { errors: [{ pointer: '/name', message: 'must not be empty' }] }],
    [{ code: 'other', name: { 'en-US': ' ' } }, 400, { errors: [{ pointer: '/name' }] }],
    [{ code: 'With Space', name: { 'en-US': 'Other' } }, 400, { code: 'VALIDATION_FAILED' }],
    [{ code: 'other', name: { 'en-US': 'x'.repeat(41) } }, 400, { code: 'VALIDATION_FAILED' }],
    [{ id: 4711, name: { 'en-US': 'Gone' } }, 404, { code: 'TAG_NOT_FOUND' }],
  ];
  for (const [body, status, json] of refused) {
    const answer = await save(body);
    t.hasStrict([answer.status, answer.json], [status, json], JSON.stringify(body));
  }
  t.hasStrict(
    await saved({ id, name: { 'en-US': 'maps' } }),
    { name: { 'en-US': 'maps' } },
    'its own may stay',
  );
});

t.test('the limit is a hundred', async (t) => {
  await pool.query(
    `insert into tag (code, name, position) select 'tag-' || n, jsonb_build_object('en-US', 'Tag ' || n), n
      from generate_series(1, 100) n`,
  );
  const answer = await save({ code: 'more', name: { 'en-US': 'More' } });
  t.hasStrict([answer.status, answer.json], [409, { code: 'TAG_LIMIT_REACHED' }]);
});

t.test('orders tags, new ones last', async (t) => {
  const [a, b, c] = [await addTag(db, 'a'), await addTag(db, 'b'), await addTag(db, 'c')];
  t.equal((await order([c, a])).status, 200);
  t.strictSame(await shown(), ['c c', 'a a', 'b b']);
  await saved({ code: 'd', name: { 'en-US': 'd' } });
  t.strictSame(
    (await list()).map(({ code }) => code),
    ['c', 'a', 'b', 'd'],
  );
  t.equal((await order([a, a])).status, 400);
  t.hasStrict((await order([a, 4711])).json, { code: 'CONFLICT' });
  await order([c, a, b]);
  t.hasStrict(
    await auditLogOf(pool, 'tag'),
    [{ action: 'tag.order' }, { action: 'tag.add' }],
    'no change, no entry',
  );
});

t.test('search finds plugins by the new name', async (t) => {
  const tag = await addTag(db, 'maps', { 'en-US': 'Cartography' });
  await addPlugin(db, { key: 'the-first-one', tags: [tag] });
  t.strictSame(await found('keyword=cartography'), ['the-first-one']);
  await saved({ id: tag, name: { 'en-US': 'Atlas', 'ja-JP': '測量' } });
  t.strictSame(await found('keyword=cartography'), []);
  t.strictSame(await found('keyword=atlas'), ['the-first-one']);
  t.strictSame(await found(`keyword=${encodeURIComponent('測量')}`), ['the-first-one']);
});

t.test('merging moves plugins, including waiting ones', async (t) => {
  const [from, into] = [
    await addTag(db, 'maps', { 'en-US': 'Cartography' }),
    await addTag(db, 'data', { 'en-US': 'Numbers' }),
  ];
  await addPlugin(db, { key: 'has-only-maps', tags: [from] });
  await addPlugin(db, { key: 'has-them-both', tags: [from, into] });
  await addPlugin(db, { key: 'has-only-data', tags: [into] });
  const waiting = await submitPlugin(['data', 'maps'], 'Compass Rose');
  t.hasStrict(await list(), [
    { code: 'maps', plugin_count: 3 },
    { code: 'data', plugin_count: 3 },
  ]);
  const merged = dataOf(await merge(from, into), contract.mergeTags.data);
  t.hasStrict(merged, { id: into, code: 'data', plugin_count: 4 });
  t.strictSame(await shown(), ['data Numbers']);
  t.strictSame(await handedIn(waiting.plugin_key), ['data']);
  t.strictSame(await found(`tag_id=${into}`), ['has-only-data', 'has-only-maps', 'has-them-both']);
  t.strictSame(await found(`tag_id=${into}&keyword=maps`), ['has-only-maps']);
  t.strictSame(await found('keyword=cartography'), []);
  t.strictSame(await found('keyword=numbers'), ['has-only-data', 'has-only-maps', 'has-them-both']);
  const { total } = dataOf(await ask(url, `plugin/list?tag_id=${into}`), contract.listPlugins.data);
  t.equal(total, 3);
  t.hasStrict((await auditLogOf(pool, 'tag')).at(-1), {
    action: 'tag.merge',
    target_name: 'Cartography',
    detail: { code: 'maps', into: 'data', plugin_count: 3 },
  });
  t.hasStrict([(await merge(into, into)).status, (await merge(4711, into)).status], [400, 404]);
});

t.test('deletes unused tags only', async (t) => {
  const [used, waited, free] = [
    await addTag(db, 'used'),
    await addTag(db, 'waited'),
    await addTag(db, 'free'),
  ];
  await addPlugin(db, { key: 'the-first-one', tags: [used] });
  await submitPlugin(['waited'], 'Compass Rose');
  for (const id of [used, waited]) {
    const answer = await remove(id);
    t.hasStrict([answer.status, answer.json], [409, { code: 'TAG_IN_USE' }]);
  }
  t.equal((await remove(free)).status, 200);
  t.equal((await remove(free)).status, 404);
  await pool.query("update plugin set deleted_at = now() where plugin_key = 'the-first-one'");
  t.equal((await remove(used)).status, 200, 'deleted plugins do not hold it');
  t.hasStrict(await auditLogOf(pool, 'tag'), [
    { action: 'tag.delete', target_name: 'free' },
    { target_name: 'used' },
  ]);
});

t.test(
  'packages name tags by code or by their name in any language, and a new code is the same tag',
  async (t) => {
    const name: Texts = { 'en-US': 'Data & Charts', 'zh-CN': '数据与图表' };
    const data = await addTag(db, 'shujv', name);
    await addTag(db, 'icons', { 'en-US': 'Icons' });
    await addTag(db, 'charts', { 'en-US': 'shujv?' });
    const { plugin_key, findings } = await submitPlugin(
      ['数据与图表', 'SHUJV', ' icons', '图表'],
      'Compass Rose',
    );
    t.strictSame(await handedIn(plugin_key), ['shujv', 'icons']);
    t.hasStrict(
      findings.filter(({ code }) => code === 'TAG_UNKNOWN'),
      [{ pointer: '/tags/3' }],
    );
    await saved({ id: data, code: 'data' });
    t.strictSame(await handedIn(plugin_key), ['data', 'icons']);
    const rules = dataOf(
      await ask(url, 'plugin/publish-rules', { headers: admin }),
      contract.readPublishRules.data,
    );
    t.hasStrict(rules.tag_list?.[0], { code: 'data', names: ['Data & Charts', '数据与图表'] });
  },
);
