import { sql } from 'kysely';
import type { MissedSearch } from '../../../../shared/entities/backstage.ts';
import type { Db } from '../../schema.ts';

/** Keywords of one day; more are not stored. */
const DAY_MAX = 1000;
const SHOWN_MAX = 100;

/** Adds counts to those of a day. Every writer locks keywords in one order. */
export async function addMissed(db: Db, counts: ReadonlyMap<string, number>, at: Date): Promise<void> {
  const keywords = [...counts.keys()].sort();
  await sql`
    with given as (
      select keyword, count, row_number() over (order by keyword) as place
        from unnest(${keywords}::text[], ${keywords.map((keyword) => counts.get(keyword) ?? 0)}::int[]) g (keyword, count)
    ), room as (
      select ${DAY_MAX} - count(*) as left_over from missed_search where day = day_of(${at})
    )
    insert into missed_search as m (day, keyword, count)
      select day_of(${at}), keyword, count from given, room
        where place <= left_over or exists (
          select from missed_search known where known.day = day_of(${at}) and known.keyword = given.keyword)
        order by keyword
      on conflict (day, keyword) do update set count = m.count + excluded.count`.execute(db);
}

export async function deleteOldMissed(db: Db, { days, now }: { days: number; now: Date }): Promise<void> {
  await sql`delete from missed_search where day <= day_of(${now}) - ${days}::int`.execute(db);
}

/** Reads the keywords of the last days that were searched for often enough, the most frequent first. */
export async function readMissed(
  db: Db,
  { least, days, now }: { least: number; days: number; now: Date },
): Promise<MissedSearch[]> {
  const { rows } = await sql<MissedSearch>`
    select keyword, sum(count)::int as count, to_char(max(day), 'YYYY-MM-DD') as last_day
      from missed_search where day > day_of(${now}) - ${days}::int
      group by keyword having sum(count) >= ${least}
      order by 2 desc, keyword limit ${SHOWN_MAX}`.execute(db);
  return rows;
}
