import { createHash } from 'node:crypto';
import t from 'tap';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import { compareFiles, packageFiles } from '../../../../server/community/review/decisions/code.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { dataOf } from '../../ask.ts';
import { reviewer } from './reviewer.ts';

t.test('detail', async (t) => {
  const community = await testCommunity(t);
  const { db, pool } = community;
  const { answer, decide } = reviewer(community);
  const detail = async (id: number) =>
    dataOf(await answer(`manager/plugin/audit?submission_id=${id}`), contract.readAudit.data);

  const PICTURE = 'a'.repeat(64);
  const VIDEO = 'b'.repeat(64);
  await pool.query(
    `insert into picture (picture_key, width, height, widths) values ($1, 640, 360, '{320,640}')`,
    [PICTURE],
  );
  await pool.query(
    `insert into stored_file (file_key, extension, mime_type, bytes) values ($1, 'mp4', 'video/mp4', 9)`,
    [VIDEO],
  );
  await addTag(db, 'colour', { 'en-US': 'Colour' });

  t.test('a first submission has all its details and no approved state', async (t) => {
    const pluginId = await addPlugin(db, { key: 'first-one', auditStatus: 1 });
    await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
    const id = await addSubmission(db, {
      pluginId,
      listing: {
        name: { 'en-US': 'Brush', 'zh-CN': '画笔' },
        description: { 'en-US': 'Paints.' },
        tags: ['colour'],
        support: 'https://help.example.com',
        support_translations: { 'zh-CN': '帮助中心' },
        copyright: { kind: 'custom', holder: 'Brush Ltd' },
        icon_key: PICTURE,
        media: [{ picture_key: PICTURE }, { file_key: VIDEO }],
      },
    });
    const findings = [{ code: 'EVAL_USED', severity: 'warning', pointer: '/files/main.js', message: 'eval' }];
    await pool.query('update submission set findings = $1 where id = $2', [JSON.stringify(findings), id]);
    const data = await detail(id);
    const picture = { key: PICTURE, width: 640, height: 360, widths: [320, 640] };
    t.hasStrict(data.item, { submission_id: id, version: '1.0.0', is_live: false, findings });
    t.hasStrict(data.preview, {
      plugin_key: 'first-one',
      name: 'Brush',
      description: 'Paints.',
      support: 'https://help.example.com',
      support_lang: 'en-US',
      icon: picture,
      tags: [{ code: 'colour', name: 'Colour' }],
      copyright: { kind: 'custom', holder: 'Brush Ltd' },
      media: [
        { kind: 'image', picture },
        { kind: 'video', mime_type: 'video/mp4' },
      ],
      audit_status: 1,
    });
    t.strictSame([...data.preview.languages].sort(), ['en-US', 'zh-CN']);
    t.hasStrict(data.listing, { name: { 'zh-CN': '画笔' }, icon: picture, cover: null });
    t.strictSame(data.listing.support, { 'en-US': 'https://help.example.com', 'zh-CN': '帮助中心' });
    t.strictSame(data.version_note, { 'en-US': 'First' });
    t.equal(data.passed, null);
    t.strictSame(data.history, []);
  });

  t.test('a change has the state approved before it, and all decisions', async (t) => {
    const pluginId = await addPlugin(db, { key: 'changed-one' });
    const first = await addSubmission(db, {
      pluginId,
      version: '1.1.0',
      listing: { contact: 'old@example.com' },
    });
    await decide({ plugin_key: 'changed-one', audit_status: 2 });
    const second = await addSubmission(db, { pluginId, version: '1.2.0' });
    await decide({ plugin_key: 'changed-one', audit_status: 3, reason: 'Too slow.' }, 2);
    const third = await addSubmission(db, {
      pluginId,
      version: '1.3.0',
      listing: { contact: 'new@example.com' },
    });
    const data = await detail(third);
    t.hasStrict(data, {
      item: { version: '1.3.0', is_live: true, brings_version: true },
      listing: { contact: 'new@example.com' },
      passed: { version: '1.1.0', listing: { contact: 'old@example.com' } },
      history: [
        {
          submission_id: second,
          version: '1.2.0',
          audit_status: 3,
          reason: 'Too slow.',
          reviewer: { user_id: 2, nick_name: 'Ada' },
        },
        { submission_id: first, version: '1.1.0', audit_status: 2, reason: null, reviewer: { user_id: 1 } },
      ],
    });
    t.equal((await detail(first)).passed, null, 'an earlier one is not compared with a later');
  });

  t.test('an unknown submission', async (t) => {
    const missing = await answer('manager/plugin/audit?submission_id=999999');
    t.equal(missing.status, 404);
    t.hasStrict(missing.json, { code: 'SUBMISSION_NOT_FOUND' });
    for (const query of ['', '?submission_id=0', '?submission_id=x', '?submission_id=99999999999999999999']) {
      t.hasStrict((await answer(`manager/plugin/audit${query}`)).json, { code: 'VALIDATION_FAILED' }, query);
    }
  });

  t.test('the permissions of a version are compared with those of the published version', async (t) => {
    const pluginId = await addPlugin(db, { key: 'asking-one' });
    const asks = (version: string, domains: string[], manifest: object) =>
      pool.query(
        'update plugin_version set allowed_domains = $3, package_manifest = $4 where plugin_id = $1 and version = $2',
        [pluginId, version, domains, JSON.stringify(manifest)],
      );
    await asks('1.0.0', ['a.example'], { permissions: ['payments'], editorType: ['pixso'] });
    const id = await addSubmission(db, { pluginId, version: '1.1.0' });
    await asks('1.1.0', ['a.example', 'b.example'], { editorType: ['pixso', 'figma'] });
    await pool.query(
      `update plugin_version set host_range = 'pixso >=4.2' where plugin_id = $1 and version = '1.1.0'`,
      [pluginId],
    );
    const rights = {
      asked: { domains: ['a.example', 'b.example'], permissions: [], editors: ['pixso', 'figma'] },
      hosts: [{ host: 'pixso', range: '>=4.2', span: { from: '4.2', before: null } }],
      published: {
        version: '1.0.0',
        rights: { domains: ['a.example'], permissions: ['payments'], editors: ['pixso'] },
        hosts: [],
      },
    };
    t.strictSame((await detail(id)).rights, rights);
    await pool.query('update submission set is_superseded = true where id = $1', [id]);
    await addSubmission(db, { pluginId, status: 2 });
    const next = await addSubmission(db, { pluginId, version: '1.2.0' });
    t.equal((await decide({ plugin_key: 'asking-one', submission_id: next, audit_status: 2 })).status, 200);
    t.hasStrict(
      (await detail(next)).rights,
      { published: { version: '1.1.0' } },
      'not itself, once it has passed',
    );
    await pool.query('update plugin set current_version_id = null where id = $1', [pluginId]);
    t.strictSame(
      (await detail(id)).rights,
      { ...rights, published: null },
      'of a first version everything is new',
    );
  });

  t.test('tags and marks are named in the language of the reviewer', async (t) => {
    await addTag(db, 'paper', { 'en-US': 'Paper', 'ru-RU': 'Бумага' });
    await pool.query(
      `insert into mark (code, name, color, position) values ('gold', '{"en-US":"Gold"}', 'blue', 0)`,
    );
    const pluginId = await addPlugin(db, { key: 'named-tags' });
    await addSubmission(db, { pluginId, status: 2, listing: { tags: ['colour'], plugin_mark: 'gold' } });
    const id = await addSubmission(db, { pluginId, version: '1.1.0', listing: { tags: ['paper', 'gone'] } });
    const { tag_names, mark_names } = await detail(id);
    t.strictSame(tag_names, { colour: 'Colour', paper: 'Paper' }, 'those of before, too');
    t.strictSame(mark_names, { gold: 'Gold' });
  });
});

t.test('changed code', async (t) => {
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

  t.test('a file takes the place of nothing that is made for the view', async (t) => {
    const pluginId = await addPlugin(db, { key: 'named-alike' });
    const first = await addSubmission(db, { pluginId, version: '1.1.0', status: 2 });
    await keep(first, 'not a package');
    const second = await addSubmission(db, { pluginId, version: '1.2.0' });
    await keep(
      second,
      packageOf({ 'main.js': '0', 'manifest.json': '{"name":"Harmless"}', 'package.json': '{}' }),
    );
    const { file_list } = await code(second);
    t.match(
      file_list.map(({ kind, name, change, before, after }) => [kind, name, change, before, after]),
      [
        ['manifest', 'manifest.json', 'added', null, /"name": "Brush"/],
        ['file', 'main.js', 'added', null, '0'],
        ['file', 'manifest.json', 'added', null, '{"name":"Harmless"}'],
        ['file', 'package.json', 'added', null, '{}'],
        ['package', 'package.json', 'removed', 'not a package', null],
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
    await pool.query(
      `update plugin_version set package_key = $1 where plugin_id = $2 and version = '1.1.0'`,
      ['f'.repeat(64), pluginId],
    );
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
    const file = (name: string, text: string) => ({ kind: 'file', name, text }) as const;
    const before = [file('a.js', `${'x'.repeat(100)}1`)];
    const after = [
      file('a.js', `${'x'.repeat(100)}2`),
      file('b.js', 'y'.repeat(100)),
      file('c.js', 'z'.repeat(100)),
    ];
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
    const halves = compareFiles(null, [file('a.js', 'ab😀')], { file: 3, all: 100 });
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
      t.strictSame(packageFiles(text), [{ kind: 'package', name: 'package.json', text }]);
      t.end();
    });
  }

  t.test('a file may be named like a property of the prototype', (t) => {
    t.strictSame(
      packageFiles('{"manifest":{},"files":{"__proto__":"p","constructor":"c"}}').map(({ name, text }) => [
        name,
        text,
      ]),
      [
        ['manifest.json', '{}\n'],
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ],
    );
    t.end();
  });
});

t.test('opened submissions', async (t) => {
  const ADMIN = 1;
  const COLLEAGUE = 2;
  const community = await testCommunity(t);
  const { db, pool } = community;
  const { claim, list, answer } = reviewer(community);

  const isOpened = async (id: number, userId = ADMIN) =>
    (await list('audit_status=0', userId)).audit_list.find(({ submission_id }) => submission_id === id)
      ?.is_opened;

  t.test('a submission is opened for the reviewer who reads its details', async (t) => {
    const pluginId = await addPlugin(db, { key: 'opened-one' });
    const id = await addSubmission(db, { pluginId, version: '1.1.0' });
    t.equal(await isOpened(id), false);
    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await answer(`manager/plugin/audit?submission_id=${id}`);
      t.equal(status, 200);
      t.hasStrict(json, { data: { item: { is_opened: true } } }, 'the view is an opening');
    }
    t.equal(await isOpened(id), true);
    t.equal(await isOpened(id, COLLEAGUE), false, 'not for another reviewer');
    await pool.query('update submission set is_superseded = true where id = $1', [id]);
    const next = await addSubmission(db, { pluginId, version: '1.2.0' });
    t.equal(await isOpened(next), false, 'the next submission is not opened');
  });

  t.test('a claim opens it, releasing does not', async (t) => {
    const pluginId = await addPlugin(db, { key: 'claimed-one' });
    const id = await addSubmission(db, { pluginId, version: '1.1.0' });
    t.equal((await claim(id, COLLEAGUE, false)).status, 200);
    t.equal(await isOpened(id, COLLEAGUE), false);
    t.hasStrict((await claim(id)).json, { data: { is_opened: true } });
    t.equal((await claim(id, COLLEAGUE)).status, 409);
    t.equal(await isOpened(id, COLLEAGUE), false, 'nor does a claim that came second');
  });

  t.test('a list, or a missing submission, opens nothing', async (t) => {
    const before = await pool.query('select count(*)::int as openings from review_opening');
    await list();
    t.equal((await answer('manager/plugin/audit?submission_id=999999')).status, 404);
    const after = await pool.query('select count(*)::int as openings from review_opening');
    t.strictSame(after.rows, before.rows);
  });
});
