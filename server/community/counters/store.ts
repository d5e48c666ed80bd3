import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Changes of one commit: who likes something meanwhile waits for the disk behind so much at most. */
const DAYS_AT_ONCE = 1000;
const REORDERED_AT_ONCE = 500;
/** Commits of one call: changes that are put back because somebody holds their row must not keep it going. */
const ROUNDS = 200;

/** Names of the totals that triggers keep: lists of the backstage, and counters of the whole marketplace. */
type CounterName =
  | `submission ${1 | 2 | 3}`
  | `plugin ${1 | 2 | 3}`
  | 'installs'
  | 'likes'
  | 'views'
  | 'report open'
  | 'trail';

/** Exact totals without counting: what is added up, and the few changes that are not yet. */
export async function readTotals<Name extends CounterName>(
  db: Db,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const { rows } = await sql<{ totals: Record<Name, number> }>`
    select coalesce(jsonb_object_agg(name, coalesce(t.total, 0) + coalesce(c.delta, 0)), '{}') as totals
      from unnest(${[...names]}::text[]) name
      left join tally t using (name)
      left join (select name, sum(delta) as delta from tally_change group by name) c using (name)`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate answered no row');
  return row.totals;
}

/** Adds appended changes to totals and to the statistics of days; harmless when several instances do. */
export async function aggregateChanges(db: Db): Promise<void> {
  await sql`
    with taken as (delete from tally_change returning name, delta)
    insert into tally as t (name, total)
      select name, sum(delta) from taken group by name order by name
      on conflict (name) do update set total = t.total + excluded.total`.execute(db);
  while ((await aggregateDays(db)) === DAYS_AT_ONCE);
}

async function aggregateDays(db: Db): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from figure_change where ctid = any (array(
          select ctid from figure_change limit ${DAYS_AT_ONCE} for update skip locked
        )) returning plugin_id, day, figure, delta
    ), added as (
      insert into day_figure as f (plugin_id, day, figure, total)
        select coalesce(plugin_id, 0), day, figure, sum(delta) from taken
          group by grouping sets ((plugin_id, day, figure), (day, figure))
          order by 1, 2, 3
        on conflict (plugin_id, day, figure) do update set total = f.total + excluded.total
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}

/** Adds counted views to the counters and to those of the day; locks in the order of ids, as every writer does. */
export async function addViews(db: Db, counts: ReadonlyMap<number, number>, day: Date): Promise<void> {
  const ids = [...counts.keys()];
  const views = [...counts.values()];
  await sql`
    with counted as materialized (
      select c.plugin_id, v.views from plugin_counter c
        join unnest(${ids}::bigint[], ${views}::bigint[]) as v (plugin_id, views) using (plugin_id)
        order by c.plugin_id for no key update of c
    ), by_day as (
      insert into plugin_view as t (plugin_id, day, view_count)
        select plugin_id, ${day.toISOString().slice(0, 10)}::date, views from counted
        on conflict (plugin_id, day) do update set view_count = t.view_count + excluded.view_count
    )
    update plugin_counter c set view_count = view_count + counted.views
      from counted where c.plugin_id = counted.plugin_id`.execute(db);
}

/**
 * Puts lists by popularity in order again for the plugins whose popularity has changed. One instance at a time;
 * answers how many changes were looked at, 0 also when another instance is at it.
 */
export async function reorderByPopularity(db: Db): Promise<number> {
  let seen = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken = await reorderSome(db);
    seen += taken;
    if (taken < REORDERED_AT_ONCE) break;
  }
  return seen;
}

async function reorderSome(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('plugin-square popularity', 0)) as mine`.execute(trx);
    if (!rows[0]?.mine) return 0;
    const changed = await sql<{ plugin_id: number }>`
      delete from popularity_change where ctid = any (array(select ctid from popularity_change limit ${REORDERED_AT_ONCE}))
        returning plugin_id`.execute(trx);
    const ids = [...new Set(changed.rows.map((row) => row.plugin_id))];
    if (ids.length === 0) return 0;
    await sql`
      select from plugin_listing where plugin_id = any (${ids}::bigint[])
        order by plugin_id, tag_id for no key update`.execute(trx);
    // A statement of its own: its snapshot holds every counter whose change was just taken off the list.
    await sql`
      update plugin_listing l set popularity = c.popularity
        from plugin_counter c
        where c.plugin_id = any (${ids}::bigint[]) and l.plugin_id = c.plugin_id
          and l.popularity <> c.popularity`.execute(trx);
    await recountManaged(trx, ids);
    return changed.rows.length;
  });
}

/**
 * Brings the counters that plugin management sorts by up to date. A row that somebody is changing is left for the
 * next time, for they may be waiting for the rows locked above.
 */
async function recountManaged(trx: Db, ids: readonly number[]): Promise<void> {
  await sql`
    with wanted as (
      select plugin_id from managed_plugin where plugin_id = any (${[...ids]}::bigint[])
    ), free as materialized (
      select plugin_id from managed_plugin where plugin_id = any (${[...ids]}::bigint[])
        order by plugin_id for no key update skip locked
    ), recounted as (
      update managed_plugin m
        set install_count = c.install_count, praise_count = c.praise_count, view_count = c.view_count
        from plugin_counter c join free using (plugin_id)
        where m.plugin_id = c.plugin_id and (m.install_count, m.praise_count, m.view_count)
          <> (c.install_count, c.praise_count, c.view_count)
    )
    insert into popularity_change
      select plugin_id from wanted where not exists (select from free where free.plugin_id = wanted.plugin_id)`.execute(
    trx,
  );
}
