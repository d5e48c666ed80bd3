import { sql } from 'kysely';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../community/migrations.ts';
import type { Db } from '../../community/schema.ts';
import { type Migrations, readMigrations } from '../../database/migrate.ts';
import { identityMigrations } from '../../identity/migrations.ts';
import { SCHEMA } from '../../identity/schema.ts';
import type { Contents, Table } from './contents.ts';

/** All schemas of the product, by the service whose they are. */
export const SCHEMAS: readonly {
  service: 'community' | 'identity';
  schema: string;
  migrations: Migrations;
}[] = [
  { service: 'community', schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { service: 'identity', schema: SCHEMA, migrations: identityMigrations },
];

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

/** Tables and sequences of the product's schemas. */
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

/** The product's schemas that exist, with their applied migrations. */
export async function readSchemas(db: Db): Promise<Contents['schemas']> {
  const found: Contents['schemas'] = [];
  for (const { schema } of SCHEMAS) {
    const migrations = await readMigrations(db, schema);
    if (migrations) found.push({ schema, migrations });
  }
  return found;
}
