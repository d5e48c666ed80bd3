import t from 'tap';
import { csvLine, trailCsv } from '../../../../server/community/people/audit-log/audit-log.ts';
import { type NewAuditLogEntry, writeAuditLog } from '../../../../server/community/people/audit-log/store.ts';
import { upsertUser } from '../../../../server/community/people/users.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';

const community = await testCommunity(t);
const { db, pool, url } = community;
const admin = await community.bearer(1, 2);

const list = async (query = '') =>
  dataOf(await ask(url, `manager/audit-trail/list?${query}`, { headers: admin }), contract.listAuditLog.data);
const download = (query = '') =>
  fetch(`${url}/api/cmt/manager/audit-trail/export?${query}`, { headers: admin });

const note = (n: number, more: Partial<NewAuditLogEntry> = {}): NewAuditLogEntry => ({
  actorId: 1 + (n % 2),
  action: n % 3 === 0 ? 'plugin.hide' : 'banner.add',
  targetKind: n % 3 === 0 ? 'plugin' : 'banner',
  targetId: n % 3 === 0 ? `plugin-${n}` : n,
  targetName: `Name ${n}`,
  ...more,
});
await upsertUser(db, { user_id: 1, nick_name: 'Ada', avatar_url: 'https://a.example/1.png', role: 1 });
for (let n = 0; n < 25; n += 1) {
  await writeAuditLog(db, note(n));
  // Three share a moment, so that the id must decide.
  await pool.query(
    `update audit_trail set created_at = timestamptz '2026-01-01T00:00:00Z' + $1 * interval '1 hour'
    where id = (select max(id) from audit_trail)`,
    [Math.floor(n / 3)],
  );
}

t.test('entries have actor, time, action and reason, newest first', async (t) => {
  await writeAuditLog(
    db,
    note(1, { actorId: 1, detail: { reason: 'Spam', count: 2, own: true, before: null } }),
  );
  const { entry_list, total } = await list();
  t.equal(total, 26);
  t.equal(entry_list.length, 20);
  t.hasStrict(entry_list[0], {
    actor: { user_id: 1, nick_name: 'Ada', avatar_url: '' },
    action: 'banner.add',
    target_kind: 'banner',
    target_id: '1',
    target_name: 'Name 1',
    detail: { reason: 'Spam', count: 2, own: true, before: null },
  });
  t.hasStrict(
    entry_list.find((entry) => entry.actor.user_id === 2),
    { actor: { nick_name: '' } },
    'an actor without a known name has an empty one',
  );
  await pool.query('delete from audit_trail where id = (select max(id) from audit_trail)');
});

t.test('a target is named in the language of the reader, in the list and as CSV', async (t) => {
  const names = { 'zh-CN': '网格', 'en-US': 'Grid', 'ko-KR': '그리드' };
  await writeAuditLog(db, note(1, { action: 'plugin.named', targetName: { names, default_lang: 'zh-CN' } }));
  const expected = { 'zh-CN': '网格', 'en-US': 'Grid', 'ko-KR': '그리드', 'ja-JP': 'Grid' };
  for (const [language, name] of Object.entries(expected)) {
    const headers = { ...admin, 'accept-language': language };
    const answer = await ask(url, 'manager/audit-trail/list?action=plugin.named', { headers });
    t.equal(dataOf(answer, contract.listAuditLog.data).entry_list[0]?.target_name, name);
    const csv = await fetch(`${url}/api/cmt/manager/audit-trail/export`, { headers });
    t.match(await csv.text(), `"${name}"`);
  }
  await pool.query('delete from audit_trail where id = (select max(id) from audit_trail)');
});

const filters: [query: string, total: number][] = [
  ['action=plugin.hide', 9],
  ['target_kind=banner', 16],
  ['target_id=plugin-3', 1],
  ['actor_id=2', 12],
  ['actor_id=1&action=plugin.hide', 5],
  ['action=nothing', 0],
];
for (const [query, total] of filters) {
  t.test(`entries with ${query}, page by page`, async (t) => {
    const met: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`${query}&limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      met.push(...page.entry_list.map((entry) => entry.id));
      t.equal(page.total, total);
      cursor = page.next_cursor;
    }
    t.equal(met.length, total);
    t.strictSame(
      met,
      [...new Set(met)].sort((a, b) => b - a),
    );
  });
}

t.test('the export contains all entries, oldest first', async (t) => {
  const response = await download();
  t.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.equal(response.headers.get('content-disposition'), 'attachment; filename="audit-log.csv"');
  t.equal(response.headers.get('cache-control'), 'no-store');
  const bytes = Buffer.from(await response.arrayBuffer());
  t.strictSame([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'spreadsheets know that it is UTF-8');
  const lines = bytes.toString().slice(1).split('\r\n');
  t.equal(lines.length, 1 + 25 + 1);
  t.equal(
    lines[0],
    '"time","actor_id","actor","action","target_kind","target_id","target","reason","detail"',
  );
  t.equal(
    lines[1],
    '"2026-01-01T00:00:00.000Z","1","Ada","plugin.hide","plugin","plugin-0","Name 0","","{}"',
  );
});

t.test('the export of a time span includes its start and excludes its end', async (t) => {
  const count = async (query: string) => (await (await download(query)).text()).split('\r\n').length - 2;
  t.equal(await count('from=2026-01-01T01:00:00Z&until=2026-01-01T03:00:00Z'), 6);
  t.equal(await count('from=2026-01-01T09:00:00%2B08:00&until=2026-01-01T03:00:00Z'), 6, 'in any time zone');
  t.equal(await count('from=2026-01-01T01:00:00.001Z&until=2026-01-01T03:00:00.001Z'), 6);
  t.equal(await count('until=2026-01-01T00:00:00Z'), 0);
  t.equal(await count('from=2030-01-01T00:00:00Z'), 0);
});

for (const query of ['from=yesterday', 'until=2026-13-01T00:00:00Z', 'from=2026-06-30T23:59:60Z']) {
  t.test(`refused: ${query}`, async (t) => {
    const response = await download(query);
    t.equal(response.status, 400);
    t.hasStrict(await response.json(), { code: 'VALIDATION_FAILED' });
  });
}

t.test('a long audit log is read in batches without gaps', async (t) => {
  let text = '';
  let parts = 0;
  for await (const part of trailCsv(
    db,
    { from: new Date(0), until: new Date('2100-01-01') },
    { language: 'en-US', batch: 4 },
  )) {
    text += part;
    parts += 1;
  }
  t.equal(parts, 1 + 7);
  const names = [...text.matchAll(/"Name (\d+)"/g)].map((match) => Number(match[1]));
  t.strictSame(
    names,
    Array.from({ length: 25 }, (_, n) => n),
  );
});

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1+1', '＠x', '－1'];
for (const text of formulas) {
  t.test(`no spreadsheet runs ${JSON.stringify(text)}`, (t) => {
    t.equal(
      csvLine([text])
        .replace(/[\r\n]+$/, '')
        .slice(0, 2),
      `"'`,
    );
    t.equal(csvLine([text]).replaceAll("'", ''), `"${text}"\r\n`);
    t.end();
  });
}

for (const [text, shown] of [
  ['a;=1+1', "a;'=1+1"],
  ['a; =1', "a;' =1"],
  ['a;;@x;＝1', "a;;'@x;'＝1"],
  ['a\n=1', "a\n'=1"],
  ['a\t+1', "a\t'+1"],
  ['a|-1', "a|'-1"],
  ['=1;=2', "'=1;'=2"],
] as const) {
  t.test(`no spreadsheet with another separator runs ${JSON.stringify(text)}`, (t) => {
    t.equal(csvLine(['x', text]), `"x","${shown}"\r\n`);
    t.end();
  });
}

t.test('a hostile name and reason are exported as text', async (t) => {
  await writeAuditLog(
    db,
    note(0, { targetName: '=HYPERLINK("http://evil.example","x")', detail: { reason: '@a,"b"\r\nc' } }),
  );
  const text = await (await download('from=2026-02-01T00:00:00Z')).text();
  t.match(text, `"'=HYPERLINK(""http://evil.example"",""x"")"`);
  t.match(text, `"'@a,""b""\r\nc"`);
});

t.test('a text that is no formula does not change', (t) => {
  t.equal(csvLine(['a=b', '2026-01-01', '', 'a "b"', '你好']), '"a=b","2026-01-01","","a ""b""","你好"\r\n');
  t.end();
});

t.test('invalid queries are refused', async (t) => {
  for (const query of ['limit=0', 'actor_id=x', `action=${'x'.repeat(65)}`, 'cursor=abc']) {
    const answer = await ask(url, `manager/audit-trail/list?${query}`, { headers: admin });
    t.equal(answer.status, 400, query);
  }
  const { next_cursor } = await list('limit=1&actor_id=1');
  const other = await ask(url, `manager/audit-trail/list?actor_id=2&cursor=${next_cursor}`, {
    headers: admin,
  });
  t.hasStrict(other.json, { code: 'BAD_CURSOR' });
});
