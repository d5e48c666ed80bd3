import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';
import { ADMIN_ID } from './send-batch.ts';

const community = await testCommunity(t);
const { db, url, bearer } = community;

async function add(
  key: string,
  name: string,
  externalId: string | null,
  publisherId = ADMIN_ID,
): Promise<number> {
  const id = await addPlugin(db, { key, name: { 'en-US': name }, publisherId });
  await db.updateTable('plugin').set({ external_id: externalId }).where('id', '=', id).execute();
  return id;
}

const ask1 = async (packages: unknown, userId = ADMIN_ID, role: 0 | 1 | 2 = 2) =>
  ask(url, 'manager/plugins/match', { headers: await bearer(userId, role), body: { packages } });
const matches = async (...packages: [external_id: string | null, name: string][]) => {
  const described = packages.map(([external_id, name]) => ({ external_id, name }));
  return dataOf(await ask1(described), contract.matchPackages.data).matches;
};

await add('both-alike', 'Palette', 'pal');
await add('same-id-only', 'Something', 'pal');
await add('same-name-only', 'Palette', 'xyz');
await add('no-id-at-all', 'Palette!', null);
await add('of-another', 'Palette', 'pal', 99);
const renamed = await add('renamed-lately', 'Before', 'ren');
await addSubmission(db, {
  createdBy: ADMIN_ID,
  pluginId: renamed,
  version: '1.10.0',
  listing: { name: { 'en-US': 'After', 'ja-JP': '後' } },
});

t.test('a plugin with both is matched, plugins with either are candidates, the better first', async (t) => {
  const [match] = await matches(['pal', 'palette']);
  t.equal(match?.plugin_key, 'both-alike');
  t.equal(match?.candidates[0]?.plugin_key, 'both-alike');
  t.strictSame(match?.candidates.map(({ plugin_key }) => plugin_key).sort(), [
    'both-alike',
    'same-id-only',
    'same-name-only',
  ]);
});

t.test('a plugin is found by its published name and by its submitted one', async (t) => {
  const found = await matches(['ren', 'Before'], ['ren', ' after'], ['ren', '後'], ['ren', 'Else']);
  t.strictSame(
    found.map(({ plugin_key }) => plugin_key),
    ['renamed-lately', 'renamed-lately', 'renamed-lately', null],
  );
  t.strictSame(found[3]?.candidates, [
    { plugin_key: 'renamed-lately', name: 'After', last_version: '1.10.0' },
  ]);
});

t.test('without similar plugins nothing is returned', async (t) => {
  t.strictSame(await matches([null, 'Nothing like it'], ['', '']), [
    { plugin_key: null, candidates: [] },
    { plugin_key: null, candidates: [] },
  ]);
  t.strictSame(await matches(), []);
});

t.test('names without letters, or like a query, find nothing', async (t) => {
  for (const name of ['!!!', "' | 'x", '\\', "a' & !b", '=', '#3', '😀']) {
    const answer = await ask1([{ external_id: null, name }]);
    t.equal(answer.status, 200, name);
  }
});

for (const [title, packages] of [
  ['51 packages', Array.from({ length: 51 }, () => ({ external_id: null, name: 'x' }))],
  ['no list', 'x'],
  ['a package without an id', [{ name: 'x' }]],
  ['an over-long name', [{ external_id: null, name: 'x'.repeat(201) }]],
] as const) {
  t.test(`refused: ${title}`, async (t) => {
    const answer = await ask1(packages);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
  });
}

t.test('only administrators may match packages', async (t) => {
  t.equal((await ask1([], 7, 0)).status, 403);
});
