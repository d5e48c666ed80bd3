import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import type { ListingEvent } from '../../../../shared/entities/plugin.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { formOf, jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { publishing } from '../../publishing/publish/publishing.ts';
import { reviewer } from '../../review/decisions/reviewer.ts';

const ADMIN = 1;
const MEMBER = 7;

t.test('the history of a listing', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, bearer, pool } = community;
  const { sent, pass } = publishing(community);
  const { decide } = reviewer(community);
  const page = async (plugin_key: string, query = '', headers: Record<string, string> = {}) =>
    dataOf(
      await ask(url, `plugin/history?plugin_key=${plugin_key}${query}`, { headers }),
      contract.listHistory.data,
    );
  const events = async (plugin_key: string, query = '') =>
    (await page(plugin_key, query)).event_list.map(({ at: _, ...event }) => event);
  const nothing = { version: null, renamed: null, parts: [], rights: null };
  const domains = (allowedDomains: string[]) => ({
    manifest: {
      name: 'Grid Keeper',
      api: '1.0.0',
      main: 'main.js',
      editorType: ['pixso'],
      networkAccess: { allowedDomains },
    },
  });
  const admin = async (path: string, body: object): Promise<void> => {
    const answer = await ask(url, path, { method: 'PUT', headers: await bearer(ADMIN, 2), body });
    t.equal(answer.status, 200);
  };
  const withdraw = (plugin_key: string, more: object) =>
    admin('manager/plugin/withdrawn', {
      plugin_key,
      ...{ is_withdrawn: true, reason: 'vulnerable', text: { 'en-US': 'A flaw' }, must_stop: false },
      ...more,
    });
  let serial = 0;
  const code = (change: object = {}) => {
    serial += 1;
    return jsonFile(packageText({ ...change }, `console.log('history ${serial}');\n`));
  };
  /** A plugin with an approved first version. */
  const published = async (): Promise<string> => {
    const { plugin_key } = await sent(pluginForm({ code: code() }));
    await pass(plugin_key);
    return plugin_key;
  };
  const put = (parts: Parameters<typeof formOf>[0]) => sent(formOf(parts), { method: 'PUT' });

  t.test('tells of approvals, with names, parts and rights, latest first', async (t) => {
    const plugin_key = await published();
    await put({ plugin_key, name: '{"en-US":"Grid Guard","zh-CN":"网格管家"}', license: 'MIT' });
    t.strictSame(await events(plugin_key), [{ ...nothing, kind: 'published', version: '1.0.0' }]);
    await pass(plugin_key);
    await put({
      plugin_key,
      code: code(domains(['api.example.com'])),
      version: '1.1.0',
      version_note: 'More',
    });
    await pass(plugin_key);
    const found = await events(plugin_key);
    t.strictSame(found, [
      {
        ...nothing,
        kind: 'changed',
        version: '1.1.0',
        rights: {
          domains: { added: ['api.example.com'], removed: [] },
          permissions: { added: [], removed: [] },
        },
      },
      {
        ...nothing,
        kind: 'changed',
        renamed: { from: 'Grid Keeper', from_lang: 'en-US', to: 'Grid Guard', to_lang: 'en-US' },
        parts: ['name', 'license'],
      },
      { ...nothing, kind: 'published', version: '1.0.0' },
    ] satisfies Omit<ListingEvent, 'at'>[]);
    const chinese = await page(plugin_key, '', { 'accept-language': 'zh-CN' });
    t.equal(chinese.event_list[1]?.renamed, null, 'the name of this language stayed');
    const first = await page(plugin_key, '&limit=2');
    t.equal(first.event_list.length, 2);
    const last = await page(plugin_key, `&limit=2&cursor=${first.next_cursor}`);
    t.match(last, { next_cursor: null, event_list: [{ kind: 'published' }] });
  });

  t.test('tells of withdrawals and deprecations, and of neither reasons nor people', async (t) => {
    const plugin_key = await published();
    await put({ plugin_key, code: code(), version: '1.1.0', version_note: 'More' });
    await pass(plugin_key);
    await withdraw(plugin_key, { version: '1.1.0' });
    await withdraw(plugin_key, { version: '1.1.0', is_withdrawn: false });
    await admin('plugin/deprecation', { plugin_key, is_deprecated: true });
    await admin('plugin/deprecation', { plugin_key, is_deprecated: true, text: { 'en-US': 'Take another' } });
    await admin('plugin/deprecation', { plugin_key, is_deprecated: false });
    await admin('manager/plugin/hidden', { plugin_key, is_hidden: true });
    await admin('manager/plugin/hidden', { plugin_key, is_hidden: false });
    t.strictSame(await events(plugin_key, '&limit=6'), [
      { ...nothing, kind: 'shown' },
      { ...nothing, kind: 'hidden' },
      { ...nothing, kind: 'maintained' },
      { ...nothing, kind: 'deprecated' },
      { ...nothing, kind: 'restored', version: '1.1.0' },
      { ...nothing, kind: 'withdrawn', version: '1.1.0' },
    ]);
  });

  t.test('says that an approval was taken back, and nothing of what it had approved', async (t) => {
    const plugin_key = await published();
    await put({
      plugin_key,
      code: code(),
      version: '1.1.0',
      version_note: 'More',
      name: '{"en-US":"Bad name"}',
    });
    await pass(plugin_key);
    const answer = await decide({ plugin_key, audit_status: 3, expected_status: 2, reason: 'Bad name' });
    t.equal(answer.status, 200);
    const found = await events(plugin_key);
    t.strictSame(found, [
      { ...nothing, kind: 'revoked', version: '1.1.0' },
      { ...nothing, kind: 'published', version: '1.0.0' },
    ]);
  });

  t.test('a hidden version is not told of, a rejected change neither', async (t) => {
    const plugin_key = await published();
    await put({
      plugin_key,
      code: code(domains(['api.example.com'])),
      version: '1.1.0',
      version_note: 'More',
    });
    await pass(plugin_key);
    await put({ plugin_key, code: code(), version: '1.2.0', version_note: 'More' });
    await pass(plugin_key);
    const headers = await bearer(MEMBER);
    const hidden = await ask(url, 'plugin/version', {
      method: 'PUT',
      headers,
      body: { plugin_key, version: '1.1.0', is_hidden: true },
    });
    t.equal(hidden.status, 200);
    await put({ plugin_key, intro: 'Rejected' });
    t.equal((await decide({ plugin_key, audit_status: 3, reason: 'No' })).status, 200);
    t.strictSame(await events(plugin_key), [
      { ...nothing, kind: 'changed', version: '1.2.0' },
      { ...nothing, kind: 'published', version: '1.0.0' },
    ]);
  });

  t.test('tells since when the publisher is verified, while they are', async (t) => {
    const plugin_key = await published();
    await pool.query("update person set verified_as = '' where user_id = $1", [MEMBER]);
    await pool.query(
      `insert into verification_decision (user_id, is_verified, reason, decided_by, decided_at)
        values ($1, true, 'Known to us', $2, now())`,
      [MEMBER, ADMIN],
    );
    t.strictSame(await events(plugin_key, '&limit=1'), [{ ...nothing, kind: 'verified' }]);
    await pool.query('update person set verified_as = null where user_id = $1', [MEMBER]);
    t.strictSame(await events(plugin_key, '&limit=1'), [{ ...nothing, kind: 'published', version: '1.0.0' }]);
  });

  t.test('nobody reads the history of what they do not see', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: code() }));
    const asked = (headers = {}) => ask(url, `plugin/history?plugin_key=${plugin_key}`, { headers });
    t.hasStrict(await asked(), { status: 404, json: { code: 'PLUGIN_NOT_FOUND' } });
    t.strictSame(dataOf(await asked(await bearer(MEMBER)), contract.listHistory.data), {
      next_cursor: null,
      event_list: [],
    });
  });
});
