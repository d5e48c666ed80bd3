import { sql } from 'kysely';
import type { CallerGroup } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';

/** Who gets default installs, and their group if it is known. */
type Receiver = { user_id: number; group?: CallerGroup };

/**
 * SQL of the default installs of a user, as `plugin_id` and a place: those of the kits for them in the order of each, then
 * those for everybody. Both tables are small.
 */
function defaultsOf({ group }: Receiver) {
  const { e_id, department } = group ?? { e_id: 0, department: '' };
  return sql`
    select kp.plugin_id, array[0, k.id, kp.position] as place
      from kit k join kit_plugin kp on kp.kit_id = k.id
      where k.e_id = 0
        or (k.e_id = ${e_id} and (k.department = '' or lower(k.department) = lower(${department}::text)))
    union all
    select s.plugin_id, array[1, s.plugin_id, 0] from silent_install s`;
}

/** Checks for a default that a user never got, so that the usual case needs no write. */
export async function isDefaultMissing(db: Db, receiver: Receiver): Promise<boolean> {
  const { rows } = await sql`
    select from (${defaultsOf(receiver)}) d
      join plugin_listing l on l.plugin_id = d.plugin_id and l.tag_id = 0
      where not exists (
        select from plugin_install i where i.user_id = ${receiver.user_id} and i.plugin_id = d.plugin_id
      )
      limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Installs the visible defaults that a user never got. It is one statement, so that a counter changes exactly when a row
 * is inserted, also with concurrent calls. Existing rows stay, even if the plugin was uninstalled. The first of a kit is the
 * latest install, so that it leads their list.
 * @returns keys of the installed plugins
 */
export async function installMissing(db: Db, receiver: Receiver): Promise<string[]> {
  const { user_id: userId } = receiver;
  const { rows } = await sql<{ plugin_key: string }>`
    with missing as (
      select p.id, p.current_version_id, row_number() over (order by min(d.place), p.id) as place
        from (${defaultsOf(receiver)}) d
        join plugin p on p.id = d.plugin_id
        join plugin_listing l on l.plugin_id = d.plugin_id and l.tag_id = 0
        where not exists (select from plugin_install i where i.user_id = ${userId} and i.plugin_id = d.plugin_id)
        group by p.id
    ), installed as (
      insert into plugin_install (user_id, plugin_id, is_silent, accepted_version_id, installed_at)
        select ${userId}, id, true, current_version_id, now() - place * interval '1 millisecond'
          from missing order by id
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
