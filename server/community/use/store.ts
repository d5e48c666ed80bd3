import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/**
 * Every change below is one statement, hence atomic: the counter moves if, and only if, a row of the person really
 * changed. Doing the same thing twice, or fifty times at once, therefore counts once.
 */

type Use = { pluginId: number; userId: number };

export async function install(db: Db, { pluginId, userId }: Use): Promise<void> {
  await sql`
    with installed as (
      insert into plugin_install as i (user_id, plugin_id) values (${userId}, ${pluginId})
        on conflict (user_id, plugin_id) do update
          set uninstalled_at = null, installed_at = now(), is_silent = false
          where i.uninstalled_at is not null
        returning plugin_id
    )
    update plugin_counter c set install_count = install_count + 1
      from installed where c.plugin_id = installed.plugin_id`.execute(db);
}

export async function uninstall(db: Db, { pluginId, userId }: Use): Promise<void> {
  await sql`
    with uninstalled as (
      update plugin_install set uninstalled_at = now()
        where user_id = ${userId} and plugin_id = ${pluginId} and uninstalled_at is null
        returning plugin_id
    )
    update plugin_counter c set install_count = install_count - 1
      from uninstalled where c.plugin_id = uninstalled.plugin_id`.execute(db);
}

export async function like(db: Db, { pluginId, userId }: Use): Promise<void> {
  await sql`
    with liked as (
      insert into plugin_like (user_id, plugin_id) values (${userId}, ${pluginId})
        on conflict do nothing
        returning plugin_id
    )
    update plugin_counter c set praise_count = praise_count + 1
      from liked where c.plugin_id = liked.plugin_id`.execute(db);
}

export async function unlike(db: Db, { pluginId, userId }: Use): Promise<void> {
  await sql`
    with unliked as (
      delete from plugin_like where user_id = ${userId} and plugin_id = ${pluginId}
        returning plugin_id
    )
    update plugin_counter c set praise_count = praise_count - 1
      from unliked where c.plugin_id = unliked.plugin_id`.execute(db);
}

/** What a person has done with a plugin, and what all have. */
export type UseState = {
  plugin_key: string;
  is_praised: boolean;
  is_installed: boolean;
  praise_count: number;
  install_count: number;
};

export async function readUseState(db: Db, { pluginId, userId }: Use): Promise<UseState | undefined> {
  const { rows } = await sql<UseState>`
    select p.plugin_key, c.praise_count, c.install_count,
        exists (select from plugin_like where user_id = ${userId} and plugin_id = p.id) as is_praised,
        exists (
          select from plugin_install where user_id = ${userId} and plugin_id = p.id and uninstalled_at is null
        ) as is_installed
      from plugin p join plugin_counter c on c.plugin_id = p.id
      where p.id = ${pluginId}`.execute(db);
  return rows[0];
}

/** A plugin that may be installed and liked. */
export async function findUsable(db: Db, pluginKey: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin where plugin_key = ${pluginKey} and is_visible`.execute(db);
  return rows[0]?.id;
}

/** A plugin that may be let go of: also one that is no longer published but that the person still has or likes. */
export async function findReleasable(db: Db, pluginKey: string, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin p where plugin_key = ${pluginKey} and (
      is_visible
      or exists (select from plugin_install where user_id = ${userId} and plugin_id = p.id)
      or exists (select from plugin_like where user_id = ${userId} and plugin_id = p.id)
    )`.execute(db);
  return rows[0]?.id;
}
