import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { type Answer, ask, dataOf, keysOf } from '../../ask.ts';

t.test('own plugins', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url, bearer } = community;
  await addTag(db, 'colour');

  const listOf = async (userId: number, query = '') =>
    ask(url, `plugin/audit${query}`, { headers: await bearer(userId) });
  const pageOf = async (userId: number, query = '') =>
    dataOf(await listOf(userId, query), contract.listOwnPlugins.data);
  const edit = async (userId: number, key: string, role: 0 | 1 | 2 = 0) =>
    ask(url, `plugin/edit?plugin_key=${key}`, { headers: await bearer(userId, role) });

  t.test('without plugins the list is empty', async (t) => {
    t.strictSame(await pageOf(4711), {
      total: 0,
      total_estimated: false,
      next_cursor: null,
      plugin_list: [],
    });
  });

  t.test('each plugin shows its last submission and current counts', async (t) => {
    const id = await addPlugin(db, {
      key: 'shown-to-owner',
      publisherId: 20,
      name: { 'en-US': 'Live name' },
    });
    await addSubmission(db, { pluginId: id, status: 2, createdBy: 20 });
    await addSubmission(db, {
      pluginId: id,
      version: '1.2.0',
      status: 3,
      reason: 'The cover is not yours.',
      listing: { name: { 'en-US': 'New name', 'zh-CN': '新名' }, tags: ['colour'] },
      createdBy: 20,
    });
    await ask(url, 'plugin/user/praise', {
      headers: await bearer(5),
      body: { plugin_key: 'shown-to-owner', praise: 1 },
    });
    const page = await pageOf(20);
    t.equal(page.total, 1);
    t.hasStrict(page.plugin_list, [
      {
        plugin: {
          plugin_key: 'shown-to-owner',
          name: 'New name',
          praise_count: 1,
          version: '1.2.0',
          tags: [{ code: 'colour' }],
        },
        audit_status: 3,
        reason: 'The cover is not yours.',
        is_live: true,
        brings_version: true,
      },
    ]);
    const headers = { ...(await bearer(20)), 'accept-language': 'zh-CN' };
    const chinese = dataOf(await ask(url, 'plugin/audit', { headers }), contract.listOwnPlugins.data);
    t.equal(chinese.plugin_list[0]?.plugin.name, '新名');
  });

  t.test('pages have no gap, also among plugins of the same time', async (t) => {
    for (let index = 0; index < 7; index += 1) {
      const updatedAt = new Date(Date.UTC(2025, 0, index < 4 ? 1 : index));
      const id = await addPlugin(db, { key: `paged-number-${index}`, publisherId: 21, updatedAt });
      await addSubmission(db, { pluginId: id, createdBy: 21 });
    }
    const deleted = await addPlugin(db, { key: 'paged-deleted', publisherId: 21, deletedAt: new Date() });
    await addSubmission(db, { pluginId: deleted, createdBy: 21 });
    const all = (await pageOf(21)).plugin_list.map(({ plugin }) => plugin.plugin_key);
    t.equal(all.length, 7);
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await pageOf(21, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      t.equal(page.total, 7);
      walked.push(...page.plugin_list.map(({ plugin }) => plugin.plugin_key));
      cursor = page.next_cursor;
    }
    t.strictSame(walked, all);
    const foreign = (await pageOf(21, '?limit=3')).next_cursor;
    const answer = await listOf(20, `?cursor=${foreign}`);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
  });

  t.test('the editing form has the last submission of a plugin', async (t) => {
    const id = await addPlugin(db, { key: 'being-edited', publisherId: 22 });
    const listing = {
      name: { 'en-US': 'Second', 'ja-JP': '二番目' },
      support: 'help@example.com',
      support_translations: { 'ru-RU': 'Пишите нам' },
      copyright: { kind: 'custom', holder: 'Somebody' } as const,
    };
    await addSubmission(db, { pluginId: id, version: '1.10.0', status: 3, reason: 'No.', createdBy: 22 });
    await addSubmission(db, { pluginId: id, version: '1.9.0', status: 2, createdBy: 22 });
    const newest = await addSubmission(db, { pluginId: id, listing, createdBy: 22 });
    for (const [userId, role] of [
      [22, 0],
      [1, 2],
    ] as const) {
      const data = dataOf(await edit(userId, 'being-edited', role), contract.readEditablePlugin.data);
      t.match(data, {
        plugin_key: 'being-edited',
        submission_id: newest,
        listing: {
          name: listing.name,
          support: { 'en-US': 'help@example.com', 'ru-RU': 'Пишите нам' },
          copyright: listing.copyright,
          ...{ contact: 'maker@example.com', icon: null, media: [] },
        },
        audit_status: 1,
        reason: null,
        version: '1.9.0',
        version_note: { 'en-US': 'Next' },
        last_version: '1.10.0',
        current_version: '1.0.0',
      });
    }
  });

  const refusals: [title: string, userId: number, key: string, status: number, code: string][] = [
    ['another user', 5, 'being-edited', 403, 'FORBIDDEN'],
    ['another user, an unpublished plugin', 5, 'not-published', 404, 'PLUGIN_NOT_FOUND'],
    ['the owner, a deleted plugin', PUBLISHER_ID, 'deleted-one', 404, 'PLUGIN_NOT_FOUND'],
    ['a key that is none', 22, 'x', 400, 'VALIDATION_FAILED'],
  ];
  for (const [title, userId, key, status, code] of refusals) {
    t.test(`editing is refused: ${title}`, async (t) => {
      if (key === 'not-published') await addPlugin(db, { key, auditStatus: 1 });
      if (key === 'deleted-one') await addPlugin(db, { key, deletedAt: new Date() });
      const answer = await edit(userId, key);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
    });
  }
});

t.test('deletion', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url, bearer, pool } = community;
  const OWNER = PUBLISHER_ID;
  const STRANGER = 7;
  const tag = await addTag(db, 'tagged');

  const remove = async (userId: number, body: unknown, role: 0 | 1 | 2 = 0): Promise<Answer> =>
    ask(url, 'plugin', { method: 'DELETE', headers: await bearer(userId, role), body });

  async function uses(plugin_key: string, userId: number): Promise<void> {
    const answer = await ask(url, 'plugin/user', { headers: await bearer(userId), body: { plugin_key } });
    t.equal(answer.status, 200);
  }

  const statesOf = async (pluginId: number) =>
    db
      .selectFrom('submission')
      .select(['audit_status', 'is_superseded'])
      .where('plugin_id', '=', pluginId)
      .orderBy('id')
      .execute();

  t.test('a deleted plugin is no longer found, and stays for users who have installed it', async (t) => {
    const id = await addPlugin(db, { key: 'going-away', name: { 'en-US': 'Goner' }, tags: [tag] });
    await addSubmission(db, { pluginId: id, status: 2 });
    await addSubmission(db, { pluginId: id, version: '1.1.0' });
    await pool.query('insert into recommendation (plugin_id, position) values ($1, 1)', [id]);
    await pool.query('insert into silent_install (plugin_id) values ($1)', [id]);
    await pool.query(
      `insert into resource_slot (plugin_id, link, start_at, end_at)
      values ($1, 'https://example.com', now(), now() + interval '1 day')`,
      [id],
    );
    await uses('going-away', STRANGER);

    const answer = await remove(OWNER, { plugin_key: 'going-away' });
    t.strictSame(answer.json, { code: 0, message: 'ok', data: {} });

    for (const query of ['', `tag_id=${tag}`, 'keyword=goner', `keyword=goner&tag_id=${tag}`]) {
      const page = dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data);
      t.strictSame([keysOf(page), page.total], [[], 0], query);
    }
    const recommended = await ask(url, 'plugin/recommendation/list');
    t.strictSame(dataOf(recommended, contract.listRecommended.data).plugin_list, []);
    for (const [userId, role] of [
      [OWNER, 0],
      [STRANGER, 0],
      [1, 1],
    ] as const) {
      const detail = await ask(url, 'plugin?plugin_key=going-away', { headers: await bearer(userId, role) });
      t.equal(detail.status, 404);
    }
    const { rows } = await pool.query(
      `select (select count(*)::int from silent_install) as silent, (select count(*)::int from recommendation) as recommended,
        (select bool_and(is_disabled) from resource_slot) as disabled`,
    );
    t.strictSame(rows, [{ silent: 0, recommended: 0, disabled: true }]);
    t.strictSame(await statesOf(id), [
      { audit_status: 2, is_superseded: false },
      { audit_status: 1, is_superseded: true },
    ]);

    t.equal(
      (await ask(url, 'plugin/user', { headers: await bearer(8), body: { plugin_key: 'going-away' } }))
        .status,
      404,
    );
    const installed = await ask(url, 'plugin/user/list', { headers: await bearer(STRANGER) });
    t.hasStrict(dataOf(installed, contract.listInstalled.data), {
      total: 1,
      plugin_list: [
        { is_available: false, plugin: { plugin_key: 'going-away', name: 'Goner', is_installed: true } },
      ],
    });
    const uninstalled = await ask(url, 'plugin/user', {
      method: 'DELETE',
      headers: await bearer(STRANGER),
      body: { plugin_key: 'going-away' },
    });
    t.hasStrict(dataOf(uninstalled, contract.uninstallPlugin.data), { is_installed: false });
  });

  const refusals: [
    title: string,
    userId: number,
    role: 0 | 1 | 2,
    key: string,
    status: number,
    code: string,
  ][] = [
    ['another user', STRANGER, 0, 'well-guarded', 403, 'FORBIDDEN'],
    ['another user, an invisible plugin', STRANGER, 0, 'unseen-one', 404, 'PLUGIN_NOT_FOUND'],
    ['the owner, an unknown plugin', OWNER, 0, 'no-such-plugin', 404, 'PLUGIN_NOT_FOUND'],
  ];
  t.test('two more plugins are added', async () => {
    await addPlugin(db, { key: 'well-guarded' });
    await addPlugin(db, { key: 'unseen-one', auditStatus: 1 });
  });
  for (const [title, userId, role, plugin_key, status, code] of refusals) {
    t.test(`${title}: nothing is deleted`, async (t) => {
      const answer = await remove(userId, { plugin_key }, role);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
      const left = await db.selectFrom('plugin').select('id').where('deleted_at', 'is', null).execute();
      t.equal(left.length, 2);
    });
  }

  for (const [title, body] of [
    ['no key', {}],
    ['a key of another type', { plugin_key: 5 }],
    ['a malformed key', { plugin_key: "x' or 1=1" }],
    ['a list', ['well-guarded']],
  ] as const) {
    t.test(`${title} is refused`, async (t) => {
      const answer = await remove(OWNER, body);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
    });
  }

  t.test('an administrator deletes plugins of others, also unpublished ones', async (t) => {
    t.equal((await remove(1, { plugin_key: 'unseen-one' }, 2)).status, 200);
    t.equal((await remove(1, { plugin_key: 'unseen-one' }, 2)).status, 404);
  });

  t.test('of many simultaneous deletions one succeeds', async (t) => {
    await addPlugin(db, { key: 'fought-over' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => remove(OWNER, { plugin_key: 'fought-over' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    t.strictSame(statuses, [200, ...Array.from({ length: 7 }, () => 404)]);
  });
});

t.test('place in the review queue', async (t) => {
  const HOUR = 3_600_000;
  const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR);

  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url, bearer, pool } = community;

  const ownOf = async (userId: number) => {
    const answer = await ask(url, 'plugin/audit', { headers: await bearer(userId) });
    const { plugin_list } = dataOf(answer, contract.listOwnPlugins.data);
    return new Map(plugin_list.map(({ plugin, queue }) => [plugin.plugin_key, queue]));
  };
  const editableOf = async (userId: number, key: string) =>
    dataOf(
      await ask(url, `plugin/edit?plugin_key=${key}`, { headers: await bearer(userId) }),
      contract.readEditablePlugin.data,
    );

  async function submit(key: string, publisherId: number, createdAt: Date): Promise<number> {
    const pluginId = await addPlugin(db, { key, publisherId });
    return addSubmission(db, { pluginId, createdBy: publisherId, createdAt });
  }

  /** A submission that was decided a while ago, after it had waited for the given hours. */
  async function decided(key: string, waited: number, decidedAt = ago(1)): Promise<number> {
    const pluginId = await addPlugin(db, { key });
    const createdAt = new Date(decidedAt.getTime() - waited * HOUR);
    const id = await addSubmission(db, { pluginId, createdAt });
    await pool.query('update submission set audit_status = 2, decided_at = $2 where id = $1', [
      id,
      decidedAt,
    ]);
    return id;
  }

  t.test('publishers see the place of their submission in the review order', async (t) => {
    await submit('queue-of-another', 31, ago(10));
    await submit('queue-second', 30, ago(3));
    await submit('queue-first', 30, ago(20));
    const passed = await addPlugin(db, { key: 'queue-passed', publisherId: 30 });
    await addSubmission(db, { pluginId: passed, status: 2, createdBy: 30, createdAt: ago(30) });
    const withdrawn = await submit('queue-withdrawn', 31, ago(15));
    await pool.query('update submission set is_superseded = true where id = $1', [withdrawn]);

    const own = await ownOf(30);
    const untold = { place_estimated: false, usual_wait_hours: null, is_late: false };
    t.strictSame(own.get('queue-first'), { place: 1, ...untold });
    t.strictSame(own.get('queue-second'), { place: 3, ...untold });
    t.equal(own.get('queue-passed'), undefined, 'a decided submission has no place');
    t.strictSame((await editableOf(30, 'queue-second')).queue, { place: 3, ...untold });
    t.equal((await editableOf(30, 'queue-passed')).queue, undefined);
  });

  t.test('the usual wait is shown after five decisions, in steps, and a longer wait is late', async (t) => {
    for (const [index, waited] of [1, 1, 30].entries()) await decided(`queue-past-${index}`, waited);
    await decided('queue-long-past', 500, ago(24 * 100));
    await decided('queue-past-3', 1.5);
    t.equal((await ownOf(30)).get('queue-first')?.usual_wait_hours, null, 'four of the last 90 days');

    const lately = await decided('queue-past-4', 1);
    const own = await ownOf(30);
    t.hasStrict(own.get('queue-first'), { usual_wait_hours: 2, is_late: true });
    t.hasStrict(own.get('queue-second'), { usual_wait_hours: 2, is_late: true });
    await submit('queue-third', 30, ago(1));
    t.hasStrict((await ownOf(30)).get('queue-third'), { place: 4, usual_wait_hours: 2, is_late: false });

    for (const index of [5, 6, 7, 8, 9]) await decided(`queue-past-${index}`, 20);
    const slower = await ownOf(30);
    t.hasStrict(slower.get('queue-first'), { usual_wait_hours: 24, is_late: false });

    await pool.query(
      'update submission set audit_status = 3, reason = $2, decided_at = now() where id = $1',
      [lately, 'Taken back.'],
    );
    await pool.query(
      `insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      select id, 2, null, 1, created_at + interval '1 hour' from submission where id = $1`,
      [lately],
    );
    t.hasStrict((await ownOf(30)).get('queue-first'), { usual_wait_hours: 24, is_late: false });
  });

  t.test('a usual wait of more than a month is not shown', async (t) => {
    await pool.query(
      `update submission set created_at = decided_at - interval '40 days' where decided_at is not null`,
    );
    await pool.query('delete from review');
    t.hasStrict((await ownOf(30)).get('queue-first'), { usual_wait_hours: null, is_late: false });
  });

  t.test('places after a thousand are not counted', async (t) => {
    await pool.query(
      `with many as (
      insert into plugin (plugin_key, publisher_id, default_lang, audit_status)
        select 'queue-many-' || n, 31, 'en-US', 1 from generate_series(1, 999) n
        returning id, plugin_key
    ), versions as (
      insert into plugin_version (plugin_id, version, audit_status) select id, '1.0.0', 1 from many returning id, plugin_id
    )
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by, created_at)
      select plugin_id, id, true, true, '{}', 31, now() - interval '12 hours' from versions`,
    );
    const own = await ownOf(30);
    t.hasStrict(own.get('queue-first'), { place: 1, place_estimated: false });
    t.hasStrict(own.get('queue-second'), { place: 1001, place_estimated: true });
    const last = (await editableOf(31, 'queue-of-another')).queue;
    t.hasStrict(last, { place: 1001, place_estimated: false }, 'a thousand are before it, and no more');
  });
});
