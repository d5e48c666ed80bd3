import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Changes of one commit: who likes something meanwhile waits for the disk behind so much at most. */
const AT_ONCE = 500;
/** Commits of one call: changes that are put back because somebody holds their row must not keep it going. */
const ROUNDS = 200;

/**
 * Puts lists by popularity in order again for the plugins whose popularity has changed. One instance at a time;
 * answers how many changes were looked at, 0 also when another instance is at it.
 */
export async function reorderByPopularity(db: Db): Promise<number> {
  let seen = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken = await reorderSome(db);
    seen += taken;
    if (taken < AT_ONCE) break;
  }
  return seen;
}

async function reorderSome(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('plugin-square popularity', 0)) as mine`.execute(trx);
    if (!rows[0]?.mine) return 0;
    const changed = await sql<{ plugin_id: number }>`
      delete from popularity_change where ctid = any (array(select ctid from popularity_change limit ${AT_ONCE}))
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
 * next time, for he may be waiting for the rows locked above.
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
