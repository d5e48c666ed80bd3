import type { Pool } from '../../server/database/pool.ts';

type Definition = { name: string; table: string; definition: string };

/**
 * Fills tables without their indexes, foreign keys and triggers and then restores these, which is faster than updating
 * them row by row. Primary keys stay.
 * @param tables of the schema that the connections work in
 */
export async function withoutUpkeep(
  pool: Pool,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<() => Promise<void>> {
  const keys = await definitions(
    pool,
    tables,
    `select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and conrelid = any ($1::regclass[]) order by conname`,
  );
  const indexes = await definitions(
    pool,
    tables,
    `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as "table",
        pg_get_indexdef(i.indexrelid) as definition
      from pg_index i where i.indrelid = any ($1::regclass[])
        and not exists (select from pg_constraint where conindid = i.indexrelid) order by 1`,
  );
  for (const { name, table } of keys) await pool.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  for (const table of tables) {
    await pool.query(`alter table ${table} disable trigger user, set (autovacuum_enabled = false)`);
  }
  await fill();
  for (const table of tables) {
    await pool.query(`alter table ${table} enable trigger user, reset (autovacuum_enabled)`);
  }
  return () => restore(pool, indexes, keys);
}

async function definitions(pool: Pool, tables: readonly string[], text: string): Promise<Definition[]> {
  const { rows } = await pool.query<Definition>(text, [tables]);
  return rows;
}

/** Uses two connections; each index is sorted in memory. */
async function restore(
  pool: Pool,
  indexes: readonly Definition[],
  keys: readonly Definition[],
): Promise<void> {
  const left = [...indexes];
  const work = async () => {
    const client = await pool.connect();
    await client.query("set maintenance_work_mem = '1GB'; set statement_timeout = 0");
    for (let index = left.shift(); index; index = left.shift()) await client.query(index.definition);
    client.release(true);
  };
  await Promise.all([work(), work()]);
  const client = await pool.connect();
  await client.query("set work_mem = '256MB'; set statement_timeout = 0");
  for (const { name, table, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  client.release(true);
}
