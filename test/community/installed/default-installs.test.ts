import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

const community = await testCommunity(t);
const { db, pool, url } = community;
const admin = await community.bearer(1, 1);

const setDefault = (plugin_key: string, is_silent = true) =>
  ask(url, 'plugin/silent_install', { method: 'PUT', headers: admin, body: { plugin_key, is_silent } });
const signIn = async (userId: number) =>
  dataOf(
    await ask(url, 'plugin/user/new/silent', { method: 'POST', headers: await community.bearer(userId) }),
    contract.installDefaults.data,
  ).plugin_keys;
const use = async (method: string, userId: number, plugin_key: string) =>
  ask(url, 'plugin/user', { method, headers: await community.bearer(userId), body: { plugin_key } });
const installs = async (plugin_key: string) =>
  dataOf(await ask(url, `plugin?plugin_key=${plugin_key}`), contract.readPlugin.data).install_count;
const rows = async (plugin_key: string) =>
  (
    await pool.query(
      `select count(*) from plugin_install where uninstalled_at is null
        and plugin_id = (select id from plugin where plugin_key = $1)`,
      [plugin_key],
    )
  ).rows[0].count;

for (const key of ['default-one', 'default-two', 'later-one']) await addPlugin(db, { key });

t.test('a default is installed on the first sign-in, once', async (t) => {
  t.strictSame(await signIn(7), [], 'there is none yet');
  t.hasStrict(dataOf(await setDefault('default-one'), contract.setSilentInstall.data), {
    is_silent: true,
    plugin: { plugin_key: 'default-one' },
  });
  await setDefault('default-two');
  t.strictSame(await signIn(7), ['default-one', 'default-two']);
  t.strictSame(await signIn(7), []);
  t.equal(await installs('default-one'), 1);
  const { rows: kept } = await pool.query('select is_silent from plugin_install where user_id = 7');
  t.strictSame(kept, [{ is_silent: true }, { is_silent: true }]);
});

t.test('a later default is installed on the next sign-in', async (t) => {
  await setDefault('later-one');
  t.strictSame(await signIn(7), ['later-one']);
});

t.test('an uninstalled default is not installed again, even as a new default', async (t) => {
  await use('DELETE', 7, 'default-one');
  t.strictSame(await signIn(7), []);
  await setDefault('default-one', false);
  await setDefault('default-one');
  t.strictSame(await signIn(7), []);
  t.equal(await installs('default-one'), 0);
  await use('POST', 7, 'default-one');
  t.equal(await installs('default-one'), 1, 'until he installs it himself');
});

t.test('a default that the user has installed is not counted again', async (t) => {
  await use('POST', 8, 'default-two');
  const before = await installs('default-two');
  t.strictSame(await signIn(8), ['default-one', 'later-one']);
  t.equal(await installs('default-two'), before);
});

t.test('thirty concurrent calls install once', async (t) => {
  const before = await installs('default-one');
  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(9)));
  t.strictSame(answers.flat().sort(), ['default-one', 'default-two', 'later-one']);
  t.equal(await installs('default-one'), before + 1);
});

t.test('counters match the rows after concurrent calls of many users', async (t) => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => signIn(100 + (n % 20))));
  t.equal(answers.flat().length, 20 * 3);
  for (const key of ['default-one', 'default-two', 'later-one'])
    t.equal(await installs(key), await rows(key));
});

t.test('invisible plugins are installed once they are visible', async (t) => {
  const hidden = await addPlugin(db, { key: 'hidden-default', isHidden: true });
  await addPlugin(db, { key: 'refused-default', auditStatus: 3 });
  await addPlugin(db, { key: 'deleted-default' });
  for (const key of ['hidden-default', 'refused-default', 'deleted-default']) {
    t.equal((await setDefault(key)).status, 200);
  }
  await db
    .updateTable('plugin')
    .set({ deleted_at: new Date() })
    .where('plugin_key', '=', 'deleted-default')
    .execute();
  t.strictSame(await signIn(7), []);
  await db.updateTable('plugin').set({ is_hidden: false }).where('id', '=', hidden).execute();
  t.strictSame(await signIn(7), ['hidden-default']);
});

t.test('existing installs stay after a default ends', async (t) => {
  const before = await installs('later-one');
  t.hasStrict(dataOf(await setDefault('later-one', false), contract.setSilentInstall.data), {
    is_silent: false,
  });
  t.equal(await installs('later-one'), before);
  t.notOk((await signIn(300)).includes('later-one'));
});

t.test('each change has one audit trail entry', async (t) => {
  await pool.query('delete from audit_trail');
  await setDefault('later-one');
  await setDefault('later-one');
  await setDefault('later-one', false);
  const { rows: entries } = await pool.query(
    'select action, target_id, target_name from audit_trail order by id',
  );
  t.strictSame(entries, [
    { action: 'plugin.silent', target_id: 'later-one', target_name: 'Plugin later-one' },
    { action: 'plugin.not_silent', target_id: 'later-one', target_name: 'Plugin later-one' },
  ]);
});

t.test('an unknown plugin, and a visitor', async (t) => {
  t.hasStrict((await setDefault('no-such-plugin')).json, { code: 'PLUGIN_NOT_FOUND' });
  t.equal((await ask(url, 'plugin/user/new/silent', { method: 'POST' })).status, 401);
});
