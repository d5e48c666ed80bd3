import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import type { StoredPicture } from './pictures.ts';
import type { StoredFile } from './stored-files.ts';

/**
 * Inserts the rows of pictures whose files are durable. Existing rows are locked and get a new time, so that the sweep
 * does not remove them before the transaction refers to them. The order of keys prevents deadlocks.
 */
export async function insertPictures(db: Db, pictures: readonly StoredPicture[]): Promise<void> {
  const rows = uniqueSorted(pictures).map(({ key, width, height, widths, bytes }) => ({
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

/** Does the same for videos and packages. */
export async function insertFiles(db: Db, files: readonly StoredFile[]): Promise<void> {
  const rows = uniqueSorted(files).map(({ key, ...file }) => ({ file_key: key, ...file }));
  if (rows.length === 0) return;
  await db
    .insertInto('stored_file')
    .values(rows)
    .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: sql`now()` }))
    .execute();
}

function uniqueSorted<T extends { key: string }>(items: readonly T[]): T[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  return [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** A plugin without a cover, and its icon. */
export type CoverlessPlugin = { id: number; plugin_key: string; icon: { key: string; width: number } | null };

/** As in the partial index `plugin_without_cover`. */
const NEEDS_COVER = sql`p.cover_key is null and p.deleted_at is null
        and p.generated_from is distinct from coalesce(p.icon_key, '')`;

/** Reads plugins that need a generated cover, oldest first, without those that wait for another attempt. */
export async function readCoverless(
  db: Db,
  limit: number,
  waiting: readonly number[],
): Promise<CoverlessPlugin[]> {
  const { rows } = await sql<CoverlessPlugin>`
    select p.id, p.plugin_key,
        (select jsonb_build_object('key', picture_key, 'width', (select max(w) from unnest(widths) w))
          from picture where picture_key = p.icon_key) as icon
      from plugin p
      where ${NEEDS_COVER}
        and p.id <> all (${[...waiting]}::bigint[])
      order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Counts the plugins that need a generated cover. */
export async function countCoverless(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from plugin p where ${NEEDS_COVER}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Sets the generated cover, unless the plugin's icon has changed or it has its own cover. */
export async function setGeneratedCover(trx: Db, plugin: CoverlessPlugin, coverKey: string): Promise<void> {
  const iconKey = plugin.icon?.key ?? '';
  await sql`
    update plugin set generated_cover_key = ${coverKey}, generated_from = ${iconKey}
      where id = ${plugin.id} and cover_key is null and coalesce(icon_key, '') = ${iconKey}`.execute(trx);
}
