import { createHash } from 'node:crypto';
import t from 'tap';
import { insertNotices } from '../../server/community/people/notices/store.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunity } from '../support/community.ts';
import { addPlugin } from './add-plugin.ts';
import { addSubmission } from './add-submission.ts';
import { ask } from './ask.ts';

t.test('forged cursors', async (t) => {
  /** Cursors hold no secret, so anybody can write one: whatever it says must be a place that a row can have, or refused. */
  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url } = community;
  await addPlugin(db, { key: 'only-plugin', name: { 'en-US': 'Only grid' } });
  const admin = await community.bearer(7, 1);

  /** As the service binds a cursor to its list: nine bytes of a hash that needs no key. */
  function forged(content: string, list: readonly (string | number)[]): string {
    const place = Buffer.from(content);
    const sum = createHash('sha256').update(JSON.stringify(list)).update(place).digest().subarray(0, 9);
    return Buffer.concat([sum, place]).toString('base64url');
  }

  /** A list, what its cursors are bound to, and a place that is well formed. */
  const LISTS: [path: string, list: (string | number)[], place: number[]][] = [
    ['plugin/list?sort=0', ['browse', 0, 0], [1_700_000_000_000, 1]],
    ['plugin/list?sort=1', ['browse', 0, 1], [10, 1]],
    ['plugin/list?keyword=grid', ['search', 0, '', 'grid'], [1, 10, 1, 5, 0]],
    ['plugin/list?keyword=grid&sort=0', ['search', 0, 0, 'grid'], [1, 1_700_000_000_000, 1, 5, 0]],
    ['plugin/list?keyword=grid&sort=1', ['search', 0, 1, 'grid'], [1, 10, 1, 5, 0]],
    ['plugin/user/list', ['installed', 7], [1_700_000_000_000, 1]],
    ['plugin/removed', ['removed', ''], [1_700_000_000_000, 1]],
    ['plugin/history?plugin_key=only-plugin', ['history', 'only-plugin'], [1_700_000_000_000, 1, 1]],
    ['plugin/liked', ['liked', 7], [1_700_000_000_000, 1]],
    ['follow/list', ['follows', 7], [1]],
    ['plugin/audit', ['own', 7], [1_700_000_000_000, 1]],
    ['plugin/report/list', ['own reports', 7], [1]],
    ['plugin/report/list?with_others=true', ['own reports of all kinds', 7], [1, 2, 3]],
    ['plugin/resource_state/list', ['slots'], [1_700_000_000_000, 1]],
    ['manager/audit-trail/list', ['trail', '', '', '', 0], [1_700_000_000_000, 1]],
    ['manager/report/list', ['reports', '', ''], [0, 1_700_000_000_000, 1]],
    ['manager/publisher/report/list', ['publisher reports'], [1]],
    ['manager/publisher/verified/list', ['verified publishers'], [1]],
    ...['installs', 'likes', 'views', 'recommended'].map((sort): [string, (string | number)[], number[]] => [
      `manager/plugin/list?sort=${sort}`,
      ['managed', 0, sort, 0, '', ''],
      [3, 1, 5],
    ]),
    ['manager/plugin/list', ['managed', 0, 'latest', 0, '', ''], [1_700_000_000_000, 1, 5]],
  ];

  const NO_PLACES = ['', '{', 'null', '[]', '{}', '"a"', '[null,null]', '[1e400,1]', '\u0000'];
  /** No column holds these. */
  const IMPOSSIBLE = [1.5, 2 ** 53, 1e19, 1e308, -1e308];
  /** Some columns could hold these: such a place may be empty. */
  const UNUSUAL = [-1, 2 ** 31, -(2 ** 31) - 1, 8.64e15 + 1, -8.64e15];

  for (const [path, list, place] of LISTS) {
    const at = (content: string) =>
      ask(url, `${path}${path.includes('?') ? '&' : '?'}cursor=${forged(content, list)}`, { headers: admin });

    t.test(`${path} takes a cursor of its own form`, async (t) => {
      t.equal((await at(JSON.stringify(place))).status, 200);
    });

    t.test(`${path} refuses a forged cursor with 400, whatever it says`, async (t) => {
      for (const content of NO_PLACES) {
        const answer = await at(content);
        t.equal(answer.status, 400, content);
        t.hasStrict(answer.json, {
          code: 'BAD_CURSOR',
          message: 'The cursor is not one this list has issued.',
        });
      }
      for (const [index] of place.entries()) {
        for (const value of IMPOSSIBLE) {
          const answer = await at(JSON.stringify(place.with(index, value)));
          t.equal(answer.status, 400, `${value} at ${index}`);
          t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
        }
      }
    });

    t.test(`${path} answers a cursor with unusual values, or refuses it`, async (t) => {
      for (const [index] of place.entries()) {
        for (const value of UNUSUAL) {
          const { status } = await at(JSON.stringify(place.with(index, value)));
          t.ok(status === 200 || status === 400, `${value} at ${index}: ${status}`);
        }
      }
    });
  }
});

t.test('last pages', async (t) => {
  /** Whoever scrolls to the end of a list that fills its last page is told that it is over: no page follows without rows. */
  const SOMEBODY = 7;
  const ROWS = 4;
  const TIME = { start_at: '2099-05-01T00:00:00Z', end_at: '2099-05-02T00:00:00Z' };

  const community = await testCommunity(t, { publishers: 'members' });
  const { db, url } = community;
  const admin = await community.bearer(SOMEBODY, 1);

  const post = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const { status, json } = await ask(url, path, { method: 'POST', headers: admin, body });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
  };
  const collect = async (plugin_key: string): Promise<void> => {
    const { json } = await ask(url, 'collection', {
      method: 'POST',
      headers: admin,
      body: { title: plugin_key, access: 'public' },
    });
    const { collection_key } = Object(json).data;
    await ask(url, 'collection/plugin', {
      method: 'PUT',
      headers: admin,
      body: { collection_key, plugin_key, is_in: true },
    });
  };
  for (let row = 0; row < ROWS; row += 1) {
    const plugin_key = `last-page-${row}`;
    const pluginId = await addPlugin(db, {
      key: plugin_key,
      name: { 'en-US': 'Grid' },
      publisherId: SOMEBODY,
      likes: row % 2,
    });
    await addSubmission(db, { pluginId, createdBy: SOMEBODY });
    const at = new Date();
    await db
      .insertInto('withdrawal')
      .values({
        plugin_id: pluginId,
        reason: 'policy',
        texts: '{}',
        must_stop: true,
        is_public: true,
        withdrawn_at: at,
      })
      .execute();
    await post('plugin/user', { plugin_key });
    await post('plugin/user/praise', { plugin_key, praise: 1 });
    await post('plugin/report', { plugin_key, kind: 'malicious', reason: 'It reads files' });
    await post('plugin/resource_state', { plugin_key, ...TIME });
    await post('plugin/token', { name: plugin_key });
    await ask(url, 'follow', { method: 'PUT', headers: admin, body: { plugin_key, is_followed: true } });
    await collect(plugin_key);
  }
  await community.pool.query(
    `insert into transparency_log (sequence, at, kind, plugin_key, version, previous_hash, hash)
      select n, now(), 'revoke', 'last-page-0', '1.0.0', '', '' from generate_series(2, $1::int) n`,
    [ROWS],
  );
  const told = { userId: SOMEBODY, kind: 'approved' as const, data: {} };
  await insertNotices(db, Array(ROWS).fill(told), new Date());
  await community.pool.query("update person set handle = 'somebody' where user_id = $1", [SOMEBODY]);
  await community.pool.query(
    `with reporter as (insert into person (user_id, nick_name) select 900 + n, '' from generate_series(1, $2::int) n
        returning user_id)
      insert into publisher_report (publisher_id, user_id, kind, reason, created_at)
        select $1, user_id, 'other', 'Not true', now() from reporter`,
    [SOMEBODY, ROWS],
  );
  await community.pool.query(
    `with verified as (update person set verified_as = '' where user_id > 900 returning user_id)
      insert into verification_decision (user_id, is_verified, reason, decided_by, decided_at)
        select user_id, true, 'Known to us', $1, now() from verified`,
    [SOMEBODY],
  );

  const LISTS = [
    'plugin/list?sort=0',
    'plugin/list?sort=1',
    'plugin/list?keyword=grid',
    'plugin/user/list?',
    'plugin/liked?',
    'plugin/removed?',
    'plugin/history?plugin_key=last-page-0',
    'plugin/audit?',
    'plugin/audit/list?',
    'plugin/report/list?',
    'plugin/report/list?with_others=true',
    'plugin/resource_state/list?',
    'notice/list?',
    'manager/audit-trail/list?',
    'manager/report/list?',
    'manager/publisher/report/list?',
    'manager/publisher/verified/list?',
    'follow/list?',
    'collection/public/list?',
    'publisher/plugin/list?handle=somebody',
    'manager/publish_token/list?',
    ...['latest', 'installs', 'likes', 'views', 'recommended'].map(
      (sort) => `manager/plugin/list?sort=${sort}`,
    ),
    'manager/plugin/list?keyword=grid',
  ];

  /** Numbers of rows of the pages, to the one that names no next one; at most `most` are read. */
  async function pageSizes(list: string, limit: number, most = ROWS + 1): Promise<number[]> {
    const sizes: number[] = [];
    let cursor: unknown = '';
    while (cursor !== null && sizes.length < most) {
      const after = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await ask(url, `${list}&limit=${limit}${after}`, { headers: admin });
      const { next_cursor, ...data } = Object(json).data ?? {};
      if (next_cursor === undefined) throw new Error(`${list}: ${JSON.stringify(json)}`);
      const rows: unknown = Object.entries(data).find(([name]) => name.endsWith('_list'))?.[1];
      sizes.push(Array.isArray(rows) ? rows.length : -1);
      cursor = next_cursor;
    }
    return sizes;
  }

  for (const list of LISTS)
    t.test(`${list} ends with its last row, also where that fills a page`, async (t) => {
      t.strictSame(await pageSizes(list, ROWS), [ROWS], 'one page');
      t.strictSame(await pageSizes(list, ROWS / 2), [ROWS / 2, ROWS / 2], 'two pages');
      t.strictSame(await pageSizes(list, ROWS - 1), [ROWS - 1, 1], 'a last page that is not full');
    });

  t.test('every list of the contract is tested', async (t) => {
    const paged = Object.values<Route>(contract).filter(
      ({ service, query }) => service === 'community' && query?.properties.cursor !== undefined,
    );
    const looked = LISTS.map((list) => `/api/cmt/${list.split('?')[0]}`);
    t.strictSame(
      paged.map(({ path }) => path).filter((path) => !looked.includes(path)),
      [],
    );
  });
});
