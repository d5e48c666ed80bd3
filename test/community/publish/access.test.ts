import t from 'tap';
import { testCommunity } from '../../support/community.ts';
import { formOf, jsonFile, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

const open = await testCommunity(t, { publishers: 'members' });
const { send, sent, storedState, pass } = publishing(open);
const { plugin_key } = await sent(pluginForm());
const change = () => formOf({ plugin_key, contact: 'other@example.com' });
await send(change(), { method: 'PUT', userId: 8 });

t.test('an anonymous request gets 401', async (t) => {
  for (const method of ['POST', 'PUT']) {
    const answer = await fetch(`${open.url}/api/cmt/plugin`, { method, body: pluginForm() });
    t.equal(answer.status, 401);
    t.hasStrict(await answer.json(), { code: 'UNAUTHENTICATED' });
  }
  t.equal((await fetch(`${open.url}/api/cmt/plugin/publish-rules`)).status, 401);
});

t.test('members cannot publish where only administrators may', async (t) => {
  const closed = await testCommunity(t);
  const { send, sent, storedState } = publishing(closed);
  const before = await storedState();
  t.hasStrict(await send(pluginForm()), { status: 403, json: { code: 'FORBIDDEN' } });
  t.hasStrict(await send(pluginForm(), { query: '?dry_run=1' }), { status: 403 });
  const { rows, files } = await storedState();
  t.strictSame(
    [{ ...Object(rows), person: 0 }, files],
    [{ ...Object(before.rows), person: 0 }, before.files],
  );
  t.equal((await sent(pluginForm(), { role: 2 })).audit_status, 1);
});

t.test('a plugin of another publisher', async (t) => {
  const before = await storedState();
  const stranger = { method: 'PUT', userId: 8 } as const;
  t.hasStrict(await send(change(), stranger), { status: 404, json: { code: 'PLUGIN_NOT_FOUND' } });
  const version = () => pluginForm({ plugin_key, version: '2.0.0', code: jsonFile(packageText({}, 'x();')) });
  t.hasStrict(await send(version(), { userId: 8 }), { status: 404 });
  t.strictSame(await storedState(), before);
  await pass(plugin_key);
  const live = await storedState();
  t.hasStrict(await send(change(), stranger), { status: 403, json: { code: 'FORBIDDEN' } });
  t.hasStrict(await send(version(), { userId: 8 }), { status: 403 });
  t.hasStrict(await send(change(), { ...stranger, query: '?dry_run=1' }), { status: 403 });
  t.strictSame(await storedState(), live);
});

t.test('an administrator may change any plugin', async (t) => {
  t.hasStrict(await sent(change(), { method: 'PUT', userId: 1, role: 2 }), { plugin_key, audit_status: 1 });
});

t.test('a deleted plugin cannot be changed', async (t) => {
  await open.pool.query('update plugin set deleted_at = now() where plugin_key = $1', [plugin_key]);
  t.equal((await send(change(), { method: 'PUT' })).status, 404);
  t.equal((await send(change(), { method: 'PUT', role: 1 })).status, 404);
});

/** A publish token of user 9, an administrator. */
const token = async (body: object) => {
  const response = await fetch(`${open.url}/api/cmt/plugin/token`, {
    method: 'POST',
    headers: { ...(await open.bearer(9, 1)), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data } = await response.json();
  return `Bearer ${data.secret}`;
};
const call = async (authorization: string, method: string, body: FormData, query = '') => {
  const response = await fetch(`${open.url}/api/cmt/plugin${query}`, {
    method,
    headers: { authorization },
    body,
  });
  return { status: response.status, json: await response.json() };
};

t.test('a publish token has the rights of a member, within its scope', async (t) => {
  const own = await sent(pluginForm({ code: jsonFile(packageText({}, 'own();')) }), { userId: 9, role: 1 });
  const bound = await token({ name: 'ci', plugin_key: own.plugin_key });
  const free = await token({ name: 'all' });
  const fresh = (name: string) =>
    pluginForm({ plugin_mark: 'Official', code: jsonFile(packageText({}, `${name}();`)) });
  t.equal((await call(bound, 'POST', fresh('bound'))).status, 403);
  const created = await call(free, 'POST', fresh('free'));
  t.equal(created.status, 200);
  const { rows } = await open.pool.query(
    `select plugin_mark, publisher_id from plugin where plugin_key = $1`,
    [created.json.data.plugin_key],
  );
  t.strictSame(rows, [{ plugin_mark: '', publisher_id: 9 }]);
  const mine = () => formOf({ plugin_key: own.plugin_key, contact: 'ci@example.com' });
  t.equal((await call(bound, 'PUT', mine())).status, 200);
  const others = await sent(pluginForm({ code: jsonFile(packageText({}, 'others();')) }), { userId: 10 });
  const foreign = formOf({ plugin_key: others.plugin_key, contact: 'ci@example.com' });
  t.equal((await call(free, 'PUT', foreign)).status, 404, 'although its owner is an administrator');
});

t.test('submissions by a publish token have the same required fields as the form', async (t) => {
  const ci = await token({ name: 'incomplete' });
  const missing = (...pointers: string[]) => ({
    status: 422,
    json: {
      code: 'LISTING_INVALID',
      errors: pointers.map((pointer) => ({
        code: 'FIELD_REQUIRED',
        severity: 'error',
        pointer,
        message: 'This is required.',
      })),
    },
  });
  const bare = () => formOf({ code: jsonFile(packageText({}, 'bare();')) });
  const before = await storedState();
  for (const query of ['', '?dry_run=1'])
    t.match(
      await call(ci, 'POST', bare(), query),
      missing('/intro', '/description', '/contact', '/version_note'),
      `new plugin ${query}`,
    );
  const own = await sent(pluginForm({ code: jsonFile(packageText({}, 'whole();')) }), { userId: 9, role: 1 });
  const after = await storedState();
  const version = () =>
    formOf({ plugin_key: own.plugin_key, version: '1.1.0', code: jsonFile(packageText({}, 'next();')) });
  t.match(await call(ci, 'POST', version()), missing('/version_note'), 'its next version');
  const emptied = () => formOf({ plugin_key: own.plugin_key, intro: '{}', contact: '' });
  t.match(await call(ci, 'PUT', emptied()), missing('/intro', '/contact'), 'a form that removes texts');
  t.not(before.files.length, after.files.length);
  t.strictSame(await storedState(), after, 'nothing is left of it');
});
