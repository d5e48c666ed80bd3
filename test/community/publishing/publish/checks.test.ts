import t from 'tap';
import { editDistance } from '../../../../server/community/catalogue/search/similar.ts';
import {
  candidateQueries,
  looksAlike,
  similarNames,
} from '../../../../server/community/publishing/publish/similar-names.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { importBatch, packageOf, sendBatch } from '../batch/send-batch.ts';
import { formOf, jsonFile, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

t.test('access', async (t) => {
  const open = await testCommunity(t, { publishers: 'members' });
  const { send, sent, storedState, pass } = publishing(open);
  const { plugin_key } = await sent(pluginForm());
  const change = () => formOf({ plugin_key, contact: 'other@example.com' });
  await send(change(), { method: 'PUT', userId: 8 });

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
    const version = () =>
      pluginForm({ plugin_key, version: '2.0.0', code: jsonFile(packageText({}, 'x();')) });
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
    const own = await sent(pluginForm({ code: jsonFile(packageText({}, 'whole();')) }), {
      userId: 9,
      role: 1,
    });
    const after = await storedState();
    const version = () =>
      formOf({ plugin_key: own.plugin_key, version: '1.1.0', code: jsonFile(packageText({}, 'next();')) });
    t.match(await call(ci, 'POST', version()), missing('/version_note'), 'its next version');
    const emptied = () => formOf({ plugin_key: own.plugin_key, intro: '{}', contact: '' });
    t.match(await call(ci, 'PUT', emptied()), missing('/intro', '/contact'), 'a form that removes texts');
    t.not(before.files.length, after.files.length);
    t.strictSame(await storedState(), after, 'nothing is left of it');
  });
});

t.test('limits', async (t) => {
  const MINUTE = 60_000;
  const LIMITS = [
    { max: 3, window: MINUTE },
    { max: 5, window: 60 * MINUTE },
  ];
  /** Ten seconds past a whole minute. */
  const START = Math.floor(Date.now() / MINUTE) * MINUTE + 10_000;
  const clockOf = (moment: number) => new Date(moment).toUTCString().slice(17, 22);
  let time = START;
  const community = await testCommunity(t, {
    publishers: 'members',
    publishing: { limits: LIMITS, quotaBytes: 100_000 },
    now: () => time,
  });
  const { send, sent, storedState } = publishing(community);
  let serial = 0;
  const another = (size = 10) => {
    serial += 1;
    return pluginForm({ code: jsonFile(packageText({}, `console.log('${serial}${'x'.repeat(size)}');\n`)) });
  };
  const rules = async (userId: number, role: 0 | 1 | 2 = 0) =>
    dataOf(
      await ask(community.url, 'plugin/publish-rules', { headers: await community.bearer(userId, role) }),
      contract.readPublishRules.data,
    );

  t.beforeEach(() => {
    time = START;
  });

  t.test('the fourth submission within a minute is refused and stores nothing', async (t) => {
    for (const seconds of [0, 10, 20]) {
      time = START + seconds * 1000;
      t.equal((await send(another(), { userId: 11 })).status, 200);
    }
    time = START + 30_000;
    const before = await storedState();
    const refused = await send(another(), { userId: 11 });
    const said = {
      code: 'PUBLISH_LIMIT_REACHED',
      message: `Publishing limit reached. Try again at ${clockOf(START + 2 * MINUTE)} UTC.`,
    };
    t.hasStrict(refused, { status: 429, json: said });
    t.equal(refused.headers.get('retry-after'), '30');
    t.strictSame(await storedState(), before);
    const dry = await send(another(), { userId: 11, query: '?dry_run=1' });
    t.hasStrict(dry, { status: 429, json: said }, 'a dry run returns the same');
    t.equal(dry.headers.get('retry-after'), '30');
    t.equal((await send(another(), { userId: 12 })).status, 200, 'others are not concerned');
    time = START + 60_001;
    t.equal((await send(another(), { userId: 11 })).status, 200);
    t.hasStrict((await rules(11)).limits, [
      { max: 3, window_seconds: 60, used: 3 },
      { max: 5, window_seconds: 3600, used: 4 },
    ]);
  });

  t.test('dry runs and refused attempts are limited to ten for each allowed submission', async (t) => {
    const tried = async (userId: number) => (await send(another(), { userId, query: '?dry_run=1' })).status;
    for (let count = 0; count < 15; count += 1) t.equal(await tried(17), 200);
    const broken = () => pluginForm({ code: jsonFile('{') });
    for (let count = 0; count < 15; count += 1) t.equal((await send(broken(), { userId: 17 })).status, 422);
    time = START + 20_000;
    const refused = await send(another(), { userId: 17, query: '?dry_run=1' });
    t.hasStrict(refused, { status: 429, json: { code: 'PUBLISH_LIMIT_REACHED' } });
    t.equal(refused.headers.get('retry-after'), '40');
    t.equal((await send(broken(), { userId: 17 })).status, 429, 'it is not even looked at');
    t.equal(await tried(18), 200, 'others are not concerned');
    t.equal((await send(another(), { userId: 17, role: 2, query: '?dry_run=1' })).status, 200);
    time = START + 60_001;
    t.equal(await tried(17), 200);
    time = START - 60_000;
    t.equal(await tried(17), 200, 'attempts in the future, after the clock was set back, are not counted');
  });

  t.test('each package of a batch counts as a submission and as an attempt', async (t) => {
    const packages = (count: number) =>
      Array.from({ length: count }, () => {
        serial += 1;
        return packageOf({ name: `Batch ${serial}` });
      });
    const batch = (count: number, more = {}) =>
      importBatch(community, { files: [['batch.json', packages(count)]], userId: 19, role: 0, ...more });
    const codes = (results: Awaited<ReturnType<typeof batch>>) =>
      results.map(({ ok, errors }) => (ok ? 'ok' : errors[0]?.code));
    const reached = 'PUBLISH_LIMIT_REACHED';
    t.strictSame(codes(await batch(4)), ['ok', 'ok', 'ok', reached]);
    time = START + 60_001;
    t.strictSame(codes(await batch(27, { dryRun: true })), Array(27).fill('ok'));
    const files = [['batch.json', packages(4)]] as const;
    const refused = await sendBatch(community, { files, userId: 19, role: 0, dryRun: true });
    t.hasStrict(
      refused,
      { status: 429, json: { code: reached } },
      'packages that were not looked at are not bad',
    );
    t.equal(refused.headers.get('retry-after'), '60');
    t.strictSame(codes(await batch(4, { dryRun: true, role: 2 })), Array(4).fill('ok'));
  });

  t.test('the longer limit applies too, and counts changes as well', async (t) => {
    const { plugin_key } = await sent(another(), { userId: 13 });
    for (let minute = 1; minute < 5; minute += 1) {
      time = START + minute * MINUTE;
      const change = formOf({ plugin_key, contact: `${minute}@example.com` });
      t.equal((await send(change, { method: 'PUT', userId: 13 })).status, 200);
    }
    time = START + 10 * MINUTE;
    const refused = await send(another(), { userId: 13 });
    t.equal(refused.status, 429);
    t.equal(refused.headers.get('retry-after'), String(50 * 60));
    time = START + 10 * MINUTE;
    const repeat = await send(formOf({ plugin_key, contact: '4@example.com' }), {
      method: 'PUT',
      userId: 13,
    });
    t.equal(repeat.status, 200, 'a repeat without changes is not counted');
  });

  t.test('of twenty simultaneous submissions three are accepted', async (t) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(another(), { userId: 14 })));
    const statuses = answers.map(({ status }) => status).sort();
    t.strictSame(statuses, [...Array(3).fill(200), ...Array(17).fill(429)]);
    t.equal((await rules(14)).limits[0]?.used, 3);
  });

  t.test('administrators have no limit', async (t) => {
    for (let count = 0; count < 8; count += 1) {
      t.equal((await send(another(), { userId: 1, role: count % 2 ? 1 : 2 })).status, 200);
    }
    t.hasStrict(await rules(1, 1), { is_limited: false, may_mark: true });
  });

  t.test('a submission beyond the quota is refused, and nothing is stored', async (t) => {
    t.equal((await send(another(60_000), { userId: 15 })).status, 200);
    const { used_bytes, quota_bytes, is_limited, may_mark } = await rules(15);
    t.ok(used_bytes > 60_000 && used_bytes < 61_000);
    t.equal(quota_bytes, 100_000);
    t.strictSame([is_limited, may_mark], [true, false]);
    const before = await storedState();
    t.hasStrict(await send(another(60_000), { userId: 15 }), {
      status: 413,
      json: { code: 'QUOTA_EXCEEDED' },
    });
    t.hasStrict(await send(another(60_000), { userId: 15, query: '?dry_run=1' }), { status: 413 });
    t.strictSame(await storedState(), before);
    t.equal((await send(another(30_000), { userId: 15 })).status, 200);
  });

  t.test('a submission by an administrator counts for the publisher', async (t) => {
    const { plugin_key } = await sent(another(), { userId: 16 });
    const before = (await rules(16)).used_bytes;
    const newer = pluginForm({
      plugin_key,
      version: '1.1.0',
      code: jsonFile(packageText({}, 'x'.repeat(5000))),
    });
    await sent(newer, { userId: 1, role: 1 });
    t.ok((await rules(16)).used_bytes > before + 5000);
    const huge = pluginForm({
      plugin_key,
      version: '1.2.0',
      code: jsonFile(packageText({}, 'y'.repeat(99_000))),
    });
    t.equal((await send(huge, { userId: 1, role: 1 })).status, 413);
  });
});

t.test('similar texts', async (t) => {
  t.test('edits between texts', async (t) => {
    const cases: [string, string, number][] = [
      ['grid', 'grid', 0],
      ['grid', 'grids', 1],
      ['grid', 'gird', 1],
      ['grid', 'brid', 1],
      ['grid', 'rid', 1],
      ['grid', 'board', 3],
      ['', 'grid', 3],
      ['网格', '网络', 1],
      ['😀a', '😀b', 1],
    ];
    for (const [a, b, expected] of cases) t.equal(editDistance(a, b, 2), expected, `${a} ${b}`);
  });

  const ALIKE: [string, string][] = [
    ['Grid Keeper', 'grid keeper'],
    ['Grid Keeper', 'GridKeeper'],
    ['Grid Keeper', 'Grid-Keeper!'],
    ['Grid Keeper', 'Ｇｒｉｄ　Ｋｅｅｐｅｒ'],
    ['Grid Keeper', 'Grіd Keeper'],
    ['Grid Keeper', 'Grid Kеереr'],
    ['Grid Keeper', 'Gr1d Keeper'],
    ['Grid Keeper', 'Grid Keeqer'],
    ['Grid Keeper', 'Gird Keeper'],
    ['Grid Keeper', 'Grid Keepers'],
    ['Modern', 'Modem'],
    ['Сетка', 'Cетка'],
    ['Palette', 'Pallete'],
    ['色彩管理器', '色彩管理'],
  ];
  const UNLIKE: [string, string][] = [
    ['Grid Keeper', 'Bug Keeper'],
    ['Grid', 'Grip'],
    ['Icons', 'Frames'],
    ['网格', '网络'],
    ['!!!', '???'],
  ];

  t.test('names that can be mistaken for one another', async (t) => {
    for (const [a, b] of ALIKE) t.ok(looksAlike(a, b), `${a} and ${b}`);
    for (const [a, b] of UNLIKE) t.notOk(looksAlike(a, b), `${a} and ${b}`);
  });

  t.test('similar names are found among plugins of other publishers', async (t) => {
    const { db } = await testCommunity(t);
    for (const [index, [name]] of ALIKE.entries()) {
      await addPlugin(db, { key: `alike-${index}-0000`, name: { 'en-US': name } });
    }
    for (const [name, other] of ALIKE) {
      const [found] = await similarNames(db, { 'en-US': other }, 7);
      t.hasStrict(
        found,
        { code: 'SIMILAR_NAME', severity: 'warning', pointer: '/name/en-US', params: { name } },
        other,
      );
      t.hasStrict(
        await similarNames(db, { 'en-US': name }, 7),
        [{ params: { publisher: `Maker ${PUBLISHER_ID}` } }],
        name,
      );
    }
    t.strictSame(await similarNames(db, { 'en-US': 'Something else entirely' }, 7), []);
    t.strictSame(await similarNames(db, { 'en-US': 'Palette' }, PUBLISHER_ID), [], 'their own');
  });

  t.test('invisible plugins are not warned about', async (t) => {
    const { db } = await testCommunity(t);
    await addPlugin(db, { key: 'hidden-one', name: { 'en-US': 'Grid Keeper' }, isHidden: true });
    await addPlugin(db, { key: 'waiting-one', name: { 'en-US': 'Grid Keeper' }, auditStatus: 1 });
    t.strictSame(await similarNames(db, { 'en-US': 'Grid Keeper' }, 7), []);
  });

  t.test('names may contain any characters', async (t) => {
    const { db } = await testCommunity(t);
    for (const name of [
      "O'Brien's \\ grid",
      ':* | & !',
      "''",
      '\\',
      '网',
      '𝔊𝔯𝔦𝔡',
      'a'.repeat(64),
      '한국어 이름',
      '()<->',
    ]) {
      t.strictSame(await similarNames(db, { 'en-US': name }, 7), [], name);
    }
  });

  t.test('the response has the warning for a new name only', async (t) => {
    const community = await testCommunity(t, { publishers: 'members' });
    const { sent, pass } = publishing(community);
    const code = (text: string) => jsonFile(packageText({}, text));
    const { plugin_key } = await sent(pluginForm({ code: code('a();') }));
    await pass(plugin_key);
    const copy = await sent(pluginForm({ name: 'Grid  Keeper', code: code('b();') }), { userId: 8 });
    t.hasStrict(
      copy.findings.find(({ code }) => code === 'SIMILAR_NAME'),
      { pointer: '/name/en-US', message: 'The name is close to Grid Keeper by Ada.' },
    );
    const next = pluginForm({
      plugin_key: copy.plugin_key,
      version: '1.1.0',
      name: undefined,
      code: code('c();'),
    });
    const { findings } = await sent(next, { userId: 8 });
    t.notOk(findings.some(({ code }) => code === 'SIMILAR_NAME'));
  });

  t.test('the queries use an index', async (t) => {
    const { pool } = await testCommunity(t);
    const client = await pool.connect();
    t.teardown(() => client.release());
    // With few rows reading all of them is cheaper; where no index serves, it is read all the same.
    await client.query('set enable_seqscan = off');
    for (const name of ['Grid Keeper', 'Палитра цветов', '网格管家', 'Icon']) {
      for (const query of candidateQueries(name)) {
        const { rows } = await client.query(
          'explain (format json) select plugin_id from plugin_search where name @@ $1::tsquery limit 300',
          [query],
        );
        t.notMatch(JSON.stringify(rows), 'Seq Scan', `${name}: ${query.slice(0, 40)}`);
      }
    }
  });
});
