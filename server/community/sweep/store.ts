import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Rows that stand for files, as names in the store: of a picture one for each width. */
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

/** A row with the files it stands for. */
export type FileRow = { key: string; names: string[] };

/** True for a row that nothing names. */
type Unused = RawBuilder<boolean>;

/** Asked of the database itself, so that a table which comes to name pictures or files is not forgotten here. */
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

/** Old rows that nothing names, in the order of their keys. */
export type Page = { kind: Kind; unused: Unused; before: Date; after: string; limit: number };

export async function readUnused(db: Db, page: Page): Promise<FileRow[]> {
  const { rows } = await unusedPage(page, sql``).execute(db);
  return rows;
}

/**
 * The same, locked until the transaction ends. Who is about to name one of them has locked it himself, and it is passed
 * over; who comes later waits.
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

/** Deletes locked rows, but for those that were named before they were locked. @returns the keys of the deleted ones */
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

/** Those of the names that a row stands for. */
export async function knownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) name
      where exists (
        select from picture k where k.picture_key = split_part(name, '-', 1) and name = any (${KINDS.picture.names})
      ) or exists (
        select from stored_file k where k.file_key = split_part(name, '.', 1) and name = any (${KINDS.stored_file.names})
      )`.execute(db);
  return new Set(rows.map((row) => row.name));
}

/** A page of all rows of a kind, in the order of their keys. */
export async function readRows(db: Db, kind: Kind, after: string, limit: number): Promise<FileRow[]> {
  const { key, names } = KINDS[kind];
  const { rows } = await sql<FileRow>`
    select ${key} as key, ${names} as names from ${sql.table(kind)} k
      where ${key} > ${after} order by ${key} limit ${limit}`.execute(db);
  return rows;
}

/** Whether this instance may sweep; asked and given back on one connection. */
export async function trySweepLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtextextended('plugin-square sweep', 0)) as mine`.execute(connection);
  return rows[0]?.mine ?? false;
}

export async function releaseSweepLock(connection: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended('plugin-square sweep', 0))`.execute(connection);
}
