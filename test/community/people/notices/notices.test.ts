import t from 'tap';
import { applyAccountChanges } from '../../../../server/community/account/account.ts';
import { createIdentityClient } from '../../../../server/community/people/auth/owner-rights.ts';
import {
  forwardMails,
  notifyOfExpiringTokens,
} from '../../../../server/community/people/notices/background.ts';
import { deleteOldNotices, insertNotices } from '../../../../server/community/people/notices/store.ts';
import { setLanguage } from '../../../../server/identity/mail/store.ts';
import { contract } from '../../../../shared/contract.ts';
import { JWKS_PATH } from '../../../../shared/user-service.ts';
import { testCommunity } from '../../../support/community.ts';
import {
  ADMIN,
  CALLBACK,
  codeIn,
  exchange,
  ask as identityCall,
  ownAddress,
  renewTokens,
  signUp,
  testIdentity,
  tokensIn,
} from '../../../support/identity.ts';
import { silentLog } from '../../../support/log.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { COMMUNITY_TO_IDENTITY } from '../../../support/service-keys.ts';
import { ask, dataOf } from '../../ask.ts';
import { jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { decisionOn } from '../../review/decisions/decision.ts';

t.test('notices', async (t) => {
  const DAY = 24 * 60 * 60 * 1000;

  const identity = await testIdentity(t, { deletionDelay: 0 });
  const address = await identity.app.listen({ host: '127.0.0.1', port: 0 });
  const now = () => identity.clock.now;
  const { db, pool, url } = await testCommunity(t, {
    publishers: 'members',
    now,
    jwksUrl: `${address}${JWKS_PATH}`,
    identityUrl: address,
  });
  const follow = () =>
    applyAccountChanges({
      db,
      ask: createIdentityClient({ identityUrl: address, credential: COMMUNITY_TO_IDENTITY }),
      now,
      log: silentLog,
    });

  type Headers = Record<string, string>;

  async function newMember(nick_name: string) {
    const { code, password } = await signUp(identity.app, { nick_name });
    const person = await exchange(identity.app, code);
    await identity.db.deleteFrom('attempt').execute();
    return { ...person, nick_name, password, headers: { authorization: `Bearer ${person.access}` } };
  }
  const signIn = { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK };
  const root = await exchange(
    identity.app,
    codeIn(await identityCall(identity.app, 'POST /user/page/sign_in', { body: signIn })),
  );
  const admin = { authorization: `Bearer ${root.access}` };

  const list = async (headers: Headers, query = '') =>
    dataOf(await ask(url, `notice/list${query}`, { headers }), contract.listNotices.data);
  const readNotices = async (headers: Headers) =>
    (await list(headers)).notice_list.map(({ kind, data }) => ({ kind, ...data }));
  const count = async (headers: Headers) =>
    dataOf(await ask(url, 'notice/count', { headers }), contract.countNotices.data).unread_count;
  const read = async (headers: Headers, body: unknown) =>
    dataOf(await ask(url, 'notice/read', { method: 'PUT', headers, body }), contract.readNotices.data);

  let packages = 0;
  async function publish(headers: Headers, change: Record<string, string> = {}, query = ''): Promise<string> {
    packages += 1;
    const code = jsonFile(packageText({}, `console.log(${packages});\n`));
    const body = pluginForm({ code, name: `{"en-US":"Grid ${packages}"}`, ...change });
    const response = await fetch(`${url}/api/cmt/plugin${query}`, { method: 'POST', headers, body });
    const answer = { status: response.status, headers: response.headers, json: await response.json() };
    return dataOf(answer, contract.publishPlugin.data).plugin_key;
  }
  const decide = async (headers: Headers, plugin_key: string, audit_status: 2 | 3, more: object = {}) => {
    const body = await decisionOn(db, { plugin_key, audit_status, ...more });
    const answer = await ask(url, 'plugin/audit/status', { headers, body });
    t.equal(answer.status, 200, JSON.stringify(answer.json));
  };

  t.test('publishers are notified of submission, approval, and rejection with its reason', async (t) => {
    const ada = await newMember('Ada');
    const key = await publish(ada.headers);
    const plugin = { plugin_key: key, plugin_name: `Grid ${packages}`, version: '1.0.0' };
    t.strictSame(await readNotices(ada.headers), [{ kind: 'submitted', ...plugin }]);
    await decide(admin, key, 3, { reason: 'No icon' });
    await decide(admin, key, 2, { expected_status: 3 });
    await decide(admin, key, 3, { expected_status: 2, reason: 'It phones home' });
    t.strictSame(await readNotices(ada.headers), [
      { kind: 'rejected', ...plugin, reason: 'It phones home', was_public: true },
      { kind: 'approved', ...plugin },
      { kind: 'rejected', ...plugin, reason: 'No icon' },
      { kind: 'submitted', ...plugin },
    ]);
    t.equal(await count(ada.headers), 3, 'one’s own submission is no news');
    t.strictSame(await readNotices(admin), [], 'not the reviewer');
  });

  t.test('a plugin is named in the language of the reader', async (t) => {
    const person = await newMember('Polyglot');
    const form = pluginForm({
      default_lang: 'zh-CN',
      name: '{"zh-CN":"网格管家","en-US":"Grid Keeper","ru-RU":"Сетка"}',
      intro: '{"zh-CN":"网格"}',
      description: '{"zh-CN":"网格"}',
      version_note: '{"zh-CN":"网格"}',
      code: jsonFile(packageText({}, 'console.log("names");')),
    });
    const { headers } = person;
    const response = await fetch(`${url}/api/cmt/plugin`, { method: 'POST', headers, body: form });
    t.equal(response.status, 200);
    const expected = {
      'zh-CN': '网格管家',
      'ru-RU': 'Сетка',
      'ja-JP': 'Grid Keeper',
      'en-US': 'Grid Keeper',
    };
    for (const [language, plugin_name] of Object.entries(expected)) {
      const [notice] = await readNotices({ ...headers, 'accept-language': language });
      t.equal(notice?.plugin_name, plugin_name, language);
      t.equal(notice?.plugin_names, undefined);
    }
  });

  t.test('a dry run, a repeat and a late decision notify nobody', async (t) => {
    const bob = await newMember('Bob');
    await publish(bob.headers, {}, '?dry_run=1');
    t.equal(await count(bob.headers), 0);
    const key = await publish(bob.headers);
    await decide(admin, key, 2);
    const late = await ask(url, 'plugin/audit/status', {
      headers: admin,
      body: await decisionOn(db, { plugin_key: key, audit_status: 3, reason: 'No' }),
    });
    t.equal(late.status, 409);
    t.equal(await count(bob.headers), 1);
  });

  t.test('an administrator’s submission for a publisher notifies both', async (t) => {
    const eve = await newMember('Eve');
    const deputy = await newMember('Deputy');
    const role = { user_id: deputy.userId, role: 2, password: ADMIN.password };
    await identityCall(identity.app, 'PUT /user/member/role', { bearer: root.access, body: role });
    const { access } = tokensIn(await renewTokens(identity.app, deputy.refresh));
    const key = await publish(eve.headers);
    const form = new FormData();
    form.set('plugin_key', key);
    form.set('contact', 'desk@example.org');
    const response = await fetch(`${url}/api/cmt/plugin`, { method: 'PUT', headers: admin, body: form });
    t.equal(response.status, 200);
    t.equal(await count(eve.headers), 1, 'the other’s submission');
    const before = await count(admin);
    await decide({ authorization: `Bearer ${access}` }, key, 2);
    t.equal(await count(eve.headers), 2);
    t.equal(await count(admin), before + 1);
  });

  t.test('reporters are notified of the decision', async (t) => {
    const maker = await newMember('Maker');
    const fan = await newMember('Fan');
    const key = await publish(maker.headers);
    await decide(admin, key, 2);
    const body = { plugin_key: key, kind: 'broken', reason: 'It fails' };
    t.equal((await ask(url, 'plugin/report', { headers: fan.headers, body })).status, 200);
    const { rows } = await pool.query('select max(id) as id from report');
    const decision = { id: rows[0].id, state: 'accepted', decision: 'Thank you' };
    for (const _ of [1, 2])
      t.equal(
        (await ask(url, 'manager/report', { method: 'PUT', headers: admin, body: decision })).status,
        200,
      );
    t.strictSame(await readNotices(fan.headers), [
      {
        kind: 'report_decided',
        plugin_key: key,
        plugin_name: `Grid ${packages}`,
        is_upheld: true,
        reason: 'Thank you',
      },
    ]);
  });

  t.test('a new role is notified once', async (t) => {
    const ida = await newMember('Ida');
    const role = { user_id: ida.userId, role: 2, password: ADMIN.password };
    const changed = await identityCall(identity.app, 'PUT /user/member/role', {
      bearer: root.access,
      body: role,
    });
    t.equal(changed.status, 200);
    await Promise.all([follow(), follow(), follow()]);
    await follow();
    t.strictSame(await readNotices(ida.headers), [{ kind: 'role_changed', role: 2 }]);
  });

  t.test('owners of publish tokens are notified a week and a day before expiry, once each', async (t) => {
    const tom = await newMember('Tom');
    const make = (days: number) =>
      ask(url, 'plugin/token', {
        headers: tom.headers,
        body: { name: `CI ${days}`, days, password: tom.password },
      });
    t.equal((await make(30)).status, 200);
    t.equal((await make(5)).status, 200);
    const endings = async () => {
      await Promise.all([notifyOfExpiringTokens(db, now), notifyOfExpiringTokens(db, now)]);
      const { rows } = await pool.query(
        "select data->>'token_name' as name from notice where user_id = $1 order by id",
        [tom.userId],
      );
      return rows.map(({ name }) => name);
    };
    const start = identity.clock.now;
    t.strictSame(await endings(), []);
    identity.clock.now = start + 4.5 * DAY;
    t.strictSame(await endings(), ['CI 5'], 'a token created for less than a week: only the day before');
    identity.clock.now = start + 23.5 * DAY;
    t.strictSame(await endings(), ['CI 5', 'CI 30']);
    t.strictSame(await endings(), ['CI 5', 'CI 30']);
    identity.clock.now = start + 29.5 * DAY;
    t.strictSame(await endings(), ['CI 5', 'CI 30', 'CI 30']);
    identity.clock.now = start + 31 * DAY;
    t.strictSame(await endings(), ['CI 5', 'CI 30', 'CI 30']);
  });

  t.test('notices are marked as read one by one or all together, and never those of others', async (t) => {
    const ann = await newMember('Ann');
    const other = await newMember('Other');
    const tell = (userId: number) =>
      insertNotices(db, [{ userId, kind: 'approved', data: {} }], new Date(now()));
    for (const _ of [1, 2, 3]) await tell(ann.userId);
    await tell(other.userId);
    const { notice_list: all } = await list(ann.headers);
    const [newest, middle] = all;
    t.strictSame(await read(other.headers, { id: newest?.id, and_older: true }), { unread_count: 1 });
    t.equal(await count(ann.headers), 3);
    t.strictSame(await read(ann.headers, { id: newest?.id }), { unread_count: 2 });
    t.strictSame(
      (await list(ann.headers)).notice_list.map(({ is_read }) => is_read),
      [true, false, false],
    );
    await tell(ann.userId);
    t.strictSame(
      await read(ann.headers, { id: middle?.id, and_older: true }),
      { unread_count: 1 },
      'not the newer ones',
    );
    t.strictSame(await read(ann.headers, { id: middle?.id, and_older: true }), { unread_count: 1 });
  });

  t.test('the list has pages, and the count stops at a hundred', async (t) => {
    const pat = await newMember('Pat');
    await pool.query(
      `insert into notice (user_id, kind, data, created_at)
      select $1, 'approved', jsonb_build_object('plugin_name', n::text), now() from generate_series(1, 150) n`,
      [pat.userId],
    );
    t.equal(await count(pat.headers), 100);
    const names: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(pat.headers, `?limit=40${cursor ? `&cursor=${cursor}` : ''}`);
      names.push(...page.notice_list.map(({ data }) => data.plugin_name));
      cursor = page.next_cursor;
    }
    t.strictSame(
      names,
      Array.from({ length: 150 }, (_, n) => String(150 - n)),
    );
    const { next_cursor } = await list(pat.headers, '?limit=40');
    const { headers } = await newMember('Other reader');
    const forged = await ask(url, `notice/list?cursor=${next_cursor}`, { headers });
    t.hasStrict([forged.status, forged.json], [400, { code: 'BAD_CURSOR' }], 'a cursor is its own list’s');
  });

  t.test('the sweep deletes old notices, unread ones later', async (t) => {
    const old = async (days: number, isRead: boolean) =>
      pool.query(
        `insert into notice (user_id, kind, data, created_at, read_at) values (4711, 'approved', '{}', $1, $2)`,
        [new Date(now() - days * DAY), isRead ? new Date(now()) : null],
      );
    for (const days of [100, 200, 400]) for (const isRead of [true, false]) await old(days, isRead);
    const before = { read: new Date(now() - 180 * DAY), all: new Date(now() - 365 * DAY) };
    t.equal(await deleteOldNotices(db, { ...before, dryRun: true }), 3);
    t.equal(await deleteOldNotices(db, { ...before, dryRun: false }), 3);
    t.equal(await deleteOldNotices(db, { ...before, dryRun: false }), 0);
  });

  t.test('notices are part of the user’s export, and are deleted with the account', async (t) => {
    const zoe = await newMember('Zoe');
    await publish(zoe.headers);
    const response = await fetch(`${url}/api/cmt/user/export`, {
      method: 'POST',
      headers: { ...zoe.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ password: zoe.password }),
    });
    const exported: { notices?: unknown[] } = JSON.parse(await response.text());
    t.hasStrict(exported.notices, [{ kind: 'submitted', data: { version: '1.0.0' } }]);
    const body = { nick_name: 'Zoe', plugins: 'remove', language: 'en-US', password: zoe.password };
    const gone = await identityCall(identity.app, 'POST /user/account/delete', { bearer: zoe.access, body });
    t.equal(gone.status, 200);
    await follow();
    const { rows } = await pool.query('select count(*) from notice where user_id = $1', [zoe.userId]);
    t.equal(rows[0].count, 0);
  });
});

t.test('mails', async (t) => {
  const DAY = 24 * 60 * 60 * 1000;

  t.test('notices are mailed by the user service once, however often they are sent', async (t) => {
    const smtp = await startMailServer(t);
    const identity = await testIdentity(t, { mail: { server: smtp.server, from: 'square@example.org' } });
    const address = await identity.app.listen({ host: '127.0.0.1', port: 0 });
    const { db, pool } = await testCommunity(t, {
      jwksUrl: `${address}${JWKS_PATH}`,
      identityUrl: address,
      publishRights: 'last-seen',
    });
    const person = await signUp(identity.app, { email: 'ada@example.org' });
    await ownAddress(identity.db, person.email);
    const { userId } = await exchange(identity.app, person.code);
    const tell = (plugin_name: string, at = Date.now()) =>
      insertNotices(
        db,
        [{ userId, kind: 'approved', data: { plugin_name, version: '1.0.0' } }],
        new Date(at),
      );
    const forward = (url = address) =>
      forwardMails({
        db,
        ask: createIdentityClient({ identityUrl: url, credential: COMMUNITY_TO_IDENTITY }),
        now: Date.now,
      });
    const waiting = async () =>
      (await pool.query('select count(*) from notice where mail_key is not null')).rows[0].count;

    await tell('Grid');
    await t.rejects(forward('http://127.0.0.1:1'), { code: 'SERVICE_UNAVAILABLE' });
    t.equal(await waiting(), 1, 'nothing is lost while the user service is unavailable');
    const { rows } = await pool.query('select id, mail_key from notice');
    t.equal(await forward(), 1);
    t.equal(await waiting(), 0);
    await pool.query('update notice set mail_key = $2 where id = $1', [rows[0].id, rows[0].mail_key]);
    t.equal(await forward(), 1, 'as if the answer had been lost');
    await tell('Tiles');
    await tell('Too late', Date.now() - 4 * DAY);
    t.equal(await forward(), 2);
    t.equal(await forward(), 0);
    const bodies = [await smtp.mail(1), await smtp.mail(2)].map((mail) => mail.text);
    await setLanguage(identity.db, userId, 'ko-KR');
    await insertNotices(
      db,
      [
        {
          userId,
          kind: 'approved',
          data: {
            plugin_name: '网格',
            plugin_names: { 'zh-CN': '网格', 'en-US': 'Grid', 'ko-KR': '그리드' },
            version: '1.0.0',
          },
        },
      ],
      new Date(),
    );
    t.equal(await forward(), 1);
    t.match((await smtp.mail(3)).text, '그리드', 'in the language of the reader');
    t.match(bodies[0], '“Grid” 1.0.0 was approved.');
    t.match(bodies[1], '“Tiles” 1.0.0 was approved.');
    t.equal(smtp.received.length, 3);
    t.strictSame(smtp.received[0]?.to, ['ada@example.org']);
  });
});
