import { sql } from 'kysely';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { queryOfKeyword } from '../../catalogue/search/query.ts';
import type { Db } from '../../schema.ts';

/** A plugin of which a package could be a version. */
export type CandidateRow = {
  plugin_key: string;
  external_id: string | null;
  default_lang: Language;
  /** Names of the last submission, and the published ones. */
  names: Texts;
  live_names: Texts;
  versions: string[];
};

const ALL_TAGS = 0;
const CANDIDATES_MAX = 200;

/**
 * Reads a user's plugins that have one of these ids or names, in any language; names are compared as by search.
 * @param names as users write them
 */
export async function readCandidates(
  db: Db,
  {
    userId,
    externalIds,
    names,
  }: { userId: number; externalIds: readonly string[]; names: readonly string[] },
): Promise<CandidateRow[]> {
  const words = names.flatMap((name) => queryOfKeyword(name, ALL_TAGS)?.exact ?? []);
  const named =
    words.length === 0
      ? sql`false`
      : sql`p.id in (
      select plugin_id from plugin_search where name @@ ${words.join(' | ')}::tsquery
    )`;
  const { rows } = await sql<CandidateRow>`
    select p.plugin_key, p.external_id, p.default_lang, coalesce(s.names, '{}') as names,
        coalesce(live.names, '{}') as live_names,
        array(select version from plugin_version where plugin_id = p.id order by id) as versions
      from plugin p
      left join lateral (
        select listing -> 'name' as names from submission
          where plugin_id = p.id and not is_superseded order by id desc limit 1
      ) s on true
      cross join lateral (
        select jsonb_object_agg(lang, name) as names from plugin_text where plugin_id = p.id
      ) live
      where p.publisher_id = ${userId} and p.deleted_at is null
        and (p.external_id = any (${[...externalIds]}::text[]) or ${named})
      order by p.updated_at desc, p.id desc limit ${CANDIDATES_MAX}`.execute(db);
  return rows;
}
