import t from 'tap';
import { KIT_LIMITS } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';

const PUBLISHER = 100;

t.test('onboarding kits', async (t) => {
  const { bearer, db, url, pool, issuer } = await testCommunity(t);
  const admin = await bearer(1, 2);
  const send = (method: string, path: string, body?: object) =>
    ask(url, `manager/kit${path}`, { method, headers: admin, ...(body && { body }) });
  const save = async (body: object) => dataOf(await send('POST', '', body), contract.saveKit.data).id;
  const put = (id: number, plugin_key: string, is_in = true) =>
    send('PUT', '/plugin', { id, plugin_key, is_in });
  const read = async (id: number) => dataOf(await send('GET', `?id=${id}`), contract.readKit.data);
  const list = async () => dataOf(await send('GET', '/list'), contract.listKits.data).kit_list;
  const refused = ({ status, json }: Answer) => [status, Object(json).code];
  /** What somebody gets when they come, by the claims of their token. */
  const come = async (userId: number, claims: Record<string, unknown> = {}) => {
    const token = await issuer.sign({ sub: String(userId), ...claims });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await ask(url, 'plugin/user/new/silent', { method: 'POST', headers });
    return dataOf(answer, contract.installDefaults.data).plugin_keys;
  };
  const installed = async (userId: number) =>
    dataOf(
      await ask(url, 'plugin/user/list', { headers: await bearer(userId) }),
      contract.listInstalled.data,
    ).plugin_list.map(({ plugin }) => plugin.plugin_key);
  const clear = () => pool.query('delete from kit; delete from silent_install; delete from audit_trail');

  const ids = new Map<string, number>();
  for (const key of ['grid-plugin', 'icon-plugin', 'text-plugin', 'late-plugin'])
    ids.set(key, await addPlugin(db, { key }));
  await pool.query(
    `update plugin_version set allowed_domains = '{api.example}', package_manifest = '{"permissions":["currentuser"]}'
      where plugin_id = $1`,
    [ids.get('grid-plugin')],
  );

  t.test('are made, filled and put in order, each change once in the audit log', async (t) => {
    const id = await save({ name: ' Designers ', e_id: 3, department: ' Design ' });
    for (const key of ['grid-plugin', 'icon-plugin', 'icon-plugin'])
      t.equal((await put(id, key)).status, 200);
    t.match(await read(id), {
      name: 'Designers',
      e_id: 3,
      department: 'Design',
      plugin_count: 2,
      plugin_list: [
        { is_available: true, domains: ['api.example'], permissions: ['currentuser'] },
        { is_available: true, domains: [], permissions: [] },
      ],
    });
    const order = (plugin_keys: string[]) => send('PUT', '/order', { id, plugin_keys });
    const keys = async () => (await read(id)).plugin_list.map(({ plugin }) => plugin.plugin_key);
    t.equal((await order(['icon-plugin', 'grid-plugin'])).status, 200);
    t.equal((await order(['icon-plugin', 'grid-plugin'])).status, 200, 'changes nothing');
    t.strictSame(await keys(), ['icon-plugin', 'grid-plugin']);
    for (const other of [['icon-plugin'], ['icon-plugin', 'icon-plugin'], ['icon-plugin', 'text-plugin']])
      t.strictSame(refused(await order(other)), [409, 'CONFLICT'], other.join());
    await save({ id, e_id: 0, department: '' });
    await save({ id, name: 'Designers' });
    await put(id, 'icon-plugin', false);
    await put(id, 'icon-plugin', false);
    t.match(await list(), [{ id, name: 'Designers', e_id: 0, department: '', plugin_count: 1 }]);
    t.equal((await send('DELETE', '', { id })).status, 200);
    t.strictSame(await list(), []);
    t.match(await auditLogOf(pool, 'kit'), [
      { action: 'kit.add', target_name: 'Designers', detail: { e_id: 3, department: 'Design' } },
      { action: 'kit.fill', detail: { plugin_key: 'grid-plugin' } },
      { action: 'kit.fill', detail: { plugin_key: 'icon-plugin' } },
      { action: 'kit.order' },
      { action: 'kit.change', detail: { e_id: 0, department: '' } },
      { action: 'kit.empty', detail: { plugin_key: 'icon-plugin' } },
      { action: 'kit.delete', actor_id: 1, target_id: String(id), target_name: 'Designers' },
    ]);
    t.equal((await auditLogOf(pool, 'kit')).length, 7);
  });

  t.test('need a name, a group that there can be, and published plugins', async (t) => {
    const id = await save({ name: 'One' });
    for (const [body, pointer, message] of [
      [{ name: ' ' }, '/name', 'must not be empty'],
      [{}, '/name', 'must not be empty'],
      [{ name: 'Two', department: 'Design' }, '/department', 'goes with an enterprise'],
    ] as const)
      t.hasStrict(await send('POST', '', body), {
        status: 400,
        json: { code: 'VALIDATION_FAILED', errors: [{ pointer, message }] },
      });
    await addPlugin(db, { key: 'secret-plugin', isHidden: true });
    for (const key of ['no-such-plugin', 'secret-plugin'])
      t.strictSame(refused(await put(id, key)), [404, 'PLUGIN_NOT_FOUND']);
    for (const answer of [
      await send('GET', '?id=999'),
      await send('POST', '', { id: 999, name: 'x' }),
      await send('DELETE', '', { id: 999 }),
      await put(999, 'grid-plugin'),
      await send('PUT', '/order', { id: 999, plugin_keys: [] }),
    ])
      t.strictSame(refused(answer), [404, 'NOT_FOUND']);
    await clear();
  });

  t.test('have limits', async (t) => {
    await pool.query(
      `insert into kit (name, created_at, updated_at) select n::text, now(), now() from generate_series(1, $1::int) n`,
      [KIT_LIMITS.kits],
    );
    t.hasStrict(await send('POST', '', { name: 'One more' }), {
      status: 409,
      json: { code: 'KIT_LIMIT_REACHED', message: 'There are as many kits as there may be.' },
    });
    const [{ id = 0 } = {}] = await list();
    await pool.query(
      `with p as (
          insert into plugin (plugin_key, publisher_id, default_lang)
            select 'filler-' || n, $1, 'en-US' from generate_series(1, $2::int) n returning id
        ) insert into kit_plugin (kit_id, plugin_id, position) select $3, id, 1 from p`,
      [PUBLISHER, KIT_LIMITS.plugins, id],
    );
    t.hasStrict(await put(id, 'grid-plugin'), {
      status: 409,
      json: { code: 'KIT_FULL', message: 'This kit has as many plugins as it may have.' },
    });
    await clear();
  });

  t.test('come to everybody of their group, and to nobody else', async (t) => {
    const all = await save({ name: 'All' });
    await put(all, 'grid-plugin');
    const enterprise = await save({ name: 'Enterprise', e_id: 3 });
    await put(enterprise, 'icon-plugin');
    const design = await save({ name: 'Design', e_id: 3, department: 'Design' });
    await put(design, 'text-plugin');

    t.strictSame(await come(10), ['grid-plugin'], 'a token that names no group');
    t.strictSame(await come(11, { e_id: 3 }), ['grid-plugin', 'icon-plugin']);
    t.strictSame(await come(12, { e_id: 3, department: ' design' }), [
      'grid-plugin',
      'icon-plugin',
      'text-plugin',
    ]);
    t.strictSame(await come(13, { e_id: 4, department: 'Design' }), ['grid-plugin']);
    t.strictSame(await come(14, { department: 'Design' }), ['grid-plugin']);
    for (const [n, e_id] of ['3', 0, -1, null, { id: 3 }, [3]].entries())
      t.strictSame(
        await come(20 + n, { e_id, department: 7 }),
        ['grid-plugin'],
        `claims of another make: ${JSON.stringify(e_id)}`,
      );
    await clear();
  });

  t.test('are installed once, in their order, and stay', async (t) => {
    const id = await save({ name: 'Design', e_id: 3 });
    for (const key of ['text-plugin', 'grid-plugin', 'icon-plugin']) await put(id, key);
    await ask(url, 'plugin/silent_install', {
      method: 'PUT',
      headers: await bearer(1, 1),
      body: { plugin_key: 'grid-plugin', is_silent: true },
    });
    const claims = { e_id: 3 };
    t.strictSame(await come(30, claims), ['grid-plugin', 'icon-plugin', 'text-plugin']);
    t.strictSame(await installed(30), ['text-plugin', 'grid-plugin', 'icon-plugin'], 'the first one leads');
    t.strictSame(await come(30, claims), []);

    await ask(url, 'plugin/user', {
      method: 'DELETE',
      headers: await bearer(30),
      body: { plugin_key: 'icon-plugin' },
    });
    await put(id, 'icon-plugin', false);
    await put(id, 'icon-plugin');
    t.strictSame(await come(30, claims), [], 'who has uninstalled one does not get it again');
    await put(id, 'late-plugin');
    t.strictSame(await come(30, claims), ['late-plugin'], 'what is added reaches who is there');
    await put(id, 'text-plugin', false);
    t.strictSame(await come(30, { e_id: 4 }), []);
    t.strictSame(
      (await installed(30)).toSorted(),
      ['grid-plugin', 'late-plugin', 'text-plugin'],
      'nothing is taken away, also from who has left',
    );
    await clear();
  });

  t.test('leave out what is not published', async (t) => {
    const id = await save({ name: 'All' });
    for (const key of ['text-plugin', 'late-plugin']) await put(id, key);
    await pool.query("update plugin set is_hidden = true where plugin_key = 'late-plugin'");
    t.match((await read(id)).plugin_list, [{ is_available: true }, { is_available: false }]);
    t.strictSame(await come(40), ['text-plugin']);
    await pool.query("update plugin set is_hidden = false where plugin_key = 'late-plugin'");
    t.strictSame(await come(40), ['late-plugin']);
  });
});
