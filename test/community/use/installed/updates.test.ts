import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { type FileStore, openFolderStore } from '../../../../server/community/files/media/files.ts';
import { insertFiles } from '../../../../server/community/files/media/store.ts';
import {
  preparePackage,
  storedName,
  storeFile,
} from '../../../../server/community/files/media/stored-files.ts';
import { sweep } from '../../../../server/community/sweep/sweep.ts';
import { changeInteractions } from '../../../../server/community/use/interactions/store.ts';
import { testCommunity, testFolder } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask } from '../../ask.ts';
import { addVersion } from '../../catalogue/versions/add-version.ts';
import { jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { publishing } from '../../publishing/publish/publishing.ts';

t.test('updates', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, pool, db, dataDir, bearer } = community;
  const { sent, pass } = publishing(community);
  const MAKER = 7;

  type Asks = { domains?: string[]; permissions?: string[] };

  const code = (version: string, { domains = ['none'], permissions = [] }: Asks = {}) => {
    const manifest = {
      name: 'Grid',
      main: 'main.js',
      networkAccess: { allowedDomains: domains, reasoning: 'It opens pages.' },
      permissions,
    };
    return jsonFile(packageText({ manifest }, `// ${version}\nconsole.log(${JSON.stringify(domains)});\n`));
  };

  async function publish(asks: Asks = {}): Promise<string> {
    const name = JSON.stringify({ 'en-US': `Grid ${Math.random()}` });
    const { plugin_key } = await sent(pluginForm({ name, code: code(`1.0.0 ${name}`, asks) }), {
      userId: MAKER,
    });
    await pass(plugin_key);
    return plugin_key;
  }

  async function release(plugin_key: string, version: string, asks: Asks = {}): Promise<void> {
    const form = pluginForm({ plugin_key, version, code: code(`${version} ${plugin_key}`, asks) });
    await sent(form, { userId: MAKER });
    await pass(plugin_key);
  }

  const call = async (userId: number, method: string, body: object) =>
    ask(url, 'plugin/user', { method, headers: await bearer(userId), body });
  const accept = (userId: number, plugin_key: string, version: string) =>
    call(userId, 'PUT', { plugin_key, version });

  async function listed(userId: number, plugin_key: string) {
    const { json } = await ask(url, 'plugin/user/list', { headers: await bearer(userId) });
    const { data } = json as { data: { plugin_list: { plugin: { plugin_key: string } }[] } };
    return data.plugin_list.find(({ plugin }) => plugin.plugin_key === plugin_key);
  }

  async function packageOf(userId: number, plugin_key: string) {
    const address = `${url}/api/cmt/plugin/user/package?plugin_key=${plugin_key}`;
    const answer = await fetch(address, { headers: await bearer(userId) });
    const text = await answer.text();
    return { status: answer.status, version: /\/\/ (\d\S*)/.exec(text)?.[1], text };
  }

  t.test('a version without new permissions is delivered automatically', async (t) => {
    const key = await publish({ domains: ['https://a.example'] });
    await call(20, 'POST', { plugin_key: key });
    await release(key, '1.1.0', { domains: ['https://a.example/v1/'] });
    t.hasStrict(await listed(20, key), {
      version: '1.1.0',
      update_available: false,
      update: null,
      trial: null,
    });
    t.equal((await packageOf(20, key)).version, '1.1.0');
  });

  t.test('a version with new permissions is offered, and the earlier one is still delivered', async (t) => {
    const key = await publish({ domains: ['https://a.example'] });
    await call(20, 'POST', { plugin_key: key });
    await release(key, '1.1.0', { domains: ['https://a.example'] });
    await release(key, '2.0.0', { domains: ['*.a.example', 'https://a.example'], permissions: ['payments'] });
    t.equal((await packageOf(20, key)).version, '1.1.0', 'the newest that asks for no more');
    t.hasStrict(await listed(20, key), {
      version: '1.1.0',
      update_available: true,
      update: { version: '2.0.0', domains: ['*.a.example'], permissions: ['payments'] },
      plugin: { version: '2.0.0' },
    });
    const detail = await ask(url, `plugin?plugin_key=${key}`, { headers: await bearer(20) });
    t.hasStrict(detail.json, {
      data: { version: '2.0.0', installation: { version: '1.1.0', update: { version: '2.0.0' } } },
    });
    const others = await ask(url, `plugin?plugin_key=${key}`);
    t.notMatch(others.json, { data: { installation: {} } });

    await call(21, 'POST', { plugin_key: key });
    t.hasStrict(
      await listed(21, key),
      { version: '2.0.0', update_available: false },
      'whoever installs it now accepts it',
    );
    await call(20, 'POST', { plugin_key: key });
    t.hasStrict(await listed(20, key), { version: '1.1.0' }, 'installing twice accepts nothing');

    const early = await accept(20, key, '1.1.0');
    t.equal(early.status, 409, 'another version than the one on offer');
    t.hasStrict(early.json, { code: 'CONFLICT' });
    const accepted = await accept(20, key, '2.0.0');
    t.equal(accepted.status, 200);
    t.hasStrict(accepted.json, {
      data: { plugin_key: key, version: '2.0.0', update_available: false, update: null },
    });
    t.equal((await packageOf(20, key)).version, '2.0.0');
    await release(key, '2.1.0', { domains: ['*.a.example'] });
    t.equal((await packageOf(20, key)).version, '2.1.0', 'covered by what was accepted');
  });

  t.test('installing again accepts the published version', async (t) => {
    const key = await publish();
    await call(20, 'POST', { plugin_key: key });
    await release(key, '2.0.0', { domains: ['*'] });
    t.hasStrict(await listed(20, key), { update_available: true, update: { domains: ['*'] } });
    await call(20, 'DELETE', { plugin_key: key });
    await call(20, 'POST', { plugin_key: key });
    t.hasStrict(await listed(20, key), { version: '2.0.0', update_available: false });
  });

  t.test('a withdrawn version is never delivered, even if there is no other', async (t) => {
    const key = await publish();
    await call(20, 'POST', { plugin_key: key });
    await release(key, '1.1.0');
    await release(key, '2.0.0', { domains: ['*'] });
    const headers = await bearer(MAKER);
    const hide = (version: string) =>
      ask(url, 'plugin/version', {
        method: 'PUT',
        headers,
        body: { plugin_key: key, version, is_hidden: true },
      });
    t.equal((await hide('1.1.0')).status, 200);
    t.equal((await packageOf(20, key)).version, '1.0.0');
    t.equal((await hide('1.0.0')).status, 200);
    const none = await packageOf(20, key);
    t.equal(none.status, 404);
    t.hasStrict(JSON.parse(none.text), { code: 'VERSION_NOT_FOUND' });
    t.hasStrict(await listed(20, key), { version: '', update_available: true });
  });

  t.test('default installs accept the version published at that time', async (t) => {
    const key = await publish();
    await pool.query('insert into silent_install (plugin_id) select id from plugin where plugin_key = $1', [
      key,
    ]);
    await ask(url, 'plugin/user/new/silent', { headers: await bearer(30), body: {} });
    await release(key, '2.0.0', { domains: ['b.example'] });
    t.hasStrict(await listed(30, key), {
      version: '1.0.0',
      update: { version: '2.0.0', domains: ['b.example'] },
    });
  });

  t.test('an install that says no version counts as accepting the one published at that time', async (t) => {
    const key = await publish({ domains: ['a.example'] });
    await call(20, 'POST', { plugin_key: key });
    await pool.query('update plugin_install set accepted_version_id = null');
    await release(key, '2.0.0', { domains: ['a.example', 'b.example'] });
    t.hasStrict(await listed(20, key), { version: '1.0.0', update: { domains: ['b.example'] } });
  });

  t.test('publishing writes nothing per install', async (t) => {
    const key = await publish();
    await pool.query(
      `insert into plugin_install (user_id, plugin_id) select 1000 + n, id from plugin, generate_series(1, 500) n
      where plugin_key = $1`,
      [key],
    );
    const rows = 'select max(xmin::text::bigint) as latest from plugin_install';
    const before = (await pool.query(rows)).rows[0];
    await release(key, '2.0.0', { domains: ['*'] });
    t.strictSame((await pool.query(rows)).rows[0], before);
  });

  t.test('an install does not accept a version that the user has not seen', async (t) => {
    const key = await publish({ domains: ['a.example'] });
    await release(key, '1.1.0', { domains: ['a.example'] });
    const early = await call(50, 'POST', { plugin_key: key, version: '1.0.0' });
    t.equal(early.status, 200, 'what is live asks for no more than what was seen');
    t.hasStrict(await listed(50, key), { version: '1.1.0', update_available: false });

    await release(key, '2.0.0', { domains: ['a.example', 'b.example'] });
    const unseen = await call(51, 'POST', { plugin_key: key, version: '1.1.0' });
    t.equal(unseen.status, 409);
    t.hasStrict(unseen.json, { code: 'CONFLICT' });
    t.equal(await listed(51, key), undefined, 'nothing is installed');
    t.equal((await call(51, 'POST', { plugin_key: key, version: '9.9.9' })).status, 409, 'no such version');
    t.equal(
      (await call(50, 'POST', { plugin_key: key, version: '1.0.0' })).status,
      200,
      'harmless when repeated',
    );
    t.hasStrict(
      await listed(50, key),
      { version: '1.1.0', update: { version: '2.0.0' } },
      'it accepts nothing',
    );

    t.equal((await call(51, 'POST', { plugin_key: key, version: '2.0.0' })).status, 200);
    t.hasStrict(await listed(51, key), { version: '2.0.0', update_available: false });
    t.equal((await call(52, 'POST', { plugin_key: key })).status, 200, 'other clients name no version');
    t.hasStrict(await listed(52, key), { version: '2.0.0', update_available: false });
  });

  t.test(
    'an install names the version seen: a later one is offered even if it came at that moment',
    async (t) => {
      const key = await publish();
      await release(key, '2.0.0', { domains: ['b.example'] });
      await changeInteractions(db, [{ pluginKey: key, userId: 53, change: 'install', version: '1.0.0' }]);
      t.hasStrict(await listed(53, key), {
        version: '1.0.0',
        update: { version: '2.0.0', domains: ['b.example'] },
      });
    },
  );

  t.test('installs written by the previous release accept the version published at that time', async (t) => {
    const key = await publish({ domains: ['a.example'] });
    await release(key, '2.0.0', { domains: ['b.example'] });
    const install = (userId: number) =>
      pool.query(
        'insert into plugin_install (user_id, plugin_id) select $1, id from plugin where plugin_key = $2',
        [userId, key],
      );
    await install(54);
    await release(key, '3.0.0', { domains: ['a.example', 'b.example'] });
    t.hasStrict(await listed(54, key), {
      version: '2.0.0',
      update: { version: '3.0.0', domains: ['a.example'] },
    });
    await install(55);
    t.hasStrict(await listed(55, key), { version: '3.0.0', update_available: false });
    await pool.query("update plugin_install set installed_at = '2020-01-01' where user_id = 55");
    t.hasStrict(
      await listed(55, key),
      { version: '1.0.0', update: { domains: ['b.example'] } },
      'else the first one',
    );
  });

  t.test('the sweep keeps the package of an accepted version', async (t) => {
    const key = await publish();
    await call(56, 'POST', { plugin_key: key });
    await release(key, '2.0.0', { domains: ['*'] });
    const files = openFolderStore(dataDir);
    const unused = await storeFile(files, preparePackage(Buffer.from('{"unused":true}')));
    await insertFiles(db, [unused]);
    await pool.query("update stored_file set created_at = now() - interval '400 days'");
    const now = () => Date.now() + 400 * 86_400_000;
    t.ok(await sweep({ db, files, dataDir, now, log: pino({ level: 'silent' }) }));
    t.notOk(
      (await Array.fromAsync(files.list())).some(({ name }) => name === storedName(unused)),
      'what nobody uses is gone',
    );
    t.hasStrict(await packageOf(56, key), { status: 200, version: '1.0.0' });
    await accept(56, key, '2.0.0');
    t.hasStrict(await packageOf(56, key), { status: 200, version: '2.0.0' });
  });

  t.test('only installers can accept', async (t) => {
    const key = await publish();
    const answer = await accept(40, key, '1.0.0');
    t.equal(answer.status, 404);
    t.hasStrict(answer.json, { code: 'PLUGIN_NOT_FOUND' });
  });
});

t.test('installed package', async (t) => {
  const dataDir = await testFolder(t);
  const folder = openFolderStore(dataDir);
  let streams = 0;
  const files: FileStore = {
    ...folder,
    async get(name) {
      const file = await folder.get(name);
      if (!file) return undefined;
      return {
        ...file,
        stream(range) {
          streams += 1;
          return file.stream(range);
        },
      };
    },
  };
  const { db, url, bearer } = await testCommunity(t, { publishers: 'members', files });

  const packageOf = (name: string, code = 'start();') =>
    JSON.stringify({
      format: 'plugin-package',
      formatVersion: 1,
      manifest: {
        name,
        main: 'main.js',
        networkAccess: {
          allowedDomains: ['https://a.example'],
          devAllowedDomains: ['http://localhost:3000'],
        },
      },
      files: { 'main.js': code },
    });

  async function fetchPackage(
    userId: number,
    key: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ) {
    const signedIn = await bearer(userId);
    return fetch(`${url}/api/cmt/plugin/user/package?plugin_key=${key}`, {
      method,
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

  t.test('HEAD reads nothing of a package', async (t) => {
    await use(7, 'used-plugin');
    const answer = await fetchPackage(7, 'used-plugin', {}, 'HEAD');
    t.equal(answer.status, 200);
    t.match(Object.fromEntries(answer.headers), {
      'content-type': /^application\/json/,
      'content-disposition': 'attachment; filename="used-plugin.json"',
      etag: /-release"$/,
    });
    t.equal(answer.headers.get('content-length'), null, 'it is not known yet');
    t.equal(streams, 0);
  });

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
    ['a plugin that the user has not installed', 'large-plugin', 404, 'PLUGIN_NOT_FOUND'],
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
});
