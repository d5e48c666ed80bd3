import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { dataOf } from '../ask.ts';
import { addSubmission } from '../submissions/add-submission.ts';
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

t.test('a first submission: everything it says, and nothing to compare it with', async (t) => {
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
  t.match(data.item, { submission_id: id, version: '1.0.0', is_live: false, findings });
  t.match(data.preview, {
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
  t.match(data.listing, { name: { 'zh-CN': '画笔' }, icon: picture, cover: null });
  t.strictSame(data.version_note, { 'en-US': 'First' });
  t.equal(data.passed, null);
  t.strictSame(data.history, []);
});

t.test('a change: beside what had passed when it was handed in, with all decisions', async (t) => {
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
  t.match(data, {
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

t.test('what is not there', async (t) => {
  const missing = await answer('manager/plugin/audit?submission_id=999999');
  t.equal(missing.status, 404);
  t.match(missing.json, { code: 'SUBMISSION_NOT_FOUND' });
  for (const query of ['', '?submission_id=0', '?submission_id=x', '?submission_id=99999999999999999999']) {
    t.match((await answer(`manager/plugin/audit${query}`)).json, { code: 'VALIDATION_FAILED' }, query);
  }
});
