import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** Checks for a default that a user never got, so that the usual case needs no write. */
export async function isDefaultMissing(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from silent_install s
      join plugin_listing l on l.plugin_id = s.plugin_id and l.tag_id = 0
      where not exists (select from plugin_install i where i.user_id = ${userId} and i.plugin_id = s.plugin_id)
      limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Installs the visible defaults that a user never got. It is one statement, so that a counter changes exactly when a row
 * is inserted, also with concurrent calls. Existing rows stay, even if the plugin was uninstalled.
 * @returns keys of the installed plugins
 */
export async function installMissing(db: Db, userId: number): Promise<string[]> {
  const { rows } = await sql<{ plugin_key: string }>`
    with installed as (
      insert into plugin_install (user_id, plugin_id, is_silent, accepted_version_id)
        select ${userId}, s.plugin_id, true, p.current_version_id from silent_install s
          join plugin p on p.id = s.plugin_id
          join plugin_listing l on l.plugin_id = s.plugin_id and l.tag_id = 0
          where not exists (select from plugin_install i where i.user_id = ${userId} and i.plugin_id = s.plugin_id)
          order by s.plugin_id
        on conflict do nothing
        returning plugin_id
    ), locked as materialized (
      select plugin_id from plugin_counter where plugin_id in (select plugin_id from installed)
        order by plugin_id for no key update
    ), counted as (
      update plugin_counter c set install_count = install_count + 1
        from locked where c.plugin_id = locked.plugin_id
        returning c.plugin_id
    )
    select p.plugin_key from counted join plugin p on p.id = counted.plugin_id order by p.id`.execute(db);
  return rows.map((row) => row.plugin_key);
}
