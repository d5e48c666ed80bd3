import { sql } from 'kysely';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import type { Migrations } from '../../database/migrate.ts';
import { identityMigrations } from '../../identity/migrations.ts';
import { SCHEMA } from '../../identity/schema.ts';
import type { Contents, Table } from './contents.ts';

/** Everything that the product keeps in a database. */
export const SCHEMAS: readonly { schema: string; migrations: Migrations }[] = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: SCHEMA, migrations: identityMigrations },
];

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

/** What there is in the product's schemas. */
export async function readContents(db: Db): Promise<Contents> {
  const schemas = await readSchemas(db);
  const names = schemas.map(({ schema }) => schema);
  const tables = await sql<Table>`
    select n.nspname as schema, c.relname as table,
        array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and n.nspname = any (${names}) and c.relname <> all (${MIGRATION_TABLES})
      group by 1, 2 order by 1, 2`.execute(db);
  const sequences = await sql<Contents['sequences'][number]>`
    select schemaname as schema, sequencename as sequence, last_value::text as last
      from pg_sequences where schemaname = any (${names}) order by 1, 2`.execute(db);
  return { schemas, tables: tables.rows, sequences: sequences.rows };
}

/** The product's schemas that are there, with the steps that made them. */
export async function readSchemas(db: Db): Promise<Contents['schemas']> {
  const found: Contents['schemas'] = [];
  for (const { schema } of SCHEMAS) {
    const there = await sql<{ made: boolean }>`
      select to_regclass(${`${schema}.kysely_migration`}) is not null as made`.execute(db);
    if (!there.rows[0]?.made) continue;
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.id(schema, 'kysely_migration')} order by name`.execute(db);
    found.push({ schema, migrations: rows.map(({ name }) => name) });
  }
  return found;
}

/** Waits for a sweep that is under way, and keeps others from beginning until the connection ends. */
export async function keepSweepsAway(connection: Db): Promise<void> {
  await sql`select pg_advisory_lock(hashtextextended('plugin-square sweep', 0))`.execute(connection);
}

/** The transaction may wait for files as long as it takes. */
export async function mayTakeTime(connection: Db): Promise<void> {
  await sql`set idle_in_transaction_session_timeout = 0`.execute(connection);
}
