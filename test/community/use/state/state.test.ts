import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { settleChanges } from '../../catalogue/changes/settle-changes.ts';
import { addRelease, packageText } from '../packages/add-release.ts';

const ADMIN = 1;
const USER = 7;
const OWNER = 100;
const MALWARE = { reason: 'malware', text: { 'en-US': 'Steals files' }, must_stop: true };

t.test('the state of what is installed', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, bearer } = community;
  const change = async (method: string, plugin_key: string, userId = USER, more = {}) => {
    const body = { plugin_key, ...more };
    t.equal((await ask(url, 'plugin/user', { method, headers: await bearer(userId), body })).status, 200);
  };
  const state = async (userId = USER, headers: Record<string, string> = {}) =>
    ask(url, 'plugin/user/state', { headers: { ...(await bearer(userId)), ...headers } });
  const items = async (userId = USER, headers: Record<string, string> = {}) =>
    dataOf(await state(userId, headers), contract.readInstalledState.data).plugin_list;
  const addCurrent = async (key: string, names = {}) => {
    const pluginId = await addPlugin(db, { key, name: { 'en-US': key, ...names } });
    const content = packageText(key, { permissions: ['clipboard'] });
    const release = await addRelease(community, { pluginId, version: '1.1.0', content, isCurrent: true });
    await db
      .updateTable('plugin_version')
      .set({ package_manifest: '{"permissions":["clipboard"]}', allowed_domains: ['api.example.com'] })
      .where('id', '=', release.id)
      .execute();
    return { pluginId, ...release };
  };
  const withdraw = async (plugin_key: string, more: Record<string, unknown>) =>
    ask(url, 'manager/plugin/withdrawn', {
      method: 'PUT',
      headers: await bearer(ADMIN, 2),
      body: { plugin_key, ...more },
    });

  t.test('of nothing', async (t) => {
    t.strictSame(await items(4711), []);
    t.equal((await ask(url, 'plugin/user/state')).status, 401);
  });

  t.test('an active plugin, with all that a tool needs to get it', async (t) => {
    const { digest, text } = await addCurrent('active-plugin', { 'es-ES': 'Activo' });
    await change('POST', 'active-plugin');
    t.strictSame(await items(USER, { 'accept-language': 'es-ES' }), [
      {
        plugin_key: 'active-plugin',
        name: 'Activo',
        lang: 'es-ES',
        state: 'active',
        is_listed: true,
        version: '1.1.0',
        package: { digest, size: text.length, signature: null, address: `/api/cmt/package/${digest}` },
        domains: ['api.example.com'],
        permissions: ['clipboard'],
        api: null,
        hosts: [],
        update: null,
        trial: null,
        hold: null,
        waiting: null,
        withdrawal: null,
        deprecation: null,
      },
    ]);
    const { package: found } = (await items())[0] ?? {};
    const got = await fetch(url + found?.address);
    t.equal(await got.text(), text);
  });

  t.test('an update that asks for more is offered, and the accepted version stays', async (t) => {
    const { pluginId, digest } = await addCurrent('offered-plugin');
    await change('POST', 'offered-plugin', 20);
    const content = packageText('more()');
    const more = await addRelease(community, { pluginId, version: '2.0.0', content, isCurrent: true });
    await db
      .updateTable('plugin_version')
      .set({ allowed_domains: ['api.example.com', 'other.example.com'] })
      .where('id', '=', more.id)
      .execute();
    t.hasStrict(await items(20), [
      {
        state: 'update_offered',
        version: '1.1.0',
        package: { digest },
        update: { version: '2.0.0', domains: ['other.example.com'], permissions: [] },
      },
    ]);
    await change('PUT', 'offered-plugin', 20, { version: '2.0.0' });
    t.hasStrict(await items(20), [{ state: 'active', version: '2.0.0', package: { digest: more.digest } }]);
  });

  t.test('a withdrawn plugin says why; one that is hidden stays active', async (t) => {
    await addCurrent('stopped-plugin');
    await addCurrent('unlisted-plugin');
    await change('POST', 'stopped-plugin', 21);
    await change('POST', 'unlisted-plugin', 21);
    t.equal((await withdraw('stopped-plugin', { is_withdrawn: true, ...MALWARE })).status, 200);
    await db
      .updateTable('plugin')
      .set({ is_hidden: true })
      .where('plugin_key', '=', 'unlisted-plugin')
      .execute();
    t.hasStrict(await items(21), [
      { plugin_key: 'unlisted-plugin', state: 'active', is_listed: false },
      {
        plugin_key: 'stopped-plugin',
        state: 'withdrawn',
        version: '',
        package: null,
        domains: [],
        withdrawal: { reason: 'malware', text: 'Steals files', text_lang: 'en-US', must_stop: true },
      },
    ]);
  });

  t.test('a trial of an own plugin, and one without any version to deliver', async (t) => {
    const pluginId = await addPlugin(db, { key: 'tried-plugin', publisherId: OWNER, auditStatus: 1 });
    await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
    await change('POST', 'tried-plugin', OWNER);
    await addPlugin(db, { key: 'empty-plugin' });
    await change('POST', 'empty-plugin', OWNER);
    t.hasStrict(await items(OWNER), [
      { plugin_key: 'empty-plugin', state: 'unavailable', package: null },
      { plugin_key: 'tried-plugin', state: 'trial', trial: 'waiting', is_listed: false },
    ]);
  });

  t.test('a tool gets the newest version that works in it, or learns why none does', async (t) => {
    const person = 22;
    const { pluginId, digest } = await addCurrent('ranged-plugin');
    await change('POST', 'ranged-plugin', person);
    const set = (id: number, host_range: string | null, allowed_domains = ['api.example.com']) =>
      db
        .updateTable('plugin_version')
        .set({ host_range, allowed_domains, package_manifest: '{"api":"2.0.0","permissions":["clipboard"]}' })
        .where('id', '=', id)
        .execute();
    const add = async (version: string, host_range: string, allowed_domains?: string[]) => {
      const content = packageText(`ranged ${version}`);
      const added = await addRelease(community, { pluginId, version, content, isCurrent: true });
      await set(added.id, host_range, allowed_domains);
      return added;
    };
    await add('2.0.0', 'pixso >=4');
    const { id: last } = await add('3.0.0', 'pixso >=5; whiteboard *', [
      'api.example.com',
      'more.example.com',
    ]);
    const seenBy = async (host: string) => {
      const headers = await bearer(person);
      const answer = await ask(url, `plugin/user/state?host=${host}`, { headers });
      return dataOf(answer, contract.readInstalledState.data).plugin_list;
    };
    const update = { version: '3.0.0', domains: ['more.example.com'], permissions: [] };
    t.hasStrict(await items(person), [{ state: 'update_offered', version: '2.0.0', update }], 'of no tool');
    t.hasStrict(await seenBy('pixso/5.1'), [
      {
        ...{ state: 'update_offered', version: '2.0.0', update },
        ...{ api: '2.0.0', hosts: [{ host: 'pixso', range: '>=4' }] },
      },
    ]);
    t.hasStrict(await seenBy('pixso/4.9.1'), [{ state: 'active', version: '2.0.0', update: null }]);
    t.hasStrict(await seenBy('pixso/3.0'), [{ state: 'active', version: '1.1.0', package: { digest } }]);
    t.hasStrict(await seenBy('whiteboard/0.1'), [{ state: 'update_offered', version: '1.1.0', update }]);

    await db
      .updateTable('plugin_version')
      .set({ host_range: 'pixso >=4' })
      .where('plugin_id', '=', pluginId)
      .where('id', '<', last)
      .execute();
    t.hasStrict(await seenBy('pixso/3.9'), [
      {
        ...{ state: 'incompatible', version: '', package: null, update: null, withdrawal: null },
        hosts: [
          { host: 'pixso', range: '>=5' },
          { host: 'whiteboard', range: '*' },
        ],
      },
    ]);
    const download = async (host: string) => {
      const path = `plugin/user/package?plugin_key=ranged-plugin&host=${host}`;
      return (await ask(url, path, { headers: await bearer(person) })).status;
    };
    t.equal(await download('pixso/4.1'), 200);
    t.equal(await download('pixso/3.9'), 404);
    const accept = async (host: string, version: string) => {
      const body = { plugin_key: 'ranged-plugin', version, host };
      return (await ask(url, 'plugin/user', { method: 'PUT', headers: await bearer(person), body })).status;
    };
    t.equal(await accept('pixso/4.1', '1.1.0'), 409, 'not what is offered');
    t.equal(await accept('pixso/5.1', '3.0.0'), 200);
    t.hasStrict(await seenBy('pixso/5.1'), [{ state: 'active', version: '3.0.0' }]);
    t.hasStrict(await seenBy('pixso/4.9.1'), [{ state: 'active', version: '2.0.0' }]);

    const headers = await bearer(person);
    await settleChanges(db);
    const first = await ask(url, 'plugin/user/state?host=pixso/4', { headers });
    const etag = first.headers.get('etag') ?? '';
    const again = async (host: string) =>
      (await ask(url, `plugin/user/state?host=${host}`, { headers: { ...headers, 'if-none-match': etag } }))
        .status;
    t.equal(await again('pixso/4'), 304);
    t.equal(await again('pixso/4.0.1'), 200, 'another version of the tool');
    const bad = await ask(url, 'plugin/user/state?host=pixso', { headers });
    t.hasStrict([bad.status, bad.json], [400, { code: 'VALIDATION_FAILED' }]);
    const versions = await ask(url, 'plugin/version/list?plugin_key=ranged-plugin&host=pixso/4');
    t.hasStrict(dataOf(versions, contract.listVersions.data).version_list, [
      { version: '2.0.0', hosts: [{ host: 'pixso', range: '>=4', span: { from: '4.0', before: null } }] },
      { version: '1.1.0' },
      { version: '1.0.0' },
    ]);
    t.hasStrict(dataOf(await ask(url, 'plugin?plugin_key=ranged-plugin'), contract.readPlugin.data).hosts, [
      { host: 'pixso', range: '>=5', span: { from: '5.0', before: null } },
      { host: 'whiteboard' },
    ]);
  });

  t.test('a pinned version stays, and stops if it is withdrawn', async (t) => {
    const person = 23;
    const { pluginId } = await addCurrent('pinned-plugin');
    await change('POST', 'pinned-plugin', person);
    const hold = async (body: Record<string, unknown>, userId = person) =>
      ask(url, 'plugin/user/hold', {
        method: 'PUT',
        headers: await bearer(userId),
        body: { plugin_key: 'pinned-plugin', ...body },
      });
    t.equal((await hold({ hold: 'pinned' }, 4711)).status, 404, 'not installed');
    const pinned = { kind: 'pinned', version: '1.1.0' };
    const { status, json } = await hold({ hold: 'pinned' });
    t.equal(status, 200);
    t.hasStrict(json, { data: { plugin_key: 'pinned-plugin', version: '1.1.0', hold: pinned } });
    const content = packageText('pinned 2');
    const next = await addRelease(community, { pluginId, version: '2.0.0', content, isCurrent: true });
    t.hasStrict(await items(person), [{ state: 'active', version: '1.1.0', hold: pinned, update: null }]);

    const version = { version: '1.1.0' };
    t.equal((await withdraw('pinned-plugin', { is_withdrawn: true, ...MALWARE, ...version })).status, 200);
    t.hasStrict(await items(person), [
      { state: 'withdrawn', version: '', package: null, hold: pinned, withdrawal: { reason: 'malware' } },
    ]);
    t.hasStrict(await hold({ hold: 'pinned', ...version }), {
      status: 410,
      json: { code: 'VERSION_WITHDRAWN' },
    });
    t.hasStrict(await hold({ hold: 'pinned', version: '7.0.0' }), { json: { code: 'VERSION_NOT_FOUND' } });
    t.hasStrict(await hold({ hold: 'paused', version: '2.0.0' }), { json: { code: 'VALIDATION_FAILED' } });
    t.equal((await hold({ hold: null })).status, 200);
    t.equal((await hold({})).status, 200, 'pages send no null');
    t.hasStrict(await items(person), [{ state: 'active', version: '2.0.0', hold: null }]);

    await db
      .updateTable('plugin_version')
      .set({ allowed_domains: ['more.example.com'] })
      .where('id', '=', next.id)
      .execute();
    await change('DELETE', 'pinned-plugin', person);
    await change('POST', 'pinned-plugin', person);
    const wider = await addRelease(community, { pluginId, version: '3.0.0', content: packageText('p3') });
    await db
      .updateTable('plugin_version')
      .set({ allowed_domains: ['*'] })
      .where('id', '=', wider.id)
      .execute();
    t.hasStrict(await hold({ hold: 'pinned', version: '3.0.0' }), {
      status: 409,
      json: { code: 'CONFLICT' },
    });
  });

  t.test('paused updates wait, but not security releases', async (t) => {
    const person = 24;
    const { pluginId } = await addCurrent('paused-plugin');
    await change('POST', 'paused-plugin', person);
    const hold = async (kind: string | null) => {
      const body = { plugin_key: 'paused-plugin', hold: kind };
      return ask(url, 'plugin/user/hold', { method: 'PUT', headers: await bearer(person), body });
    };
    const add = (version: string) =>
      addRelease(community, {
        pluginId,
        version,
        content: packageText(`paused ${version}`),
        isCurrent: true,
      });
    const seen = async () => (await items(person)).map(({ state, version }) => `${state} ${version}`);
    t.equal((await hold('paused')).status, 200);
    await add('1.2.0');
    t.strictSame(await seen(), ['active 1.1.0']);
    const vulnerable = { ...MALWARE, reason: 'vulnerable', version: '1.2.0' };
    t.equal((await withdraw('paused-plugin', { is_withdrawn: true, ...vulnerable })).status, 200);
    await add('1.3.0');
    await add('1.4.0');
    t.strictSame(await seen(), ['active 1.3.0'], 'the first one after it');
    t.equal((await withdraw('paused-plugin', { is_withdrawn: false, version: '1.2.0' })).status, 200);
    t.strictSame(await seen(), ['active 1.1.0']);
    const policy = { ...MALWARE, reason: 'policy', version: '1.1.0' };
    t.equal((await withdraw('paused-plugin', { is_withdrawn: true, ...policy })).status, 200);
    t.strictSame(await seen(), ['active 1.4.0'], 'what is withdrawn is replaced: 1.0.0 has no package');
    t.equal((await hold(null)).status, 200);
    t.strictSame(await seen(), ['active 1.4.0']);

    t.equal((await hold('paused')).status, 200);
    await change('DELETE', 'paused-plugin', person);
    await change('POST', 'paused-plugin', person);
    t.hasStrict(await items(person), [{ hold: null }]);
  });

  t.test('304 as long as nothing of it changes', async (t) => {
    const person = 30;
    const { pluginId } = await addCurrent('checked-plugin');
    await addCurrent('foreign-plugin');
    await change('POST', 'checked-plugin', person);
    let etag = '';
    /** Asks with the last ETag, after all changes have their place. */
    const check = async (headers: Record<string, string> = {}) => {
      await settleChanges(db);
      const answer = await state(person, { 'if-none-match': etag, ...headers });
      etag = answer.headers.get('etag') ?? '';
      return answer.status;
    };
    t.equal(await check(), 200);
    t.equal((await state(person)).headers.get('cache-control'), 'private, no-cache');
    t.equal(await check(), 304);

    t.equal((await withdraw('foreign-plugin', { is_withdrawn: true, ...MALWARE })).status, 200);
    await change('POST', 'checked-plugin', 31);
    t.equal(await check(), 304, 'changes of others');

    const steps: [title: string, step: () => Promise<unknown>][] = [
      ['an install', () => change('POST', 'active-plugin', person)],
      [
        'a pause',
        async () =>
          ask(url, 'plugin/user/hold', {
            method: 'PUT',
            headers: await bearer(person),
            body: { plugin_key: 'active-plugin', hold: 'paused' },
          }),
      ],
      ['an uninstall', () => change('DELETE', 'active-plugin', person)],
      ['a withdrawal', () => withdraw('checked-plugin', { is_withdrawn: true, ...MALWARE })],
      ['a restore', () => withdraw('checked-plugin', { is_withdrawn: false })],
      [
        'a withdrawn version',
        () => withdraw('checked-plugin', { is_withdrawn: true, ...MALWARE, version: '1.1.0' }),
      ],
      ['a restored version', () => withdraw('checked-plugin', { is_withdrawn: false, version: '1.1.0' })],
      [
        'a signature',
        () =>
          db
            .updateTable('plugin_version')
            .set({ signature: 'signed' })
            .where('plugin_id', '=', pluginId)
            .execute(),
      ],
      [
        'a new version',
        () =>
          addRelease(community, { pluginId, version: '3.0.0', content: packageText('3'), isCurrent: true }),
      ],
      [
        'a hidden plugin',
        () => db.updateTable('plugin').set({ is_hidden: true }).where('id', '=', pluginId).execute(),
      ],
      [
        'another name',
        () => db.updateTable('plugin_text').set({ name: 'New' }).where('plugin_id', '=', pluginId).execute(),
      ],
      [
        'accepted rights',
        () =>
          db
            .updateTable('plugin_install')
            .set({ accepted_version_id: null })
            .where('user_id', '=', person)
            .execute(),
      ],
    ];
    for (const [title, step] of steps) {
      await step();
      t.equal(await check(), 200, title);
      t.equal(await check(), 304, `${title}, seen`);
    }
    t.equal(await check({ 'accept-language': 'ja-JP' }), 200, 'another language');
    const foreign = await state(USER, { 'if-none-match': etag });
    t.equal(foreign.status, 200, "somebody else's ETag");
    const weak = await state(person, { 'accept-language': 'ja-JP', 'if-none-match': `W/${etag}` });
    t.equal(weak.status, 304);
    for (const odd of ['"30.ja-JP.0-any.0.99.0"', '"30.ja-JP.0-any.0.999999999999999999.0"', '*', '""']) {
      t.equal((await state(person, { 'accept-language': 'ja-JP', 'if-none-match': odd })).status, 200, odd);
    }
  });
});
