import { sql } from 'kysely';
import { boundedCount, type ListPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';

/** Tables of a user's plugins, and the time of each row. Trials are few. */
const PERSONAL = {
  installed: [
    { rows: sql`plugin_install l where l.uninstalled_at is null and l.user_id`, at: sql`l.installed_at` },
    { rows: sql`plugin_trial l where l.user_id`, at: sql`l.created_at` },
  ],
  liked: [{ rows: sql`plugin_like l where l.user_id`, at: sql`l.created_at` }],
};
export type PersonalList = keyof typeof PERSONAL;

/** A plugin of a list; `sort_key` is `at` in milliseconds since 1970, `is_available` is false for unpublished ones. */
type PersonalRow = {
  plugin_id: number;
  plugin_key: string;
  at: Date;
  sort_key: number;
  is_available: boolean;
};

/** Reads a page of installed or liked plugins, newest first, including deleted and hidden ones. */
export async function readPersonalRows(
  db: Db,
  list: PersonalList,
  { userId, after, limit }: { userId: number; after: ListPlace | undefined; limit: number },
): Promise<PersonalRow[]> {
  const parts = PERSONAL[list].map(
    ({ rows, at }) => sql`(
          select l.plugin_id, ${at} as at from ${rows} = ${userId}
            ${after ? sql`and (${at}, l.plugin_id) < (${new Date(after[0])}, ${after[1]})` : sql``}
            order by ${at} desc, l.plugin_id desc limit ${limit})`,
  );
  const { rows } = await sql<PersonalRow>`
    select page.plugin_id, p.plugin_key, page.at, (extract(epoch from page.at) * 1000)::bigint as sort_key,
        p.is_visible as is_available
      from (
        select plugin_id, at from (${sql.join(parts, sql` union all `)}) each_one
          order by at desc, plugin_id desc limit ${limit}
      ) page join plugin p on p.id = page.plugin_id
      order by page.at desc, page.plugin_id desc`.execute(db);
  return rows;
}

export function countPersonal(db: Db, list: PersonalList, userId: number): Promise<number> {
  const parts = PERSONAL[list].map(({ rows }) => sql`select 1 from ${rows} = ${userId}`);
  return boundedCount(db, sql`from (${sql.join(parts, sql` union all `)}) own`);
}
