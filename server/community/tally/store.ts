import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Names of the totals that triggers keep: lists of the backstage, and figures of the whole marketplace. */
export type TallyName =
  | `submission ${1 | 2 | 3}`
  | `plugin ${1 | 2 | 3}`
  | 'installs'
  | 'likes'
  | 'views'
  | 'report open'
  | 'trail';

/** Exact totals without counting: what is added up, and the few changes that are not yet. */
export async function readTotals<Name extends TallyName>(
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
  if (!row) throw new Error('an aggregate answered no row');
  return row.totals;
}

/** Changes of one commit: who likes something meanwhile waits for the disk behind so much at most. */
const AT_ONCE = 1000;

/** Adds appended changes to totals and to the figures of days; harmless when several instances do. */
export async function addUp(db: Db): Promise<void> {
  await sql`
    with taken as (delete from tally_change returning name, delta)
    insert into tally as t (name, total)
      select name, sum(delta) from taken group by name order by name
      on conflict (name) do update set total = t.total + excluded.total`.execute(db);
  while ((await addUpFigures(db)) === AT_ONCE);
}

async function addUpFigures(db: Db): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from figure_change where ctid = any (array(
          select ctid from figure_change limit ${AT_ONCE} for update skip locked
        )) returning plugin_id, day, figure, delta
    ), added as (
      insert into day_figure as f (plugin_id, day, figure, total)
        select coalesce(plugin_id, 0), day, figure, sum(delta) from taken
          group by grouping sets ((plugin_id, day, figure), (day, figure))
          order by 1, 2, 3
        on conflict (plugin_id, day, figure) do update set total = f.total + excluded.total
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
