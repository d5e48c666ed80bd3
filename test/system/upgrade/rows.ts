import type { Kysely } from 'kysely';
import { type Migrations, migrate } from '../../../server/database/migrate.ts';
import type { Pool } from '../../../server/database/pool.ts';
import { silentLog } from '../../support/log.ts';

/** Rows that fit every schema from migration `from` up to, but not including, `until`. */
export type Rows = { from: string; until?: string; sql: string };

/** Names of the migrations, oldest first. */
export function stepsOf(migrations: Migrations): string[] {
  return Object.keys(migrations).sort();
}

/**
 * Migrates an empty schema up to a migration and inserts the rows that fit.
 * @throws when a table of the schema has no row
 */
export async function fillAt<DB>(
  { db, pool }: { db: Kysely<DB>; pool: Pool },
  {
    schema,
    migrations,
    rows,
    step,
  }: { schema: string; migrations: Migrations; rows: readonly Rows[]; step: string },
): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= step);
  await migrate({ db, schema, migrations: Object.fromEntries(known), log: silentLog });
  for (const { from, until, sql } of rows) {
    if (from <= step && (until === undefined || step < until)) await pool.query(sql);
  }
  const empty = [...(await countRows(pool, schema))].filter(([, count]) => count === 0);
  if (empty.length > 0) throw new Error(`no rows in ${empty.map(([table]) => table).join(', ')}`);
}

/** Number of rows of each table, without Kysely's own tables. */
export async function countRows(pool: Pool, schema: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = $1 and tablename not like 'kysely_%' order by 1`,
    [schema],
  );
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const counted = await pool.query<{ count: number }>(`select count(*) from "${schema}"."${name}"`);
    counts.set(name, counted.rows[0]?.count ?? 0);
  }
  return counts;
}
