import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { Site } from './site.ts';

/** Known ones stay as they are. */
export async function insertPeople(trx: Db, people: Site['people']): Promise<void> {
  await trx
    .insertInto('person')
    .values(people)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

type Counted = {
  plugin_key: string;
  praise_count: number;
  install_count: number;
  view_count: number;
  days: { figure: string; total: number; ago: number }[];
};

/** Sets the counters of plugins, and adds their totals of days. */
export async function insertCounters(trx: Db, plugins: readonly Counted[]): Promise<void> {
  await sql`
    with given as (
      select p.id, g.*
        from jsonb_to_recordset(${JSON.stringify(plugins)}::jsonb) as g (
          plugin_key text, praise_count int, install_count int, view_count int, days jsonb
        )
        join plugin p on p.plugin_key = g.plugin_key
    ), counted as (
      update plugin_counter c
        set praise_count = given.praise_count, install_count = given.install_count, view_count = given.view_count
        from given where c.plugin_id = given.id
    )
    insert into figure_change (plugin_id, day, figure, delta)
      select given.id, day_of(now()) - d.ago, d.figure, d.total
        from given cross join lateral jsonb_to_recordset(given.days) as d (figure text, total int, ago int)
        where d.total > 0`.execute(trx);
}

/** Recommends plugins in this order. */
export async function insertRecommended(trx: Db, keys: readonly string[]): Promise<void> {
  await sql`
    insert into recommendation (plugin_id, position)
      select p.id, k.position from unnest(${[...keys]}::text[]) with ordinality as k (plugin_key, position)
        join plugin p on p.plugin_key = k.plugin_key
      on conflict do nothing`.execute(trx);
}

type Imported = { id: number; current_version_id: number | null };

export async function readImported(trx: Db, key: string): Promise<Imported | undefined> {
  const { rows } = await sql<Imported>`
    select id, current_version_id from plugin where plugin_key = ${key}`.execute(trx);
  return rows[0];
}
