import { sql } from 'kysely';
import { INSIGHT_PEOPLE_MIN } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';

/** Keywords of a plugin in a month; more are not stored. */
const KEYWORDS_MAX = 300;
const DELETED_BATCH = 5000;

/** Somebody opened a plugin from a search. */
export type FoundBy = {
  /** Of plugin, month, keyword and person: 16 bytes, hexadecimal. */
  hash: string;
  pluginId: number;
  /** First day of the month, YYYY-MM-DD in UTC. */
  month: string;
  keyword: string;
};

/**
 * Counts people who did not count for the same plugin, month and keyword before, in any instance. Writing them again changes
 * nothing. Every writer locks hashes, then keywords, in one order.
 * @param found no hash twice
 */
export async function addFound(db: Db, found: readonly FoundBy[]): Promise<void> {
  await sql`
    with given as (
      select decode(hash, 'hex') as use_hash, plugin_id, month, keyword
        from unnest(${found.map(({ hash }) => hash)}::text[], ${found.map(({ pluginId }) => pluginId)}::bigint[],
          ${found.map(({ month }) => month)}::date[], ${found.map(({ keyword }) => keyword)}::text[])
          as f (hash, plugin_id, month, keyword)
        where exists (select from plugin p where p.id = f.plugin_id)
    ), fresh as (
      insert into keyword_use (use_hash, month) select use_hash, month from given order by use_hash
        on conflict do nothing returning use_hash
    ), counted as (
      select plugin_id, month, keyword, count(*)::integer as people,
          row_number() over (partition by plugin_id, month order by keyword) as place
        from given join fresh using (use_hash) group by plugin_id, month, keyword
    )
    insert into found_keyword as k (plugin_id, month, keyword, people_count)
      select plugin_id, month, keyword, people from counted c
        where place <= ${KEYWORDS_MAX} - (
            select count(*) from found_keyword t where t.plugin_id = c.plugin_id and t.month = c.month)
          or exists (select from found_keyword t
            where t.plugin_id = c.plugin_id and t.month = c.month and t.keyword = c.keyword)
        order by plugin_id, month, keyword
      on conflict (plugin_id, month, keyword) do update set people_count = k.people_count + excluded.people_count`.execute(
    db,
  );
}

/** Forgets of the months that are over who was counted, and what few people searched for. */
export async function deleteRareKeywords(db: Db, now: Date): Promise<void> {
  const month = sql`date_trunc('month', day_of(${now}))::date`;
  const remove = async (query: ReturnType<typeof sql>) => {
    for (let deleted = DELETED_BATCH; deleted === DELETED_BATCH; ) {
      deleted = Number((await query.execute(db)).numAffectedRows ?? 0n);
    }
  };
  await remove(sql`
    delete from keyword_use where use_hash = any (array(
      select use_hash from keyword_use where month < ${month} limit ${DELETED_BATCH} for update skip locked))`);
  await remove(sql`
    delete from found_keyword where ctid = any (array(
      select ctid from found_keyword where month < ${month} and people_count < ${sql.lit(INSIGHT_PEOPLE_MIN)}
        limit ${DELETED_BATCH} for update skip locked))`);
}
