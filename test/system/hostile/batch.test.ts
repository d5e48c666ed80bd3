import { request } from 'node:http';
import t from 'tap';
import { uploadsFolder } from '../../../server/community/files/forms/uploads.ts';
import { addPlugin, PUBLISHER_ID } from '../../community/add-plugin.ts';
import { addSubmission } from '../../community/add-submission.ts';
import {
  ADMIN_ID,
  type BatchDraft,
  importBatch,
  packageOf,
  sendBatch,
} from '../../community/publishing/batch/send-batch.ts';
import { filesBelow } from '../../community/publishing/publish/publishing.ts';
import { testCommunity } from '../../support/community.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
const community = await testCommunity(t);
const { db, pool, dataDir } = community;

const stored = async () => {
  const { rows } = await pool.query(
    `select (select count(*)::int from plugin) as plugins, (select count(*)::int from plugin_version) as versions,
        (select count(*)::int from stored_file) as files`,
  );
  return { ...rows[0], below: await filesBelow(dataDir) };
};

const small = (index: number) => packageOf({ name: `Hostile ${index}` });
const list = (count: number) => Array.from({ length: count }, (_, index) => small(index));
const one = (items: unknown): BatchDraft => ({ files: [['a.json', small(0)]], items });

const refusals: [title: string, draft: () => BatchDraft, status: number, code: string, pointer?: string][] = [
  ['a list of 51', () => ({ files: [['a.json', list(51)]] }), 413, 'BATCH_TOO_LARGE'],
  [
    '26 and 25 in two files',
    () => ({
      files: [
        ['a.json', list(26)],
        ['b.json', list(25)],
      ],
    }),
    413,
    'BATCH_TOO_LARGE',
  ],
  [
    '51 files',
    () => ({ files: list(51).map((content, index) => [`${index}.json`, content] as const) }),
    413,
    'BATCH_TOO_LARGE',
    '/files',
  ],
  [
    'more than 100 MB in all',
    () => ({
      files: Array.from({ length: 11 }, (_, index) => [`${index}.json`, ' '.repeat(10 * MB)] as const),
    }),
    413,
    'BATCH_TOO_LARGE',
    '/files/10',
  ],
  [
    'one file of more than 100 MB',
    () => ({ files: [['a.json', ' '.repeat(101 * MB)]] }),
    413,
    'BATCH_TOO_LARGE',
    '/files/0',
  ],
  ['no file', () => ({ files: [] }), 400, 'VALIDATION_FAILED', '/files'],
  ['a decision on a missing file', () => one([{ file: 1, index: 0 }]), 400, 'VALIDATION_FAILED', '/items/0'],
  ['a decision on a missing item', () => one([{ file: 0, index: 1 }]), 400, 'VALIDATION_FAILED', '/items/0'],
  [
    'two decisions on one item',
    () =>
      one([
        { file: 0, index: 0, skip: true },
        { file: 0, index: 0, name: 'x' },
      ]),
    400,
    'VALIDATION_FAILED',
    '/items/1',
  ],
  ['a negative place', () => one([{ file: -1, index: 0 }]), 400, 'VALIDATION_FAILED', '/items/0/file'],
  ['a key that is none', () => one([{ file: 0, index: 0, plugin_key: 'x' }]), 400, 'VALIDATION_FAILED'],
  [
    'an unknown decision',
    () => one([{ file: 0, index: 0, drop: 1 }]),
    400,
    'VALIDATION_FAILED',
    '/items/0/drop',
  ],
  ['decisions that are no list', () => one({ file: 0, index: 0 }), 400, 'VALIDATION_FAILED', '/items'],
  ['decisions that are no JSON', () => one('[{'), 400, 'VALIDATION_FAILED', '/items'],
  [
    '51 decisions',
    () => one(Array.from({ length: 51 }, (_, index) => ({ file: 0, index }))),
    400,
    'VALIDATION_FAILED',
  ],
];
for (const [title, draft, status, code, pointer] of refusals) {
  t.test(`the whole batch is refused, and nothing stored: ${title}`, async (t) => {
    const before = await stored();
    const answer = await sendBatch(community, draft());
    t.equal(answer.status, status);
    t.match(answer.json, { code, ...(pointer !== undefined && { errors: [{ pointer }] }) });
    if (code === 'BATCH_TOO_LARGE') {
      t.hasStrict(answer.json, { message: 'A batch holds at most 50 packages and 100 MB' });
    }
    t.strictSame(await stored(), before);
  });
}

t.test('50 packages are accepted', async (t) => {
  const results = await importBatch(community, { files: [['a.json', list(50)]], dryRun: true });
  t.equal(results.filter(({ ok }) => ok).length, 50);
});

const singles: [title: string, content: () => unknown, expected: object[]][] = [
  ['an empty file', () => '', [{ ok: false, errors: [{ code: 'JSON_EMPTY' }] }]],
  ['an empty list', () => [], [{ ok: false, errors: [{ code: 'BATCH_EMPTY' }] }]],
  ['no JSON', () => 'name,version\n', [{ ok: false, errors: [{ code: 'NOT_JSON' }] }]],
  [
    'a list that is cut in its second item',
    () => JSON.stringify(list(3)).slice(0, 700),
    [{ ok: true }, { ok: false, errors: [{ severity: 'error', line: 1 }] }],
  ],
  [
    'a list that is cut between items',
    () => `[${JSON.stringify(small(70))},`,
    [{ ok: true }, { ok: false, errors: [{ code: 'JSON_UNFINISHED' }] }],
  ],
  [
    'lists in a list',
    () => [[small(80)], small(81), [[]]],
    [{ ok: false, errors: [{ pointer: '/0' }] }, { ok: true }, { ok: false, errors: [{ pointer: '/2' }] }],
  ],
  [
    'values that are no packages',
    () => [null, 5, 'text', small(82)],
    [{ ok: false }, { ok: false }, { ok: false }, { ok: true }],
  ],
  [
    'an item of 60 MB',
    () => [small(90), { ...small(91), files: { 'main.js': 'x'.repeat(60 * MB) } }, small(92)],
    [{ ok: true }, { ok: false, errors: [{ code: 'PACKAGE_TOO_LARGE', pointer: '/1' }] }, { ok: true }],
  ],
  [
    'a file of 60 MB',
    () => ({ ...small(93), files: { 'main.js': 'x'.repeat(60 * MB) } }),
    [{ ok: false, errors: [{ code: 'PACKAGE_TOO_LARGE' }] }],
  ],
];
for (const [title, content, expected] of singles) {
  t.test(`one bad file does not stop the others: ${title}`, async (t) => {
    const results = await importBatch(community, {
      files: [
        ['bad.json', content()],
        ['good.json', packageOf({ name: `Beside ${title}` })],
      ],
      dryRun: true,
    });
    t.equal(results.length, expected.length + 1);
    t.match(results, [...expected, { file: 'good.json', index: 0, ok: true }]);
  });
}

t.test('missing and deleted target plugins', async (t) => {
  const pluginId = await addPlugin(db, { key: 'about-to-go', publisherId: PUBLISHER_ID });
  await addSubmission(db, { pluginId, status: 2 });
  await addPlugin(db, { key: 'deleted-before', deletedAt: new Date() });
  const results = await importBatch(community, {
    files: [['a.json', [1, 2, 3, 4].map((n) => packageOf({ name: `Aimed ${n}`, version: `2.0.${n}` }))]],
    items: [
      { file: 0, index: 0, plugin_key: 'about-to-go' },
      { file: 0, index: 1, plugin_key: 'deleted-before' },
      { file: 0, index: 2, plugin_key: 'no-such-plugin' },
    ],
  });
  t.hasStrict(results, [
    { ok: true, plugin_key: 'about-to-go', is_new_version: true },
    {
      ok: false,
      errors: [{ code: 'PLUGIN_UNKNOWN', pointer: '/plugin_key', params: { plugin_key: 'deleted-before' } }],
    },
    { ok: false, errors: [{ code: 'PLUGIN_UNKNOWN' }] },
    { ok: true, is_new_version: false },
  ]);
});

t.test('a target plugin that is deleted while the batch runs', async (t) => {
  const pluginId = await addPlugin(db, { key: 'goes-meanwhile' });
  await addSubmission(db, { pluginId, status: 2 });
  const versions = Array.from({ length: 12 }, (_, n) =>
    packageOf({ name: 'Meanwhile', version: `2.0.${n}` }),
  );
  const running = importBatch(community, {
    files: [['a.json', versions]],
    items: versions.map((_, index) => ({ file: 0, index, plugin_key: 'goes-meanwhile' })),
  });
  await until(async () => (await versionsOf(pluginId)) >= 4);
  await db.updateTable('plugin').set({ deleted_at: new Date() }).where('id', '=', pluginId).execute();
  const results = await running;
  const failed = results.filter(({ ok }) => !ok);
  t.ok(results.length === 12 && failed.length > 0 && failed.length <= 9, `${failed.length} came too late`);
  for (const { errors } of failed) t.hasStrict(errors, [{ code: 'PLUGIN_UNKNOWN' }]);
  t.equal(await versionsOf(pluginId), 1 + 12 - failed.length);
});

async function versionsOf(pluginId: number): Promise<number> {
  const rows = await db.selectFrom('plugin_version').select('id').where('plugin_id', '=', pluginId).execute();
  return rows.length;
}

t.test('after a disconnect the current item is the last, and no upload stays', async (t) => {
  const leave = new AbortController();
  const items = Array.from({ length: 40 }, (_, n) => packageOf({ name: `Left behind ${n}` }));
  const sent = sendBatch(community, { files: [['a.json', items]], userId: 60, signal: leave.signal });
  const count = async () =>
    (await db.selectFrom('plugin').select('id').where('publisher_id', '=', 60).execute()).length;
  await until(async () => (await count()) >= 3);
  leave.abort();
  await t.rejects(sent);
  const uploads = () => filesBelow(uploadsFolder(dataDir));
  await until(async () => (await uploads()).length === 0);
  const created = await count();
  t.ok(created < 40, `${created} were created`);
  t.hasStrict(await sendBatch(community, { ...one(undefined), userId: 60 }), { status: 200 });
  t.equal(await count(), created + 1, 'and no more');
});

t.test('an incomplete upload imports nothing', async (t) => {
  const before = await stored();
  const { port } = new URL(community.url);
  const call = request({
    port,
    path: '/api/cmt/manager/plugins/upload',
    method: 'POST',
    headers: { ...(await community.bearer(ADMIN_ID, 2)), 'content-type': 'multipart/form-data; boundary=x' },
  });
  call.on('error', () => undefined);
  call.write('--x\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n');
  call.write(JSON.stringify(small(0)));
  const uploads = () => filesBelow(uploadsFolder(dataDir));
  await until(async () => (await uploads()).length > 0);
  call.destroy();
  await until(async () => (await uploads()).length === 0);
  t.strictSame(await stored(), before);
});
