import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Db } from '../../community/schema.ts';
import type { Migrations } from '../../database/migrate.ts';
import type { Contents, Table } from '../backup/contents.ts';

/** Names of the product's other programs that are connected to this database. */
export async function readOtherClients(db: Db): Promise<string[]> {
  // PostgreSQL caches the first result until the transaction ends.
  await sql`select pg_stat_clear_snapshot()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'plugin-square %'
      order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

export async function setLockTimeout(trx: Db): Promise<void> {
  await sql`set local lock_timeout = '10s'`.execute(trx);
}

export async function dropSchema(trx: Db, schema: string): Promise<void> {
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(trx);
}

/** Creates a schema with the migrations up to `last`, within the transaction. */
export async function createSchema(
  trx: Db,
  { schema, migrations, last }: { schema: string; migrations: Migrations; last: string },
): Promise<void> {
  await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
  await sql`create schema if not exists ${sql.id(schema)}`.execute(trx);
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db: trx, provider, migrationTableSchema: schema }).migrateTo(last);
  if (error) throw error;
}

/** A foreign key, which is dropped before the rows are inserted and added again afterwards. */
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

/** Adds the foreign keys; PostgreSQL checks every row. */
export async function addForeignKeys(trx: Db, constraints: readonly Constraint[]): Promise<void> {
  for (const { schema, table, name, definition } of constraints) {
    await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
    await sql`alter table ${sql.id(schema, table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      trx,
    );
  }
}

/** An index, which is dropped before the rows are inserted: creating it again is faster than updating it for each row. */
type Index = { schema: string; name: string; definition: string };

/** With the default, text indexes would be sorted on disk. */
const INDEX_MEMORY = '128MB';

/** Drops all indexes except those of constraints. */
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

/** @throws the error of PostgreSQL for rows that violate a unique index */
export async function createIndexes(trx: Db, indexes: readonly Index[]): Promise<void> {
  await sql`select set_config('maintenance_work_mem', ${INDEX_MEMORY}, true)`.execute(trx);
  for (const { schema, definition } of indexes) {
    await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
    await sql.raw(definition).execute(trx);
  }
}

/** Deletes the rows that migrations inserted, and disables triggers, whose effects are in the backup. */
export async function truncateTable(trx: Db, { schema, table }: Table): Promise<void> {
  const place = sql.id(schema, table);
  await sql`alter table ${place} disable trigger user`.execute(trx);
  await sql`truncate ${place}`.execute(trx);
}

export async function enableTriggers(trx: Db, { schema, table }: Table): Promise<void> {
  await sql`alter table ${sql.id(schema, table)} enable trigger user`.execute(trx);
}

export async function setSequences(trx: Db, sequences: Contents['sequences']): Promise<void> {
  for (const { schema, sequence, last } of sequences) {
    if (last === null) continue;
    const name = sql`format('%I.%I', ${schema}::text, ${sequence}::text)::regclass`;
    await sql`select setval(${name}, ${last}::bigint)`.execute(trx);
  }
}

/** Updates the statistics of the query planner. */
export async function analyze(trx: Db, tables: readonly Table[]): Promise<void> {
  for (const { schema, table } of tables) await sql`analyze ${sql.id(schema, table)}`.execute(trx);
}
