import { sql } from 'kysely';
import { boundedCount } from '../bounded-count.ts';
import type { ListPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';

/** Something a person has installed: when, also as milliseconds since 1970, and whether others can still find it. */
export type InstalledRow = {
  plugin_id: number;
  plugin_key: string;
  installed_at: Date;
  sort_key: number;
  is_available: boolean;
};

/** A page of what a person has, newest first; what was deleted or hidden since is there too. */
export async function readInstalledRows(
  db: Db,
  { userId, after, limit }: { userId: number; after: ListPlace | undefined; limit: number },
): Promise<InstalledRow[]> {
  const { rows } = await sql<InstalledRow>`
    select i.plugin_id, p.plugin_key, i.installed_at,
        (extract(epoch from i.installed_at) * 1000)::bigint as sort_key, p.is_visible as is_available
      from plugin_install i join plugin p on p.id = i.plugin_id
      where i.user_id = ${userId} and i.uninstalled_at is null
        ${after ? sql`and (i.installed_at, i.plugin_id) < (${new Date(after[0])}, ${after[1]})` : sql``}
      order by i.installed_at desc, i.plugin_id desc limit ${limit}`.execute(db);
  return rows;
}

export function countInstalled(db: Db, userId: number): Promise<number> {
  return boundedCount(db, sql`from plugin_install where user_id = ${userId} and uninstalled_at is null`);
}

/** The current package of a plugin that a person has installed, by its names, or undefined when he has none such. */
export async function readInstalledPackage(
  db: Db,
  { userId, pluginKey }: { userId: number; pluginKey: string },
): Promise<{ file: string | null } | undefined> {
  const { rows } = await sql<{ file: string | null }>`
    select f.file_key || '.' || f.extension as file
      from plugin_install i
      join plugin p on p.id = i.plugin_id
      left join plugin_version v on v.id = p.current_version_id
      left join stored_file f on f.file_key = v.package_key
      where p.plugin_key = ${pluginKey} and i.user_id = ${userId} and i.uninstalled_at is null`.execute(db);
  return rows[0];
}
