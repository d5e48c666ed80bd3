import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** A row of the demo that has a picture. */
export type Place =
  | { table: 'icon' | 'cover'; pluginKey: string }
  | { table: 'banner' | 'featured_work'; position: number }
  | { table: 'activity'; id: number };

/** Hangs a stored picture up, where none hangs yet; a plugin's also in what was handed in for it. */
export async function hang(db: Db, place: Place, pictureKey: string): Promise<void> {
  await changeOf(place, pictureKey).execute(db);
}

function changeOf(place: Place, key: string) {
  switch (place.table) {
    case 'icon':
    case 'cover':
      return changeOfPlugin(place, key);
    case 'activity':
      return sql`update activity set cover_key = ${key} where id = ${place.id} and cover_key is null`;
    default:
      return sql`update ${sql.table(place.table)} set picture_key = ${key}
        where position = ${place.position} and picture_key is null`;
  }
}

function changeOfPlugin({ table, pluginKey }: { table: 'icon' | 'cover'; pluginKey: string }, key: string) {
  const column = `${table}_key`;
  return sql`
    with hung as (
      update plugin set ${sql.ref(column)} = ${key}
        where plugin_key = ${pluginKey} and ${sql.ref(column)} is null returning id
    ), listed as (
      update submission s set listing = jsonb_set(s.listing, array[${column}], to_jsonb(${key}::text))
        from hung where s.plugin_id = hung.id and s.listing -> ${column} = 'null' returning s.id
    )
    insert into submission_file (submission_id, picture_key) select id, ${key} from listed`;
}

/** The places that have their picture, as `table key`. */
export async function readHung(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ place: string }>`
    select 'icon ' || plugin_key as place from plugin where icon_key is not null
    union all select 'cover ' || plugin_key from plugin where cover_key is not null
    union all select 'banner ' || position from banner where picture_key is not null
    union all select 'featured_work ' || position from featured_work where picture_key is not null
    union all select 'activity ' || id from activity where cover_key is not null`.execute(db);
  return new Set(rows.map((row) => row.place));
}
