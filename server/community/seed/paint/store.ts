import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** A row of the demo that has a picture. */
export type Place =
  | { table: 'icon' | 'cover'; pluginKey: string }
  | { table: 'banner' | 'featured_work'; position: number }
  | { table: 'activity'; id: number };

/** Hangs a stored picture up, where none hangs yet. */
export async function hang(db: Db, place: Place, pictureKey: string): Promise<void> {
  await changeOf(place, pictureKey).execute(db);
}

function changeOf(place: Place, key: string) {
  switch (place.table) {
    case 'icon':
      return sql`update plugin set icon_key = ${key} where plugin_key = ${place.pluginKey} and icon_key is null`;
    case 'cover':
      return sql`update plugin set cover_key = ${key} where plugin_key = ${place.pluginKey} and cover_key is null`;
    case 'activity':
      return sql`update activity set cover_key = ${key} where id = ${place.id} and cover_key is null`;
    default:
      return sql`update ${sql.table(place.table)} set picture_key = ${key}
        where position = ${place.position} and picture_key is null`;
  }
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

/** Whether this instance may paint; asked and given back on one connection. */
export async function tryPaintLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtextextended('plugin-square demo pictures', 0)) as mine`.execute(
    connection,
  );
  return rows[0]?.mine ?? false;
}

export async function releasePaintLock(connection: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended('plugin-square demo pictures', 0))`.execute(
    connection,
  );
}
