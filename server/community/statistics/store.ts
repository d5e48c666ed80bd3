import { sql } from 'kysely';
import type { DayFigures } from '../../../shared/entities/backstage.ts';
import type { Db } from '../schema.ts';

/** Under this number the figures of all plugins together are kept. */
export const ALL_PLUGINS = 0;

/**
 * Figures of the days that end with `lastDay` (YYYY-MM-DD, UTC), each day once, as they were added up. What waits at
 * the end of a day is all that came and went until then.
 */
export async function readDayFigures(
  db: Db,
  pluginId: number,
  { lastDay, days }: { lastDay: string; days: number },
): Promise<DayFigures[]> {
  const { rows } = await sql<DayFigures>`
    with span as (
      select ${lastDay}::date - ${days - 1}::integer as first, ${lastDay}::date as last
    ), figures as (
      select day, coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs,
          coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
          coalesce(sum(total) filter (where figure = 'likes'), 0)::bigint as likes,
          coalesce(sum(total) filter (where figure = 'publications'), 0)::bigint as publications,
          coalesce(sum(total) filter (where figure = 'waiting'), 0)::bigint as came
        from day_figure, span where plugin_id = ${pluginId} and day between first and last group by day
    ), earlier as (
      select coalesce(sum(total), 0)::bigint as waiting
        from day_figure, span where plugin_id = ${pluginId} and day < first and figure = 'waiting'
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(installs, 0) as installs, coalesce(views, 0) as views,
        coalesce(likes, 0) as likes, coalesce(publications, 0) as publications,
        (earlier.waiting + sum(coalesce(came, 0)) over (order by d.day))::bigint as waiting
      from earlier, span
      cross join lateral generate_series(first, last, interval '1 day') d (day)
      left join figures on figures.day = d.day::date
      order by d.day`.execute(db);
  return rows;
}

export type PluginTotals = {
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

/** Plugins that everybody sees. */
export async function countVisible(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`select total from listing_total where tag_id = 0`.execute(db);
  return rows[0]?.total ?? 0;
}
