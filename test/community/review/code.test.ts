import { createHash } from 'node:crypto';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { compareFiles, packageFiles } from '../../../server/community/review/code.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { dataOf } from '../ask.ts';
import { reviewer } from './reviewer.ts';

const community = await testCommunity(t);
const { db, pool, dataDir } = community;
const { answer, decide } = reviewer(community);
const files = openFolderStore(dataDir);

const code = async (id: number) =>
  dataOf(await answer(`manager/plugin/audit/code?submission_id=${id}`), contract.readAuditCode.data);
const packageOf = (contents: Record<string, string>, name = 'Brush') =>
  JSON.stringify({
    format: 'plugin-package',
    formatVersion: 1,
    manifest: { name, main: 'main.js' },
    files: contents,
  });

/** Stores a package and makes it that of a version. */
async function keep(submissionId: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const key = createHash('sha256').update(bytes).digest('hex');
  await files.put(`${key}.json`, bytes);
  await pool.query(
    `insert into stored_file (file_key, extension, mime_type, bytes) values ($1, 'json', 'application/json', $2)
      on conflict do nothing`,
    [key, bytes.length],
  );
  await pool.query(
    `update plugin_version set package_key = $1 where id = (select plugin_version_id from submission where id = $2)`,
    [key, submissionId],
  );
}

t.test('all files of a first package are added, the manifest first', async (t) => {
  const pluginId = await addPlugin(db, { key: 'first-package' });
  const id = await addSubmission(db, { pluginId, version: '1.1.0' });
  await keep(id, packageOf({ 'main.js': 'run();', 'ui.html': '<p>✓</p>' }));
  const data = await code(id);
  t.equal(data.passed_version, null);
  t.match(data.file_list, [
    { name: 'manifest.json', change: 'added', before: null, after: /"name": "Brush"/ },
    { name: 'main.js', change: 'added', before: null, after: 'run();', is_cut: false },
    { name: 'ui.html', change: 'added', after: '<p>✓</p>' },
  ]);
});

t.test('a later package is compared with the last approved one', async (t) => {
  const pluginId = await addPlugin(db, { key: 'later-package' });
  const first = await addSubmission(db, { pluginId, version: '1.1.0' });
  await keep(first, packageOf({ 'main.js': 'one();', 'same.js': 'same();', 'gone.js': 'gone();' }));
  await decide({ plugin_key: 'later-package', audit_status: 2 });
  const second = await addSubmission(db, { pluginId, version: '1.2.0' });
  await keep(second, packageOf({ 'main.js': 'two();', 'same.js': 'same();', 'new.js': 'new();' }));
  const data = await code(second);
  t.equal(data.passed_version, '1.1.0');
  t.strictSame(
    data.file_list.map(({ name, change, before, after }) => [name, change, before, after]).slice(0, 3),
    [
      ['main.js', 'changed', 'one();', 'two();'],
      ['new.js', 'added', null, 'new();'],
      ['gone.js', 'removed', 'gone();', null],
    ],
  );
  t.strictSame(
    data.file_list.slice(3).map(({ name, change }) => [name, change]),
    [
      ['manifest.json', 'same'],
      ['same.js', 'same'],
    ],
  );
});

t.test('a version without a package, and one whose file is missing', async (t) => {
  const pluginId = await addPlugin(db, { key: 'no-package' });
  const id = await addSubmission(db, { pluginId, version: '1.1.0' });
  t.strictSame(await code(id), { passed_version: null, file_list: [] });
  await pool.query(
    `insert into stored_file (file_key, extension, mime_type, bytes) values ($1, 'json', 'application/json', 1)`,
    ['f'.repeat(64)],
  );
  await pool.query(`update plugin_version set package_key = $1 where plugin_id = $2 and version = '1.1.0'`, [
    'f'.repeat(64),
    pluginId,
  ]);
  t.strictSame(await code(id), { passed_version: null, file_list: [] });
});

t.test('a package that is too large is not read', async (t) => {
  const pluginId = await addPlugin(db, { key: 'large-package' });
  const id = await addSubmission(db, { pluginId, version: '1.1.0' });
  await keep(id, packageOf({ 'main.js': 'large();' }));
  await pool.query(
    'update stored_file set bytes = $1 where file_key in (select package_key from plugin_version where plugin_id = $2)',
    [33 * 1024 * 1024, pluginId],
  );
  const refused = await answer(`manager/plugin/audit/code?submission_id=${id}`);
  t.equal(refused.status, 413);
  t.hasStrict(refused.json, { code: 'PACKAGE_TOO_LARGE', message: 'The package exceeds 32 MB' });
});

t.test('an unknown submission', async (t) => {
  const missing = await answer('manager/plugin/audit/code?submission_id=999999');
  t.equal(missing.status, 404);
  t.hasStrict(missing.json, { code: 'SUBMISSION_NOT_FOUND' });
});

t.test('long files are cut, and their change is still shown', (t) => {
  const before = new Map([['a.js', `${'x'.repeat(100)}1`]]);
  const after = new Map([
    ['a.js', `${'x'.repeat(100)}2`],
    ['b.js', 'y'.repeat(100)],
    ['c.js', 'z'.repeat(100)],
  ]);
  const shown = compareFiles(before, after, { file: 60, all: 150 });
  t.strictSame(
    shown.map(({ name, change, before: left, after: right, is_cut }) => [
      name,
      change,
      left?.length,
      right?.length,
      is_cut,
    ]),
    [
      ['a.js', 'changed', 60, 60, true],
      ['b.js', 'added', undefined, 15, true],
      ['c.js', 'added', undefined, 7, true],
    ],
  );
  const halves = compareFiles(null, new Map([['a.js', 'ab😀']]), { file: 3, all: 100 });
  t.equal(halves[0]?.after, 'ab\uFFFD', 'no half of a character is left');
  t.end();
});

for (const text of [
  'not json',
  '[]',
  '{"manifest":{},"files":{"a.js":1}}',
  '{"manifest":1,"files":{}}',
  'null',
]) {
  t.test(`shown as one file: ${text}`, (t) => {
    t.strictSame([...packageFiles(text)], [['package.json', text]]);
    t.end();
  });
}

t.test('a file may be named like a property of the prototype', (t) => {
  t.equal(
    packageFiles('{"manifest":{},"files":{"__proto__":"p","constructor":"c"}}').get('constructor'),
    'c',
  );
  t.end();
});
