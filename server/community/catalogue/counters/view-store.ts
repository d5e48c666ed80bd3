import { sql } from 'kysely';
import type { Source } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';

/** Milliseconds within which repeated views of a plugin by one viewer count once (R 3.15). */
export const SAME_VIEW = 30 * 60 * 1000;
const DELETED_BATCH = 5000;

/** A view of a plugin. */
export type View = {
  /** Of plugin and viewer: 16 bytes, hexadecimal. */
  hash: string;
  pluginId: number;
  source: Source;
  /** Milliseconds since 1970. */
  at: number;
};

/**
 * Counts views that did not count recently in any instance, in the plugin's counter, in the day and for their source. Writing views again, for
 * instance after a lost connection, changes nothing. Locks hashes, then counters by id, like every writer.
 * @param views no hash twice
 */
export async function addViews(db: Db, views: readonly View[], day: Date): Promise<void> {
  const hashes = views.map(({ hash }) => hash);
  const ids = views.map(({ pluginId }) => pluginId);
  const sources = views.map(({ source }) => source);
  const times = views.map(({ at }) => new Date(at));
  await sql`
    with given as (
      select decode(hash, 'hex') as view_hash, plugin_id, source, at
        from unnest(${hashes}::text[], ${ids}::bigint[], ${sources}::text[], ${times}::timestamptz[])
          as v (hash, plugin_id, source, at)
    ), fresh as (
      insert into recent_view as t (view_hash, counted_at) select view_hash, at from given order by view_hash
        on conflict (view_hash) do update set counted_at = excluded.counted_at
          where t.counted_at < excluded.counted_at - ${SAME_VIEW} * interval '1 ms'
        returning view_hash
    ), viewed as (
      select plugin_id, count(*) as views from given join fresh using (view_hash) group by plugin_id
    ), counted as materialized (
      select c.plugin_id, v.views from plugin_counter c join viewed v using (plugin_id)
        order by c.plugin_id for no key update of c
    ), by_source as (
      insert into figure_change (plugin_id, day, figure, delta, part)
        select plugin_id, ${day.toISOString().slice(0, 10)}::date, 'views', count(*), source
          from given join fresh using (view_hash) join counted using (plugin_id) group by plugin_id, source
    ), by_day as (
      insert into plugin_view as t (plugin_id, day, view_count)
        select plugin_id, ${day.toISOString().slice(0, 10)}::date, views from counted
        on conflict (plugin_id, day) do update set view_count = t.view_count + excluded.view_count
    )
    update plugin_counter c set view_count = view_count + counted.views
      from counted where c.plugin_id = counted.plugin_id`.execute(db);
}

/** Forgets views that count again by now; those that another instance is writing wait for the next call. */
export async function deleteOldViews(db: Db, now: Date): Promise<void> {
  for (let deleted = DELETED_BATCH; deleted === DELETED_BATCH; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from recent_view where view_hash = any (array(
        select view_hash from recent_view where counted_at < ${new Date(now.getTime() - SAME_VIEW)}
          limit ${DELETED_BATCH} for update skip locked
      ))`.execute(db);
    deleted = Number(numAffectedRows);
  }
}
