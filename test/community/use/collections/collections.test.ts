import t from 'tap';
import { EXPORTED } from '../../../../server/community/account/export-store.ts';
import { deletePersonalData } from '../../../../server/community/account/store.ts';
import { COLLECTION_LIMITS } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';

const ADA = 7;
const BOB = 8;
const ADMIN = 1;
const PUBLISHER = 100;

t.test('collections', async (t) => {
  const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
  const headersOf = async (userId: number | null) =>
    userId === null ? {} : bearer(userId, userId === ADMIN ? 2 : 0);
  const send = async (userId: number | null, method: string, path: string, body: object) =>
    ask(url, path, { method, headers: await headersOf(userId), body });
  const save = async (userId: number, body: object) =>
    dataOf(await send(userId, 'POST', 'collection', body), contract.saveCollection.data).collection_key;
  const collect = async (key: string, plugin_key: string, is_in = true, userId = ADA) =>
    send(userId, 'PUT', 'collection/plugin', { collection_key: key, plugin_key, is_in });
  const get = async (userId: number | null, key: string) =>
    ask(url, `collection?collection_key=${key}`, { headers: await headersOf(userId) });
  const read = async (userId: number | null, key: string) =>
    dataOf(await get(userId, key), contract.readCollection.data);
  const list = async (userId: number, query = '') =>
    dataOf(
      await ask(url, `collection/list${query}`, { headers: await headersOf(userId) }),
      contract.listOwnCollections.data,
    ).collection_list;
  const keysIn = async (userId: number | null, key: string) =>
    (await read(userId, key)).plugin_list.map(({ plugin }) => plugin.plugin_key);
  const refused = ({ status, json }: Answer) => [status, (json as { code?: unknown }).code];
  const ids = new Map<string, number>();
  for (const key of ['grid-plugin', 'icon-plugin', 'text-plugin'])
    ids.set(key, await addPlugin(db, { key, name: { 'en-US': key.slice(0, 4) } }));
  await pool.query(
    `update plugin_version set allowed_domains = '{api.example}', package_manifest = '{"permissions":["currentuser"]}'
      where plugin_id = $1`,
    [ids.get('grid-plugin')],
  );

  t.test('are made, described, filled and put in order by their owner', async (t) => {
    const key = await save(ADA, { title: '  Layout tools ', description: 'For every day' });
    for (const plugin of ['grid-plugin', 'icon-plugin', 'icon-plugin'])
      t.equal((await collect(key, plugin)).status, 200);
    await save(ADA, { collection_key: key, title: 'Layout' });
    t.match(await read(ADA, key), {
      title: 'Layout',
      description: 'For every day',
      access: 'private',
      is_own: true,
      is_hidden: false,
      plugin_count: 2,
      icons: [{ name: 'grid', icon: null }, { name: 'icon' }],
      plugin_list: [
        { is_available: true, domains: ['api.example'], permissions: ['currentuser'] },
        { is_available: true, domains: [], permissions: [] },
      ],
    });
    const order = (plugin_keys: string[]) =>
      send(ADA, 'PUT', 'collection/order', { collection_key: key, plugin_keys });
    t.equal((await order(['icon-plugin', 'grid-plugin'])).status, 200);
    t.strictSame(await keysIn(ADA, key), ['icon-plugin', 'grid-plugin']);
    t.strictSame(
      refused(await order(['icon-plugin'])),
      [409, 'CONFLICT'],
      'another order was made from an older list',
    );
    const [mine] = await list(ADA, '?plugin_key=icon-plugin');
    t.match(mine, { collection_key: key, has_plugin: true, plugin_count: 2 });
    await collect(key, 'icon-plugin', false);
    await collect(key, 'icon-plugin', false);
    t.strictSame(await keysIn(ADA, key), ['grid-plugin']);
    t.equal((await send(ADA, 'DELETE', 'collection', { collection_key: key })).status, 200);
    t.strictSame(await list(ADA), []);
  });

  t.test('need a title and plugins that there are', async (t) => {
    t.match(await send(ADA, 'POST', 'collection', { title: ' ' }), {
      status: 400,
      json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/title', message: 'must not be empty' }] },
    });
    const key = await save(ADA, { title: 'One' });
    t.strictSame(refused(await collect(key, 'no-such-plugin')), [404, 'PLUGIN_NOT_FOUND']);
    t.strictSame(refused(await collect('a'.repeat(16), 'grid-plugin')), [404, 'COLLECTION_NOT_FOUND']);
  });

  t.test('are changed by nobody else', async (t) => {
    const key = await save(ADA, { title: 'Mine', access: 'public' });
    await collect(key, 'grid-plugin');
    for (const userId of [BOB, ADMIN]) {
      const answers = [
        await send(userId, 'POST', 'collection', { collection_key: key, title: 'Yours' }),
        await send(userId, 'DELETE', 'collection', { collection_key: key }),
        await collect(key, 'icon-plugin', true, userId),
        await send(userId, 'PUT', 'collection/order', { collection_key: key, plugin_keys: ['grid-plugin'] }),
      ];
      for (const answer of answers) t.strictSame(refused(answer), [404, 'COLLECTION_NOT_FOUND']);
    }
    t.equal((await read(BOB, key)).title, 'Mine');
  });

  t.test('are read by whom they are for', async (t) => {
    const key = await save(ADA, { title: 'Mine' });
    await collect(key, 'grid-plugin');
    await collect(key, 'text-plugin');
    for (const userId of [null, BOB, ADMIN])
      t.strictSame(refused(await get(userId, key)), [404, 'COLLECTION_NOT_FOUND'], 'private');
    await save(ADA, { collection_key: key, access: 'link' });
    t.match(await read(null, key), {
      title: 'Mine',
      is_own: false,
      owner: { user_id: ADA },
      plugin_count: 2,
    });
    await pool.query('update plugin set is_hidden = true where id = $1', [ids.get('text-plugin')]);
    t.strictSame(await keysIn(BOB, key), ['grid-plugin']);
    t.match(await read(ADA, key), { plugin_list: [{ is_available: true }, { is_available: false }] });
    await pool.query('update plugin set is_hidden = false where id = $1', [ids.get('text-plugin')]);
  });

  t.test('are installed together, all or none', async (t) => {
    const key = await save(ADA, { title: 'All', access: 'link' });
    for (const plugin of ids.keys()) await collect(key, plugin);
    const install = (plugins: object[]) =>
      send(BOB, 'POST', 'collection/install', { collection_key: key, plugins });
    const all = [...ids.keys()].map((plugin_key) => ({ plugin_key, version: '1.0.0' }));
    const installed = async () =>
      (await pool.query('select from plugin_install where user_id = $1 and uninstalled_at is null', [BOB]))
        .rows.length;
    t.strictSame(refused(await install([...all, { plugin_key: 'not-in-there', version: '1.0.0' }])), [
      409,
      'CONFLICT',
    ]);
    t.strictSame(
      refused(await install([...all.slice(1), { ...all[0], version: '0.1.0' }])),
      [409, 'CONFLICT'],
      'unseen',
    );
    t.equal(await installed(), 0);
    t.equal((await install(all)).status, 200);
    t.equal((await install(all)).status, 200);
    t.equal(await installed(), 3);
    const { rows } = await pool.query('select install_count from plugin_counter where plugin_id = $1', [
      ids.get('grid-plugin'),
    ]);
    t.equal(rows[0].install_count, 1);
  });

  t.test('are reported, and hidden by administrators', async (t) => {
    const key = await save(ADA, { title: 'Rude words', access: 'public' });
    const report = (userId: number) =>
      send(userId, 'POST', 'collection/report', {
        collection_key: key,
        kind: 'offensive',
        reason: 'Look at it',
      });
    t.equal((await report(BOB)).status, 200);
    t.equal((await report(BOB)).status, 200);
    const secret = await save(ADA, { title: 'Secret' });
    t.strictSame(
      refused(
        await send(BOB, 'POST', 'collection/report', {
          collection_key: secret,
          kind: 'other',
          reason: 'What?',
        }),
      ),
      [404, 'COLLECTION_NOT_FOUND'],
    );
    const managed = async (state: string) =>
      dataOf(
        await ask(url, `manager/collection/list?state=${state}`, { headers: await headersOf(ADMIN) }),
        contract.listReportedCollections.data,
      ).collection_list;
    t.match(await managed('reported'), [
      {
        title: 'Rude words',
        owner: { user_id: ADA },
        report_list: [{ kind: 'offensive', reason: 'Look at it' }],
      },
    ]);
    const hide = (is_hidden: boolean) =>
      send(ADMIN, 'PUT', 'manager/collection/hidden', { collection_key: key, is_hidden });
    t.equal((await hide(true)).status, 200);
    t.strictSame(await managed('reported'), []);
    t.match(await managed('hidden'), [{ title: 'Rude words' }]);
    t.strictSame(refused(await get(BOB, key)), [404, 'COLLECTION_NOT_FOUND']);
    t.equal((await read(ADA, key)).is_hidden, true);
    t.equal((await hide(false)).status, 200);
    t.equal((await read(null, key)).is_hidden, false);
    const { rows: told } = await pool.query(
      "select user_id, data from notice where kind = 'report_decided' order by id",
    );
    t.strictSame(told, [{ user_id: BOB, data: { reported: 'collection', is_upheld: true } }]);
    t.match(await auditLogOf(pool, 'collection'), [
      { action: 'collection.hide', target_name: 'Rude words', target_id: key },
      { action: 'collection.show', target_id: key },
    ]);
    t.strictSame(
      refused(
        await send(ADMIN, 'PUT', 'manager/collection/hidden', { collection_key: secret, is_hidden: true }),
      ),
      [404, 'COLLECTION_NOT_FOUND'],
      'a private one',
    );
  });

  t.test('have limits', async (t) => {
    await pool.query(
      `insert into collection (collection_key, user_id, title, created_at, updated_at)
        select lpad(n::text, 16, '0'), $1, 'x', now(), now() from generate_series(1, $2::int) n`,
      [PUBLISHER, COLLECTION_LIMITS.collections],
    );
    t.match(await send(PUBLISHER, 'POST', 'collection', { title: 'One more' }), {
      status: 409,
      json: { code: 'COLLECTION_LIMIT_REACHED', message: 'You have as many collections as you may have.' },
    });
    const key = await save(ADA, { title: 'Full' });
    await pool.query(
      `with p as (
          insert into plugin (plugin_key, publisher_id, default_lang)
            select 'filler-' || n, $1, 'en-US' from generate_series(1, $2::int) n returning id
        ) insert into collection_plugin (collection_id, plugin_id, position, added_at)
          select c.id, p.id, 1, now() from p, collection c where c.collection_key = $3`,
      [PUBLISHER, COLLECTION_LIMITS.plugins, key],
    );
    t.match(await collect(key, 'grid-plugin'), {
      status: 409,
      json: { code: 'COLLECTION_FULL', message: 'This collection has as many plugins as it may have.' },
    });
    await send(ADA, 'DELETE', 'collection', { collection_key: key });
  });

  t.test('are in the export, and go with the account', async (t) => {
    const [first] = (await EXPORTED.collections?.(db, { userId: ADA, after: 0, limit: 20 })) ?? [];
    t.match(first, { content: { title: 'One', access: 'private', plugins: [] } });
    const [reported] = (await EXPORTED.collection_reports?.(db, { userId: BOB, after: 0, limit: 20 })) ?? [];
    t.match(reported, { content: { kind: 'offensive', reason: 'Look at it' } });
    await db.transaction().execute((trx) => deletePersonalData(trx, ADA));
    t.equal((await pool.query('select from collection where user_id = $1', [ADA])).rows.length, 0);
    t.equal((await pool.query('select from collection_report')).rows.length, 0);
  });
});
