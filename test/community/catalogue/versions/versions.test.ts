import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { shownPlugin } from '../../shown-plugin.ts';
import { addVersion } from './add-version.ts';

t.test('versions', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { bearer, db, url, dataDir } = community;

  type Body = Record<string, unknown>;
  const change = async (body: Body, userId = PUBLISHER_ID, role: 0 | 1 | 2 = 0): Promise<Answer> =>
    ask(url, 'plugin/version', { method: 'PUT', headers: await bearer(userId, role), body });

  /** Versions 1.0.0, 1.2.0 and 1.10.0 (current) have passed, 2.0.0 waits, 0.9.0 was refused. */
  async function addHistory(key: string): Promise<number> {
    const pluginId = await addPlugin(db, { key });
    await addVersion(db, dataDir, { pluginId, version: '0.9.0', status: 3 });
    await addVersion(db, dataDir, { pluginId, version: '1.2.0' });
    await addVersion(db, dataDir, { pluginId, version: '1.10.0', isCurrent: true });
    await addVersion(db, dataDir, { pluginId, version: '2.0.0', status: 1 });
    return pluginId;
  }

  const detail = async (key: string) => shownPlugin(await ask(url, `plugin?plugin_key=${key}`));
  const shown = async (key: string) => {
    const answer = await ask(url, `plugin/version/list?plugin_key=${key}`);
    return dataOf(answer, contract.listVersions.data).version_list.map(({ version }) => version);
  };

  t.test('switching to an earlier version and back', async (t) => {
    const key = 'back-and-forth';
    await addHistory(key);
    const before = (await detail(key)).updated_at;
    t.strictSame((await change({ plugin_key: key, version: '1.0.0', is_current: true })).json, {
      code: 0,
      message: 'ok',
      data: {},
    });
    t.hasStrict(await detail(key), { version: '1.0.0', updated_at: before });
    t.equal((await change({ plugin_key: key, version: '1.0.0', is_current: true })).status, 200);
    t.equal((await detail(key)).version, '1.0.0', 'nothing has changed');
    t.equal((await change({ plugin_key: key, version: '1.10.0', is_current: true })).status, 200);
    t.hasStrict(await detail(key), { version: '1.10.0', updated_at: before });
  });

  t.test('hiding and showing another version does not change the current one', async (t) => {
    const key = 'hide-an-old-one';
    await addHistory(key);
    const before = await detail(key);
    t.equal((await change({ plugin_key: key, version: '1.2.0', is_hidden: true })).status, 200);
    t.strictSame(await shown(key), ['1.10.0', '1.0.0']);
    t.strictSame(await detail(key), before);
    t.equal((await change({ plugin_key: key, version: '1.2.0', is_hidden: false })).status, 200);
    t.strictSame(await shown(key), ['1.10.0', '1.2.0', '1.0.0']);
    t.strictSame(await detail(key), before);
  });

  t.test('hiding the current version makes the greatest of the others current', async (t) => {
    const key = 'hide-the-current';
    await addHistory(key);
    const hide = (version: string) => change({ plugin_key: key, version, is_hidden: true });
    t.equal((await hide('1.10.0')).status, 200);
    t.equal((await detail(key)).version, '1.2.0', 'not 2.0.0, which waits');
    t.equal((await hide('1.2.0')).status, 200);
    t.equal((await detail(key)).version, '1.0.0');
    const refused = await hide('1.0.0');
    t.equal(refused.status, 409);
    t.match(refused.json, { code: 'VERSION_NEEDED', message: 'The last visible version cannot be hidden.' });
    t.strictSame(await shown(key), ['1.0.0']);
    t.equal((await change({ plugin_key: key, version: '1.2.0', is_current: true })).status, 200);
    t.equal((await detail(key)).version, '1.2.0', 'the new current version is shown again');
    t.strictSame(await shown(key), ['1.2.0', '1.0.0']);
  });

  await addHistory('all-refused');
  await addPlugin(db, { key: 'never-passed', auditStatus: 1 });
  const key = 'all-refused';
  const OWNER = PUBLISHER_ID;
  const refusals: [title: string, body: Body, userId: number, status: number, code: string][] = [
    ['an unknown version', { version: '3.0.0', is_current: true }, OWNER, 404, 'VERSION_NOT_FOUND'],
    [
      'a waiting version as current',
      { version: '2.0.0', is_current: true },
      OWNER,
      422,
      'VERSION_NOT_PASSED',
    ],
    ['one that was refused', { version: '0.9.0', is_current: true }, OWNER, 422, 'VERSION_NOT_PASSED'],
    ['one that waits, hidden', { version: '2.0.0', is_hidden: true }, OWNER, 422, 'VERSION_NOT_PASSED'],
    ['no change', { version: '1.2.0' }, OWNER, 400, 'VALIDATION_FAILED'],
    [
      'both at once',
      { version: '1.2.0', is_current: true, is_hidden: true },
      OWNER,
      400,
      'VALIDATION_FAILED',
    ],
    ['no current version', { version: '1.2.0', is_current: false }, OWNER, 400, 'VALIDATION_FAILED'],
    ['no version', { is_current: true }, OWNER, 400, 'VALIDATION_FAILED'],
    ['a number for a version', { version: 1, is_hidden: true }, OWNER, 400, 'VALIDATION_FAILED'],
    ['a plugin of another user', { version: '1.2.0', is_current: true }, 7, 403, 'FORBIDDEN'],
    [
      'an unknown plugin',
      { plugin_key: 'no-such-plugin', version: '1.0.0', is_hidden: true },
      OWNER,
      404,
      'PLUGIN_NOT_FOUND',
    ],
    [
      'an unpublished plugin of another user',
      { plugin_key: 'never-passed', version: '1.0.0', is_hidden: true },
      7,
      404,
      'PLUGIN_NOT_FOUND',
    ],
    [
      'a plugin that never passed',
      { plugin_key: 'never-passed', version: '1.0.0', is_current: true },
      OWNER,
      422,
      'VERSION_NOT_PASSED',
    ],
  ];
  for (const [title, body, userId, status, code] of refusals) {
    t.test(`refused, and nothing changed: ${title}`, async (t) => {
      const answer = await change({ plugin_key: key, ...body }, userId);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
      t.equal((await detail(key)).version, '1.10.0');
      t.strictSame(await shown(key), ['1.10.0', '1.2.0', '1.0.0']);
    });
  }

  const trailOf = async (target: string) => {
    const headers = await bearer(1, 2);
    const answer = await ask(url, `manager/audit-trail/list?target_id=${target}`, { headers });
    return dataOf(answer, contract.listAuditLog.data).entry_list.map(
      ({ action, actor, detail, target_name }) => [action, actor.user_id, detail.version, target_name],
    );
  };

  t.test('administrators may change versions, which is recorded in the audit log', async (t) => {
    const key = 'kept-in-mind';
    const name = 'Plugin of kept-in-mind';
    const pluginId = await addHistory(key);
    await db.updateTable('plugin_text').set({ name }).where('plugin_id', '=', pluginId).execute();
    const asAdmin = async (body: Body) => (await change({ plugin_key: key, ...body }, 1, 2)).status;
    t.equal(await asAdmin({ version: '1.2.0', is_current: true }), 200);
    t.equal((await detail(key)).version, '1.2.0');
    t.equal(await asAdmin({ version: '1.2.0', is_current: true }), 200, 'nothing has changed');
    t.equal(await asAdmin({ version: '1.10.0', is_hidden: true }), 200);
    t.equal(await asAdmin({ version: '1.10.0', is_hidden: false }), 200);
    t.equal(await asAdmin({ version: '1.2.0', is_hidden: true }), 200, 'another one becomes current by it');
    t.equal(await asAdmin({ version: '9.9.9', is_hidden: true }), 404);
    t.strictSame(await trailOf(key), [
      ['version.current', 1, '1.10.0', name],
      ['version.hide', 1, '1.2.0', name],
      ['version.show', 1, '1.10.0', name],
      ['version.hide', 1, '1.10.0', name],
      ['version.current', 1, '1.2.0', name],
    ]);
  });

  t.test('changes by publishers are in the audit log too', async (t) => {
    await addHistory('own-affair');
    const hidden = { plugin_key: 'own-affair', version: '1.10.0', is_hidden: true };
    t.equal((await change(hidden)).status, 200);
    t.strictSame(await trailOf('own-affair'), [
      ['version.current', PUBLISHER_ID, '1.2.0', 'Plugin own-affair'],
      ['version.hide', PUBLISHER_ID, '1.10.0', 'Plugin own-affair'],
    ]);
  });

  t.test('what an administrator hid only administrators show', async (t) => {
    const key = 'hidden-by-admin';
    await addHistory(key);
    const put = async (body: Body, userId = PUBLISHER_ID, role: 0 | 1 | 2 = 0) => {
      const answer = await change({ plugin_key: key, version: '1.2.0', ...body }, userId, role);
      return answer.status === 200 ? 200 : answer.json;
    };
    const refused = { code: 'HIDDEN_BY_ADMIN', message: 'An administrator has hidden this version.' };
    t.equal(await put({ is_hidden: true }), 200);
    t.equal(await put({ is_hidden: false }), 200, 'what a publisher hid they show');
    t.equal(await put({ is_hidden: true }), 200);
    t.equal(await put({ is_hidden: true }, 1, 2), 200, 'an administrator takes it over');
    t.strictSame(await put({ is_hidden: false }), refused);
    t.strictSame(await put({ is_current: true }), refused);
    t.equal(await put({ is_hidden: true }), 200, 'hiding it again does not make it theirs');
    t.strictSame(await put({ is_hidden: false }), refused);
    t.strictSame(await shown(key), ['1.10.0', '1.0.0']);
    t.equal((await detail(key)).version, '1.10.0');
    t.equal(await put({ is_current: true }, 2, 1), 200);
    t.strictSame(await shown(key), ['1.10.0', '1.2.0', '1.0.0']);
    t.equal(await put({ is_hidden: true }), 200, 'shown again, it is the publisher’s');
    t.equal(await put({ is_hidden: false }), 200);
  });

  t.test('of two simultaneous requests that hide the last two versions one fails', async (t) => {
    const pluginId = await addPlugin(db, { key: 'race-to-hide' });
    await addVersion(db, dataDir, { pluginId, version: '1.1.0', isCurrent: true });
    const answers = await Promise.all(
      ['1.0.0', '1.1.0'].map((version) => change({ plugin_key: 'race-to-hide', version, is_hidden: true })),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 409]);
    t.strictSame(await shown('race-to-hide'), [(await detail('race-to-hide')).version]);
  });
});

t.test('download', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url, dataDir, bearer } = community;
  const pluginId = await addPlugin(db, { key: 'fetched-plugin' });
  await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: '{"is":"current"}', isCurrent: true });
  await addVersion(db, dataDir, { pluginId, version: '1.2.0', content: '{"is":"hidden"}', isHidden: true });
  await addVersion(db, dataDir, { pluginId, version: '2.0.0', content: '{"is":"waiting"}', status: 1 });
  const unpassed = await addPlugin(db, { key: 'never-passed', auditStatus: 1 });
  await addVersion(db, dataDir, { pluginId: unpassed, version: '1.1.0', content: '{"is":"new"}', status: 1 });
  await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', unpassed).execute();
  const deleted = await addPlugin(db, { key: 'deleted-plugin', deletedAt: new Date() });
  await addVersion(db, dataDir, { pluginId: deleted, version: '1.1.0', content: '{"is":"deleted"}' });
  await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', deleted).execute();

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
    ['what a publisher has deleted', 'deleted-plugin', '', '{"is":"deleted"}'],
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

  t.test('a file that is missing in the store is a clear error', async (t) => {
    await rm(join(dataDir, 'files'), { recursive: true });
    const answer = await download('fetched-plugin');
    t.equal(answer.status, 404);
    t.hasStrict(await answer.json(), { code: 'MEDIA_NOT_FOUND' });
  });
});
