import t from 'tap';
import { slotDuration, slotStatus } from '../../../../server/community/curation/slots/status.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPicture, addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';

t.test('slots', async (t) => {
  const PATH = 'plugin/resource_state';
  const HOUR = 3_600_000;
  const clock = { now: Date.parse('2026-05-01T12:00:00Z') };
  const community = await testCommunity(t, { now: () => clock.now });
  const { db, pool, url, issuer } = community;
  const admin = {
    authorization: `Bearer ${await issuer.sign({ sub: '1', role: 1, nick_name: 'Grace', exp: 4_102_444_800 })}`,
  };
  await addPlugin(db, { key: 'featured', name: { 'en-US': 'Featured', 'ja-JP': '注目' } });
  await addPlugin(db, { key: 'second-one' });
  await addPlugin(db, { key: 'hidden-one', isHidden: true });

  const at = (offset: number) => new Date(clock.now + offset).toISOString();
  const draft = (changed: Record<string, unknown> = {}) => ({
    plugin_key: 'featured',
    start_at: at(HOUR),
    end_at: at(2 * HOUR),
    ...changed,
  });
  const post = (body: unknown) => ask(url, PATH, { headers: admin, body });
  const add = async (changed: Record<string, unknown> = {}) =>
    dataOf(await post(draft(changed)), contract.addSlot.data);
  const disable = (id: number, isDisabled: boolean) =>
    ask(url, `${PATH}/disable?id=${id}&is_disabled=${isDisabled}`, { method: 'PUT', headers: admin });
  const change = (body: object) => ask(url, PATH, { method: 'PUT', headers: admin, body });
  const changed = async (body: object) => dataOf(await change(body), contract.changeSlot.data);
  const setPlugin = (key: string, set: string) =>
    pool.query(`update plugin set ${set} where plugin_key = $1`, [key]);
  const list = async (query = '') =>
    dataOf(await ask(url, `${PATH}/list${query}`, { headers: admin }), contract.listSlots.data);
  const active = async () =>
    dataOf(await ask(url, `${PATH}/active`), contract.listActiveSlots.data).slot_list;
  const statusOf = async (id: number) => (await list()).slot_list.find((slot) => slot.id === id)?.status;

  t.afterEach(() => pool.query('delete from resource_slot'));

  t.test('a slot links to its plugin by default', async (t) => {
    t.hasStrict(await add(), {
      plugin_key: 'featured',
      name: 'Featured',
      link: '/plugins/plugin/featured',
      status: 'inactive',
      is_disabled: false,
    });
    t.equal((await add({ link: '  ' })).link, '/plugins/plugin/featured');
    t.equal((await add({ link: ' https://example.org/a ' })).link, 'https://example.org/a');
    t.equal((await add({ link: '/community/activity' })).link, '/community/activity');
  });

  t.test('slots have the icon and the cover of the plugin', async (t) => {
    const shown = { icon: await addPicture(db, 'a'), cover: await addPicture(db, 'b') };
    const keys = `icon_key = '${shown.icon.key}', generated_cover_key = '${shown.cover.key}'`;
    await setPlugin('featured', keys);
    t.teardown(() => setPlugin('featured', 'icon_key = null, generated_cover_key = null'));
    t.hasStrict(await add(), shown);
    t.hasStrict((await list()).slot_list[0], shown);
    t.hasStrict(await add({ plugin_key: 'second-one' }), { icon: null, cover: null });
  });

  t.test('times are returned as the same instants', async (t) => {
    const slot = await add({ start_at: '2026-10-25T02:30:00+02:00', end_at: '2026-10-25T02:30:00+01:00' });
    t.equal(slot.start_at, '2026-10-25T00:30:00.000Z');
    t.equal(slot.end_at, '2026-10-25T01:30:00.000Z');
  });

  t.test('slots start and end on time without a restart', async (t) => {
    const began = clock.now;
    t.teardown(() => {
      clock.now = began;
    });
    const { id } = await add();
    for (const [offset, status, shown] of [
      [HOUR - 1000, 'inactive', 0],
      [HOUR - 1, 'inactive', 0],
      [HOUR, 'active', 1],
      [2 * HOUR - 1, 'active', 1],
      [2 * HOUR, 'expired', 0],
      [2 * HOUR + 1000, 'expired', 0],
    ] as const) {
      clock.now = began + offset;
      t.equal(await statusOf(id), status, String(offset));
      t.equal((await active()).length, shown, String(offset));
    }
  });

  t.test('overlapping slots are all shown, latest start first', async (t) => {
    const first = await add({ start_at: at(-2 * HOUR) });
    const second = await add({ start_at: at(-HOUR), plugin_key: 'second-one', link: '/x' });
    const third = await add({ start_at: at(-3 * HOUR), link: 'https://example.org' });
    const shown = await active();
    t.strictSame(
      shown.map((slot) => [slot.id, slot.link, slot.plugin.plugin_key]),
      [
        [second.id, '/x', 'second-one'],
        [first.id, '/plugins/plugin/featured', 'featured'],
        [third.id, 'https://example.org/', 'featured'],
      ],
    );
  });

  t.test('disabling and restoring are idempotent', async (t) => {
    const { id } = await add({ start_at: at(-HOUR) });
    await pool.query(`delete from audit_trail`);
    for (const _ of [1, 2]) {
      const invalid = dataOf(await disable(id, true), contract.disableSlot.data);
      t.hasStrict(invalid, { id, is_disabled: true, status: 'invalid' });
    }
    t.strictSame(await active(), []);
    for (const _ of [1, 2]) {
      const restored = dataOf(await disable(id, false), contract.disableSlot.data);
      t.hasStrict(restored, { id, is_disabled: false, status: 'active' });
    }
    t.equal((await active()).length, 1);
    t.match(await auditLogOf(pool, 'slot'), [
      { action: 'slot.disable', actor_id: 1, target_id: String(id), target_name: 'Featured' },
      { action: 'slot.restore', actor_id: 1, detail: { plugin_key: 'featured' } },
    ]);
  });

  t.test('a slot of a withdrawn plugin is invalid and not shown', async (t) => {
    const { id } = await add({ start_at: at(-HOUR), plugin_key: 'second-one' });
    await db.updateTable('plugin').set({ is_hidden: true }).where('plugin_key', '=', 'second-one').execute();
    t.equal(await statusOf(id), 'invalid');
    t.strictSame(await active(), []);
    await db.updateTable('plugin').set({ is_hidden: false }).where('plugin_key', '=', 'second-one').execute();
    t.equal(await statusOf(id), 'active');
  });

  t.test('changes the given fields of a slot only', async (t) => {
    const slot = await add();
    await pool.query('delete from audit_trail');
    t.match(await changed({ id: slot.id, end_at: at(5 * HOUR) }), { ...slot, end_at: at(5 * HOUR) });
    t.match(await changed({ id: slot.id, plugin_key: 'second-one', start_at: at(-HOUR) }), {
      plugin_key: 'second-one',
      link: '/plugins/plugin/second-one',
      start_at: at(-HOUR),
      status: 'active',
    });
    t.equal((await changed({ id: slot.id, link: '/community/home' })).link, '/community/home');
    t.equal(
      (await changed({ id: slot.id, plugin_key: 'featured' })).link,
      '/community/home',
      'a link of its own stays',
    );
    t.equal((await changed({ id: slot.id, link: '' })).link, '/plugins/plugin/featured');
    await changed({ id: slot.id });
    const auditLog = await auditLogOf(pool, 'slot');
    t.equal(auditLog.length, 5, 'no change, no entry');
    t.match(auditLog[0], {
      action: 'slot.change',
      actor_id: 1,
      target_id: String(slot.id),
      detail: { end_at: at(5 * HOUR), before_end_at: at(2 * HOUR), before_plugin_key: 'featured' },
    });
  });

  t.test('past slots, and slots of hidden plugins, can be changed', async (t) => {
    const began = clock.now;
    t.teardown(async () => {
      clock.now = began;
      await setPlugin('second-one', 'is_hidden = false');
    });
    const { id } = await add({ plugin_key: 'second-one' });
    await setPlugin('second-one', 'is_hidden = true');
    clock.now += 3 * HOUR;
    t.hasStrict(await changed({ id, link: '/x' }), {
      link: '/x',
      status: 'invalid',
      faults: ['plugin_hidden'],
    });
    t.hasStrict(await changed({ id, end_at: at(HOUR) }), { status: 'invalid' });
    t.hasStrict(await changed({ id, plugin_key: 'featured' }), { status: 'active', faults: [] });
  });

  t.test('changes are validated like additions', async (t) => {
    const { id } = await add();
    for (const [body, status, code] of [
      [{ id, end_at: at(HOUR - 1000) }, 422, 'END_BEFORE_START'],
      [{ id, start_at: at(-2 * HOUR), end_at: at(-1000) }, 422, 'END_BEFORE_NOW'],
      [{ id, link: 'javascript:alert(1)' }, 422, 'LINK_INVALID'],
      [{ id, plugin_key: 'hidden-one' }, 404, 'PLUGIN_NOT_FOUND'],
      [{ id, start_at: 'tomorrow' }, 400, 'VALIDATION_FAILED'],
      [{ link: '/x' }, 400, 'VALIDATION_FAILED'],
      [{ id: 4711, link: '/x' }, 404, 'NOT_FOUND'],
    ] as const) {
      const answer = await change(body);
      t.hasStrict([answer.status, answer.json], [status, { code }], JSON.stringify(body));
    }
    t.equal((await list()).slot_list[0]?.end_at, at(2 * HOUR));
  });

  t.test('lists all reasons why a slot is invalid', async (t) => {
    const { id } = await add({ start_at: at(-HOUR), plugin_key: 'second-one' });
    const faults = async () => (await list()).slot_list[0]?.faults;
    const [was] = (
      await pool.query(`select current_version_id as id from plugin where plugin_key = 'second-one'`)
    ).rows;
    t.teardown(() => setPlugin('second-one', 'is_hidden = false, audit_status = 2, deleted_at = null'));
    t.strictSame(await faults(), []);
    for (const [set, expected] of [
      ['is_hidden = true', ['plugin_hidden']],
      ['audit_status = 1', ['plugin_hidden', 'plugin_waiting']],
      ['is_hidden = false', ['plugin_waiting']],
      ['audit_status = 3', ['plugin_refused']],
      ['audit_status = 2, current_version_id = null', ['plugin_without_version']],
      [`current_version_id = ${was.id}`, []],
    ] as const) {
      await setPlugin('second-one', set);
      t.strictSame(await faults(), expected, set);
    }
    await disable(id, true);
    t.strictSame(await faults(), ['disabled']);
    await setPlugin('second-one', 'deleted_at = now(), is_hidden = true');
    t.strictSame(await faults(), ['plugin_deleted']);
  });

  t.test('a slot of a deleted plugin cannot be restored, with its own error', async (t) => {
    const { id } = await add({ start_at: at(-HOUR), plugin_key: 'second-one' });
    await disable(id, true);
    await setPlugin('second-one', 'deleted_at = now()');
    t.teardown(() => setPlugin('second-one', 'deleted_at = null'));
    const answer = await disable(id, false);
    t.hasStrict(
      [answer.status, answer.json],
      [
        409,
        {
          code: 'SLOT_PLUGIN_GONE',
          message: 'The plugin of this slot was deleted. Choose another one first.',
        },
      ],
    );
    t.hasStrict((await list()).slot_list, [{ is_disabled: true, status: 'invalid' }]);
    t.hasStrict(await changed({ id, plugin_key: 'featured' }), { faults: ['disabled'] });
    t.hasStrict(dataOf(await disable(id, false), contract.disableSlot.data), {
      status: 'active',
      faults: [],
    });
  });

  t.test('the list is paged, newest first, even between slots of the same time', async (t) => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await add()).id);
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      t.equal(page.total, 5);
      seen.push(...page.slot_list.map((slot) => slot.id));
      cursor = page.next_cursor;
    }
    t.strictSame(seen, ids);
  });

  t.test('names are in the requested language', async (t) => {
    await add();
    const answer = await ask(url, `${PATH}/list`, { headers: { ...admin, 'accept-language': 'ja-JP' } });
    t.equal(dataOf(answer, contract.listSlots.data).slot_list[0]?.name, '注目');
  });

  const REFUSED: [what: string, body: unknown, status: number, code: string, message: string][] = [
    [
      'no times',
      draft({ start_at: undefined, end_at: undefined }),
      422,
      'DURATION_REQUIRED',
      'Please set up a duration.',
    ],
    ['no end', draft({ end_at: undefined }), 422, 'DURATION_REQUIRED', 'Please set up a duration.'],
    [
      'an end before the start',
      draft({ end_at: at(HOUR - 1000) }),
      422,
      'END_BEFORE_START',
      'The end date cannot earlier than the start date.',
    ],
    [
      'an end before now',
      draft({ start_at: at(-2 * HOUR), end_at: at(-1000) }),
      422,
      'END_BEFORE_NOW',
      'The end date cannot earlier than now.',
    ],
    ...['javascript:alert(1)', '//example.org', 'https://a:b@example.org', 'data:,x', 'x'].map(
      (link): [string, unknown, number, string, string] => [
        `the link ${JSON.stringify(link)}`,
        draft({ link }),
        422,
        'LINK_INVALID',
        'Wrong url. Please try again.',
      ],
    ),
    [
      'an unknown plugin',
      draft({ plugin_key: 'no-such-one' }),
      404,
      'PLUGIN_NOT_FOUND',
      'This plugin does not exist or is not published.',
    ],
    [
      'a hidden plugin',
      draft({ plugin_key: 'hidden-one' }),
      404,
      'PLUGIN_NOT_FOUND',
      'This plugin does not exist or is not published.',
    ],
    ...[
      draft({ start_at: 'tomorrow' }),
      draft({ start_at: '2026-05-01T12:00:00' }),
      draft({ end_at: '2026-02-30T00:00:00Z' }),
      draft({ end_at: 5 }),
      draft({ link: 7 }),
      draft({ link: `https://example.org/${'x'.repeat(2048)}` }),
      draft({ plugin_key: "x' or ''='" }),
      {},
      null,
      [],
    ].map((body): [string, unknown, number, string, string] => [
      JSON.stringify(body)?.slice(0, 100) ?? '',
      body,
      400,
      'VALIDATION_FAILED',
      'The request is not valid.',
    ]),
  ];

  for (const [what, body, status, code, message] of REFUSED) {
    t.test(`rejected: ${what}`, async (t) => {
      const answer = await post(body);
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code, message });
      t.equal((await list()).total, 0, 'nothing is stored');
    });
  }

  t.test('rejected: invalid slots', async (t) => {
    t.hasStrict((await disable(4711, true)).json, { code: 'NOT_FOUND' });
    for (const query of [
      '?id=0&is_disabled=true',
      '?id=x&is_disabled=true',
      '?id=1',
      '?id=1&is_disabled=perhaps',
      '?id=1e300&is_disabled=true',
    ]) {
      const answer = await ask(url, `${PATH}/disable${query}`, { method: 'PUT', headers: admin });
      t.hasStrict([answer.status, answer.json], [400, { code: 'VALIDATION_FAILED' }], query);
    }
    for (const query of ['?cursor=abc', `?cursor=${Buffer.from('[1,2]').toString('base64url')}`]) {
      t.hasStrict((await ask(url, `${PATH}/list${query}`, { headers: admin })).json, { code: 'BAD_CURSOR' });
    }
  });
});

t.test('status of a slot', async (t) => {
  const SECOND = 1000;

  /**
   * Slots as administrators of three places write them. Two span a change of daylight-saving time: Berlin loses an hour in
   * the night of the slot, New York has one twice.
   */
  const PLACES: [zone: string, start: string, end: string, hours: number][] = [
    ['Asia/Shanghai', '2026-07-01T09:00:00+08:00', '2026-07-01T18:00:00+08:00', 9],
    ['Europe/Berlin', '2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00', 1],
    ['America/New_York', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00', 1],
  ];

  const own = process.env.TZ;
  t.teardown(() => {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  });

  for (const [place, start_at, end_at, hours] of PLACES) {
    for (const [zone] of PLACES) {
      t.test(`a slot of ${place} on a server in ${zone}`, async (t) => {
        process.env.TZ = zone;
        const long_before = Date.parse('2026-01-01T00:00:00Z');
        const duration = slotDuration({ start_at, end_at }, long_before);
        const start = duration.start_at.getTime();
        const end = duration.end_at.getTime();
        t.equal(end - start, hours * 3600 * SECOND);
        const slot = { ...duration, is_disabled: false, is_visible: true };
        t.equal(slotStatus(slot, start - SECOND), 'inactive', 'a second before');
        t.equal(slotStatus(slot, start - 1), 'inactive', 'the last moment before');
        t.equal(slotStatus(slot, start), 'active', 'the second of the start');
        t.equal(slotStatus(slot, end - SECOND), 'active', 'the last second');
        t.equal(slotStatus(slot, end - 1), 'active', 'the last moment');
        t.equal(slotStatus(slot, end), 'expired', 'the second of the end');
        t.equal(slotStatus(slot, end + SECOND), 'expired');
      });
    }
  }

  t.test('a disabled slot, and one of an invisible plugin, is invalid at any time', async (t) => {
    const times = { start_at: new Date(1000), end_at: new Date(2000) };
    for (const now of [0, 1000, 2000]) {
      t.equal(slotStatus({ ...times, is_disabled: true, is_visible: true }, now), 'invalid');
      t.equal(slotStatus({ ...times, is_disabled: false, is_visible: false }, now), 'invalid');
    }
  });

  t.test('reports the first error of a duration', async (t) => {
    const now = Date.parse('2026-05-01T12:00:00Z');
    const CASES: [given: { start_at?: string; end_at?: string }, code: string, message: string][] = [
      [{}, 'DURATION_REQUIRED', 'Please set up a duration.'],
      [{ start_at: '2026-05-02T00:00:00Z' }, 'DURATION_REQUIRED', 'Please set up a duration.'],
      [{ end_at: '2026-05-02T00:00:00Z' }, 'DURATION_REQUIRED', 'Please set up a duration.'],
      [
        { start_at: '2026-05-03T00:00:00Z', end_at: '2026-05-02T23:59:59Z' },
        'END_BEFORE_START',
        'The end date cannot earlier than the start date.',
      ],
      [
        { start_at: '2026-05-03T00:00:00Z', end_at: '2026-05-03T00:00:00Z' },
        'END_BEFORE_START',
        'The end date cannot earlier than the start date.',
      ],
      [
        { start_at: '2026-05-03T00:00:00+00:00', end_at: '2026-05-03T07:59:59+08:00' },
        'END_BEFORE_START',
        'The end date cannot earlier than the start date.',
      ],
      [
        { start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T11:59:59Z' },
        'END_BEFORE_NOW',
        'The end date cannot earlier than now.',
      ],
      [
        { start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T12:00:00Z' },
        'END_BEFORE_NOW',
        'The end date cannot earlier than now.',
      ],
      [
        { start_at: '2026-04-30T23:59:60Z', end_at: '2026-05-02T00:00:00Z' },
        'VALIDATION_FAILED',
        'The request is not valid.',
      ],
    ];
    for (const [given, code, message] of CASES) t.throws(() => slotDuration(given, now), { code, message });
    t.strictSame(slotDuration({ start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T12:00:01Z' }, now), {
      start_at: new Date('2026-05-01T00:00:00Z'),
      end_at: new Date('2026-05-01T12:00:01Z'),
    });
  });
});
