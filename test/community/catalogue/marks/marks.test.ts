import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { countsOf, watchStatements } from '../../../support/plans.ts';
import { addPlugin } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { emptyTables } from '../../empty-tables.ts';
import { jsonFile, type Parts, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { decisionOn } from '../../review/decisions/decision.ts';

const PATH = 'manager/mark';
const community = await testCommunity(t, { publishers: 'members' });
const { db, pool, url } = community;
const admin = await community.bearer(1, 1);
const statementsOf = watchStatements(community);
const reviewer = await community.bearer(2, 1);
const publisher = await community.bearer(9, 0);

const list = async () =>
  dataOf(await ask(url, `${PATH}/list`, { headers: admin }), contract.listManagedMarks.data).mark_list;
const save = (body: object) => ask(url, PATH, { method: 'PUT', headers: admin, body });
const saved = async (body: object) => dataOf(await save(body), contract.saveMark.data);
const added = (code: string, name = code) => saved({ code, name: { 'en-US': name }, color: 'blue' });
const order = (ids: readonly number[]) =>
  ask(url, `${PATH}/order`, { method: 'PUT', headers: admin, body: { ids } });
const remove = (id: number) => ask(url, PATH, { method: 'DELETE', headers: admin, body: { id } });
const put = (plugin_key: string, plugin_mark: string) =>
  ask(url, 'manager/plugin/mark', { method: 'PUT', headers: admin, body: { plugin_key, plugin_mark } });
const card = async (key: string, language = 'en-US') => {
  const answer = await ask(url, 'plugin/list?limit=100', { headers: { 'accept-language': language } });
  const found = dataOf(answer, contract.listPlugins.data).plugin_list.find(
    ({ plugin_key }) => plugin_key === key,
  );
  return { plugin_mark: found?.plugin_mark, mark: found?.mark };
};
const detail = async (key: string) =>
  dataOf(await ask(url, `plugin?plugin_key=${key}`), contract.readPlugin.data);
const found = async (keyword: string) => {
  await flushAll(db);
  return keysOf(dataOf(await ask(url, `plugin/list?keyword=${keyword}`), contract.listPlugins.data));
};
/** Hands in a plugin, or a change of one, and answers status and body. */
async function submitPlugin(headers: Record<string, string>, fields: Parts, method = 'POST') {
  const form = pluginForm(fields);
  const response = await fetch(`${url}/api/cmt/plugin`, { method, headers, body: form });
  return { status: response.status, json: await response.json() };
}
const code = (name: string) => jsonFile(packageText({ files: { 'main.js': `// ${name}` } }));
const decide = async (plugin_key: string, decision: object) =>
  ask(url, 'plugin/audit/status', {
    headers: reviewer,
    body: await decisionOn(db, { plugin_key, ...decision }),
  });
const pass = (plugin_key: string) => decide(plugin_key, { audit_status: 2 });

t.afterEach(() => emptyTables(pool, ['submission', 'plugin', 'mark', 'audit_trail']));

/** A condition that only counts of marked plugins have. */
const COUNTED = "p.plugin_mark <> ''";

t.test('a change counts the plugins of one mark, after the lock', async (t) => {
  const counts = async (work: () => Promise<unknown>) => countsOf(await statementsOf(work), COUNTED);
  t.strictSame(await counts(() => added('first')), { all: 1, locked: 0 });
  const second = await added('second');
  t.strictSame(await counts(list), { all: 1, locked: 0 });
  t.strictSame(await counts(() => save({ id: second.id, is_hidden: true })), { all: 1, locked: 0 });
  t.strictSame(await counts(() => order([second.id])), { all: 0, locked: 0 });
  t.strictSame(await counts(() => remove(second.id)), { all: 0, locked: 0 });
  const byForm = await statementsOf(() =>
    submitPlugin(admin, { code: code('by form'), plugin_mark: 'first' }),
  );
  t.strictSame(countsOf(byForm, COUNTED), { all: 0, locked: 0 });
  t.hasStrict(await list(), [{ code: 'first', plugin_count: 1 }], 'the form has chosen it');
});

t.test('adds, assigns, renames, hides, shows and removes a mark', async (t) => {
  await addPlugin(db, { key: 'the-first-one' });
  const mark = await saved({
    code: 'official',
    name: { 'en-US': ' Official ', 'zh-CN': '官方', 'ru-RU': '' },
    color: 'blue',
  });
  t.hasStrict(mark, { code: 'official', color: 'blue', is_hidden: false, plugin_count: 0 });
  t.strictSame(mark.name, { 'en-US': 'Official', 'zh-CN': '官方' });
  t.strictSame(await card('the-first-one'), { plugin_mark: '', mark: null });
  const managed = dataOf(await put('the-first-one', 'official'), contract.markPlugin.data);
  t.hasStrict(managed.plugin, { plugin_mark: 'official', mark: { name: 'Official', color: 'blue' } });
  t.strictSame(await card('the-first-one', 'zh-CN'), {
    plugin_mark: 'official',
    mark: { name: '官方', lang: 'zh-CN', color: 'blue' },
  });
  t.strictSame((await card('the-first-one', 'ja-JP')).mark, {
    name: 'Official',
    lang: 'en-US',
    color: 'blue',
  });
  t.strictSame((await detail('the-first-one')).mark, { name: 'Official', lang: 'en-US', color: 'blue' });
  await put('the-first-one', 'official');
  await saved({ id: mark.id, name: { 'en-US': 'Ours' }, color: 'red', code: 'another' });
  t.hasStrict((await list())[0], { code: 'official', plugin_count: 1 }, 'the code stays');
  t.hasStrict(await card('the-first-one'), { mark: { name: 'Ours', color: 'red' } });
  await saved({ id: mark.id, is_hidden: true });
  t.strictSame(await card('the-first-one'), { plugin_mark: 'official', mark: null });
  await saved({ id: mark.id, is_hidden: false });
  t.hasStrict(await card('the-first-one'), { mark: { name: 'Ours' } });
  t.hasStrict(dataOf(await put('the-first-one', ''), contract.markPlugin.data).plugin, {
    plugin_mark: '',
    mark: null,
  });
  t.match(await auditLogOf(pool, 'mark'), [
    { actor_id: 1, action: 'mark.add', target_id: String(mark.id), target_name: 'Official' },
    { action: 'mark.change', target_name: 'Ours', detail: { before: 'Official', color: 'red' } },
    { action: 'mark.change', detail: { is_hidden: true } },
    { action: 'mark.change', detail: { is_hidden: false } },
  ]);
  t.hasStrict(await auditLogOf(pool, 'plugin'), [
    { action: 'plugin.mark', target_id: 'the-first-one', detail: { mark: 'official' } },
    { action: 'plugin.unmark' },
  ]);
});

t.test('invalid marks are rejected', async (t) => {
  await addPlugin(db, { key: 'the-first-one' });
  const { id } = await added('official', 'Official');
  const name = { 'en-US': 'Other' };
  const refused: [object, number, object][] = [
    [{ code: 'official', name, color: 'red' }, 409, { code: 'MARK_EXISTS', errors: [{ pointer: '/code' }] }],
    [
      { code: 'other', name: { 'es-ES': 'OFFICIAL' }, color: 'red' },
      409,
      {
        code: 'MARK_EXISTS',
        message: 'Another mark has this code or name.',
        errors: [{ pointer: '/name/es-ES', message: 'belongs to another mark' }],
      },
    ],
    [{ name, color: 'red' }, 400, { errors: [{ pointer: '/code', message: 'is missing' }] }],
    [{ code: 'other', name }, 400, { errors: [{ pointer: '/color', message: 'is missing' }] }],
    [
      { code: 'other', color: 'red', name: {} },
      400,
      { errors: [{ pointer: '/name', message: 'must not be empty' }] },
    ],
    [{ code: 'other', color: 'pink', name }, 400, { code: 'VALIDATION_FAILED' }],
    [{ code: 'With Space', color: 'red', name }, 400, { code: 'VALIDATION_FAILED' }],
    [{ code: 'other', color: 'red', name: { 'en-US': 'x'.repeat(25) } }, 400, { code: 'VALIDATION_FAILED' }],
    [{ id: 4711, name }, 404, { code: 'MARK_NOT_FOUND', message: 'This mark does not exist.' }],
  ];
  for (const [body, status, json] of refused) {
    const answer = await save(body);
    t.hasStrict([answer.status, answer.json], [status, json], JSON.stringify(body));
  }
  for (const [key, mark, status, code] of [
    ['the-first-one', 'no-such', 404, 'MARK_NOT_FOUND'],
    ['no-such-plugin', 'official', 404, 'PLUGIN_NOT_FOUND'],
    ['the-first-one', 'x'.repeat(65), 400, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await put(key, mark);
    t.hasStrict([answer.status, answer.json], [status, { code }], `${key} ${mark}`);
  }
  t.hasStrict(
    await saved({ id, name: { 'en-US': 'official' } }),
    { name: { 'en-US': 'official' } },
    'its own may stay',
  );
  await pool.query(
    `insert into mark (code, name, color, position) select 'mark-' || n, jsonb_build_object('en-US', 'Mark ' || n), 'red', n
      from generate_series(1, 49) n`,
  );
  const answer = await save({ code: 'more', name: { 'en-US': 'More' }, color: 'red' });
  t.hasStrict([answer.status, answer.json], [409, { code: 'MARK_LIMIT_REACHED' }]);
});

t.test('orders marks, and deletes unused marks only', async (t) => {
  const [a, b, c] = [await added('a'), await added('b'), await added('c')];
  t.equal((await order([c.id, a.id])).status, 200);
  t.strictSame(
    (await list()).map((mark) => mark.code),
    ['c', 'a', 'b'],
  );
  t.hasStrict((await order([a.id, a.id])).json, { code: 'VALIDATION_FAILED' });
  t.hasStrict((await order([a.id, 4711])).json, { code: 'CONFLICT' });
  await addPlugin(db, { key: 'the-first-one' });
  await put('the-first-one', 'a');
  const answer = await remove(a.id);
  t.hasStrict(
    [answer.status, answer.json],
    [409, { code: 'MARK_IN_USE', message: 'A mark that plugins have cannot be deleted.' }],
  );
  t.equal((await remove(b.id)).status, 200);
  t.hasStrict((await remove(b.id)).json, { code: 'MARK_NOT_FOUND' });
  await pool.query("update plugin set deleted_at = now() where plugin_key = 'the-first-one'");
  t.equal((await remove(a.id)).status, 200, 'deleted plugins do not hold it');
  t.hasStrict((await pool.query('select plugin_mark from plugin')).rows, [{ plugin_mark: '' }]);
});

t.test(
  'an administrator chooses a mark while publishing, and no change of the publisher undoes one',
  async (t) => {
    await added('official', 'Official');
    await added('new', 'New');
    const first = await submitPlugin(admin, { code: code('one'), plugin_mark: 'OFFICIAL' });
    t.equal(first.status, 200);
    const key = first.json.data.plugin_key;
    t.hasStrict(await list(), [{ code: 'official', plugin_count: 1 }, { plugin_count: 0 }], 'waiting counts');
    t.equal((await remove((await list())[0]?.id ?? 0)).status, 409);
    const unknown = await submitPlugin(admin, { code: code('two'), plugin_mark: 'Beta' });
    t.hasStrict(
      [unknown.status, unknown.json],
      [
        400,
        {
          code: 'VALIDATION_FAILED',
          errors: [{ pointer: '/plugin_mark', message: 'must be the code or name of a mark' }],
        },
      ],
    );
    t.equal((await pass(key)).status, 200);
    t.hasStrict(await card(key), { plugin_mark: 'official', mark: { name: 'Official' } });

    const other = await submitPlugin(publisher, { code: code('three'), plugin_mark: 'Official' });
    const own = other.json.data.plugin_key;
    await pass(own);
    t.hasStrict(await card(own), { plugin_mark: '' }, 'ignored for others');
    await submitPlugin(
      publisher,
      { plugin_key: own, intro: JSON.stringify({ 'en-US': 'Waits for review' }) },
      'PUT',
    );
    await put(own, 'new');
    t.hasStrict(await card(own), { plugin_mark: 'new' });
    await pass(own);
    t.hasStrict(await card(own), { plugin_mark: 'new' }, 'what waited has passed');
    await submitPlugin(
      publisher,
      { plugin_key: own, intro: JSON.stringify({ 'en-US': 'Another one' }) },
      'PUT',
    );
    await pass(own);
    t.hasStrict(await card(own), { plugin_mark: 'new' }, 'a later change has passed');
  },
);

t.test('search finds plugins by the names of their marks in every language', async (t) => {
  await addPlugin(db, { key: 'the-first-one' });
  const mark = await saved({
    code: 'official',
    name: { 'en-US': 'Flagship', 'ja-JP': '公式' },
    color: 'blue',
  });
  await put('the-first-one', 'official');
  t.strictSame(await found('flagship'), ['the-first-one']);
  t.strictSame(await found(encodeURIComponent('公式')), ['the-first-one']);
  await saved({ id: mark.id, name: { 'en-US': 'Landmark' } });
  t.strictSame(await found('flagship'), []);
  t.strictSame(await found('landmark'), ['the-first-one']);
  await put('the-first-one', '');
  t.strictSame(await found('landmark'), []);
});

t.test('the response of a plugin has the panel image', async (t) => {
  await addPlugin(db, { key: 'the-first-one' });
  t.equal((await detail('the-first-one')).panel, null);
  const key = 'c'.repeat(32);
  await pool.query(
    `insert into picture (picture_key, width, height, widths) values ($1, 640, 400, '{320,640}')`,
    [key],
  );
  await pool.query(`update plugin set panel_key = $1`, [key]);
  t.strictSame((await detail('the-first-one')).panel, { key, width: 640, height: 400, widths: [320, 640] });
});

t.test('a mark that an administrator took off does not come back with a revoked approval', async (t) => {
  await added('official');
  const pluginId = await addPlugin(db, { key: 'taken-back' });
  await addSubmission(db, { pluginId, status: 2 });
  await put('taken-back', 'official');
  await addSubmission(db, { pluginId, version: '1.1.0', listing: { plugin_mark: 'official' } });
  t.equal((await pass('taken-back')).status, 200);
  t.equal((await detail('taken-back')).plugin_mark, 'official');
  await put('taken-back', '');
  const revoked = await decide('taken-back', { audit_status: 3, expected_status: 2, reason: 'No.' });
  t.equal(revoked.status, 200);
  t.equal((await detail('taken-back')).plugin_mark, '');
});
