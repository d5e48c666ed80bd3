import t from 'tap';
import { insertNotices } from '../../server/community/notices/store.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunity } from '../support/community.ts';
import { addPlugin } from './add-plugin.ts';
import { addSubmission } from './add-submission.ts';
import { ask } from './ask.ts';

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
for (let row = 0; row < ROWS; row += 1) {
  const plugin_key = `last-page-${row}`;
  const pluginId = await addPlugin(db, {
    key: plugin_key,
    name: { 'en-US': 'Grid' },
    publisherId: SOMEBODY,
    likes: row % 2,
  });
  await addSubmission(db, { pluginId, createdBy: SOMEBODY });
  await post('plugin/user', { plugin_key });
  await post('plugin/user/praise', { plugin_key, praise: 1 });
  await post('plugin/report', { plugin_key, kind: 'malicious', reason: 'It reads files' });
  await post('plugin/resource_state', { plugin_key, ...TIME });
  await post('plugin/token', { name: plugin_key });
}
const told = { userId: SOMEBODY, kind: 'approved' as const, data: {} };
await insertNotices(db, Array(ROWS).fill(told), new Date());

const LISTS = [
  'plugin/list?sort=0',
  'plugin/list?sort=1',
  'plugin/list?keyword=grid',
  'plugin/user/list?',
  'plugin/liked?',
  'plugin/audit?',
  'plugin/audit/list?',
  'plugin/report/list?',
  'plugin/resource_state/list?',
  'notice/list?',
  'manager/audit-trail/list?',
  'manager/report/list?',
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
