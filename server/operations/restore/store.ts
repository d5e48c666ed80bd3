import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Db } from '../../community/schema.ts';
import type { Migrations } from '../../database/migrate.ts';
import type { Contents, Table } from '../backup/contents.ts';

/** Programs of the product that are connected to this database beside the caller. */
export async function readOthers(db: Db): Promise<string[]> {
  // Within a transaction the first answer would be given again.
  await sql`select pg_stat_clear_snapshot()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'plugin-square %'
      order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** Nobody waits for a restoration longer than this to find out that somebody else is at work. */
export async function limitWaiting(trx: Db): Promise<void> {
  await sql`set local lock_timeout = '10s'`.execute(trx);
}

export async function dropSchema(trx: Db, schema: string): Promise<void> {
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(trx);
}

/** Makes a schema as it was after a step, within the transaction. */
export async function makeSchema(
  trx: Db,
  { schema, migrations, last }: { schema: string; migrations: Migrations; last: string },
): Promise<void> {
  await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
  await sql`create schema if not exists ${sql.id(schema)}`.execute(trx);
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db: trx, provider, migrationTableSchema: schema }).migrateTo(last);
  if (error) throw error;
}

/** What keeps rows in order while they come one by one; put back when all are there. */
type Constraint = { schema: string; table: string; name: string; definition: string };

export async function dropForeignKeys(trx: Db, schemas: readonly string[]): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select n.nspname as schema, t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_namespace n on n.oid = t.relnamespace
      where c.contype = 'f' and c.conparentid = 0 and n.nspname = any (${[...schemas]})`.execute(trx);
  for (const { schema, table, name } of rows)
    await sql`alter table ${sql.id(schema, table)} drop constraint ${sql.id(name)}`.execute(trx);
  return rows;
}

/** Every row is checked. */
export async function addForeignKeys(trx: Db, constraints: readonly Constraint[]): Promise<void> {
  for (const { schema, table, name, definition } of constraints) {
    await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
    await sql`alter table ${sql.id(schema, table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      trx,
    );
  }
}

/** What finds rows, and would else be kept up for each row that comes. */
type Index = { schema: string; name: string; definition: string };

/** Memory for making an index; without it those of texts are sorted on disk, in many pieces. */
const INDEX_MEMORY = '128MB';

/** All but those that hold a constraint. */
export async function dropIndexes(trx: Db, schemas: readonly string[]): Promise<Index[]> {
  const dropped: Index[] = [];
  for (const schema of schemas) {
    await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
    const { rows } = await sql<Index>`
      select n.nspname as schema, c.relname as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index i
        join pg_class c on c.oid = i.indexrelid
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${schema} and c.relkind = 'i' and not c.relispartition
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
        order by c.relname`.execute(trx);
    for (const { name } of rows) await sql`drop index ${sql.id(schema, name)}`.execute(trx);
    dropped.push(...rows);
  }
  return dropped;
}

/** @throws what PostgreSQL says of rows that a unique one refuses */
export async function makeIndexes(trx: Db, indexes: readonly Index[]): Promise<void> {
  await sql`select set_config('maintenance_work_mem', ${INDEX_MEMORY}, true)`.execute(trx);
  for (const { schema, definition } of indexes) {
    await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
    await sql.raw(definition).execute(trx);
  }
}

/** What the steps themselves have put in goes; triggers rest, for what they would write is in the backup. */
export async function emptyTable(trx: Db, { schema, table }: Table): Promise<void> {
  const place = sql.id(schema, table);
  await sql`alter table ${place} disable trigger user`.execute(trx);
  await sql`truncate ${place}`.execute(trx);
}

export async function wakeTriggers(trx: Db, { schema, table }: Table): Promise<void> {
  await sql`alter table ${sql.id(schema, table)} enable trigger user`.execute(trx);
}

export async function setSequences(trx: Db, sequences: Contents['sequences']): Promise<void> {
  for (const { schema, sequence, last } of sequences) {
    if (last === null) continue;
    const name = sql`format('%I.%I', ${schema}::text, ${sequence}::text)::regclass`;
    await sql`select setval(${name}, ${last}::bigint)`.execute(trx);
  }
}

/** Plans are made by what is there now. */
export async function analyze(trx: Db, tables: readonly Table[]): Promise<void> {
  for (const { schema, table } of tables) await sql`analyze ${sql.id(schema, table)}`.execute(trx);
}
