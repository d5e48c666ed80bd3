import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** Reads a setting: its public value, its encrypted secret, and its time; undefined if it was never saved. */
export async function readSetting(
  db: Db,
  name: string,
): Promise<{ value: unknown; sealed: Buffer | null; updated_at: Date } | undefined> {
  const { rows } = await sql<{
    value: unknown;
    sealed: Buffer | null;
    updated_at: Date;
  }>`select value, sealed, updated_at from setting where name = ${name}`.execute(db);
  return rows[0];
}

/** Replaces a setting: its public value and its encrypted secret. */
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
