import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../add-plugin.ts';
import { ask } from '../ask.ts';
import { addVersion } from '../versions/add-version.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { db, url, dataDir, bearer } = community;

const packageOf = (name: string, code = 'start();') =>
  JSON.stringify({
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      name,
      main: 'main.js',
      networkAccess: { allowedDomains: ['https://a.example'], devAllowedDomains: ['http://localhost:3000'] },
    },
    files: { 'main.js': code },
  });

async function fetchPackage(userId: number, key: string, headers: Record<string, string> = {}) {
  const signedIn = await bearer(userId);
  return fetch(`${url}/api/cmt/plugin/user/package?plugin_key=${key}`, {
    headers: { ...signedIn, ...headers },
  });
}

async function use(userId: number, plugin_key: string, method = 'POST'): Promise<void> {
  const answer = await ask(url, 'plugin/user', {
    method,
    headers: await bearer(userId),
    body: { plugin_key },
  });
  t.equal(answer.status, 200);
}

const pluginId = await addPlugin(db, { key: 'used-plugin' });
await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: packageOf('One'), isCurrent: true });
await addVersion(db, dataDir, { pluginId, version: '2.0.0', content: packageOf('Two'), status: 1 });

t.test('an installer gets the current package without development-only keys', async (t) => {
  await use(7, 'used-plugin');
  const answer = await fetchPackage(7, 'used-plugin');
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="used-plugin.json"');
  const text = await answer.text();
  t.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  t.hasStrict(JSON.parse(text), {
    manifest: { name: 'One', networkAccess: { allowedDomains: ['https://a.example'] } },
    files: { 'main.js': 'start();' },
  });
  t.notMatch(text, 'devAllowedDomains');
  const etag = answer.headers.get('etag') ?? '';
  const again = await fetchPackage(7, 'used-plugin', { 'if-none-match': etag });
  t.equal(again.status, 304);
});

t.test('the next download is the new current version', async (t) => {
  const before = (await fetchPackage(7, 'used-plugin')).headers.get('etag') ?? '';
  await addVersion(db, dataDir, { pluginId, version: '1.2.0', content: packageOf('New'), isCurrent: true });
  const answer = await fetchPackage(7, 'used-plugin', { 'if-none-match': before });
  t.equal(answer.status, 200);
  t.hasStrict(await answer.json(), { manifest: { name: 'New' } });
});

t.test('a large package is prepared once, without blocking other requests', async (t) => {
  const large = await addPlugin(db, { key: 'large-plugin' });
  const content = packageOf('Large', 'x'.repeat(9 * 1024 * 1024));
  await addVersion(db, dataDir, { pluginId: large, version: '1.1.0', content, isCurrent: true });
  await use(7, 'large-plugin');
  const many = Array.from({ length: 8 }, () =>
    fetchPackage(7, 'large-plugin').then((answer) => answer.text()),
  );
  const small = await Promise.all(Array.from({ length: 5 }, () => ask(url, 'plugin/tag/list')));
  for (const { status } of small) t.equal(status, 200);
  const texts = new Set(await Promise.all(many));
  t.equal(texts.size, 1);
  t.hasStrict(JSON.parse([...texts][0] ?? ''), { manifest: { name: 'Large' } });
});

t.test('a deleted or hidden plugin works until it is uninstalled', async (t) => {
  await use(8, 'used-plugin');
  const owner = await bearer(PUBLISHER_ID);
  await ask(url, 'plugin', { method: 'DELETE', headers: owner, body: { plugin_key: 'used-plugin' } });
  t.equal((await fetchPackage(8, 'used-plugin')).status, 200);
  await use(8, 'used-plugin', 'DELETE');
  const refused = await fetchPackage(8, 'used-plugin');
  t.equal(refused.status, 404);
  t.hasStrict(await refused.json(), { code: 'PLUGIN_NOT_FOUND' });
});

await addPlugin(db, { key: 'without-package' });
const refusals: [title: string, key: string, status: number, code: string][] = [
  ['a plugin he has not installed', 'large-plugin', 404, 'PLUGIN_NOT_FOUND'],
  ['a plugin that is not there', 'no-such-plugin', 404, 'PLUGIN_NOT_FOUND'],
  ['a key that is none', 'x', 400, 'VALIDATION_FAILED'],
];
for (const [title, key, status, code] of refusals) {
  t.test(`nothing to fetch of ${title}`, async (t) => {
    const answer = await fetchPackage(9, key);
    t.equal(answer.status, status);
    t.hasStrict(await answer.json(), { code });
  });
}

t.test('a plugin without a package', async (t) => {
  await use(9, 'without-package');
  const answer = await fetchPackage(9, 'without-package');
  t.equal(answer.status, 404);
  t.hasStrict(await answer.json(), { code: 'VERSION_NOT_FOUND' });
});

t.test('a missing file has a clear error', async (t) => {
  const lost = await addPlugin(db, { key: 'lost-package' });
  await addVersion(db, dataDir, {
    pluginId: lost,
    version: '1.1.0',
    content: packageOf('Lost'),
    isCurrent: true,
  });
  await use(9, 'lost-package');
  await rm(join(dataDir, 'files'), { recursive: true });
  const answer = await fetchPackage(9, 'lost-package');
  t.equal(answer.status, 404);
  t.hasStrict(await answer.json(), { code: 'MEDIA_NOT_FOUND' });
});

t.test('visitors cannot download', async (t) => {
  t.equal((await fetch(`${url}/api/cmt/plugin/user/package?plugin_key=large-plugin`)).status, 401);
});
