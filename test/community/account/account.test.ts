import Fastify from 'fastify';
import t from 'tap';
import { applyAccountChanges, followAccountsRegularly } from '../../../server/community/account/account.ts';
import { createIdentityClient } from '../../../server/community/people/auth/owner-rights.ts';
import { recordReviewView } from '../../../server/community/review/decisions/detail-store.ts';
import { contract } from '../../../shared/contract.ts';
import { accountCalls } from '../../../shared/identity-calls.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { exchange, ask as identityCall, signUp, testIdentity } from '../../support/identity.ts';
import { silentLog } from '../../support/log.ts';
import { COMMUNITY_TO_IDENTITY } from '../../support/service-keys.ts';
import { type StubHandler, startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';
import { auditLogOf } from '../audit-log.ts';
import { picture } from '../send-form.ts';

const identity = await testIdentity(t, { deletionDelay: 0 });
const address = await identity.app.listen({ host: '127.0.0.1', port: 0 });
const now = () => identity.clock.now;
const community = await testCommunity(t, {
  publishers: 'members',
  now,
  jwksUrl: `${address}${JWKS_PATH}`,
  identityUrl: address,
});
const { db, url, pool } = community;
const following = {
  db,
  ask: createIdentityClient({ identityUrl: address, credential: COMMUNITY_TO_IDENTITY }),
  now,
  log: silentLog,
};
const follow = () => applyAccountChanges(following);

async function newMember(nick_name: string) {
  const { code, password, email } = await signUp(identity.app, { nick_name });
  const person = await exchange(identity.app, code);
  await identity.db.deleteFrom('attempt').execute();
  return { ...person, password, email, nick_name, headers: { authorization: `Bearer ${person.access}` } };
}
type Member = Awaited<ReturnType<typeof newMember>>;

/** Makes somebody known to the marketplace, as a publisher's call does. */
const makeKnown = ({ headers }: Member) => ask(url, 'plugin/publish-rules', { headers });
const profile = async ({ access }: Member, body: unknown) => {
  const answer = await identityCall(identity.app, 'POST /user/profile', { bearer: access, body });
  t.equal(answer.status, 200);
};
const deleteAccount = async (member: Member, plugins: 'keep' | 'remove') => {
  const { nick_name, password, access } = member;
  const body = { nick_name, plugins, language: 'en-US', password };
  const answer = await identityCall(identity.app, 'POST /user/account/delete', { bearer: access, body });
  t.equal(answer.status, 200);
};
const detail = async (key: string) => ask(url, `plugin?plugin_key=${key}`);
const publisherOf = async (key: string) => dataOf(await detail(key), contract.readPlugin.data).publisher;
const upload = async ({ headers }: Member, bytes: Uint8Array) => {
  const form = new FormData();
  form.set('picture', new Blob([new Uint8Array(bytes)]), 'me.png');
  const response = await fetch(`${url}/api/cmt/user/avatar`, { method: 'POST', headers, body: form });
  return { status: response.status, headers: response.headers, json: await response.json() };
};

t.test('a new name and picture are shown with published plugins', async (t) => {
  const ada = await newMember('Ada');
  await makeKnown(ada);
  await addPlugin(db, { key: 'ada-plugin', publisherId: ada.userId });
  t.hasStrict(await publisherOf('ada-plugin'), { nick_name: 'Ada', avatar_url: '' });
  const { avatar_url } = dataOf(await upload(ada, await picture(900, 700)), contract.uploadAvatar.data);
  t.match(avatar_url, /^\/api\/cmt\/media\/[0-9a-f]{32}-320\.webp$/);
  t.equal((await fetch(url + avatar_url)).status, 200);
  t.hasStrict(await publisherOf('ada-plugin'), { avatar_url: '' }, 'not by the upload alone');

  await profile(ada, { nick_name: 'Ada L.', avatar_url });
  await follow();
  t.hasStrict(await publisherOf('ada-plugin'), { user_id: ada.userId, nick_name: 'Ada L.', avatar_url });
  identity.clock.now += 61_000;
  await makeKnown(ada);
  t.hasStrict(await publisherOf('ada-plugin'), { nick_name: 'Ada L.' }, 'an older token takes nothing back');
  await flushAll(db, now);
  const found = await ask(url, `plugin/list?keyword=${encodeURIComponent('Ada L.')}`);
  t.hasStrict(dataOf(found, contract.listPlugins.data).plugin_list, [{ plugin_key: 'ada-plugin' }]);

  identity.clock.now += 1000;
  await profile(ada, { avatar_url: '' });
  await follow();
  t.hasStrict(await publisherOf('ada-plugin'), { nick_name: 'Ada L.', avatar_url: '' });
});

t.test('profile pictures are validated, and only a few unused ones are kept', async (t) => {
  const bob = await newMember('Bob');
  const text = await upload(bob, Buffer.from('no picture'));
  t.hasStrict([text.status, text.json], [415, { code: 'IMAGE_FORMAT' }]);
  const none = await fetch(`${url}/api/cmt/user/avatar`, {
    method: 'POST',
    headers: bob.headers,
    body: new FormData(),
  });
  t.equal(none.status, 400);
  for (let n = 0; n < 7; n += 1) await upload(bob, await picture(400 + n, 300));
  const { rows } = await pool.query('select picture_key from person_picture where user_id = $1', [
    bob.userId,
  ]);
  t.equal(rows.length, 5);
});

t.test('plugins of a deleted account stay without a name, if the user wants that', async (t) => {
  const eve = await newMember('Eve');
  const fan = await newMember('Fan');
  await makeKnown(eve);
  const kept = await addPlugin(db, { key: 'eve-kept-1', publisherId: eve.userId });
  const support = { support: 'eve', support_translations: { 'ja-JP': 'イブ' } };
  await addSubmission(db, { pluginId: kept, status: 2, createdBy: eve.userId, listing: support });
  const silent = { contact: '', support: '', support_translations: { 'ja-JP': 'イブ' } };
  await addSubmission(db, { pluginId: kept, version: '1.1.0', createdBy: eve.userId, listing: silent });
  const inJapanese = { plugin_id: kept, lang: 'ja-JP', name: 'プラグイン', support: 'イブ' } as const;
  await db.insertInto('plugin_text').values(inJapanese).execute();
  await pool.query("update plugin set contact = 'eve@example.org', support = 'eve' where id = $1", [kept]);
  const first = await addPlugin(db, { key: 'eve-first-1', publisherId: eve.userId, auditStatus: 1 });
  await addPlugin(db, { key: 'some-other', publisherId: 100 });
  const use = (headers: Record<string, string>, path: string, body: unknown) =>
    ask(url, path, { headers, body });
  for (const { headers } of [eve, fan]) {
    await use(headers, 'plugin/user', { plugin_key: 'some-other' });
    await use(headers, 'plugin/user/praise', { plugin_key: 'some-other', praise: 1 });
  }
  await use(eve.headers, 'plugin/report', { plugin_key: 'some-other', kind: 'broken', reason: 'It fails' });
  const made = await use(eve.headers, 'plugin/token', { name: 'CI', password: eve.password });
  const { secret } = dataOf(made, contract.createPublishToken.data);
  const holdings = dataOf(
    await ask(url, 'user/holdings', { headers: eve.headers }),
    contract.readHoldings.data,
  );
  t.strictSame(holdings, {
    published: [{ plugin_key: 'eve-kept-1', name: 'Plugin eve-kept-1' }],
    published_count: 1,
    unpublished_count: 1,
    waiting_count: 1,
    install_count: 1,
    like_count: 1,
    report_count: 1,
    token_count: 1,
  });

  await pool.query('insert into active_person values ($1, now()) on conflict do nothing', [eve.userId]);
  await deleteAccount(eve, 'keep');
  await follow();
  t.strictSame(await publisherOf('eve-kept-1'), {
    user_id: eve.userId,
    nick_name: '',
    avatar_url: '',
    is_deleted: true,
  });
  const shown = dataOf(await detail('eve-kept-1'), contract.readPlugin.data);
  t.hasStrict(shown, { contact: '', support: '' });
  const { rows: told } = await pool.query(
    `select listing ->> 'contact' as contact, listing ->> 'support' as support,
      listing ? 'support_translations' as is_translated from submission where plugin_id = $1`,
    [kept],
  );
  const nothing = { contact: '', support: '', is_translated: false };
  t.strictSame(told, [nothing, nothing]);
  t.equal((await detail('eve-first-1')).status, 404);
  const other = dataOf(await detail('some-other'), contract.readPlugin.data);
  t.hasStrict(other, { install_count: 1, praise_count: 1 }, 'only the other person counts');
  await flushAll(db, now);
  const { rows: totals } = await pool.query(
    "select name, total from tally where name in ('installs', 'likes') order by name",
  );
  t.strictSame(totals, [
    { name: 'installs', total: 1 },
    { name: 'likes', total: 1 },
  ]);
  const used = await ask(url, 'plugin/publish-rules', { headers: { authorization: `Bearer ${secret}` } });
  t.equal(used.status, 401);
  const { rows: waiting } = await pool.query(
    'select 1 from submission where plugin_id = any ($1) and audit_status = 1 and not is_superseded',
    [[kept, first]],
  );
  t.strictSame(waiting, []);
  const { rows: left } = await pool.query(
    `select (select count(*)::int from publish_token where user_id = $1) as tokens,
      (select count(*)::int from report where user_id = $1) as reports,
      (select count(*)::int from active_person where user_id = $1) as days,
      (select count(*)::int from submission s join plugin p on p.id = s.plugin_id
        where p.publisher_id = $1 and s.listing->>'contact' <> '') as contacts`,
    [eve.userId],
  );
  t.strictSame(left, [{ tokens: 0, reports: 1, days: 0, contacts: 0 }], 'reports stay, without a name');
  t.hasStrict(await auditLogOf(pool, 'account'), [
    {
      action: 'account.delete',
      actor_id: eve.userId,
      detail: { kept: 1, removed: 1 },
    },
  ]);
  await flushAll(db, now);
  const byName = await ask(url, 'plugin/list?keyword=eve');
  t.notMatch(JSON.stringify(dataOf(byName, contract.listPlugins.data)), /Eve"/);

  await use(eve.headers, 'plugin/user', { plugin_key: 'some-other' });
  identity.clock.now += 61_000;
  await makeKnown(eve);
  t.hasStrict(
    await publisherOf('eve-kept-1'),
    { nick_name: '', is_deleted: true },
    'her last token brings nothing back',
  );
  await follow();
  t.hasStrict(dataOf(await detail('some-other'), contract.readPlugin.data), { install_count: 1 });
});

t.test('or the plugins are deleted, and stay with their installers', async (t) => {
  const max = await newMember('Max');
  const fan = await newMember('Fan');
  await makeKnown(max);
  await addPlugin(db, { key: 'max-goes-1', publisherId: max.userId });
  await ask(url, 'plugin/user', { headers: fan.headers, body: { plugin_key: 'max-goes-1' } });
  await deleteAccount(max, 'remove');
  await follow();
  t.equal((await detail('max-goes-1')).status, 404);
  const installed = await ask(url, 'plugin/user/list', { headers: fan.headers });
  const { plugin_list } = dataOf(installed, contract.listInstalled.data);
  t.hasStrict(plugin_list, [{ plugin: { plugin_key: 'max-goes-1', publisher: { is_deleted: true } } }]);
});

t.test('what a deleted account said about itself is deleted, and nobody gets its handle', async (t) => {
  const ada = await newMember('Ada');
  const bob = await newMember('Bob');
  await addPlugin(db, { key: 'ada-other-1', publisherId: ada.userId });
  const write = async ({ headers }: typeof ada, handle: string) =>
    ask(url, 'publisher/profile', {
      method: 'PUT',
      headers,
      body: { handle, default_lang: 'en-US', about: { 'en-US': 'I am Ada' }, links: [] },
    });
  t.equal((await write(ada, 'ada-before')).status, 200);
  t.equal((await write(ada, 'ada-works')).status, 200);
  const domain = await ask(url, 'publisher/verification', {
    method: 'PUT',
    headers: ada.headers,
    body: { domain: 'ada.example.com' },
  });
  t.equal(domain.status, 200);
  await pool.query(
    `insert into verification_decision (user_id, is_verified, reason, decided_by, decided_at)
      values ($1, true, 'Known as Ada', 1, now())`,
    [ada.userId],
  );
  await pool.query("update person set verified_as = '' where user_id = $1", [ada.userId]);
  const reported = { handle: 'ada-works', kind: 'other', reason: 'Not Ada' };
  t.equal((await ask(url, 'publisher/report', { headers: bob.headers, body: reported })).status, 200);
  await deleteAccount(ada, 'keep');
  await follow();
  for (const handle of ['ada-before', 'ada-works']) {
    const { status, json } = await ask(url, `publisher?handle=${handle}`);
    t.hasStrict([status, json], [404, { code: 'PUBLISHER_NOT_FOUND' }]);
    t.hasStrict((await write(bob, handle)).json, { code: 'HANDLE_TAKEN' });
  }
  const { rows: marked } = await pool.query(
    'select from person where user_id = $1 and verified_as is not null',
    [ada.userId],
  );
  t.equal(marked.length, 0);
  const TABLES = [
    'publisher_profile',
    'publisher_report',
    'former_handle',
    'publisher_domain',
    'verification_decision',
  ];
  for (const table of TABLES) {
    const column = table === 'publisher_report' ? 'publisher_id' : 'user_id';
    const { rows } = await pool.query(`select from ${table} where ${column} = $1`, [ada.userId]);
    t.equal(rows.length, 0, table);
  }
});

t.test('review openings of a deleted account are deleted, and no others', async (t) => {
  const [ann, bob] = [await newMember('Ann'), await newMember('Bob')];
  await makeKnown(ann);
  const pluginId = await addPlugin(db, { key: 'opened-by-two' });
  const submissionId = await addSubmission(db, { pluginId, version: '1.1.0' });
  const at = new Date(now());
  for (const { userId } of [ann, bob]) await recordReviewView(db, { submissionId, userId, at });
  await deleteAccount(ann, 'keep');
  await follow();
  const { rows } = await pool.query('select user_id::int from review_opening order by user_id');
  t.strictSame(rows, [{ user_id: bob.userId }]);
});

t.test('identity may be unavailable, or have another database', async (t) => {
  const stub = await startStub(t);
  const alone = await testCommunity(t, { now, publishRights: 'last-seen' });
  const followStub = () =>
    applyAccountChanges({
      db: alone.db,
      ask: createIdentityClient({ identityUrl: stub.url }),
      now,
      log: silentLog,
    });
  const call = `POST /${accountCalls.changes.path}`;
  const askedAfter = () => JSON.parse(stub.seen(call).at(-1)?.body.toString() ?? '{}').after;
  const change = { id: 7, user_id: 100, plugins: 'keep', changed_at: now() };
  await addPlugin(alone.db, { key: 'some-plugin' });
  const name = async () => {
    const answer = await ask(alone.url, 'plugin?plugin_key=some-plugin');
    return dataOf(answer, contract.readPlugin.data).publisher.nick_name;
  };
  stub.on(call, () => stubAnswer(503, {}));
  await t.rejects(followStub(), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(await name(), 'Maker 100');
  stub.on(call, () => ({
    change_list: [{ ...change, shown: { nick_name: 'One', avatar_url: '' } }],
    last: 7,
  }));
  t.equal(await followStub(), 1);
  t.strictSame([askedAfter(), await name()], [0, 'One']);
  stub.on(call, () => ({ change_list: [], last: 1 }));
  t.equal(await followStub(), 0);
  t.equal(askedAfter(), 7);
  stub.on(call, () => ({
    change_list: [{ ...change, id: 1, shown: { nick_name: 'Two', avatar_url: '' } }],
    last: 1,
  }));
  t.equal(await followStub(), 1);
  t.strictSame([askedAfter(), await name()], [0, 'Two'], 'all of it is news');
  stub.on(call, () => ({ change_list: [{ id: 'x' }], last: 1 }));
  await t.rejects(followStub(), { code: 'SERVICE_UNAVAILABLE' }, 'what it says is checked');
});

t.test('a change that fails stops no other, and is tried again later', async (t) => {
  const [sick, well, gone] = [await newMember('Sick'), await newMember('Well'), await newMember('Gone')];
  for (const member of [sick, well, gone]) await makeKnown(member);
  await addPlugin(db, { key: 'sick-plugin', publisherId: sick.userId });
  await addPlugin(db, { key: 'well-plugin', publisherId: well.userId });
  await follow();
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused here'; end $$;
    create trigger refused before update on person for each row when (old.user_id = ${sick.userId})
      execute function refuse();
    create trigger refused before insert on notice for each row when (new.user_id = ${sick.userId})
      execute function refuse()`);
  const lines: unknown[][] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => void lines.push(line) };
  const followLogged = () => applyAccountChanges({ ...following, log });
  const roleChanges = (userId: number) =>
    identity.db
      .insertInto('role_change')
      .values({ user_id: userId, role: 2, changed_at: new Date(now()) })
      .execute();
  await profile(sick, { nick_name: 'Sick of it' });
  await profile(well, { nick_name: 'Very well' });
  await deleteAccount(gone, 'remove');
  for (const { userId } of [sick, well]) await roleChanges(userId);
  t.equal(await followLogged(), 5);
  t.hasStrict(
    [await publisherOf('sick-plugin'), await publisherOf('well-plugin')],
    [{ nick_name: 'Sick' }, { nick_name: 'Very well' }],
  );
  const { rows } = await pool.query('select nick_name from person where user_id = $1', [gone.userId]);
  t.strictSame(rows, [{ nick_name: '' }]);
  const notices = async () => {
    const found = await pool.query("select user_id::int from notice where kind = 'role_changed' order by id");
    return found.rows.map(({ user_id }) => user_id);
  };
  t.strictSame(await notices(), [well.userId]);
  t.match(lines, [
    [
      { kind: 'account', user_id: sick.userId, err: { message: 'refused here' } },
      'account change not applied, retried later',
    ],
    [
      { kind: 'role', user_id: sick.userId, err: { message: 'refused here' } },
      'account change not applied, retried later',
    ],
  ]);
  t.equal(lines.length, 2);

  t.equal(await followLogged(), 0);
  t.equal(lines.length, 2, 'not before a minute');
  identity.clock.now += 60_000;
  t.equal(await followLogged(), 0);
  t.equal(lines.length, 4, 'once');
  await pool.query('drop trigger refused on person; drop trigger refused on notice; drop function refuse');
  identity.clock.now += 60_000;
  await followLogged();
  t.equal((await publisherOf('sick-plugin')).nick_name, 'Sick', 'the second time later');
  identity.clock.now += 60_000;
  await followLogged();
  t.equal((await publisherOf('sick-plugin')).nick_name, 'Sick of it');
  t.strictSame(await notices(), [well.userId, sick.userId]);
  t.strictSame((await pool.query('select from failed_change')).rows, []);
});

t.test('a newer change of an account is not undone by one that failed before', async (t) => {
  const [ann, ben, cat] = [await newMember('Ann'), await newMember('Ben'), await newMember('Cat')];
  for (const member of [ann, ben, cat]) {
    await makeKnown(member);
    await addPlugin(db, { key: `${member.nick_name}-plugin`.toLowerCase(), publisherId: member.userId });
  }
  await follow();
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused here'; end $$;
    create trigger refused before update on person for each row execute function refuse()`);
  for (const member of [ann, ben, cat]) await profile(member, { nick_name: 'Earlier' });
  await follow();
  await pool.query('drop trigger refused on person; drop function refuse');
  await profile(ann, { nick_name: 'Newer' });
  await follow();
  // While this process applies Ben's, another one puts a newer one of Cat in the place of the one that failed.
  await pool.query(`
    update failed_change set next_try_at = next_try_at - interval '1 second' where user_id = ${ben.userId};
    create function overtake() returns trigger language plpgsql as $$ begin
      update failed_change set change = jsonb_set(change || '{"id": 999999}', '{shown,nick_name}', '"Newer"')
        where user_id = ${cat.userId};
      return new;
    end $$;
    create trigger overtakes before update on person for each row when (old.user_id = ${ben.userId})
      execute function overtake()`);
  identity.clock.now += 60_000;
  await follow();
  await pool.query('drop trigger overtakes on person; drop function overtake');
  await follow();
  const names = ['ann-plugin', 'ben-plugin', 'cat-plugin'].map(
    async (key) => (await publisherOf(key)).nick_name,
  );
  t.strictSame(await Promise.all(names), ['Newer', 'Earlier', 'Newer']);
  t.strictSame((await pool.query('select from failed_change')).rows, []);
});

t.test('personal data that cannot be deleted stops nobody else', async (t) => {
  const [sick, well] = [await newMember('Sick too'), await newMember('Well too')];
  await addPlugin(db, { key: 'liked-by-both' });
  for (const member of [sick, well]) {
    await makeKnown(member);
    await deleteAccount(member, 'keep');
  }
  await follow();
  // As requests under way may do when the account is deleted.
  for (const { headers } of [sick, well])
    await ask(url, 'plugin/user/praise', { headers, body: { plugin_key: 'liked-by-both', praise: 1 } });
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused here'; end $$;
    create trigger refused before delete on plugin_like for each row when (old.user_id = ${sick.userId})
      execute function refuse()`);
  const lines: unknown[][] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => void lines.push(line) };
  await applyAccountChanges({ ...following, log });
  const { rows } = await pool.query('select user_id::int from plugin_like where user_id = any ($1)', [
    [sick.userId, well.userId],
  ]);
  t.strictSame(rows, [{ user_id: sick.userId }]);
  t.match(lines, [[{ user_id: sick.userId }, 'data of a deleted account remains, retried later']]);
  await pool.query('drop trigger refused on plugin_like; drop function refuse');
});

t.test('the log says whether identity or this service is at fault', async (t) => {
  const stub = await startStub(t);
  const call = `POST /${accountCalls.changes.path}`;
  const warningWith = async (answer: StubHandler) => {
    stub.on(call, answer);
    const warned = Promise.withResolvers<string>();
    const warn = (...line: unknown[]) => warned.resolve(String(line[1]));
    const app = Fastify();
    t.teardown(() => app.close());
    const ask = createIdentityClient({ identityUrl: stub.url });
    followAccountsRegularly(app, { db, ask, now, log: { ...silentLog, warn } }, 0);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return warned.promise;
  };
  t.equal(await warningWith(() => stubAnswer(503, {})), 'the user service did not report account changes');
  await pool.query('alter table failed_change rename to away');
  t.equal(
    await warningWith(() => ({ change_list: [], last: Number.MAX_SAFE_INTEGER })),
    'account changes could not be read or stored here',
  );
  await pool.query('alter table away rename to failed_change');
});

t.test('an export has all stored data and no secrets', async (t) => {
  const kim = await newMember('Kim');
  await makeKnown(kim);
  const id = await addPlugin(db, { key: 'kim-plugin', publisherId: kim.userId });
  await addSubmission(db, { pluginId: id, status: 2, createdBy: kim.userId });
  await pool.query("update plugin set support = 'Ask Kim' where id = $1", [id]);
  const inKorean = { plugin_id: id, lang: 'ko-KR', name: '플러그인', support: '킴에게' } as const;
  await db.insertInto('plugin_text').values(inKorean).execute();
  for (let n = 0; n < 450; n += 1) {
    await pool.query(
      `with p as (insert into plugin (plugin_key, publisher_id, default_lang) values ($1, 100, 'en-US') returning id)
        insert into plugin_like (user_id, plugin_id) select $2, id from p`,
      [`liked-plugin-${n}`, kim.userId],
    );
  }
  await ask(url, 'publisher/profile', {
    method: 'PUT',
    headers: kim.headers,
    body: {
      handle: 'kim-works',
      default_lang: 'ko-KR',
      about: { 'ko-KR': '격자' },
      links: ['https://example.org/kim'],
    },
  });
  await ask(url, 'publisher/verification', {
    method: 'PUT',
    headers: kim.headers,
    body: { domain: 'kim.example.com' },
  });
  const made = await ask(url, 'plugin/token', {
    headers: kim.headers,
    body: { name: 'Build server', password: kim.password },
  });
  const { secret } = dataOf(made, contract.createPublishToken.data);
  await pool.query(
    `insert into active_person values ($1, '2999-01-01') on conflict (user_id) do update set active_on = excluded.active_on`,
    [kim.userId],
  );
  const askExport = (body: object) =>
    fetch(`${url}/api/cmt/user/export`, {
      method: 'POST',
      headers: { ...kim.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const [typed, status, code] of [
    [{}, 403, 'REAUTHENTICATION_REQUIRED'],
    [{ code: '123456' }, 403, 'REAUTHENTICATION_REQUIRED'],
    [{ password: 'not this one' }, 422, 'PASSWORD_WRONG'],
  ] as const) {
    const refused = await askExport(typed);
    t.hasStrict([refused.status, await refused.json()], [status, { code }]);
  }
  const response = await askExport({ password: kim.password });
  const text = await response.text();
  t.hasStrict(
    [response.status, response.headers.get('content-disposition'), response.headers.get('cache-control')],
    [200, 'attachment; filename="account.json"', 'no-store'],
  );
  const file = JSON.parse(text);
  t.hasStrict(file, {
    format: 'plugin-square-account',
    format_version: 1,
    account: { profile: { user_id: kim.userId, nick_name: 'Kim', email: kim.email } },
    plugins: [
      {
        plugin_key: 'kim-plugin',
        support: 'Ask Kim',
        texts: { 'en-US': { support: 'Ask Kim' }, 'ko-KR': { support: '킴에게' } },
        versions: [{ version: '1.0.0' }],
        reviews: [{ audit_status: 2 }],
      },
    ],
    installs: [],
    trials: [],
    reports: [],
    last_used: [{ day: '2999-01-01' }],
    publisher: [
      {
        handle: 'kim-works',
        about: { 'ko-KR': '격자' },
        links: ['https://example.org/kim'],
        hidden_reason: null,
      },
    ],
    verification: [{ verified_as: null, domain: 'kim.example.com', verified_at: null, reason: null }],
    publisher_reports: [],
    publish_tokens: [{ name: 'Build server' }],
    audit_trail: [],
  });
  t.match(file.publisher[0].former_handles, [/^p-[0-9a-f]{12}$/]);
  t.equal(file.likes.length, 450);
  t.notOk(text.includes(secret));
  const nobody = await ask(url, 'user/export', { body: {} });
  t.hasStrict([nobody.status, nobody.json], [401, { code: 'UNAUTHENTICATED' }]);
});
