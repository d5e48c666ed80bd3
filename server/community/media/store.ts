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
