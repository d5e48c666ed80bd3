import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Adds counted views to the counters and to the day's tally; locks in the order of ids, as every writer does. */
export async function addViews(db: Db, counts: ReadonlyMap<number, number>, day: Date): Promise<void> {
  const ids = [...counts.keys()];
  const views = [...counts.values()];
  await sql`
    with counted as materialized (
      select c.plugin_id, v.views from plugin_counter c
        join unnest(${ids}::bigint[], ${views}::bigint[]) as v (plugin_id, views) using (plugin_id)
        order by c.plugin_id for no key update of c
    ), tallied as (
      insert into plugin_view as t (plugin_id, day, view_count)
        select plugin_id, ${day.toISOString().slice(0, 10)}::date, views from counted
        on conflict (plugin_id, day) do update set view_count = t.view_count + excluded.view_count
    )
    update plugin_counter c set view_count = view_count + counted.views
      from counted where c.plugin_id = counted.plugin_id`.execute(db);
}
