import { type RawBuilder, sql } from 'kysely';
import { INSIGHT_PEOPLE_MIN, KEPT_WEEKS } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';

/** Active installs of a version of a plugin. */
export type ActiveVersion = { pluginId: number; version: string; count: number };

/**
 * Stores the active installs of a day: in the counters, in the statistics, and by version. A plugin without any gets a
 * figure only if it had some before.
 */
export async function saveActive(
  trx: Db,
  {
    ids,
    counts,
    versions,
    day,
  }: {
    ids: readonly number[];
    counts: ReadonlyMap<number, number>;
    versions: readonly ActiveVersion[];
    day: Date;
  },
): Promise<void> {
  await sql`
    with given as (
      select plugin_id, active from unnest(${[...ids]}::bigint[], ${ids.map((id) => counts.get(id) ?? 0)}::bigint[])
        as g (plugin_id, active)
    ), locked as materialized (
      select c.plugin_id, c.active_count as before, g.active from plugin_counter c join given g using (plugin_id)
        order by c.plugin_id for no key update of c
    ), counted as (
      update plugin_counter c set active_count = l.active from locked l
        where c.plugin_id = l.plugin_id and l.before is distinct from l.active
    )
    insert into day_figure as f (plugin_id, day, figure, total)
      select plugin_id, day_of(${day}), 'active', active from locked where active > 0 or before > 0
      on conflict (plugin_id, day, figure) do update set total = excluded.total`.execute(trx);
  await sql`
    delete from part_figure
      where plugin_id = any (${[...ids]}::bigint[]) and figure = 'active' and day = day_of(${day})`.execute(
    trx,
  );
  await sql`
    insert into part_figure (plugin_id, figure, day, part, total)
      select plugin_id, 'active', day_of(${day}), version, sum(total)
        from unnest(${versions.map(({ pluginId }) => pluginId)}::bigint[],
          ${versions.map(({ version }) => version)}::text[], ${versions.map(({ count }) => count)}::bigint[])
          as v (plugin_id, version, total)
        group by plugin_id, version`.execute(trx);
}

/** SQL for how many of a cohort still had the plugin after some weeks; null before all of them could. */
function keptAfter(weeks: number, now: Date): RawBuilder<unknown> {
  const span = sql`${sql.lit(weeks)} * interval '7 days'`;
  return sql`case when week + 7 + ${sql.lit(7 * weeks)} <= day_of(${now}) then
    count(*) filter (where uninstalled_at is null or uninstalled_at >= installed_at + ${span}) end`;
}

/** Weeks that are counted again: until the last figure of a cohort is there, and one more if a round was late. */
const WEEKS = Math.max(...KEPT_WEEKS) + 2;

/**
 * Counts the installs of the last weeks again, and how many of them were kept. Installs by default say nothing of who stays and
 * do not count. Cohorts that are too small are not stored.
 */
export async function countCohorts(trx: Db, ids: readonly number[], now: Date): Promise<void> {
  const monday = sql`date_trunc('week', day_of(${now}))::date`;
  const [one, two, four, eight] = KEPT_WEEKS.map((weeks) => keptAfter(weeks, now));
  await sql`
    with counted as (
      select i.plugin_id, date_trunc('week', day_of(i.installed_at))::date as week, i.installed_at, i.uninstalled_at
        from unnest(${[...ids]}::bigint[]) given (id)
        join plugin_install i on i.plugin_id = given.id and not i.is_silent
          and i.installed_at >= (${monday} - ${sql.lit(7 * WEEKS)}) at time zone 'UTC'
          and i.installed_at < ${monday}::timestamp at time zone 'UTC'
    ), cohort as (
      select plugin_id, week, count(*)::integer as install_count, ${one} as kept_1, ${two} as kept_2, ${four} as kept_4,
          ${eight} as kept_8
        from counted group by plugin_id, week having count(*) >= ${sql.lit(INSIGHT_PEOPLE_MIN)}
    ), gone as (
      delete from install_cohort s where s.plugin_id = any (${[...ids]}::bigint[])
        and s.week >= ${monday} - ${sql.lit(7 * WEEKS)}
        and not exists (select from cohort c where c.plugin_id = s.plugin_id and c.week = s.week)
    )
    insert into install_cohort as t select plugin_id, week, install_count, kept_1, kept_2, kept_4, kept_8 from cohort
      on conflict (plugin_id, week) do update set install_count = excluded.install_count,
          kept_1 = excluded.kept_1, kept_2 = excluded.kept_2, kept_4 = excluded.kept_4, kept_8 = excluded.kept_8
        where (t.install_count, t.kept_1, t.kept_2, t.kept_4, t.kept_8) is distinct from
          (excluded.install_count, excluded.kept_1, excluded.kept_2, excluded.kept_4, excluded.kept_8)`.execute(
    trx,
  );
}
