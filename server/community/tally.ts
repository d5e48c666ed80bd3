import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Totals that triggers maintain: lists of the backstage, and counters of the marketplace. */
type CounterName =
  | `submission ${1 | 2 | 3}`
  | `plugin ${1 | 2 | 3}`
  | 'installs'
  | 'likes'
  | 'views'
  | 'report open'
  | 'trail';

/** Reads exact totals without counting: the aggregated values plus the pending changes. */
export async function readTotals<Name extends CounterName>(
  db: Db,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const { rows } = await sql<{ totals: Record<Name, number> }>`
    select coalesce(jsonb_object_agg(name, coalesce(t.total, 0) + coalesce(c.delta, 0)), '{}') as totals
      from unnest(${[...names]}::text[]) name
      left join tally t using (name)
      left join (select name, sum(delta) as delta from tally_change group by name) c using (name)`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('query returned no row');
  return row.totals;
}
