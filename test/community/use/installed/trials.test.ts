import t from 'tap';
import { testCommunity } from '../../../support/community.ts';
import { ask } from '../../ask.ts';
import { jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { publishing } from '../../publishing/publish/publishing.ts';
import { reviewer } from '../../review/decisions/reviewer.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { url, pool, bearer } = community;
const { sent, pass } = publishing(community);
const { decide } = reviewer(community);
const MAKER = 7;
const manifest = (name: string) => ({
  name,
  main: 'main.js',
  editorType: ['pixso'],
  permissions: ['currentuser'],
  networkAccess: { allowedDomains: ['https://api.example.com'] },
});

/** Hands a package in that reaches a domain. */
async function submit(name: string): Promise<string> {
  const code = jsonFile(packageText({ manifest: manifest(name) }, `// ${name}\nstart();\n`));
  const form = pluginForm({ name: JSON.stringify({ 'en-US': name }), code });
  return (await sent(form, { userId: MAKER })).plugin_key;
}

const use = async (userId: number, plugin_key: string, method = 'POST', role: 0 | 2 = 0) =>
  ask(url, 'plugin/user', { method, headers: await bearer(userId, role), body: { plugin_key } });
const detail = async (key: string, userId: number, role: 0 | 2 = 0) =>
  ask(url, `plugin?plugin_key=${key}`, { headers: await bearer(userId, role) });
const installs = async (key: string) =>
  (
    await pool.query(
      'select install_count, popularity from plugin_counter join plugin on id = plugin_id where plugin_key = $1',
      [key],
    )
  ).rows[0];

async function listed(userId: number, key: string) {
  const { json } = await ask(url, 'plugin/user/list', { headers: await bearer(userId) });
  const { data } = json as { data: { total: number; plugin_list: { plugin: { plugin_key: string } }[] } };
  return data.plugin_list.find(({ plugin }) => plugin.plugin_key === key);
}

async function packageStatus(userId: number, key: string): Promise<number> {
  const address = `${url}/api/cmt/plugin/user/package?plugin_key=${key}`;
  return (await fetch(address, { headers: await bearer(userId) })).status;
}

async function refuse(plugin_key: string): Promise<void> {
  const { rows } = await pool.query(
    'select s.id from submission s join plugin p on p.id = plugin_id where plugin_key = $1 order by s.id desc limit 1',
    [plugin_key],
  );
  const body = { plugin_key, submission_id: rows[0].id, audit_status: 3, reason: 'Too plain' };
  t.equal((await decide(body)).status, 200);
}

t.test('the page of a waiting plugin says so, with the submitted package', async (t) => {
  const key = await submit('Waits for review');
  const told = {
    unpublished: 'waiting',
    version: '1.0.0',
    allowed_domains: ['https://api.example.com'],
    permissions: ['currentuser'],
    editor_types: ['pixso'],
    is_installed: false,
  };
  t.hasStrict((await detail(key, MAKER)).json, { data: told });
  t.hasStrict((await detail(key, 1, 2)).json, { data: told }, 'administrators see it as well');
  t.equal((await detail(key, 8)).status, 404);
  await refuse(key);
  t.match((await detail(key, MAKER)).json, { data: { ...told, unpublished: 'rejected' } });
});

t.test('a published plugin with a waiting version shows the published one', async (t) => {
  const key = await submit('Is public');
  await pass(key);
  const asks = {
    ...manifest('Is public'),
    networkAccess: { allowedDomains: ['*'], reasoning: 'It opens pages.' },
  };
  const code = jsonFile(packageText({ manifest: asks }));
  await sent(pluginForm({ plugin_key: key, version: '2.0.0', code }), { userId: MAKER });
  const { json } = await detail(key, MAKER);
  t.hasStrict(json, { data: { version: '1.0.0', allowed_domains: ['https://api.example.com'] } });
  t.notMatch(json, { data: { unpublished: /./ } });
  await use(MAKER, key);
  t.hasStrict(await listed(MAKER, key), { version: '1.0.0', trial: null });
});

t.test('"no network" is only shown for a package', async (t) => {
  const key = await submit('Has no package');
  await pool.query(
    `update plugin_version set package_key = null, package_manifest = null, allowed_domains = '{}'
      where plugin_id = (select id from plugin where plugin_key = $1)`,
    [key],
  );
  const { json } = await detail(key, MAKER);
  t.hasStrict(json, { data: { allowed_domains: null } });
});

t.test('only the publisher can try it', async (t) => {
  const key = await submit('Is tried');
  const before = await installs(key);
  t.equal((await use(8, key)).status, 404);
  t.equal((await use(1, key, 'POST', 2)).status, 404, 'nor an administrator');
  const tried = await use(MAKER, key);
  t.equal(tried.status, 200);
  t.hasStrict(tried.json, { data: { is_installed: true, install_count: 0 } });
  t.equal((await use(MAKER, key)).status, 200, 'twice is harmless');
  t.strictSame(await installs(key), before, 'no counter knows of it');
  t.hasStrict(await listed(MAKER, key), {
    version: '1.0.0',
    trial: 'waiting',
    update_available: false,
    is_available: false,
    plugin: { is_installed: true, version: '1.0.0' },
  });
  t.hasStrict((await detail(key, MAKER)).json, {
    data: { is_installed: true, installation: { version: '1.0.0', trial: 'waiting' } },
  });
  t.equal(await packageStatus(MAKER, key), 200);
  t.equal(await packageStatus(8, key), 404);
  const like = { plugin_key: key, praise: 1 };
  t.equal((await ask(url, 'plugin/user/praise', { headers: await bearer(MAKER), body: like })).status, 404);
  t.hasStrict((await use(MAKER, key, 'DELETE')).json, { data: { is_installed: false } });
  t.equal(await listed(MAKER, key), undefined);
  t.equal(await packageStatus(MAKER, key), 404);
  t.strictSame(await installs(key), before);
});

t.test('after approval it is an ordinary install, which counts', async (t) => {
  const key = await submit('Gets approved');
  await use(MAKER, key);
  await pass(key);
  t.hasStrict(await listed(MAKER, key), { version: '1.0.0', trial: null, is_available: true });
  t.hasStrict(await installs(key), { install_count: 1 });
  t.hasStrict((await use(MAKER, key, 'DELETE')).json, { data: { install_count: 0, is_installed: false } });
});

t.test('shows that it was rejected or deleted', async (t) => {
  const key = await submit('Gets rejected');
  await use(MAKER, key);
  await refuse(key);
  t.hasStrict(await listed(MAKER, key), { trial: 'rejected' });
  await ask(url, 'plugin', { method: 'DELETE', headers: await bearer(MAKER), body: { plugin_key: key } });
  t.hasStrict(await listed(MAKER, key), { trial: 'deleted', is_available: false });
  t.equal((await use(MAKER, key)).status, 404);
  t.equal((await use(MAKER, key, 'DELETE')).status, 200);
  t.equal(await listed(MAKER, key), undefined);
});
