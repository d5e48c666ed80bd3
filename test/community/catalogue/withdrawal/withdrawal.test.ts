import t, { type Test } from 'tap';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import { insertPictures } from '../../../../server/community/files/media/store.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { addVersion } from '../versions/add-version.ts';

const USER = 7;
const ADMIN = 1;
const MALWARE = {
  reason: 'malware',
  text: { 'en-US': 'Steals files', 'ja-JP': 'ファイルを盗みます' },
  must_stop: true,
};

t.test('withdrawal', async (t) => {
  let passed = 0;
  const community = await testCommunity(t, { publishers: 'members', now: () => Date.now() + passed });
  const { bearer, db, url, dataDir, pool } = community;
  const files = openFolderStore(dataDir);

  const packageOf = (name: string) =>
    JSON.stringify({
      format: 'plugin-package',
      formatVersion: 1,
      manifest: { name, main: 'main.js' },
      files: { 'main.js': '0' },
    });
  const asAdmin = async (path: string, body?: unknown, method = 'PUT'): Promise<Answer> =>
    ask(url, path, { headers: await bearer(ADMIN, 2), ...(body !== undefined && { body, method }) });
  const withdraw = (plugin_key: string, more: Record<string, unknown> = {}) =>
    asAdmin('manager/plugin/withdrawn', { plugin_key, is_withdrawn: true, ...MALWARE, ...more });
  const restore = (plugin_key: string, more: Record<string, unknown> = {}) =>
    asAdmin('manager/plugin/withdrawn', { plugin_key, is_withdrawn: false, ...more });
  const deliver = async (key: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/cmt/plugin/user/package?plugin_key=${key}`, {
      headers: { ...(await bearer(USER)), ...headers },
    });
  const install = async (plugin_key: string) =>
    ask(url, 'plugin/user', { headers: await bearer(USER), body: { plugin_key } });
  const installed = async (key: string) => {
    const headers = await bearer(USER);
    const { plugin_list } = dataOf(
      await ask(url, 'plugin/user/list?limit=100', { headers }),
      contract.listInstalled.data,
    );
    return plugin_list.find(({ plugin }) => plugin.plugin_key === key);
  };

  /** A published plugin with one package, which a user has installed, and a submission of it. */
  async function addDelivered(key: string): Promise<{ pluginId: number; submissionId: number }> {
    const pluginId = await addPlugin(db, { key });
    await db
      .deleteFrom('plugin_version')
      .where('plugin_id', '=', pluginId)
      .where('version', '<>', '1.0.0')
      .execute();
    await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: packageOf(key), isCurrent: true });
    await db
      .updateTable('plugin_version')
      .set({ audit_status: 3 })
      .where('plugin_id', '=', pluginId)
      .where('version', '=', '1.0.0')
      .execute();
    const submissionId = await addSubmission(db, { pluginId, status: 2 });
    t.equal((await install(key)).status, 200);
    t.equal((await deliver(key)).status, 200);
    return { pluginId, submissionId };
  }

  async function refused(t: Test, answer: Response | Answer, code: string): Promise<void> {
    t.equal(answer.status, 410);
    const json = 'json' in answer && typeof answer.json === 'function' ? await answer.json() : answer.json;
    t.hasStrict(json, { code });
  }

  for (const [title, key, prepare] of [
    ['a listed plugin', 'listed-one', async () => undefined],
    [
      'a plugin that its publisher has deleted',
      'deleted-one',
      async () => {
        const headers = await bearer(PUBLISHER_ID);
        const body = { plugin_key: 'deleted-one' };
        t.equal((await ask(url, 'plugin', { method: 'DELETE', headers, body })).status, 200);
      },
    ],
    [
      'a hidden plugin',
      'hidden-one',
      async () => {
        const hidden = { plugin_key: 'hidden-one', is_hidden: true };
        t.equal((await asAdmin('manager/plugin/hidden', hidden)).status, 200);
      },
    ],
    [
      'a refused plugin',
      'refused-one',
      async () =>
        void (await pool.query(`update plugin set audit_status = 3 where plugin_key = 'refused-one'`)),
    ],
  ] as const) {
    t.test(`nobody gets ${title} once it is withdrawn`, async (t) => {
      const { submissionId } = await addDelivered(key);
      await prepare();
      const etag = (await deliver(key)).headers.get('etag') ?? '';
      const answer = await withdraw(key);
      t.equal(answer.status, 200);
      t.match(answer.json, {
        data: { plugin_key: key, withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true } },
      });
      await refused(t, await deliver(key), 'PLUGIN_WITHDRAWN');
      await refused(t, await deliver(key, { 'if-none-match': etag }), 'PLUGIN_WITHDRAWN');
      await refused(t, await asAdmin(`manager/plugin/${key}/download`), 'PLUGIN_WITHDRAWN');
      await refused(t, await asAdmin(`manager/plugin/${key}/download?version=1.1.0`), 'PLUGIN_WITHDRAWN');
      await refused(
        t,
        await asAdmin(`manager/plugin/audit/code?submission_id=${submissionId}`),
        'PLUGIN_WITHDRAWN',
      );
      await refused(t, await ask(url, `plugin?plugin_key=${key}`), 'PLUGIN_WITHDRAWN');
      t.match(await installed(key), {
        is_available: false,
        version: '',
        update_available: false,
        withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true },
      });
      t.equal((await restore(key)).status, 200);
      t.equal((await deliver(key)).status, 200);
      t.equal((await asAdmin(`manager/plugin/${key}/download`)).status, 200);
      t.notOk((await installed(key))?.withdrawal);
    });
  }

  t.test('a withdrawn plugin leaves every list until it is restored', async (t) => {
    const key = 'in-no-list';
    await addDelivered(key);
    const isListed = async () =>
      dataOf(await ask(url, 'plugin/list?limit=100'), contract.listPlugins.data).plugin_list.some(
        (one) => one.plugin_key === key,
      );
    t.equal(await isListed(), true);
    await withdraw(key);
    t.equal(await isListed(), false);
    const headers = await bearer(PUBLISHER_ID);
    t.match(dataOf(await ask(url, `plugin?plugin_key=${key}`, { headers }), contract.readPlugin.data), {
      unpublished: 'withdrawn',
      withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true },
    });
    await restore(key);
    t.equal(await isListed(), true);
  });

  t.test('a deleted plugin is among the deleted ones of management', async (t) => {
    const page = dataOf(
      await asAdmin('manager/plugin/list?is_deleted=true'),
      contract.listManagedPlugins.data,
    );
    t.equal(page.total, 1);
    t.match(page.plugin_list, [
      { plugin: { plugin_key: 'deleted-one' }, is_deleted: true, withdrawal: null },
    ]);
  });

  t.test('a withdrawn version', async (t) => {
    const key = 'two-versions';
    const { pluginId } = await addDelivered(key);
    await addVersion(db, dataDir, {
      pluginId,
      version: '1.2.0',
      content: packageOf('next'),
      isCurrent: true,
    });
    t.match(await (await deliver(key)).text(), /"next"/);
    t.equal((await withdraw(key, { version: '1.2.0' })).status, 200);
    t.match(await (await deliver(key)).text(), /"two-versions"/, 'the greatest of the others is current');
    await refused(t, await asAdmin(`manager/plugin/${key}/download?version=1.2.0`), 'VERSION_WITHDRAWN');
    const versions = async (userId?: number) => {
      const headers = userId === undefined ? {} : await bearer(userId);
      const answer = await ask(url, `plugin/version/list?plugin_key=${key}`, { headers });
      return dataOf(answer, contract.listVersions.data).version_list;
    };
    t.strictSame(
      (await versions()).map(({ version }) => version),
      ['1.1.0'],
    );
    t.match(await versions(PUBLISHER_ID), [
      { version: '1.2.0', withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true } },
      {},
      {},
    ]);
    for (const [userId, role] of [
      [PUBLISHER_ID, 0],
      [ADMIN, 2],
    ] as const) {
      const body = { plugin_key: key, version: '1.2.0', is_current: true };
      const headers = await bearer(userId, role);
      await refused(
        t,
        await ask(url, 'plugin/version', { method: 'PUT', headers, body }),
        'VERSION_WITHDRAWN',
      );
    }
    t.equal((await withdraw(key, { version: '1.1.0' })).status, 200);
    await refused(t, await deliver(key), 'VERSION_WITHDRAWN');
    t.match(await installed(key), {
      is_available: false,
      withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true },
    });
    t.equal((await ask(url, `plugin?plugin_key=${key}`)).status, 404, 'no version is left to show');
    t.equal((await restore(key, { version: '1.1.0' })).status, 200);
    t.match(await (await deliver(key)).text(), /"two-versions"/);
    t.equal((await restore(key, { version: '1.2.0' })).status, 200);
    t.match(
      await (await deliver(key)).text(),
      /"two-versions"/,
      'a restored version does not become current',
    );
  });

  t.test('approving the listing of a withdrawn version publishes nothing', async (t) => {
    const key = 'approved-again';
    const { pluginId } = await addDelivered(key);
    const submissionId = await addSubmission(db, { pluginId });
    await withdraw(key, { version: '1.1.0' });
    const body = { plugin_key: key, submission_id: submissionId, version: '1.1.0', audit_status: 2 };
    const answer = await asAdmin('plugin/audit/status', body, 'POST');
    t.equal(answer.status, 200);
    await refused(t, await deliver(key), 'VERSION_WITHDRAWN');
  });

  t.test('pictures and videos stop being public within a minute', async (t) => {
    const [own, shared, both] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
    const video = 'd'.repeat(64);
    await insertPictures(
      db,
      [own, shared, both].map((key) => ({ key, width: 320, height: 180, widths: [320], bytes: 1 })),
    );
    await pool.query(
      `insert into stored_file (file_key, extension, mime_type, bytes) values ($1, 'mp4', 'video/mp4', 1)`,
      [video],
    );
    const names = [...[own, shared, both].map((key) => `${key}-320.webp`), `${video}.mp4`];
    for (const name of names) await files.put(name, Buffer.from('x'));
    const look = async (name: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/cmt/media/${name}`, { headers });
    const statuses = async () => Promise.all(names.map(async (name) => (await look(name)).status));

    const { pluginId } = await addDelivered('with-pictures');
    const other = await addPlugin(db, { key: 'other-listed' });
    const deleted = await addPlugin(db, { key: 'other-deleted', deletedAt: new Date() });
    await db
      .updateTable('plugin')
      .set({ icon_key: own, cover_key: both })
      .where('id', '=', pluginId)
      .execute();
    await db
      .updateTable('plugin')
      .set({ icon_key: both, cover_key: shared })
      .where('id', '=', other)
      .execute();
    await db.updateTable('plugin').set({ icon_key: own }).where('id', '=', deleted).execute();
    await db
      .insertInto('plugin_media')
      .values({ plugin_id: pluginId, position: 1, file_key: video })
      .execute();
    t.strictSame(await statuses(), [200, 200, 200, 200]);
    await install('with-pictures');
    t.hasStrict(await installed('with-pictures'), { plugin: { icon: { key: own }, cover: { key: both } } });
    const found = await look(`${own}-320.webp`);
    const lifetime = Number(/s-maxage=(\d+)/.exec(found.headers.get('cache-control') ?? '')?.[1]);
    await withdraw('with-pictures');
    t.hasStrict(await installed('with-pictures'), { plugin: { icon: null, cover: null } });
    passed += 60_000 - lifetime * 1000;
    t.strictSame(await statuses(), [410, 200, 200, 410], 'what another listed plugin shows stays');
    const again = await look(`${own}-320.webp`, { 'if-none-match': found.headers.get('etag') ?? '' });
    t.equal(again.headers.get('cache-control'), 'no-store');
    await refused(t, again, 'MEDIA_WITHDRAWN');
    await restore('with-pictures');
    passed += 60_000;
    t.strictSame(await statuses(), [200, 200, 200, 200]);
  });

  t.test('it is in the audit log once, and its publisher is told', async (t) => {
    const key = 'kept-in-mind';
    await addDelivered(key);
    const first = await withdraw(key);
    await withdraw(key, { text: { 'en-US': 'Another' } });
    t.match((await asAdmin(`plugin?plugin_key=${key}`)).json, {
      data: { withdrawal: { reason: 'malware', text: 'Steals files', must_stop: true } },
    });
    t.equal(first.status, 200);
    await restore(key);
    await restore(key);
    await withdraw(key, { version: '1.1.0' });
    await restore(key, { version: '1.1.0' });
    const auditLog = dataOf(
      await asAdmin(`manager/audit-trail/list?target_id=${key}`),
      contract.listAuditLog.data,
    );
    const kept = { withdrawal: 'malware', must_stop: true, reason: 'Steals files' };
    t.strictSame(
      auditLog.entry_list.map(({ action, actor, detail }) => [action, actor.user_id, detail]),
      [
        ['version.restore', ADMIN, { version: '1.1.0' }],
        ['version.withdraw', ADMIN, { version: '1.1.0', ...kept }],
        ['plugin.restore', ADMIN, {}],
        ['plugin.withdraw', ADMIN, kept],
      ],
    );
    const { rows } = await pool.query(
      `select data from notice where user_id = ${PUBLISHER_ID} and kind = 'plugin_withdrawn'
        and data ->> 'plugin_key' = '${key}' order by id`,
    );
    t.match(rows, [
      { data: { withdrawal: 'malware', must_stop: true, texts: MALWARE.text } },
      { data: { version: '1.1.0' } },
    ]);
  });

  for (const [title, key, more, status, code] of [
    ['an unknown plugin', 'no-such-plugin', {}, 404, 'PLUGIN_NOT_FOUND'],
    ['an unknown version', 'listed-one', { version: '9.9.9' }, 404, 'VERSION_NOT_FOUND'],
    ['no reason', 'listed-one', { reason: undefined }, 400, 'VALIDATION_FAILED'],
    ['an unknown reason', 'listed-one', { reason: 'ugly' }, 400, 'VALIDATION_FAILED'],
    ['no text', 'listed-one', { text: { 'en-US': '  ' } }, 400, 'VALIDATION_FAILED'],
    [
      'a text that is too long',
      'listed-one',
      { text: { 'en-US': 'x'.repeat(501) } },
      400,
      'VALIDATION_FAILED',
    ],
    ['nothing about those who have it', 'listed-one', { must_stop: undefined }, 400, 'VALIDATION_FAILED'],
  ] as const) {
    t.test(`refused: ${title}`, async (t) => {
      const answer = await withdraw(key, more);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
      t.equal((await deliver('listed-one')).status, 200);
    });
  }
});
