import t from 'tap';
import { EXPORTED } from '../../../../server/community/account/export-store.ts';
import { deletePersonalData } from '../../../../server/community/account/store.ts';
import { lockSubmission } from '../../../../server/community/catalogue/submissions/store.ts';
import { tellFollowers } from '../../../../server/community/catalogue/telling/telling.ts';
import { approveSubmission } from '../../../../server/community/review/decisions/effects.ts';
import { FOLLOWS_MAX } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf } from '../../ask.ts';

const ADA = 7;
const BOB = 8;
const ADMIN = 1;

t.test('following', async (t) => {
  const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
  const now = () => Date.now();
  const follow = async (userId: number, body: object) =>
    ask(url, 'follow', { method: 'PUT', headers: await bearer(userId), body });
  const followed = async (userId: number) =>
    dataOf(await ask(url, 'follow', { headers: await bearer(userId) }), contract.readFollowed.data);
  const list = async (userId: number, query = '', language = 'en-US') =>
    dataOf(
      await ask(url, `follow/list${query}`, {
        headers: { ...(await bearer(userId)), 'accept-language': language },
      }),
      contract.listFollows.data,
    );
  const notices = async (userId: number) => {
    const answer = await ask(url, 'notice/list', { headers: await bearer(userId) });
    const { notice_list } = dataOf(answer, contract.listNotices.data);
    return notice_list.map(({ kind, data: { plugin_key, version } }) => `${kind} ${plugin_key} ${version}`);
  };
  /** Publishes a version as a decision does. */
  const publish = async (pluginId: number, version: string) => {
    const id = await addSubmission(db, { pluginId, version, listing: { tags: ['grids'] } });
    await db.transaction().execute(async (trx) => {
      const submission = await lockSubmission(trx, id);
      if (submission) await approveSubmission(trx, submission, now());
    });
  };
  const tag = await addTag(db, 'grids', { 'en-US': 'Grids', 'ja-JP': 'グリッド' });

  t.test('a plugin, a tag and a publisher, each once', async (t) => {
    await addPlugin(db, { key: 'followed-one', name: { 'en-US': 'Grid', 'ja-JP': 'グリッド' } });
    for (const target of [{ plugin_key: 'followed-one' }, { tag_id: tag }, { publisher_id: PUBLISHER_ID }])
      for (let call = 0; call < 2; call += 1)
        t.equal((await follow(ADA, { ...target, is_followed: true })).status, 200);
    t.strictSame(await followed(ADA), {
      plugin_keys: ['followed-one'],
      tag_ids: [tag],
      publisher_ids: [PUBLISHER_ID],
    });
    const { total, follow_list } = await list(ADA, '', 'ja-JP');
    t.equal(total, 3);
    t.match(follow_list, [
      { plugin: null, tag: null, publisher: { nick_name: 'Maker 100' }, is_available: true },
      { plugin: null, tag: { id: tag, name: 'グリッド' }, publisher: null },
      { plugin: { plugin_key: 'followed-one', name: 'グリッド', lang: 'ja-JP', icon: null }, tag: null },
    ]);
    const first = await list(ADA, '?limit=2');
    const rest = await list(ADA, `?limit=2&cursor=${first.next_cursor}`);
    t.strictSame(
      [...first.follow_list, ...rest.follow_list].map(({ id }) => id),
      follow_list.map(({ id }) => id),
    );
    t.equal(rest.next_cursor, null);
    t.strictSame((await followed(BOB)).plugin_keys, [], 'another user’s are their own');
    await follow(ADA, { tag_id: tag, is_followed: false });
    await follow(ADA, { tag_id: tag, is_followed: false });
    t.strictSame((await followed(ADA)).tag_ids, []);
  });

  t.test('what there is not cannot be followed', async (t) => {
    await addPlugin(db, { key: 'waiting-one', publisherId: 300, auditStatus: 1 });
    const answers = await Promise.all(
      [
        { plugin_key: 'waiting-one' },
        { tag_id: 999 },
        { publisher_id: 300 },
        {},
        { tag_id: 1, publisher_id: 2 },
      ].map((target) => follow(ADA, { ...target, is_followed: true })),
    );
    t.strictSame(
      answers.map(({ status, json }) => [status, (json as { code: string }).code]),
      [
        [404, 'PLUGIN_NOT_FOUND'],
        [404, 'TAG_NOT_FOUND'],
        [404, 'PUBLISHER_NOT_FOUND'],
        [400, 'VALIDATION_FAILED'],
        [400, 'VALIDATION_FAILED'],
      ],
    );
  });

  t.test('up to a limit', async (t) => {
    await pool.query(
      `with p as (insert into person (user_id, nick_name) select n, '' from generate_series(50001, 50000 + $1::int) n
          returning user_id)
        insert into follow (user_id, publisher_id, created_at) select 55, user_id, now() from p`,
      [FOLLOWS_MAX],
    );
    const answer = await follow(55, { plugin_key: 'followed-one', is_followed: true });
    t.match(answer, {
      status: 409,
      json: { code: 'FOLLOW_LIMIT_REACHED', message: 'You follow as much as you may.' },
    });
    await pool.query('delete from follow where user_id = 55');
  });

  t.test('followers are told of a new version and a new plugin, each person once', async (t) => {
    const known = await addPlugin(db, { key: 'known-one', publisherId: 200 });
    await follow(BOB, { plugin_key: 'known-one', is_followed: true });
    await follow(BOB, { publisher_id: 200, is_followed: true });
    await follow(BOB, { tag_id: tag, is_followed: true });
    await follow(9, { tag_id: tag, is_followed: true });
    await follow(200, { tag_id: tag, is_followed: true });
    await publish(known, '1.1.0');
    t.equal(await tellFollowers(db, { now }), 1);
    t.strictSame(await notices(BOB), ['followed_version known-one 1.1.0']);
    const fresh = await addPlugin(db, { key: 'fresh-one', publisherId: 200, auditStatus: 1, tags: [tag] });
    await publish(fresh, '1.0.1');
    t.equal(await tellFollowers(db, { now }), 2);
    t.equal(await tellFollowers(db, { now }), 0);
    t.strictSame(await notices(BOB), [
      'followed_publisher fresh-one 1.0.1',
      'followed_version known-one 1.1.0',
    ]);
    t.strictSame(await notices(9), ['followed_tag fresh-one 1.0.1']);
    t.strictSame(await notices(200), [], 'not the publisher');
  });

  t.test('a kind that is off tells nobody', async (t) => {
    const off = async (kind: string, is_on: boolean) =>
      dataOf(
        await ask(url, 'notice/preferences', {
          method: 'PUT',
          headers: await bearer(9),
          body: { kind, is_on },
        }),
        contract.changeNoticePreferences.data,
      );
    t.strictSame(await off('followed_tag', false), { off_list: ['followed_tag'] });
    const third = await addPlugin(db, { key: 'third-one', publisherId: 201, auditStatus: 1, tags: [tag] });
    await publish(third, '1.0.1');
    t.equal(await tellFollowers(db, { now }), 2, 'the others are told');
    t.strictSame(await notices(9), ['followed_tag fresh-one 1.0.1']);
    t.strictSame(await off('followed_tag', true), { off_list: [] });
  });

  t.test('in batches, which go on where they were', async (t) => {
    const many = await addPlugin(db, { key: 'many-one', publisherId: 202 });
    await pool.query(
      'insert into follow (user_id, plugin_id, created_at) select n, $1, now() from generate_series(1000, 1024) n',
      [many],
    );
    await publish(many, '1.1.0');
    const closing = new AbortController();
    let asked = 0;
    const until = () => {
      asked += 1;
      // The age of news, then the first batch.
      if (asked === 2) closing.abort();
      return now();
    };
    t.equal(await tellFollowers(db, { now: until, closing: closing.signal, batch: 10 }), 10);
    await Promise.all([1, 2].map(() => tellFollowers(db, { now, batch: 5 })));
    await tellFollowers(db, { now, batch: 5 });
    const { rows } = await pool.query(
      `select count(*)::int as all, count(distinct user_id)::int as users from notice
        where kind = 'followed_version' and data ->> 'plugin_key' = 'many-one'`,
    );
    t.strictSame(rows, [{ all: 25, users: 25 }]);
  });

  t.test('nobody is told of what is hidden, nor of what is old', async (t) => {
    const hidden = await addPlugin(db, { key: 'hidden-one', publisherId: 203 });
    await follow(ADA, { plugin_key: 'hidden-one', is_followed: true });
    await publish(hidden, '1.1.0');
    await pool.query('update plugin set is_hidden = true where id = $1', [hidden]);
    t.equal(await tellFollowers(db, { now }), 0);
    await pool.query('update plugin set is_hidden = false where id = $1', [hidden]);
    t.equal(await tellFollowers(db, { now: () => now() + 8 * 24 * 60 * 60 * 1000 }), 0);
    t.equal(await tellFollowers(db, { now }), 1);
  });

  t.test('followers of a merged tag follow the other', async (t) => {
    const from = await addTag(db, 'old-tag');
    const into = await addTag(db, 'new-tag');
    await follow(BOB, { tag_id: from, is_followed: true });
    const body = { id: from, into_id: into };
    const headers = await bearer(ADMIN, 2);
    t.equal((await ask(url, 'manager/tag/merge', { headers, body })).status, 200);
    t.strictSame((await followed(BOB)).tag_ids.sort(), [tag, into].sort());
  });

  t.test('the feed of a publisher has what is published', async (t) => {
    const news = async (publisher: number) => ask(url, `plugin/publisher/news?publisher_id=${publisher}`);
    await addPlugin(db, { key: 'latest-one', publisherId: 200, updatedAt: new Date('2030-01-01') });
    await addPlugin(db, { key: 'unseen-one', publisherId: 200, auditStatus: 1 });
    const { publisher, plugin_list } = dataOf(await news(200), contract.readPublisherNews.data);
    t.equal(publisher.nick_name, 'Maker 200');
    t.equal(plugin_list[0]?.plugin_key, 'latest-one');
    t.notOk(plugin_list.some(({ plugin_key }) => plugin_key === 'unseen-one'));
    t.match(await news(300), { status: 404, json: { code: 'PUBLISHER_NOT_FOUND' } });
  });

  t.test('they are in the export, and go with the account', async (t) => {
    const exported = await EXPORTED.follows?.(db, { userId: ADA, after: 0, limit: 10 });
    t.match(exported, [
      { content: { plugin: { plugin_key: 'followed-one', name: { 'en-US': 'Grid' } } } },
      { content: { publisher_id: PUBLISHER_ID } },
      { content: { plugin: { plugin_key: 'hidden-one' } } },
    ]);
    await db.transaction().execute((trx) => deletePersonalData(trx, ADA));
    const { rows } = await pool.query('select from follow where user_id = $1', [ADA]);
    t.equal(rows.length, 0);
  });
});
