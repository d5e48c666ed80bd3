import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const { db, url } = await testCommunity(t);

async function showing(page: number) {
  return dataOf(await ask(url, `plugin/recommendation/list?page=${page}`), contract.listRecommended.data);
}

t.test('nothing recommended is an empty list, on any page', async (t) => {
  t.strictSame(await showing(0), { plugin_list: [], page_count: 0 });
  t.strictSame(await showing(3), { plugin_list: [], page_count: 0 });
});

t.test('eight per page in order; later pages wrap around', async (t) => {
  for (let n = 0; n < 12; n += 1) {
    const plugin_id = await addPlugin(db, { key: `recommended-${n}` });
    await db
      .insertInto('recommendation')
      .values({ plugin_id, position: 100 - n })
      .execute();
  }
  const keys = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => `recommended-${from - i}`);
  t.equal((await showing(0)).page_count, 2);
  t.strictSame(keysOf(await showing(0)), keys(11, 4));
  t.strictSame(keysOf(await showing(1)), keys(3, 0));
  t.strictSame(keysOf(await showing(2)), keys(11, 4));
  t.strictSame(keysOf(await showing(9999)), keys(3, 0));
});

t.test('hidden plugins are not recommended', async (t) => {
  await db
    .updateTable('plugin')
    .set({ is_hidden: true })
    .where('plugin_key', '=', 'recommended-11')
    .execute();
  t.notOk(keysOf(await showing(0)).includes('recommended-11'));
});
