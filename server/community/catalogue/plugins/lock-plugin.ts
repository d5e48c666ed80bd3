import { sql } from 'kysely';
import { type Names, namesOf } from '../../names.ts';
import type { Db } from '../../schema.ts';

export type LockedPlugin = Names & { id: number; publisher_id: number };

/** Locks a plugin, like every change of a plugin does; a deleted one only if asked for. */
export async function lockPlugin(
  trx: Db,
  pluginKey: string,
  { isDeletedToo = false } = {},
): Promise<LockedPlugin | undefined> {
  const { rows } = await sql<LockedPlugin>`
    select p.id, p.publisher_id, p.default_lang, ${namesOf('p.id')} as names
      from plugin p where p.plugin_key = ${pluginKey} and (p.deleted_at is null or ${isDeletedToo})
      for no key update of p`.execute(trx);
  return rows[0];
}
