import { sql } from 'kysely';
import { type Names, namesOf } from '../../names.ts';
import type { Db } from '../../schema.ts';

/** A plugin that a person has installed or tries. */
export type OwnedRow = Names & { id: number; plugin_key: string; is_visible: boolean };

/** Reads all of them, the newest plugin first. */
export async function readOwned(db: Db, userId: number): Promise<OwnedRow[]> {
  const { rows } = await sql<OwnedRow>`
    select p.id, p.plugin_key, p.is_visible, p.default_lang, ${namesOf('p.id')} as names
      from (
        select plugin_id from plugin_install where user_id = ${userId} and uninstalled_at is null
        union select plugin_id from plugin_trial where user_id = ${userId}
      ) own join plugin p on p.id = own.plugin_id
      order by p.id desc`.execute(db);
  return rows;
}
