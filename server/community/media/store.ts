import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { KeptPicture } from './prepare-picture.ts';
import type { KeptFile } from './stored-files.ts';

/**
 * Writes the rows of pictures whose files are durable. One that is known is locked and counts as new again, so that the
 * sweep leaves it to the transaction that is about to name it. Keys go in order: nobody waits in a ring.
 */
export async function insertPictures(db: Db, pictures: readonly KeptPicture[]): Promise<void> {
  const rows = inOrder(pictures).map(({ key, width, height, widths, bytes }) => ({
    picture_key: key,
    width,
    height,
    widths,
    bytes,
  }));
  if (rows.length === 0) return;
  await db
    .insertInto('picture')
    .values(rows)
    .onConflict((conflict) => conflict.column('picture_key').doUpdateSet({ created_at: sql`now()` }))
    .execute();
}

/** The same for videos and packages. */
export async function insertFiles(db: Db, files: readonly KeptFile[]): Promise<void> {
  const rows = inOrder(files).map(({ key, ...file }) => ({ file_key: key, ...file }));
  if (rows.length === 0) return;
  await db
    .insertInto('stored_file')
    .values(rows)
    .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: sql`now()` }))
    .execute();
}

/** Each key once, in the order of keys. */
function inOrder<T extends { key: string }>(items: readonly T[]): T[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  return [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** A plugin that has no cover, and the icon that one is to be made of. */
export type CoverlessPlugin = { id: number; plugin_key: string; icon: { key: string; width: number } | null };

/** Plugins that are to get a cover made, the oldest first. */
export async function readCoverless(db: Db, limit: number): Promise<CoverlessPlugin[]> {
  const { rows } = await sql<CoverlessPlugin>`
    select p.id, p.plugin_key,
        (select jsonb_build_object('key', picture_key, 'width', (select max(w) from unnest(widths) w))
          from picture where picture_key = p.icon_key) as icon
      from plugin p
      where p.cover_key is null and p.deleted_at is null
        and p.generated_from is distinct from coalesce(p.icon_key, '')
      order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Names the cover that was made, unless the plugin has another icon or a cover of its own by now. */
export async function setGeneratedCover(trx: Db, plugin: CoverlessPlugin, coverKey: string): Promise<void> {
  const madeFrom = plugin.icon?.key ?? '';
  await sql`
    update plugin set generated_cover_key = ${coverKey}, generated_from = ${madeFrom}
      where id = ${plugin.id} and cover_key is null and coalesce(icon_key, '') = ${madeFrom}`.execute(trx);
}
