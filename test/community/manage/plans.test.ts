import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import t from 'tap';
import { readFound, readPage } from '../../../server/community/backstage-list/store.ts';
import { type ManagedSort, managedOrder } from '../../../server/community/manage/orders.ts';
import { readManagedRows } from '../../../server/community/manage/store.ts';
import { communityMigrations } from '../../../server/community/migrations.ts';
import { queueOrder } from '../../../server/community/review/queue/orders.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { installMissing, isDefaultMissing } from '../../../server/community/silent/store.ts';
import { readDayFigures } from '../../../server/community/statistics/store.ts';
import { readSubmissionRows } from '../../../server/community/submissions/store.ts';
import { readTrailRows, readTrailSpan } from '../../../server/community/trail/store.ts';
import { testDatabase } from '../../support/database.ts';
import { addManyPlugins } from '../../support/many-plugins.ts';
import { addManySubmissions } from '../../support/many-submissions.ts';

const COUNT = 8000;
const WAITING = 3000;
t.setTimeout(240_000);
const { db, pool } = await testDatabase<CommunityTables>(t, {
  schema: 'community',
  migrations: communityMigrations,
  name: 'backstage_plans',
});
await addManyPlugins(db, COUNT);
await addManySubmissions(db, WAITING);
await pool.query(`
  update plugin set audit_status = 3, current_version_id = null where id % 97 = 0;
  insert into audit_trail (actor_id, action, target_kind, target_id, target_name, created_at)
    select n % 50, 'kind.verb' || n % 20, 'kind' || n % 10, n % 4000, '', timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, 20000) n;
  insert into day_figure select p, date '2025-01-01' + d, f, 1
    from generate_series(0, 400) p, generate_series(0, 30) d, unnest(array['installs', 'likes']) f;
  insert into plugin_install (user_id, plugin_id) select n % 100, 1 + n % 5000 from generate_series(1, 20000) n
    on conflict do nothing;
  insert into plugin_like (user_id, plugin_id) select user_id, plugin_id from plugin_install;
  insert into silent_install (plugin_id) select generate_series(1, 5);
`);
await pool.query('vacuum analyze');

/** The plans of every statement that some work runs. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const watched: Db = new Kysely<CommunityTables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => void queries.push(event.query),
  });
  await work(watched);
  const plans = queries.map(async ({ sql, parameters }) => {
    const { rows } = await pool.query(`explain (analyze, costs off, timing off) ${sql}`, [...parameters]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  return Promise.all(plans);
}

/** Rows that went into the largest sort. */
function sorted(plan: string): number {
  const lines = plan.split('\n');
  const inputs = lines.flatMap((line, index) => {
    if (!/->\s+(Incremental )?Sort|^(Incremental )?Sort/.test(line)) return [];
    const below = lines.slice(index + 1).find((next) => /->/.test(next)) ?? '';
    return [Number(/rows=(\d+)/.exec(below)?.[1] ?? 0)];
  });
  return Math.max(0, ...inputs);
}

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

for (const [title, order, index, ranges] of ORDERS) {
  t.test(`a page of ${title} reads short ranges of one index`, async (t) => {
    const first = await readPage(db, order, { after: undefined, limit: LIMIT });
    const last = first.at(-1);
    const places = [undefined, ...(last ? [[last.sort_key, last.id] as const] : [])];
    for (const after of places) {
      for (const plan of await plansOf((watched) => readPage(watched, order, { after, limit: LIMIT }))) {
        t.match(plan, new RegExp(`Index (Only )?Scan using ${index}`));
        t.notMatch(plan, /Seq Scan/);
        t.ok(sorted(plan) <= ranges * LIMIT, plan);
      }
    }
  });
}

for (const [title, order] of ORDERS) {
  t.test(`a rare word among ${title} goes by the words' index`, async (t) => {
    const page = { after: undefined, limit: LIMIT, total: undefined };
    const plans = await plansOf((watched) => readFound(watched, order, "'en77x12':*", page));
    t.equal(plans.length, 1);
    t.match(
      plans[0],
      /Bitmap Index Scan on (submission_search_words|waiting_search_words|plugin_search_full)/,
    );
    t.notMatch(plans[0], /Seq Scan/);
  });
}

for (const [title, order, index] of ORDERS.filter(([name]) => !name.startsWith('refused'))) {
  t.test(`a frequent word among ${title} is met in their order`, async (t) => {
    const page = { after: undefined, limit: LIMIT, total: 9 };
    const plans = await plansOf((watched) => readFound(watched, order, "'plugin':*", page));
    const walk = plans.at(-1) ?? '';
    t.match(walk, new RegExp(`using ${index}`));
    t.match(walk, /using (submission_search_pkey|waiting_search_pkey|plugin_search_pkey)/);
    t.notMatch(walk, /Seq Scan/);
    t.ok(sorted(walk) <= 3 * LIMIT, walk);
  });
}

const works: [title: string, work: (db: Db) => Promise<unknown>][] = [
  [
    'rows of the review list',
    (watched) =>
      readSubmissionRows(
        watched,
        Array.from({ length: 20 }, (_, n) => n * 100 + 1),
        7,
      ),
  ],
  [
    'rows of management',
    (watched) =>
      readManagedRows(
        watched,
        Array.from({ length: 20 }, (_, n) => n * 100 + 1),
      ),
  ],
  ['the defaults that a person lacks', (watched) => isDefaultMissing(watched, 7)],
  ['installing defaults', (watched) => installMissing(watched, 8)],
  ['figures of days', (watched) => readDayFigures(watched, 7, { lastDay: '2025-01-31', days: 7 })],
  [
    'a span of the trail',
    (watched) =>
      readTrailSpan(
        watched,
        { from: new Date('2026-01-05'), until: new Date('2026-01-06'), after: undefined },
        100,
      ),
  ],
];
for (const [title, work] of works) {
  t.test(`${title}: read by key`, async (t) => {
    for (const plan of await plansOf(work)) {
      t.notMatch(
        plan,
        /Seq Scan on (plugin|plugin_\w+|submission|submission_\w+|managed_plugin|day_figure|audit_trail|review)\b/,
      );
    }
  });
}

const trails: [filter: Parameters<typeof readTrailRows>[1], index: string][] = [
  [{}, 'audit_trail_newest'],
  [{ action: 'kind.verb3' }, 'audit_trail_by_action'],
  [{ target_kind: 'kind3' }, 'audit_trail_by_kind'],
  [{ actor_id: 3 }, 'audit_trail_by_actor'],
  [{ target_id: '33' }, 'audit_trail_by_target'],
];
for (const [filter, index] of trails) {
  t.test(`the trail with ${JSON.stringify(filter)} reads one index range`, async (t) => {
    const page = { after: [Date.parse('2026-01-10'), 1] as const, limit: LIMIT };
    const [plan = ''] = await plansOf((watched) => readTrailRows(watched, filter, page));
    t.match(plan, new RegExp(`using ${index}`));
    t.notMatch(plan, /Seq Scan on audit_trail/);
    t.equal(sorted(plan), 0, plan);
  });
}
