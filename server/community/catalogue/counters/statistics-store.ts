import { sql } from 'kysely';
import type { DailyStatistics, OwnStatistics } from '../../../../shared/entities/backstage.ts';
import type { Db } from '../../schema.ts';

/** The plugin id of the statistics of all plugins together. */
export const ALL_PLUGINS = 0;

/**
 * Reads the statistics of the days that end with `lastDay` (YYYY-MM-DD, UTC), each day once. `waiting` is the number of
 * waiting submissions at the end of a day.
 */
export async function readDailyStatistics(
  db: Db,
  pluginId: number,
  { lastDay, days }: { lastDay: string; days: number },
): Promise<DailyStatistics[]> {
  const { rows } = await sql<DailyStatistics>`
    with span as (
      select ${lastDay}::date - ${days - 1}::integer as first, ${lastDay}::date as last
    ), statistics as (
      select day, coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs,
          coalesce(sum(total) filter (where figure = 'uninstalls'), 0)::bigint as uninstalls,
          coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
          coalesce(sum(total) filter (where figure = 'likes'), 0)::bigint as likes,
          coalesce(sum(total) filter (where figure = 'publications'), 0)::bigint as publications,
          coalesce(sum(total) filter (where figure = 'waiting'), 0)::bigint as opened
        from day_figure, span where plugin_id = ${pluginId} and day between first and last group by day
    ), earlier as (
      select coalesce(sum(total), 0)::bigint as waiting
        from day_figure, span where plugin_id = ${pluginId} and day < first and figure = 'waiting'
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(installs, 0) as installs,
        coalesce(uninstalls, 0) as uninstalls, coalesce(views, 0) as views, coalesce(likes, 0) as likes, coalesce(publications, 0) as publications,
        (earlier.waiting + sum(coalesce(opened, 0)) over (order by d.day))::bigint as waiting
      from earlier, span
      cross join lateral generate_series(first, last, interval '1 day') d (day)
      left join statistics on statistics.day = d.day::date
      order by d.day`.execute(db);
  return rows;
}

type PluginTotals = {
  installs: number;
  views: number;
  likes: number;
  waiting: number;
  open_reports: number;
};

export async function readPluginTotals(db: Db, pluginId: number): Promise<PluginTotals | undefined> {
  const { rows } = await sql<PluginTotals>`
    select install_count as installs, view_count as views, praise_count as likes,
        (select count(*) from submission
          where plugin_id = c.plugin_id and audit_status = 1 and not is_superseded) as waiting,
        (select count(*) from report where plugin_id = c.plugin_id and state = 'open') as open_reports
      from plugin_counter c where plugin_id = ${pluginId}`.execute(db);
  return rows[0];
}

/** Counts the plugins that visitors see. */
export async function countVisible(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`select total from listing_total where tag_id = 0`.execute(db);
  return rows[0]?.total ?? 0;
}

/** One plugin, or all plugins of a publisher except deleted ones. */
type OwnScope = { pluginId: number } | { publisherId: number };

function ownPlugins(scope: OwnScope) {
  return 'pluginId' in scope
    ? sql`select ${scope.pluginId}::bigint as id`
    : sql`select id from plugin where publisher_id = ${scope.publisherId} and deleted_at is null`;
}

/** A day of some plugins; `active` is null where their active installs were not counted, or there are none. */
export type OwnDay = Omit<OwnStatistics['days'][number], 'active'> & { active: number | null };

/** Reads the summed statistics of some plugins for the days that end with `lastDay` (YYYY-MM-DD, UTC), each day once. */
export async function readOwnDays(
  db: Db,
  scope: OwnScope,
  { lastDay, days }: { lastDay: string; days: number },
): Promise<OwnDay[]> {
  const { rows } = await sql<OwnDay>`
    with span as (
      select ${lastDay}::date - ${days - 1}::integer as first, ${lastDay}::date as last
    ), statistics as (
      select f.day, figure, sum(total)::bigint as total
        from (${ownPlugins(scope)}) own, span, day_figure f
        where f.plugin_id = own.id and f.day between first and last group by f.day, figure
    )
    select to_char(d.day, 'YYYY-MM-DD') as day,
        coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
        coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs,
        coalesce(sum(total) filter (where figure = 'uninstalls'), 0)::bigint as uninstalls,
        coalesce(sum(total) filter (where figure = 'downloads'), 0)::bigint as downloads,
        coalesce(sum(total) filter (where figure = 'likes'), 0)::bigint as likes,
        sum(total) filter (where figure = 'active')::bigint as active
      from span cross join lateral generate_series(first, last, interval '1 day') d (day)
      left join statistics on statistics.day = d.day::date
      group by d.day order by d.day`.execute(db);
  return rows;
}

/** Reads the installs per day, up to the UTC day of `until`, by plugin id. */
export async function readDailyInstalls(
  db: Db,
  pluginIds: readonly number[],
  { until, days }: { until: Date; days: number },
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; installs: number[] }>`
    select own.id, array_agg(coalesce(f.total, 0)::integer order by ago desc) as installs
      from unnest(${[...pluginIds]}::bigint[]) own (id) cross join generate_series(0, ${days - 1}::integer) ago
      left join day_figure f on f.plugin_id = own.id and f.day = day_of(${until}) - ago and f.figure = 'installs'
      group by own.id`.execute(db);
  return new Map(rows.map(({ id, installs }) => [id, installs]));
}

export async function readOwnTotals(db: Db, scope: OwnScope): Promise<OwnStatistics['totals']> {
  const { rows } = await sql<OwnStatistics['totals']>`
    select coalesce(sum(view_count), 0)::bigint as views, coalesce(sum(install_count), 0)::bigint as installs,
        coalesce(sum(praise_count), 0)::bigint as likes, count(*) as plugins, sum(active_count)::bigint as active
      from (${ownPlugins(scope)}) own join plugin_counter c on c.plugin_id = own.id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('query returned no row');
  return row;
}
