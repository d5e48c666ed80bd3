import { sql } from 'kysely';
import type { Language } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';

/** Days whose installs and likes count, and the days after which they count half. */
const DAYS = 21;
const HALF_LIFE_DAYS = 3;
/** Worth of a figure. A view costs nothing, so it says nothing. */
const INSTALL = 1;
const LIKE = 0.5;
/** Installs that a plugin is taken to have in any case: with two installs nothing is a trend. */
const INSTALLS_MIN = 50;
/** Days for which a plugin is new. */
const NEW_DAYS = 60;
/** The most wanted plugins, of which those in the reader's language come first. */
const LOOKED_AT = 48;

/**
 * Counts again how much these plugins are wanted at a moment. Installs by default are no sign of it: who is given a plugin did
 * not choose it. Figures that are not aggregated yet count, too: those of a new site all come at once.
 */
export async function countTrends(trx: Db, pluginIds: readonly number[], at: Date): Promise<void> {
  const isCounted = sql`day > day_of(${at}) - ${DAYS}::integer and day <= day_of(${at}) and figure in ('installs', 'likes')`;
  await sql`
    with pending as materialized (
      select plugin_id, day, figure, sum(delta) as total from figure_change
        where plugin_id = any (${[...pluginIds]}::bigint[]) and ${isCounted} group by plugin_id, day, figure
    ), counted as (
      select p.id as plugin_id, facts.is_new, (recent.worth / sqrt(${INSTALLS_MIN} + c.install_count))::real as score
        from plugin p
        join plugin_counter c on c.plugin_id = p.id
        cross join lateral (
          select coalesce((select published_at from publication where plugin_id = p.id and is_first), p.created_at)
            > ${at}::timestamptz - make_interval(days => ${NEW_DAYS}) as is_new
        ) facts
        cross join lateral (
          select coalesce(sum(
              total * case figure when 'installs' then ${INSTALL}::float8 else ${LIKE}::float8 end
                * power(0.5, (day_of(${at}) - day) / ${HALF_LIFE_DAYS}::float8)), 0) as worth
            from (
              select day, figure, total from day_figure where plugin_id = p.id and ${isCounted}
              union all select day, figure, total from pending where plugin_id = p.id
            ) figures
        ) recent
        where p.id = any (${[...pluginIds]}::bigint[]) and p.is_visible and (facts.is_new or recent.worth > 0)
          and not exists (select from silent_install s where s.plugin_id = p.id)
    ), gone as (
      delete from plugin_trend t where t.plugin_id = any (${[...pluginIds]}::bigint[])
        and not exists (select from counted where counted.plugin_id = t.plugin_id)
    )
    insert into plugin_trend as t (plugin_id, score, is_new) select plugin_id, score, is_new from counted
      on conflict (plugin_id) do update set score = excluded.score, is_new = excluded.is_new
        where (t.score, t.is_new) <> (excluded.score, excluded.is_new)`.execute(trx);
}

/**
 * Ids of listed plugins that are wanted most now, or of new ones, those that are written in a language first.
 */
export async function readTrendIds(
  db: Db,
  { isNew, language, limit }: { isNew: boolean; language: Language; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ plugin_id: number }>`
    select plugin_id from (
      select t.plugin_id, t.score from plugin_trend t
        where ${isNew ? sql`t.is_new` : sql`t.score > 0`}
          and exists (select from plugin_listing l where l.tag_id = 0 and l.plugin_id = t.plugin_id)
        order by t.score desc, t.plugin_id desc limit ${LOOKED_AT}
    ) wanted
    order by exists (
        select from plugin_text x where x.plugin_id = wanted.plugin_id and x.lang = ${language}
      ) desc, score desc, plugin_id desc
      limit ${limit}`.execute(db);
  return rows.map((row) => row.plugin_id);
}
