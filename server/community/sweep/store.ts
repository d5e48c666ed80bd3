import { type RawBuilder, sql } from 'kysely';
import { tryWithLock } from '../../database/advisory-lock.ts';
import type { Db } from '../schema.ts';

/** Tables whose rows have files, and SQL for the file names: a picture has one per width. */
const KINDS = {
  picture: {
    key: sql.ref('k.picture_key'),
    names: sql`array(select k.picture_key || '-' || w || '.webp' from unnest(k.widths) w)`,
  },
  stored_file: {
    key: sql.ref('k.file_key'),
    names: sql`array[k.file_key || '.' || k.extension]`,
  },
} as const;

export type Kind = keyof typeof KINDS;
export const ALL_KINDS: readonly Kind[] = ['picture', 'stored_file'];

/** A row with the names of its files. */
export type FileRow = { key: string; names: string[] };

/** SQL condition: no other row refers to the row. */
type Unused = RawBuilder<boolean>;

/** Builds the condition from the foreign keys in the database, so that it includes new tables. */
export async function unusedIn(db: Db, kind: Kind): Promise<Unused> {
  const { rows } = await sql<{ schema: string; table: string; column: string }>`
    select n.nspname as schema, t.relname as table, a.attname as column
      from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_namespace n on n.oid = t.relnamespace
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = ${kind}::regclass`.execute(db);
  const free = rows.map(
    ({ schema, table, column }) =>
      sql`not exists (select from ${sql.id(schema, table)} r where r.${sql.id(column)} = ${KINDS[kind].key})`,
  );
  return sql<boolean>`(${free.length > 0 ? sql.join(free, sql` and `) : sql`true`})`;
}

/** Old unused rows by key. */
export type Page = { kind: Kind; unused: Unused; before: Date; after: string; limit: number };

export async function readUnused(db: Db, page: Page): Promise<FileRow[]> {
  const { rows } = await unusedPage(page, sql``).execute(db);
  return rows;
}

/**
 * Reads the same rows and locks them until the transaction ends. Rows that another transaction is about to use are locked and
 * skipped; later transactions wait.
 */
export async function lockUnused(trx: Db, page: Page): Promise<FileRow[]> {
  const { rows } = await unusedPage(page, sql`for update of k skip locked`).execute(trx);
  return rows;
}

function unusedPage({ kind, unused, before, after, limit }: Page, locking: RawBuilder<unknown>) {
  const { key, names } = KINDS[kind];
  return sql<FileRow>`
    select ${key} as key, ${names} as names from ${sql.table(kind)} k
      where k.created_at < ${before} and ${key} > ${after} and ${unused}
      order by ${key} limit ${limit} ${locking}`;
}

/** Deletes locked rows, except those that were used before they were locked. @returns the deleted keys */
export async function deleteUnused(
  trx: Db,
  { kind, unused, keys }: { kind: Kind; unused: Unused; keys: readonly string[] },
): Promise<Set<string>> {
  const { key } = KINDS[kind];
  const { rows } = await sql<{ key: string }>`
    delete from ${sql.table(kind)} k where ${key} = any (${[...keys]}) and ${unused} returning ${key} as key`.execute(
    trx,
  );
  return new Set(rows.map((row) => row.key));
}

/** Filters the file names that belong to a row. */
export async function filterKnownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) name
      where exists (
        select from picture k where k.picture_key = split_part(name, '-', 1) and name = any (${KINDS.picture.names})
      ) or exists (
        select from stored_file k where k.file_key = split_part(name, '.', 1) and name = any (${KINDS.stored_file.names})
      )`.execute(db);
  return new Set(rows.map((row) => row.name));
}

/** Reads a page of the rows of a kind, by key; only those whose keys begin with `start`, hexadecimal digits. */
export async function readRows(
  db: Db,
  kind: Kind,
  { start = '', after, limit }: { start?: string; after: string; limit: number },
): Promise<(FileRow & { created_at: Date })[]> {
  const { key, names } = KINDS[kind];
  const { rows } = await sql<FileRow & { created_at: Date }>`
    select ${key} as key, ${names} as names, k.created_at from ${sql.table(kind)} k
      where ${key} > ${after} and ${key} < ${`${start}g`} order by ${key} limit ${limit}`.execute(db);
  return rows;
}

/** Lock of a sweep; who holds it keeps all files in place. */
export const SWEEP_LOCK = 'plugin-square sweep';

/** Runs `work` unless another instance is sweeping. @returns undefined in that case */
export async function withSweepLock<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  return tryWithLock(db, SWEEP_LOCK, work);
}
