import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPicture, addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';

const clock = { ahead: 0 };
const community = await testCommunity(t, { now: () => Date.now() + clock.ahead });
const { db, pool, url, issuer } = community;
await addPlugin(db, { key: 'reported', name: { 'en-US': 'Reported', 'ru-RU': 'Жалоба' } });
await addPlugin(db, { key: 'another-one' });
await addPlugin(db, { key: 'hidden-one', isHidden: true });

async function addUser(id: number, role: 0 | 1 | 2, nick_name: string) {
  return { authorization: `Bearer ${await issuer.sign({ sub: String(id), role, nick_name })}` };
}
const ada = await addUser(7, 0, 'Ada');
const bob = await addUser(8, 0, 'Bob');
const grace = await addUser(1, 1, 'Grace');
const linus = await addUser(2, 2, 'Linus');

type Headers = Record<string, string>;
const report = (headers: Headers, changed: Record<string, unknown> = {}) => {
  clock.ahead += 10;
  const body = { plugin_key: 'reported', kind: 'malicious', reason: 'It reads files', ...changed };
  return ask(url, 'plugin/report', { headers, body });
};
const own = async (headers: Headers, query = '') =>
  dataOf(await ask(url, `plugin/report/list${query}`, { headers }), contract.listOwnReports.data);
const list = async (query = '', headers: Headers = grace) =>
  dataOf(await ask(url, `manager/report/list${query}`, { headers }), contract.listReports.data);
const decide = (headers: Headers, body: Record<string, unknown>) => {
  clock.ahead += 10;
  return ask(url, 'manager/report', { method: 'PUT', headers, body });
};

async function newReport(headers: Headers = ada, changed: Record<string, unknown> = {}): Promise<number> {
  dataOf(await report(headers, changed), contract.reportPlugin.data);
  const { rows } = await pool.query('select max(id) as id from report');
  return rows[0].id;
}

t.afterEach(() => pool.query('delete from report; delete from audit_trail; delete from notice'));

t.test('administrators get a report with its reporter, plugin and reason', async (t) => {
  const id = await newReport();
  t.hasStrict(await list(), {
    total: 1,
    next_cursor: null,
    report_list: [
      {
        id,
        plugin_key: 'reported',
        plugin_name: 'Reported',
        kind: 'malicious',
        reason: 'It reads files',
        reporter: { user_id: 7, nick_name: 'Ada' },
        state: 'open',
        decision: null,
        decided_by: null,
        decided_at: null,
      },
    ],
  });
  const russian = await list('', { ...grace, 'accept-language': 'ru-RU' });
  t.equal(russian.report_list[0]?.plugin_name, 'Жалоба');
});

t.test('administrators and reporters get the icon and the cover of the plugin', async (t) => {
  const shown = { icon: await addPicture(db, 'a'), cover: await addPicture(db, 'b') };
  const keys = [shown.icon.key, shown.cover.key];
  await pool.query("update plugin set icon_key = $1, cover_key = $2 where plugin_key = 'reported'", keys);
  t.teardown(() =>
    pool.query("update plugin set icon_key = null, cover_key = null where plugin_key = 'reported'"),
  );
  await newReport();
  t.hasStrict((await list()).report_list[0], shown);
  t.hasStrict((await own(ada)).report_list[0], shown);
});

t.test('without a kind, a report is of kind other', async (t) => {
  await newReport(ada, { kind: undefined });
  t.equal((await list()).report_list[0]?.kind, 'other');
});

t.test('a user has one open report of a plugin, also after simultaneous ones', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => report(ada)));
  t.ok(answers.every(({ status }) => status === 200));
  await newReport(bob);
  await newReport(ada, { plugin_key: 'another-one' });
  t.equal((await own(ada)).total, 2);
  t.equal((await list()).total, 3);
  t.equal((await list('?plugin_key=reported')).total, 2);
});

t.test('reporters see the decision but not the administrator', async (t) => {
  const id = await newReport();
  t.hasStrict((await own(ada)).report_list, [{ id, state: 'open', decision: null, decided_at: null }]);
  const decided = dataOf(
    await decide(linus, { id, state: 'accepted', decision: ' Thank you, \r\nit is hidden. ' }),
    contract.decideReport.data,
  );
  t.hasStrict(decided, {
    id,
    state: 'accepted',
    decision: 'Thank you, \nit is hidden.',
    decided_by: { user_id: 2, nick_name: 'Linus' },
  });
  const answer = await ask(url, 'plugin/report/list', { headers: ada });
  t.hasStrict(dataOf(answer, contract.listOwnReports.data).report_list, [
    { id, plugin_name: 'Reported', state: 'accepted', decision: 'Thank you, \nit is hidden.' },
  ]);
  t.notMatch(JSON.stringify(answer.json), /Linus|decided_by|reporter/);
  t.strictSame((await own(bob)).report_list, [], 'other users do not see it');
  await newReport();
  t.equal((await own(ada)).total, 2, 'after a decision the plugin can be reported again');
  t.match(await auditLogOf(pool, 'report'), [
    {
      actor_id: 2,
      action: 'report.accept',
      target_id: String(id),
      target_name: 'Reported',
      detail: { plugin_key: 'reported', kind: 'malicious', reason: 'Thank you, \nit is hidden.' },
    },
  ]);
});

t.test('accepting a report can hide its plugin, dismissing cannot', async (t) => {
  const id = await newReport();
  const refused = await decide(grace, { id, state: 'dismissed', is_hidden: true });
  t.hasStrict(refused, {
    status: 400,
    json: {
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/is_hidden', message: 'goes with state accepted' }],
    },
  });
  t.hasStrict((await list('?state=open')).report_list, [{ id, state: 'open', is_hidden: false }]);
  const decided = dataOf(
    await decide(grace, { id, state: 'accepted', is_hidden: true }),
    contract.decideReport.data,
  );
  t.hasStrict(decided, { state: 'accepted', is_hidden: true });
  t.hasStrict(await ask(url, 'plugin?plugin_key=reported', {}), {
    status: 404,
    json: { code: 'PLUGIN_NOT_FOUND' },
  });
  const { rows } = await pool.query('select action, target_id from audit_trail order by id');
  t.strictSame(rows, [
    { action: 'plugin.hide', target_id: 'reported' },
    { action: 'report.accept', target_id: String(id) },
  ]);
  t.notMatch(JSON.stringify(await own(ada)), 'is_hidden', 'the reporter only sees the text of the decision');
  await pool.query("update plugin set is_hidden = false where plugin_key = 'reported'");
});

t.test('accepting a report can warn the publisher, or hide the plugin and notify them', async (t) => {
  const id = await newReport();
  const warning = 'Name the host you send files to';
  t.hasStrict(await decide(grace, { id, state: 'dismissed', warning }), {
    status: 400,
    json: { errors: [{ pointer: '/warning', message: 'goes with state accepted' }] },
  });
  t.hasStrict(await decide(grace, { id, state: 'accepted', warning: ' ' }), { status: 400 });
  const readNotices = async () => {
    const { rows } = await pool.query('select user_id, kind, data from notice order by id');
    await pool.query('delete from notice');
    return rows;
  };
  t.strictSame(await readNotices(), []);
  for (const _ of [1, 2])
    t.hasStrict(await decide(grace, { id, state: 'accepted', warning, decision: 'Thanks' }), {
      status: 200,
    });
  const plugin_names = { 'en-US': 'Reported', 'ru-RU': 'Жалоба' };
  const plugin = { plugin_key: 'reported', plugin_name: 'Reported', plugin_names };
  t.strictSame(await readNotices(), [
    { user_id: 7, kind: 'report_decided', data: { ...plugin, is_upheld: true, reason: 'Thanks' } },
    { user_id: PUBLISHER_ID, kind: 'plugin_warned', data: { ...plugin, reason: warning } },
  ]);
  t.hasStrict(await ask(url, 'plugin?plugin_key=reported', {}), { status: 200 }, 'it stays up');
  const { rows } = await pool.query("select detail from audit_trail where action = 'report.accept'");
  t.hasStrict(rows, [{ detail: { reason: 'Thanks', warning } }]);

  const again = await newReport();
  t.hasStrict(await decide(grace, { id: again, state: 'accepted', is_hidden: true }), { status: 200 });
  t.strictSame((await readNotices())[1], { user_id: PUBLISHER_ID, kind: 'plugin_hidden', data: plugin });
  await pool.query("update plugin set is_hidden = false where plugin_key = 'reported'");
});

t.test('the warning is stored with the report and not shown to the reporter', async (t) => {
  const id = await newReport();
  t.hasStrict((await list()).report_list, [{ id, warning: null }]);
  const body = { id, state: 'accepted', warning: ' Name the host\r\nyou send files to ' };
  const decided = dataOf(await decide(linus, body), contract.decideReport.data);
  t.equal(decided.warning, 'Name the host\nyou send files to');
  const [listed] = (await list('?state=accepted')).report_list;
  t.hasStrict(listed, {
    id,
    warning: 'Name the host\nyou send files to',
    decided_by: { user_id: 2, nick_name: 'Linus' },
    decided_at: decided.decided_at,
  });
  const answer = await ask(url, 'plugin/report/list', { headers: ada });
  t.notMatch(JSON.stringify(answer.json), /warning|Name the host/);
});

t.test('a decision with another warning or hiding is not the same decision', async (t) => {
  const id = await newReport();
  const body = { id, state: 'accepted', warning: 'Name the host', decision: 'Thanks' };
  t.equal((await decide(grace, body)).status, 200);
  t.equal((await decide(grace, { ...body, warning: ' Name the host ' })).status, 200, 'the same text');
  const { warning: _, ...unwarned } = body;
  for (const other of [{ ...body, warning: 'Remove it' }, unwarned, { ...body, is_hidden: true }])
    t.hasStrict(
      await decide(grace, other),
      {
        status: 409,
        json: {
          code: 'ALREADY_DECIDED',
          data: { by: { user_id: 1, nick_name: 'Grace' }, state: 'accepted', reason: 'Thanks' },
        },
      },
      JSON.stringify(other),
    );
  t.hasStrict((await list()).report_list, [{ id, warning: 'Name the host', is_hidden: false }]);
  const { rows } = await pool.query('select kind from notice order by id');
  t.strictSame(rows, [{ kind: 'report_decided' }, { kind: 'plugin_warned' }], 'nobody is notified');

  const hiding = await newReport();
  const hidden = { id: hiding, state: 'accepted', is_hidden: true };
  t.equal((await decide(grace, hidden)).status, 200);
  await pool.query("update plugin set is_hidden = false where plugin_key = 'reported'");
  t.equal((await decide(grace, hidden)).status, 200, 'shown again since, it is the same decision');
  t.hasStrict(await decide(grace, { id: hiding, state: 'accepted' }), { status: 409 });
});

t.test('of two simultaneous decisions one succeeds, the other gets who decided and what', async (t) => {
  const id = await newReport();
  const answers = await Promise.all([
    decide(grace, { id, state: 'accepted', decision: 'Right' }),
    decide(linus, { id, state: 'dismissed' }),
  ]);
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 409]);
  const isGrace = answers[0].status === 200;
  t.match(answers[isGrace ? 1 : 0].json, {
    code: 'ALREADY_DECIDED',
    message: 'Somebody else has decided this in the meantime.',
    data: {
      by: isGrace ? { user_id: 1, nick_name: 'Grace' } : { user_id: 2, nick_name: 'Linus' },
      at: String,
      state: isGrace ? 'accepted' : 'dismissed',
      reason: isGrace ? 'Right' : null,
    },
  });
  t.equal((await auditLogOf(pool, 'report')).length, 1);
});

t.test(
  'a repeated decision by the same administrator changes nothing, another one is a conflict',
  async (t) => {
    const id = await newReport();
    const body = { id, state: 'dismissed', decision: '' };
    const first = dataOf(await decide(grace, body), contract.decideReport.data);
    t.equal(first.decision, null);
    t.strictSame(dataOf(await decide(grace, body), contract.decideReport.data), first);
    t.equal((await decide(grace, { id, state: 'accepted' })).status, 409);
    t.equal((await decide(linus, body)).status, 409);
    t.equal((await auditLogOf(pool, 'report')).length, 1);
  },
);

t.test('open reports come first by age, then the latest decisions; pages have no gap', async (t) => {
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await newReport(await addUser(20 + n, 0, `P${n}`)));
  const [a, b, c, d, e, f] = ids;
  await decide(grace, { id: d, state: 'accepted' });
  await decide(grace, { id: a, state: 'dismissed' });
  const wanted = [b, c, e, f, a, d];
  for (const limit of [1, 2, 3, 4, 6]) {
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      t.equal(page.total, 6);
      seen.push(...page.report_list.map((row) => row.id));
      cursor = page.next_cursor;
    }
    t.strictSame(seen, wanted, `${limit} a page`);
  }
  const idsOf = async (query: string) => (await list(query)).report_list.map((row) => row.id);
  t.strictSame(await idsOf('?state=open'), [b, c, e, f]);
  t.strictSame(await idsOf('?state=accepted'), [d]);
  t.strictSame(await idsOf('?state=dismissed'), [a]);
  t.strictSame(await idsOf('?plugin_key=another-one'), []);
  const { next_cursor } = await list('?limit=2');
  const foreign = await ask(url, `manager/report/list?state=open&cursor=${next_cursor}`, { headers: grace });
  t.hasStrict([foreign.status, foreign.json], [400, { code: 'BAD_CURSOR' }]);
});

t.test('own reports are paged, newest first', async (t) => {
  const first = await newReport();
  const second = await newReport(ada, { plugin_key: 'another-one' });
  const page = await own(ada, '?limit=1');
  t.strictSame([page.total, page.report_list[0]?.id], [2, second]);
  const rest = await own(ada, `?limit=1&cursor=${page.next_cursor}`);
  t.strictSame([rest.next_cursor, rest.report_list[0]?.id], [null, first]);
  const foreign = await ask(url, `plugin/report/list?cursor=${page.next_cursor}`, { headers: bob });
  t.equal(foreign.status, 400);
});

const REFUSED: [what: string, changed: Record<string, unknown>, status: number, code: string][] = [
  ['an unknown plugin', { plugin_key: 'no-such-plugin' }, 404, 'PLUGIN_NOT_FOUND'],
  ['an invisible plugin', { plugin_key: 'hidden-one' }, 404, 'PLUGIN_NOT_FOUND'],
  ['no reason', { reason: undefined }, 400, 'VALIDATION_FAILED'],
  ['an empty reason', { reason: '' }, 400, 'VALIDATION_FAILED'],
  ['a reason of spaces', { reason: ' \n\t ' }, 400, 'VALIDATION_FAILED'],
  ['a reason with NUL', { reason: 'a\u0000b' }, 400, 'VALIDATION_FAILED'],
  ['a reason with half a character', { reason: 'a\ud800' }, 400, 'VALIDATION_FAILED'],
  ['a reason that turns text around', { reason: 'a\u202eb' }, 400, 'VALIDATION_FAILED'],
  ['a reason of 501 characters', { reason: '😀'.repeat(501) }, 400, 'VALIDATION_FAILED'],
  ['an unknown kind', { kind: 'boring' }, 400, 'VALIDATION_FAILED'],
  ['a reason of another type', { reason: 5 }, 400, 'VALIDATION_FAILED'],
];

for (const [what, changed, status, code] of REFUSED) {
  t.test(`refused: ${what}`, async (t) => {
    const answer = await report(ada, changed);
    t.hasStrict([answer.status, answer.json], [status, { code }]);
    t.equal((await list()).total, 0);
  });
}

t.test('500 characters outside the basic multilingual plane count as 500', async (t) => {
  const id = await newReport(ada, { reason: '😀'.repeat(500) });
  t.equal((await decide(grace, { id, state: 'accepted', decision: '😀'.repeat(500) })).status, 200);
});

t.test('refused: invalid decisions', async (t) => {
  const id = await newReport();
  for (const [body, status, code] of [
    [{ id: 4711, state: 'accepted' }, 404, 'NOT_FOUND'],
    [{ id, state: 'open' }, 400, 'VALIDATION_FAILED'],
    [{ id }, 400, 'VALIDATION_FAILED'],
    [{ id: 1e300, state: 'accepted' }, 400, 'VALIDATION_FAILED'],
    [{ id: -1, state: 'accepted' }, 400, 'VALIDATION_FAILED'],
    [{ id: String(id), state: 'accepted' }, 400, 'VALIDATION_FAILED'],
    [{ id, state: 'accepted', decision: 'x\u0000' }, 400, 'VALIDATION_FAILED'],
    [{ id, state: 'accepted', decision: 'x'.repeat(501) }, 400, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await decide(grace, body);
    t.hasStrict([answer.status, answer.json], [status, { code }], JSON.stringify(body).slice(0, 60));
  }
  t.equal((await list()).report_list[0]?.state, 'open');
});

t.test('totals up to ten thousand are exact, beyond that a lower bound', async (t) => {
  const add = (count: number) =>
    pool.query(
      `insert into report (plugin_id, user_id, kind, reason, state, decided_by, decided_at)
        select (select min(id) from plugin), 7, 'other', 'Again', 'dismissed', 1, now()
          from generate_series(1, $1::int)`,
      [count],
    );
  await add(10_000);
  t.hasStrict(await list('?state=dismissed'), { total: 10_000, total_estimated: false });
  await add(1);
  t.hasStrict(await list('?state=dismissed'), { total: 10_000, total_estimated: true });
  t.hasStrict(await own(ada), { total: 10_000, total_estimated: true });
  t.hasStrict(await list('?state=open'), { total: 0, total_estimated: false });
});
