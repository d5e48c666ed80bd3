import { execFileSync } from 'node:child_process';
import t from 'tap';
import type { PluginVersion } from '../../../shared/entities/plugin.ts';
import type { PublishToken } from '../../../shared/entities/review.ts';
import { apiError } from '../../../web/api/api-error.ts';
import { createAuthClient } from '../../../web/features/session/auth-client.ts';
import { readFrameMessage } from '../../../web/features/session/frame-message.ts';
import {
  deletePendingAction,
  isMark,
  storePendingAction,
  takePendingAction,
} from '../../../web/features/session/pending-action-storage.ts';
import { signInUrl } from '../../../web/features/session/sign-in-url.ts';
import { curlExample, tokenState } from '../../../web/features/tokens/token-state.ts';
import { versionError, versionsAfter } from '../../../web/features/versions-admin/version-changes.ts';

t.test('session', async (t) => {
  t.test('the sign-in URL has the complete return path', async (t) => {
    const url = new URL(signInUrl('/plugins/?keyword=a%26b&sort=1#x', { signUp: true }), 'http://page');
    t.equal(url.pathname, '/api/auth/login');
    t.equal(url.searchParams.get('return_to'), '/plugins/?keyword=a%26b&sort=1#x');
    t.equal(url.searchParams.get('page'), 'sign_up');
    const plain = new URL(signInUrl('/plugins/'), 'http://page').searchParams;
    t.strictSame(Object.fromEntries(plain), { return_to: '/plugins/', ux_mode: 'redirect' });
    const framed = new URL(signInUrl('/plugins/', { mode: 'auth' }), 'http://page').searchParams;
    t.equal(framed.get('ux_mode'), 'auth');
  });

  /** An auth client with or without a session, its warnings and its callbacks. */
  function authClient(view: { signed_in: boolean } = SIGNED_IN) {
    const warned: string[] = [];
    const received: unknown[] = [];
    const requests = { count: 0 };
    const client = createAuthClient({
      readSession: async () => {
        requests.count += 1;
        return { ...NOBODY, ...view };
      },
      warn: (text) => warned.push(text),
    });
    return { client, warned, received, requests, onAccess: (session: unknown) => received.push(session) };
  }
  const NOBODY = { signed_in: false, user: null, role: null, login_method: null, expires_at: null };
  const SIGNED_IN = { signed_in: true };

  t.test("calls before init throw 'auth never init'", async (t) => {
    const { client, requests } = authClient();
    await t.rejects(client.validate(), { message: 'auth never init' });
    t.throws(() => client.signInUrl(), { message: 'auth never init' });
    t.equal(requests.count, 0);
  });

  t.test('init with missing options returns false, warns and changes nothing', async (t) => {
    const { client, warned, onAccess } = authClient();
    t.equal(client.init(undefined, onAccess), false);
    t.equal(client.init({ redirect_url: '/plugins/' }, undefined), false);
    t.equal(client.init({}, onAccess), false);
    t.equal(client.init({ redirect_url: '' }, onAccess), false);
    t.strictSame(warned, [
      'initOptions or accessCallback is empty',
      'initOptions or accessCallback is empty',
      'redirect_url is empty',
      'redirect_url is empty',
    ]);
    await t.rejects(client.validate(), { message: 'auth never init' });
    t.equal(client.init({ redirect_url: '/plugins/?a=1' }, onAccess), true);
    t.equal(
      client.signInUrl({ mode: 'popup' }),
      '/api/auth/login?return_to=%2Fplugins%2F%3Fa%3D1&ux_mode=popup',
    );
    t.equal(warned.length, 4);
  });

  t.test("without a session validation throws 'no exist local authInfo'", async (t) => {
    const { client, received, onAccess } = authClient({ signed_in: false });
    client.init({ redirect_url: '/plugins/' }, onAccess);
    await t.rejects(client.validate(), { message: 'no exist local authInfo' });
    t.strictSame(received, []);
  });

  t.test('concurrent validations share one request and get the session', async (t) => {
    const { client, received, requests, onAccess } = authClient();
    client.init({ redirect_url: '/plugins/' }, onAccess);
    const found = await Promise.all([client.validate(), client.validate(), client.validate()]);
    t.strictSame(found, Array(3).fill({ ...NOBODY, signed_in: true }));
    t.strictSame([received.length, requests.count], [1, 1]);
    await client.validate();
    t.strictSame([received.length, requests.count], [2, 2]);
  });

  t.test('only valid frame messages are accepted', async (t) => {
    const message = (type: string, fields: object = {}) =>
      readFrameMessage({ type: `plugin-square:${type}`, ...fields });
    t.strictSame(message('signed-in', { return_to: 'https://evil.example/' }), { kind: 'signed-in' });
    t.strictSame(message('sign-in-left'), { kind: 'left' });
    t.strictSame(message('sign-in-failed', { code: 'CODE_INVALID' }), {
      kind: 'failed',
      code: 'CODE_INVALID',
    });
    for (const code of [undefined, 7, '', '<b>', 'code err'])
      t.equal(message('sign-in-failed', { code }), undefined);
    t.strictSame(message('sign-in-shown', { height: 333.2 }), { kind: 'shown', height: 334 });
    t.strictSame(message('sign-in-shown', { height: 1e9 }), { kind: 'shown', height: 2000 });
    t.strictSame(message('sign-in-shown', { height: -5 }), { kind: 'shown', height: 120 });
    for (const height of [undefined, '400', Number.NaN, Number.POSITIVE_INFINITY])
      t.equal(message('sign-in-shown', { height }), undefined);
    for (const data of [
      undefined,
      null,
      'plugin-square:signed-in',
      7,
      {},
      { type: 7 },
      { type: 'constructor' },
    ])
      t.equal(readFrameMessage(data), undefined);
  });

  t.test('a pending action is returned once and expires after ten minutes', async (t) => {
    const now = Date.UTC(2026, 4, 20);
    storePendingAction('one', now);
    const mark = storePendingAction('two', now);
    t.equal(takePendingAction(now + 599_999, mark), 'two', 'the last one counts');
    t.equal(takePendingAction(now, mark), undefined);
    t.equal(takePendingAction(now + 600_000, storePendingAction('late', now)), undefined);
    t.equal(takePendingAction(now, storePendingAction('from a clock ahead', now + 1)), undefined);
    const givenUp = storePendingAction('given up', now);
    deletePendingAction();
    t.equal(takePendingAction(now, givenUp), undefined);
  });

  t.test('a pending action is returned only to the sign-in that it waits for', async (t) => {
    const now = Date.UTC(2026, 4, 20);
    const former = storePendingAction('one', now);
    const mark = storePendingAction('two', now);
    t.not(mark, former);
    t.strictSame([isMark(mark), isMark(''), isMark('#versions')], [true, false, false]);
    for (const other of ['', '#', '#versions', former, mark.slice(0, -1)])
      t.equal(takePendingAction(now, other), undefined, `a page loaded with “${other}”`);
    t.equal(takePendingAction(now, mark), 'two', 'it was kept for its sign-in');
  });
});

t.test('publish tokens', async (t) => {
  const NOW = Date.UTC(2026, 4, 20);
  const DAY = 86_400_000;

  const token: PublishToken = {
    id: 1,
    name: 'CI',
    hint: 'psq_ab',
    plugin_key: null,
    created_at: new Date(NOW - DAY).toISOString(),
    expires_at: new Date(NOW + DAY).toISOString(),
    last_used_at: null,
    revoked_at: null,
  };

  t.test('a token works until it expires or is revoked', async (t) => {
    t.equal(tokenState(token, NOW), 'active');
    t.equal(tokenState(token, NOW + DAY), 'expired');
    const revoked = { ...token, revoked_at: new Date(NOW).toISOString() };
    t.equal(tokenState(revoked, NOW), 'revoked');
    t.equal(tokenState(revoked, NOW + 2 * DAY), 'revoked', 'revoked takes precedence');
  });

  t.test('the example is one valid shell command', async (t) => {
    const address = new URL('https://square.example/api/cmt/plugin');
    const command = curlExample({ address, pluginKey: 'abcdefgh12345678' });
    const words = execFileSync('sh', ['-c', `set -- ${command}; printf '%s\\n' "$@"`], {
      env: { PUBLISH_TOKEN: 'psq_secret' },
      encoding: 'utf8',
    }).trimEnd();
    t.strictSame(words.split('\n'), [
      'curl',
      '--fail-with-body',
      '--silent',
      '--show-error',
      '-H',
      'Authorization: Bearer psq_secret',
      '-F',
      'plugin_key=abcdefgh12345678',
      '-F',
      'version=1.2.0',
      '-F',
      'version_note=What is new',
      '-F',
      'code=@plugin.json',
      'https://square.example/api/cmt/plugin?dry_run=1',
    ]);
  });

  t.test('the example of an unlimited token has a placeholder for the key', async (t) => {
    const address = new URL('https://square.example/api/cmt/plugin');
    t.match(curlExample({ address, pluginKey: null }), 'plugin_key=YOUR_PLUGIN_KEY');
  });
});

t.test('managed versions', async (t) => {
  const versionOf = (version: string, changes: Partial<PluginVersion> = {}): PluginVersion => ({
    version,
    kind: 'new',
    note: '',
    lang: 'en-US',
    is_current: false,
    is_hidden: false,
    audit_status: 2,
    created_at: new Date(0).toISOString(),
    ...changes,
  });

  const history = [versionOf('1.2.0', { is_current: true }), versionOf('1.1.0', { is_hidden: true })];

  t.test('exactly one version is current, and it is not hidden', async (t) => {
    const after = versionsAfter(history, { version: '1.1.0', is_current: true });
    t.hasStrict(after, [
      { version: '1.2.0', is_current: false },
      { version: '1.1.0', is_current: true, is_hidden: false },
    ]);
  });

  t.test('hiding and restoring change nothing else', async (t) => {
    t.hasStrict(versionsAfter(history, { version: '1.1.0', is_hidden: false }), [
      { version: '1.2.0', is_current: true, is_hidden: false },
      { version: '1.1.0', is_current: false, is_hidden: false },
    ]);
    t.hasStrict(versionsAfter(history, { version: '1.2.0', is_hidden: true }), [{ is_hidden: true }, {}]);
  });

  t.test('the error text follows the error code', async (t) => {
    t.equal(versionError(apiError({ status: 409, reason: 'VERSION_NEEDED' })), 'only_one');
    t.equal(versionError(apiError({ status: 404, reason: 'PLUGIN_NOT_FOUND' })), 'gone');
    t.equal(versionError(apiError({ status: 403, reason: 'FORBIDDEN' })), 'forbidden');
    t.equal(versionError(apiError({ status: 0 })), 'failed');
  });
});
