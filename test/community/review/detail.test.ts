import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { dataOf } from '../ask.ts';
import { reviewer } from './reviewer.ts';

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
  const rights = {
    asked: { domains: ['a.example', 'b.example'], permissions: [], editors: ['pixso', 'figma'] },
    published: {
      version: '1.0.0',
      rights: { domains: ['a.example'], permissions: ['payments'], editors: ['pixso'] },
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
