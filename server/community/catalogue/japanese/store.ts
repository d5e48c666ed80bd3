import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

export type JapaneseName = { plugin_id: number; name: string };

/** Keeps names that are to be read, or that plugins have none, in the transaction that indexes these. */
export async function noteNames(
  trx: Db,
  names: readonly { plugin_id: number; name: string | null }[],
): Promise<void> {
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as n (plugin_id bigint, name text)
    ), gone as (
      delete from japanese_name j using given where j.plugin_id = given.plugin_id and given.name is null
    )
    insert into japanese_name as j (plugin_id, name)
      select plugin_id, name from given where name is not null order by plugin_id
      on conflict (plugin_id) do update set name = excluded.name, readings = null, next_read_at = 'epoch'
        where j.name <> excluded.name`.execute(trx);
}

/** Takes names that nobody has read, for this instance alone until `lease`. */
export async function takeUnread(
  db: Db,
  { at, lease, limit }: { at: Date; lease: Date; limit: number },
): Promise<JapaneseName[]> {
  const { rows } = await sql<JapaneseName>`
    update japanese_name j set next_read_at = ${lease} from (
        select plugin_id from japanese_name where readings is null and next_read_at <= ${at}
          order by next_read_at limit ${limit} for update skip locked
      ) unread
      where j.plugin_id = unread.plugin_id returning j.plugin_id, j.name`.execute(db);
  return rows;
}

/** Leaves names that could not be read to whoever is next. */
export async function giveBack(db: Db, names: readonly JapaneseName[], at: Date): Promise<void> {
  const ids = names.map(({ plugin_id }) => plugin_id);
  await sql`
    update japanese_name j set next_read_at = ${at} from (
        select plugin_id from japanese_name where plugin_id = any (${ids}::bigint[]) and readings is null
          order by plugin_id for update
      ) unread
      where j.plugin_id = unread.plugin_id`.execute(db);
}

/** Keeps how names are read that are still the same, and lets their plugins be indexed again. */
export async function keepReadings(
  db: Db,
  read: readonly (JapaneseName & { readings: readonly string[] })[],
): Promise<void> {
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(read)}::jsonb)
        as r (plugin_id bigint, name text, readings text[])
    ), unchanged as materialized (
      select j.plugin_id, given.readings from japanese_name j join given using (plugin_id, name)
        order by j.plugin_id for update of j
    ), kept as (
      update japanese_name j set readings = unchanged.readings
        from unchanged where j.plugin_id = unchanged.plugin_id returning j.plugin_id
    )
    insert into search_pending (plugin_id) select plugin_id from kept`.execute(db);
}
