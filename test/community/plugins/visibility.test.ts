import t from 'tap';
import type { PluginChange } from '../../../server/community/schema.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../add-plugin.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const community = await testCommunity(t);
const { db, url } = community;
const tag = await addTag(db, 'tag');
await addPlugin(db, { key: 'always-there', name: { 'en-US': 'Seen' }, tags: [tag] });
await addPlugin(db, { key: 'comes-and-goes', name: { 'en-US': 'Seen too' }, tags: [tag] });

async function totals(): Promise<number[]> {
  const queries = ['', `tag_id=${tag}`, 'keyword=seen', `keyword=seen&tag_id=${tag}`];
  return Promise.all(
    queries.map(async (query) => {
      const page = dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data);
      t.equal(keysOf(page).length, page.total);
      return page.total;
    }),
  );
}

async function change(values: PluginChange): Promise<void> {
  await db.updateTable('plugin').set(values).where('plugin_key', '=', 'comes-and-goes').execute();
}

const HIDDEN: [title: string, away: PluginChange, back: PluginChange, ownerSees: number][] = [
  ['not yet reviewed', { audit_status: 1 }, { audit_status: 2 }, 200],
  ['refused', { audit_status: 3 }, { audit_status: 2 }, 200],
  ['hidden', { is_hidden: true }, { is_hidden: false }, 200],
  ['deleted', { deleted_at: new Date() }, { deleted_at: null }, 404],
];

for (const [title, away, back, ownerSees] of HIDDEN) {
  t.test(`a plugin that is ${title} is in no list and no total, and comes back`, async (t) => {
    t.strictSame(await totals(), [2, 2, 2, 2]);
    await change(away);
    t.strictSame(await totals(), [1, 1, 1, 1]);
    const path = 'plugin?plugin_key=comes-and-goes';
    const stranger = await ask(url, path, { headers: await community.bearer(7) });
    t.equal((await ask(url, path)).status, 404);
    t.equal(stranger.status, 404);
    t.hasStrict(stranger.json, { code: 'PLUGIN_NOT_FOUND' });
    t.equal((await ask(url, path, { headers: await community.bearer(PUBLISHER_ID) })).status, ownerSees);
    t.equal((await ask(url, path, { headers: await community.bearer(1, 2) })).status, ownerSees);
    const body = { plugin_key: 'comes-and-goes' };
    t.equal((await ask(url, 'plugin/user', { headers: await community.bearer(7), body })).status, 404);
    await change(back);
    t.strictSame(await totals(), [2, 2, 2, 2]);
  });
}

t.test('adding and removing a tag changes the totals of that tag only', async (t) => {
  const { id } = await db
    .selectFrom('plugin')
    .select('id')
    .where('plugin_key', '=', 'always-there')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('plugin_tag').where('plugin_id', '=', id).execute();
  t.strictSame((await totals()).slice(0, 2), [2, 1]);
  await db.insertInto('plugin_tag').values({ plugin_id: id, tag_id: tag }).execute();
  t.strictSame((await totals()).slice(0, 2), [2, 2]);
});

t.test('totals stay correct while plugins are hidden and tagged concurrently', async (t) => {
  const rows = await db.selectFrom('plugin').select('id').execute();
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([
      change({ is_hidden: round % 2 === 0 }),
      ...rows.map(({ id }) => db.deleteFrom('plugin_tag').where('plugin_id', '=', id).execute()),
      change({ updated_at: new Date(Date.UTC(2025, 5, round)) }),
    ]);
    const tags = rows.map(({ id }) => ({ plugin_id: id, tag_id: tag }));
    await Promise.all([
      change({ is_hidden: round % 2 === 1 }),
      ...tags.map((row) => db.insertInto('plugin_tag').values(row).execute()),
    ]);
    const visible = round % 2 === 0 ? 2 : 1;
    t.strictSame((await totals()).slice(0, 2), [visible, visible]);
  }
});
