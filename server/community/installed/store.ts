import { sql } from 'kysely';
import { boundedCount } from '../bounded-count.ts';
import type { ListPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';

/** What a person has or likes: rows of theirs, and since when. */
const PERSONAL = {
  installed: {
    rows: sql`plugin_install l where l.uninstalled_at is null and l.user_id`,
    at: sql`l.installed_at`,
  },
  liked: { rows: sql`plugin_like l where l.user_id`, at: sql`l.created_at` },
};
export type PersonalList = keyof typeof PERSONAL;

/** A plugin of such a list: since when, also as milliseconds since 1970, and whether others can still find it. */
export type PersonalRow = {
  plugin_id: number;
  plugin_key: string;
  at: Date;
  sort_key: number;
  is_available: boolean;
};

/** A page of what a person has or likes, newest first; what was deleted or hidden since is there too. */
export async function readPersonalRows(
  db: Db,
  list: PersonalList,
  { userId, after, limit }: { userId: number; after: ListPlace | undefined; limit: number },
): Promise<PersonalRow[]> {
  const { rows: own, at } = PERSONAL[list];
  const { rows } = await sql<PersonalRow>`
    select page.plugin_id, p.plugin_key, page.at, (extract(epoch from page.at) * 1000)::bigint as sort_key,
        p.is_visible as is_available
      from (
        select l.plugin_id, ${at} as at from ${own} = ${userId}
          ${after ? sql`and (${at}, l.plugin_id) < (${new Date(after[0])}, ${after[1]})` : sql``}
          order by ${at} desc, l.plugin_id desc limit ${limit}
      ) page join plugin p on p.id = page.plugin_id
      order by page.at desc, page.plugin_id desc`.execute(db);
  return rows;
}

export function countPersonal(db: Db, list: PersonalList, userId: number): Promise<number> {
  return boundedCount(db, sql`from ${PERSONAL[list].rows} = ${userId}`);
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
