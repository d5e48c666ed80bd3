import t from 'tap';
import { fillDatabase } from '../../../bench/data/fill.ts';
import { rareWord } from '../../../bench/data/texts.ts';
import { readFound, readPage } from '../../../server/community/backstage-list/store.ts';
import { readDayFigures } from '../../../server/community/counters/statistics-store.ts';
import { installMissing, isDefaultMissing } from '../../../server/community/installed/default-store.ts';
import { type ManagedSort, managedOrder, readManagedRows } from '../../../server/community/manage/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { queueOrder, readSubmissionRows } from '../../../server/community/submissions/store.ts';
import { readTrailRows, readTrailSpan } from '../../../server/community/trail/store.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { flawsOf, watchPlans } from '../../support/plans.ts';

const SIZE = { count: 8000, waiting: 4000 };
const { url } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'backstage_plans',
});
await fillDatabase(url, SIZE);
const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
t.teardown(() => pool.end());
const plansOf = watchPlans(pool);
const db = openKysely<CommunityTables>(pool);

const SORTS: [sort: ManagedSort, index: string][] = [
  ['latest', 'managed_plugin_latest'],
  ['installs', 'managed_plugin_installs'],
  ['likes', 'managed_plugin_likes'],
  ['views', 'managed_plugin_views'],
  ['recommended', 'managed_plugin_recommended'],
];
const ORDERS: [title: string, order: ReturnType<typeof queueOrder>, index: string, ranges: number][] = [
  ['waiting', queueOrder(1), 'submission_queue', 1],
  ['passed', queueOrder(2), 'submission_decided', 1],
  ['refused', queueOrder(3), 'submission_decided', 1],
  ['all submissions', queueOrder(0), 'submission_newest', 1],
  ...SORTS.flatMap(([sort, index]): typeof ORDERS => [
    [`all plugins by ${sort}`, managedOrder(0, sort), index, 3],
    [`passed plugins by ${sort}`, managedOrder(2, sort), index, 1],
  ]),
];
const LIMIT = 21;
/** Words with up to this many matches are rare here. */
const FEW = 1000;
const RARE = `'${rareWord(SIZE.count, 'ru-RU').toLowerCase()}':*`;

for (const [title, order, index, ranges] of ORDERS) {
  t.test(`a page of ${title} reads short ranges of one index`, async (t) => {
    const first = await readPage(db, order, { after: undefined, limit: LIMIT });
    const last = first.at(-1);
    const places = [undefined, ...(last ? [[last.sort_key, last.id] as const] : [])];
    for (const after of places) {
      for (const plan of await plansOf(() => readPage(db, order, { after, limit: LIMIT }))) {
        t.ok(plan.indexes.includes(index), plan.text);
        t.strictSame(flawsOf(plan, ranges * LIMIT), [], plan.text);
      }
    }
  });
}

for (const [title, order] of ORDERS) {
  t.test(`a rare word among ${title} is read by the words' index`, async (t) => {
    const page = { after: undefined, limit: LIMIT, total: undefined, length: async () => SIZE.count };
    const plans = await plansOf(() => readFound(db, order, RARE, page));
    t.equal(plans.length, 1);
    for (const plan of plans) {
      t.match(
        plan.indexes.join(),
        /submission_search_words|waiting_search_words|plugin_search_full/,
        plan.text,
      );
      t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
    }
  });
}

for (const [title, order, index] of ORDERS.filter(([name]) => !name.startsWith('refused'))) {
  t.test(`a frequent word among ${title} is read in their order`, async (t) => {
    const page = { after: undefined, limit: LIMIT, total: 9, length: async () => SIZE.count };
    const plans = await plansOf(() => readFound(db, order, "'a':*", page, FEW));
    for (const walk of plans.splice(-1)) {
      t.match(walk.indexes.join(), new RegExp(index));
      t.match(walk.indexes.join(), /(submission|waiting|plugin)_search_pkey/);
      t.strictSame(flawsOf(walk, 3 * LIMIT), [], walk.text);
    }
    for (const plan of plans) t.strictSame(flawsOf(plan, 2 * FEW), [], `whether it is rare: ${plan.text}`);
  });
}

const ids = Array.from({ length: 20 }, (_, n) => n * 100 + 1);
const day = { from: new Date('2023-01-05'), until: new Date('2023-01-06'), after: undefined };
const works: [title: string, work: () => Promise<unknown>][] = [
  ['rows of the review list', () => readSubmissionRows(db, ids, 7)],
  ['rows of management', () => readManagedRows(db, ids)],
  ['the missing defaults of a user', () => isDefaultMissing(db, 7)],
  ['installing defaults', () => installMissing(db, 8)],
  ['daily statistics', () => readDayFigures(db, 7, { lastDay: '2025-01-31', days: 7 })],
  ['a span of the trail', () => readTrailSpan(db, day, 100)],
];
for (const [title, work] of works) {
  t.test(`${title}: read by key`, async (t) => {
    for (const plan of await plansOf(work)) t.strictSame(flawsOf(plan, 100), [], plan.text);
  });
}

const trails: [filter: Parameters<typeof readTrailRows>[1], index: string][] = [
  [{}, 'audit_trail_newest'],
  [{ action: 'slot.add' }, 'audit_trail_by_action'],
  [{ target_kind: 'slot' }, 'audit_trail_by_kind'],
  [{ actor_id: 3 }, 'audit_trail_by_actor'],
  [{ target_id: 'target-33' }, 'audit_trail_by_target'],
];
for (const [filter, index] of trails) {
  t.test(`the trail with ${JSON.stringify(filter)} reads one index range`, async (t) => {
    const page = { after: [Date.parse('2023-01-10'), 1] as const, limit: LIMIT };
    for (const plan of await plansOf(() => readTrailRows(db, filter, page))) {
      t.ok(plan.indexes.includes(index), plan.text);
      t.strictSame(flawsOf(plan, 0), [], plan.text);
    }
  });
}
