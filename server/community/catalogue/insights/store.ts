import { sql } from 'kysely';
import { INSIGHT_PEOPLE_MIN, type InsightTable } from '../../../../shared/constants.ts';
import type { Insights } from '../../../../shared/entities/insight.ts';
import type { Db } from '../../schema.ts';

/** Days, YYYY-MM-DD in UTC; both are included. */
export type Days = { from: string; until: string };

const KEYWORDS_SHOWN = 50;
const COHORTS_SHOWN = 12;

/** Reads active installs, null while they are not counted. */
export async function readActive(db: Db, pluginId: number): Promise<number | null> {
  const row = await db
    .selectFrom('plugin_counter')
    .select('active_count')
    .where('plugin_id', '=', pluginId)
    .executeTakeFirst();
  return row?.active_count ?? null;
}

/** Reads views and installs by source, the most views first. */
export async function readSources(
  db: Db,
  pluginId: number,
  { from, until }: Days,
): Promise<Insights['source_list']> {
  const { rows } = await sql<Insights['source_list'][number]>`
    select part as source, coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
        coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs
      from part_figure
      where plugin_id = ${pluginId} and figure in ('views', 'installs')
        and day between ${from}::date and ${until}::date
      group by part order by views desc, installs desc, part`.execute(db);
  return rows;
}

/** Reads keywords of the months of these days, in each of which enough people used them. */
export async function readKeywords(
  db: Db,
  pluginId: number,
  { from, until }: Days,
): Promise<Insights['keyword_list']> {
  const { rows } = await sql<Insights['keyword_list'][number]>`
    select keyword, sum(people_count)::bigint as people from found_keyword
      where plugin_id = ${pluginId} and people_count >= ${sql.lit(INSIGHT_PEOPLE_MIN)}
        and month between date_trunc('month', ${from}::date)::date and ${until}::date
      group by keyword order by people desc, keyword limit ${KEYWORDS_SHOWN}`.execute(db);
  return rows;
}

/** Reads the active installs of each version as last counted, and uninstalls in these days, newest version first. */
export async function readVersions(
  db: Db,
  pluginId: number,
  { from, until }: Days,
): Promise<Insights['version_list']> {
  const { rows } = await sql<Insights['version_list'][number]>`
    with used as (
      select part, total from part_figure
        where plugin_id = ${pluginId} and figure = 'active' and day = (
          select max(day) from day_figure where plugin_id = ${pluginId} and figure = 'active')
    ), gone as (
      select part, sum(total) as total from part_figure
        where plugin_id = ${pluginId} and figure = 'uninstalls' and day between ${from}::date and ${until}::date
        group by part
    )
    select version, coalesce(used.total, 0)::bigint as active, coalesce(gone.total, 0)::bigint as uninstalls
      from used full join gone using (part)
      join plugin_version v on v.plugin_id = ${pluginId} and v.version = part
      order by v.created_at desc, v.id desc`.execute(db);
  return rows;
}

/** Reads the last cohorts, newest first. */
export async function readCohorts(db: Db, pluginId: number): Promise<Insights['cohort_list']> {
  const { rows } = await sql<Insights['cohort_list'][number]>`
    select to_char(week, 'YYYY-MM-DD') as week, install_count as installs, kept_1, kept_2, kept_4, kept_8
      from install_cohort where plugin_id = ${pluginId} order by week desc limit ${COHORTS_SHOWN}`.execute(
    db,
  );
  return rows;
}

/** A line of a table: its columns by name. */
export type Line = Record<string, string | number | null>;

type ReadLines = (db: Db, pluginId: number, days: Days) => Promise<readonly Line[]>;

/** How the lines of each table are read, oldest first; days without a figure have no line. */
export const LINES: Readonly<Record<InsightTable, ReadLines>> = {
  days: async (db, pluginId, { from, until }) => {
    const { rows } = await sql<Line>`
      select to_char(day, 'YYYY-MM-DD') as day,
          coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
          coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs,
          coalesce(sum(total) filter (where figure = 'uninstalls'), 0)::bigint as uninstalls,
          coalesce(sum(total) filter (where figure = 'downloads'), 0)::bigint as downloads,
          coalesce(sum(total) filter (where figure = 'likes'), 0)::bigint as likes,
          sum(total) filter (where figure = 'active')::bigint as active_installs
        from day_figure where plugin_id = ${pluginId} and day between ${from}::date and ${until}::date
        group by day order by day`.execute(db);
    return rows;
  },
  sources: async (db, pluginId, { from, until }) => {
    const { rows } = await sql<Line>`
      select to_char(day, 'YYYY-MM-DD') as day, part as source,
          coalesce(sum(total) filter (where figure = 'views'), 0)::bigint as views,
          coalesce(sum(total) filter (where figure = 'installs'), 0)::bigint as installs
        from part_figure where plugin_id = ${pluginId} and figure in ('views', 'installs')
          and day between ${from}::date and ${until}::date
        group by day, part order by day, part`.execute(db);
    return rows;
  },
  keywords: async (db, pluginId, { from, until }) => {
    const { rows } = await sql<Line>`
      select to_char(month, 'YYYY-MM') as month, keyword, people_count as people from found_keyword
        where plugin_id = ${pluginId} and people_count >= ${sql.lit(INSIGHT_PEOPLE_MIN)}
          and month between ${from}::date and ${until}::date
        order by month, people_count desc, keyword`.execute(db);
    return rows;
  },
  versions: async (db, pluginId, { from, until }) => {
    const { rows } = await sql<Line>`
      select to_char(day, 'YYYY-MM-DD') as day, part as version,
          coalesce(sum(total) filter (where figure = 'active'), 0)::bigint as active_installs,
          coalesce(sum(total) filter (where figure = 'uninstalls'), 0)::bigint as uninstalls
        from part_figure where plugin_id = ${pluginId} and figure in ('active', 'uninstalls')
          and day between ${from}::date and ${until}::date
        group by day, part order by day, part`.execute(db);
    return rows;
  },
  retention: async (db, pluginId, { from, until }) => {
    const { rows } = await sql<Line>`
      select to_char(week, 'YYYY-MM-DD') as week, install_count as installs, kept_1 as kept_1_week,
          kept_2 as kept_2_weeks, kept_4 as kept_4_weeks, kept_8 as kept_8_weeks
        from install_cohort where plugin_id = ${pluginId} and week between ${from}::date and ${until}::date
        order by week`.execute(db);
    return rows;
  },
};

/** A day before the first line of every table, YYYY-MM-DD in UTC; undefined without any figure. */
export async function readFirstDay(db: Db, pluginId: number): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(date_trunc('month', min(day) - 7), 'YYYY-MM-DD') as day from day_figure where plugin_id = ${pluginId}`.execute(
    db,
  );
  return rows[0]?.day ?? undefined;
}
