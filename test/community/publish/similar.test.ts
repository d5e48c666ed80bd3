import t from 'tap';
import {
  candidateQueries,
  looksAlike,
  similarNames,
} from '../../../server/community/publish/similar-names.ts';
import { editDistance } from '../../../server/community/search/similar.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../add-plugin.ts';
import { jsonFile, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

t.test('edits between texts', async (t) => {
  const cases: [string, string, number][] = [
    ['grid', 'grid', 0],
    ['grid', 'grids', 1],
    ['grid', 'gird', 1],
    ['grid', 'brid', 1],
    ['grid', 'rid', 1],
    ['grid', 'board', 3],
    ['', 'grid', 3],
    ['网格', '网络', 1],
    ['😀a', '😀b', 1],
  ];
  for (const [a, b, expected] of cases) t.equal(editDistance(a, b, 2), expected, `${a} ${b}`);
});

const ALIKE: [string, string][] = [
  ['Grid Keeper', 'grid keeper'],
  ['Grid Keeper', 'GridKeeper'],
  ['Grid Keeper', 'Grid-Keeper!'],
  ['Grid Keeper', 'Ｇｒｉｄ　Ｋｅｅｐｅｒ'],
  ['Grid Keeper', 'Grіd Keeper'],
  ['Grid Keeper', 'Grid Kеереr'],
  ['Grid Keeper', 'Gr1d Keeper'],
  ['Grid Keeper', 'Grid Keeqer'],
  ['Grid Keeper', 'Gird Keeper'],
  ['Grid Keeper', 'Grid Keepers'],
  ['Modern', 'Modem'],
  ['Сетка', 'Cетка'],
  ['Palette', 'Pallete'],
  ['色彩管理器', '色彩管理'],
];
const UNLIKE: [string, string][] = [
  ['Grid Keeper', 'Bug Keeper'],
  ['Grid', 'Grip'],
  ['Icons', 'Frames'],
  ['网格', '网络'],
  ['!!!', '???'],
];

t.test('names that can be mistaken for one another', async (t) => {
  for (const [a, b] of ALIKE) t.ok(looksAlike(a, b), `${a} and ${b}`);
  for (const [a, b] of UNLIKE) t.notOk(looksAlike(a, b), `${a} and ${b}`);
});

t.test('similar names are found among plugins of other publishers', async (t) => {
  const { db } = await testCommunity(t);
  for (const [index, [name]] of ALIKE.entries()) {
    await addPlugin(db, { key: `alike-${index}-0000`, name: { 'en-US': name } });
  }
  for (const [name, other] of ALIKE) {
    const [found] = await similarNames(db, { 'en-US': other }, 7);
    t.hasStrict(
      found,
      { code: 'SIMILAR_NAME', severity: 'warning', pointer: '/name/en-US', params: { name } },
      other,
    );
    t.hasStrict(
      await similarNames(db, { 'en-US': name }, 7),
      [{ params: { publisher: `Maker ${PUBLISHER_ID}` } }],
      name,
    );
  }
  t.strictSame(await similarNames(db, { 'en-US': 'Something else entirely' }, 7), []);
  t.strictSame(await similarNames(db, { 'en-US': 'Palette' }, PUBLISHER_ID), [], 'his own');
});

t.test('invisible plugins are not warned about', async (t) => {
  const { db } = await testCommunity(t);
  await addPlugin(db, { key: 'hidden-one', name: { 'en-US': 'Grid Keeper' }, isHidden: true });
  await addPlugin(db, { key: 'waiting-one', name: { 'en-US': 'Grid Keeper' }, auditStatus: 1 });
  t.strictSame(await similarNames(db, { 'en-US': 'Grid Keeper' }, 7), []);
});

t.test('names may contain any characters', async (t) => {
  const { db } = await testCommunity(t);
  for (const name of [
    "O'Brien's \\ grid",
    ':* | & !',
    "''",
    '\\',
    '网',
    '𝔊𝔯𝔦𝔡',
    'a'.repeat(64),
    '한국어 이름',
    '()<->',
  ]) {
    t.strictSame(await similarNames(db, { 'en-US': name }, 7), [], name);
  }
});

t.test('the response has the warning for a new name only', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { sent, pass } = publishing(community);
  const code = (text: string) => jsonFile(packageText({}, text));
  const { plugin_key } = await sent(pluginForm({ code: code('a();') }));
  await pass(plugin_key);
  const copy = await sent(pluginForm({ name: 'Grid  Keeper', code: code('b();') }), { userId: 8 });
  t.hasStrict(
    copy.findings.find(({ code }) => code === 'SIMILAR_NAME'),
    { pointer: '/name/en-US', message: 'The name is close to Grid Keeper by Ada.' },
  );
  const next = pluginForm({
    plugin_key: copy.plugin_key,
    version: '1.1.0',
    name: undefined,
    code: code('c();'),
  });
  const { findings } = await sent(next, { userId: 8 });
  t.notOk(findings.some(({ code }) => code === 'SIMILAR_NAME'));
});

t.test('the queries use an index', async (t) => {
  const { pool } = await testCommunity(t);
  const client = await pool.connect();
  t.teardown(() => client.release());
  // With few rows reading all of them is cheaper; where no index serves, it is read all the same.
  await client.query('set enable_seqscan = off');
  for (const name of ['Grid Keeper', 'Палитра цветов', '网格管家', 'Icon']) {
    for (const query of candidateQueries(name)) {
      const { rows } = await client.query(
        'explain (format json) select plugin_id from plugin_search where name @@ $1::tsquery limit 300',
        [query],
      );
      t.notMatch(JSON.stringify(rows), 'Seq Scan', `${name}: ${query.slice(0, 40)}`);
    }
  }
});
