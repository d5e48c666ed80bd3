import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** Changes per commit, which limits how long concurrent writers wait. */
const DAYS_BATCH = 1000;
const REORDER_BATCH = 500;
/** Commits per call, since changes of locked rows are queued again. */
const ROUNDS_MAX = 200;

/** Adds pending changes to the totals and daily statistics; safe for concurrent instances. */
export async function aggregateChanges(db: Db): Promise<void> {
  await sql`
    with taken as (delete from tally_change returning name, delta)
    insert into tally as t (name, total)
      select name, sum(delta) from taken group by name order by name
      on conflict (name) do update set total = t.total + excluded.total`.execute(db);
  while ((await aggregateDays(db)) === DAYS_BATCH);
}

async function aggregateDays(db: Db): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from figure_change where ctid = any (array(
          select ctid from figure_change limit ${DAYS_BATCH} for update skip locked
        )) returning plugin_id, day, figure, delta, part
    ), parted as (
      insert into part_figure as f (plugin_id, figure, day, part, total)
        select plugin_id, figure, day, part, sum(delta) from taken
          where part is not null and exists (select from plugin p where p.id = taken.plugin_id)
          group by plugin_id, figure, day, part order by plugin_id, figure, day, part
        on conflict (plugin_id, figure, day, part) do update set total = f.total + excluded.total
    ), added as (
      insert into day_figure as f (plugin_id, day, figure, total)
        select coalesce(plugin_id, 0), day, figure, sum(delta) from taken where part is null
          group by grouping sets ((plugin_id, day, figure), (day, figure))
          order by 1, 2, 3
        on conflict (plugin_id, day, figure) do update set total = f.total + excluded.total
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}

/**
 * Updates the order by popularity for changed plugins. One instance at a time.
 * @returns the number of processed changes; 0 also while another instance does it
 */
export async function reorderByPopularity(db: Db): Promise<number> {
  let seen = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const taken = await reorderSome(db);
    seen += taken;
    if (taken < REORDER_BATCH) break;
  }
  return seen;
}

async function reorderSome(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('plugin-square popularity', 0)) as mine`.execute(trx);
    if (!rows[0]?.mine) return 0;
    const changed = await sql<{ plugin_id: number }>`
      delete from popularity_change where ctid = any (array(select ctid from popularity_change limit ${REORDER_BATCH}))
        returning plugin_id`.execute(trx);
    const ids = [...new Set(changed.rows.map((row) => row.plugin_id))];
    if (ids.length === 0) return 0;
    await sql`
      select from plugin_listing where plugin_id = any (${ids}::bigint[])
        order by plugin_id, tag_id for no key update`.execute(trx);
    // A separate statement, so that its snapshot includes every counter of the deleted changes.
    await sql`
      update plugin_listing l set popularity = c.popularity
        from plugin_counter c
        where c.plugin_id = any (${ids}::bigint[]) and l.plugin_id = c.plugin_id
          and l.popularity <> c.popularity`.execute(trx);
    await updateManagedCounters(trx, ids);
    return changed.rows.length;
  });
}

/**
 * Updates the counters in the plugin management list. Locked rows are queued for the next call, since their transaction
 * may wait for the rows locked above.
 */
async function updateManagedCounters(trx: Db, ids: readonly number[]): Promise<void> {
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
