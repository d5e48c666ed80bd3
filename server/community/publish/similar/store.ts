import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** A name of somebody else's plugin that is in the marketplace. */
export type OtherName = { name: string; publisher: string };

const CANDIDATES = 300;

/** Names that a text-search query finds among the plugins of other publishers. */
export async function findOtherNames(db: Db, query: string, publisherId: number): Promise<OtherName[]> {
  const { rows } = await sql<OtherName>`
    with found as materialized (
      select plugin_id from plugin_search where name @@ ${query}::tsquery limit ${CANDIDATES}
    )
    select t.name, person.nick_name as publisher
      from found
      join plugin p on p.id = found.plugin_id and p.is_visible and p.publisher_id <> ${publisherId}
      join plugin_text t on t.plugin_id = p.id and t.name <> ''
      join person on person.user_id = p.publisher_id`.execute(db);
  return rows;
}
