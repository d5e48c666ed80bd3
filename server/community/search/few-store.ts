import { sql } from 'kysely';
import { PREPARED } from '../../database/prepared.ts';
import type { Db } from '../schema.ts';
import type { Match, Search } from './ranked-store.ts';

type Ranked = { total: number; matches: number } & (Match | { plugin_id: null });

/**
 * A page of the matches of rare words and how many there are, in one statement that looks at each of them; undefined
 * when there are more than so many.
 */
export async function readFew(
  db: Db,
  { tagId, query: { exact, prefix, words }, after, limit }: Search,
  most: number,
): Promise<{ rows: Match[]; total: number } | undefined> {
  const place = after
    ? sql`where (-match_rank, popularity, plugin_id) < (${-after[0]}::int, ${after[1]}, ${after[2]})`
    : sql``;
  const { rows } = await sql<Ranked>`${sql.raw(PREPARED)}
    with found as materialized (
      select plugin_id, case
          when name @@ ${exact}::tsquery then 1
          when name @@ ${prefix}::tsquery then 2
          when name @@ ${words}::tsquery then 3
          when headline @@ ${words}::tsquery then 4
          else 5
        end as match_rank
        from plugin_search
        where is_listed and ("full" @@ ${words}::tsquery or name @@ ${prefix}::tsquery) limit ${most + 1}
    ), counted as materialized (
      select count(*)::int as matches from found
    ), listed as materialized (
      select found.plugin_id, found.match_rank, l.popularity
        from found, lateral (
          select popularity from plugin_listing
            where plugin_id = found.plugin_id and tag_id = ${tagId} offset 0
        ) l
        where (select matches from counted) <= ${most}
    )
    select counted.matches, (select count(*)::int from listed) as total, page.plugin_id, page.match_rank,
        page.popularity as sort_key
      from counted left join lateral (
        select * from listed ${place} order by match_rank, popularity desc, plugin_id desc limit ${limit}
      ) page on true
      order by page.match_rank, page.popularity desc, page.plugin_id desc`.execute(db);
  const [first] = rows;
  if (!first || first.matches > most) return undefined;
  return { rows: rows.filter((row) => row.plugin_id !== null), total: first.total };
}
