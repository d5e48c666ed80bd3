import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addVersion } from './add-version.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { db, url, dataDir, bearer } = community;
const pluginId = await addPlugin(db, { key: 'fetched-plugin' });
await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: '{"is":"current"}', isCurrent: true });
await addVersion(db, dataDir, { pluginId, version: '1.2.0', content: '{"is":"hidden"}', isHidden: true });
await addVersion(db, dataDir, { pluginId, version: '2.0.0', content: '{"is":"waiting"}', status: 1 });
const unpassed = await addPlugin(db, { key: 'never-passed', auditStatus: 1 });
await addVersion(db, dataDir, { pluginId: unpassed, version: '1.1.0', content: '{"is":"new"}', status: 1 });
await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', unpassed).execute();
await addPlugin(db, { key: 'deleted-plugin', deletedAt: new Date() });

async function download(key: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
  const admin = await bearer(1, 2);
  return fetch(`${url}/api/cmt/manager/plugin/${key}/download${query}`, {
    method,
    headers: { ...admin, ...headers },
  });
}

const found: [title: string, key: string, query: string, content: string][] = [
  ['the current version', 'fetched-plugin', '', '{"is":"current"}'],
  ['a hidden version', 'fetched-plugin', '?version=1.2.0', '{"is":"hidden"}'],
  ['a version that waits', 'fetched-plugin', '?version=2.0.0', '{"is":"waiting"}'],
  ['the newest of a plugin that never passed', 'never-passed', '', '{"is":"new"}'],
];
for (const [title, key, query, content] of found) {
  t.test(`${title} is sent as a file named by the key`, async (t) => {
    const answer = await download(key, query);
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('content-disposition'), `attachment; filename="${key}.json"`);
    t.equal(answer.headers.get('content-type'), 'application/json');
    t.equal(answer.headers.get('content-length'), String(content.length));
    t.equal(answer.headers.get('cache-control'), 'private, no-cache');
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    t.equal(await answer.text(), content);
    const etag = answer.headers.get('etag') ?? '';
    const again = await download(key, query, { 'if-none-match': `"other", W/${etag}` });
    t.equal(again.status, 304);
    t.equal(await again.text(), '');
    const head = await download(key, query, {}, 'HEAD');
    t.equal(head.status, 200);
    t.equal(head.headers.get('content-length'), String(content.length));
  });
}

const refused: [title: string, key: string, query: string, status: number, code: string][] = [
  ['an unknown plugin', 'no-such-plugin', '', 404, 'PLUGIN_NOT_FOUND'],
  ['a deleted plugin', 'deleted-plugin', '', 404, 'PLUGIN_NOT_FOUND'],
  ['an unknown version', 'fetched-plugin', '?version=9.9.9', 404, 'VERSION_NOT_FOUND'],
  ['a version without a package', 'fetched-plugin', '?version=1.0.0', 404, 'VERSION_NOT_FOUND'],
  ['an over-long version', 'fetched-plugin', `?version=${'1'.repeat(65)}`, 400, 'VALIDATION_FAILED'],
  ['a key that is none', "x'y", '', 400, 'VALIDATION_FAILED'],
  ['a key with a path', '..%2F..%2Fsecret', '', 400, 'VALIDATION_FAILED'],
];
for (const [title, key, query, status, code] of refused) {
  t.test(`${title} is refused`, async (t) => {
    const answer = await download(key, query);
    t.equal(answer.status, status);
    t.hasStrict(await answer.json(), { code });
  });
}

t.test('only administrators download packages', async (t) => {
  const path = `${url}/api/cmt/manager/plugin/fetched-plugin/download`;
  t.equal((await fetch(path)).status, 401);
  t.equal((await fetch(path, { headers: await bearer(100) })).status, 403);
});

t.test('a file that is missing in the store is a clear error', async (t) => {
  await rm(join(dataDir, 'files'), { recursive: true });
  const answer = await download('fetched-plugin');
  t.equal(answer.status, 404);
  t.hasStrict(await answer.json(), { code: 'MEDIA_NOT_FOUND' });
});
