import { type RawBuilder, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';

/** Expected matches from which on nobody counts up to what is told exactly: statistics may be wrong by a fifth. */
export const SURELY_MANY = 1.25 * TOTAL_EXACT_UP_TO;

/** A table of words and its column that a query is asked of. */
export type Asked = { table: RawBuilder<unknown>; words: RawBuilder<unknown>; query: string };

type Explained = { 'QUERY PLAN': { Plan: { Plans: { 'Plan Rows': number }[] } }[] };

/**
 * How many rows match, and how many rows the first table has, as the planner expects by its statistics. Nothing is
 * read, so it costs the same for every word: a hint for which road to take, right for frequent words and their
 * beginnings. (`for share` keeps the plan from being shared out to workers, whose rows would be counted each; explaining
 * locks nothing.)
 */
export async function expectMatches(
  db: Db,
  asked: readonly [Asked, ...Asked[]],
): Promise<{ matches: number[]; all: number }> {
  const parts = asked.map(
    ({ table, words, query }) =>
      sql`select 1 from (select from ${table} w where w.${words} @@ ${query}::tsquery for share) part`,
  );
  const whole = sql`select 1 from (select from ${asked[0].table} for share) whole`;
  const { rows } = await sql<Explained>`
    explain (format json) ${sql.join([...parts, whole], sql` union all `)}`.execute(db);
  const counts = rows[0]?.['QUERY PLAN'][0]?.Plan.Plans.map((plan) => plan['Plan Rows']) ?? [];
  return { matches: counts.slice(0, -1), all: counts.at(-1) ?? 0 };
}
