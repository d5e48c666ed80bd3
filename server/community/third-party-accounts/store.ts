import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** What may be shown of a setting; undefined when it was never saved. */
export async function readSetting(db: Db, name: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select value from setting where name = ${name}`.execute(db);
  return rows[0]?.value;
}

/** Replaces a setting: what may be shown of it, and its secret sealed. */
export async function writeSetting(
  db: Db,
  { name, value, sealed, by, at }: { name: string; value: unknown; sealed: string; by: number; at: Date },
): Promise<void> {
  await sql`
    insert into setting (name, value, sealed, updated_by, updated_at)
      values (${name}, ${JSON.stringify(value)}, ${Buffer.from(sealed)}, ${by}, ${at})
      on conflict (name) do update set value = excluded.value, sealed = excluded.sealed,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(db);
}
