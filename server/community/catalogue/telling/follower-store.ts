import { sql } from 'kysely';
import { FOLLOW_NOTICE_KINDS } from '../../../../shared/constants.ts';
import { namesOf } from '../../names.ts';
import type { Db } from '../../schema.ts';

/** A publication of which followers are still to be told, with the data of its notices. */
export type Publication = { versionId: number; data: unknown };

/** The earliest publication since a time that everybody can get and of which a follower is still to be told. */
export async function readNextPublication(db: Db, since: Date): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`
    select w.plugin_version_id as "versionId", jsonb_build_object('plugin_key', p.plugin_key, 'version', v.version,
          'plugin_name', (select name from plugin_text where plugin_id = p.id and lang = p.default_lang),
          'plugin_names', ${namesOf('p.id')}) as data
      from publication w
      join plugin p on p.id = w.plugin_id and p.is_visible
      join plugin_version v on v.id = w.plugin_version_id and not v.is_hidden and v.withdrawn_at is null
      where w.told_at is null and w.published_at > ${since}
      order by w.published_at, w.plugin_version_id limit 1`.execute(db);
  return rows[0];
}

/**
 * Inserts the notices of the next followers by id, one for each person: of a plugin before its publisher before its tags, and
 * of a new plugin only to followers of the latter. Keeps how far it came, and locks only the row that it tells of.
 * @returns number of notices; undefined if another instance tells of it
 */
export async function tellNextFollowers(
  db: Db,
  { versionId, data }: Publication,
  { at, limit }: { at: Date; limit: number },
): Promise<number | undefined> {
  const next = sql`user_id > job.told_after order by user_id limit ${limit}`;
  const { rows } = await sql<{ count: number }>`
    with job as materialized (
      select w.plugin_id, w.is_first, w.told_after, p.publisher_id
        from publication w join plugin p on p.id = w.plugin_id
        where w.plugin_version_id = ${versionId} and w.told_at is null
        for no key update of w skip locked
    ), follower as materialized (
      select f.user_id, f.place from job cross join lateral (
        (select user_id, 1 as place from follow where plugin_id = job.plugin_id and ${next})
        union all
        (select user_id, 2 from follow where job.is_first and publisher_id = job.publisher_id and ${next})
        union all
        select tagged.user_id, 3 from plugin_tag pt join tag t on t.id = pt.tag_id and not t.is_hidden
          cross join lateral (select user_id from follow where tag_id = pt.tag_id and ${next}) tagged
          where job.is_first and pt.plugin_id = job.plugin_id
      ) f
    ), batch as materialized (
      select distinct user_id from follower order by user_id limit ${limit}
    ), told as (
      insert into notice (user_id, kind, data, created_at, mail_key)
        select distinct on (b.user_id) b.user_id, k.kind, ${JSON.stringify(data)}::jsonb, ${at}::timestamptz, null::uuid
          from job cross join batch b join follower f using (user_id)
          join unnest(${[...FOLLOW_NOTICE_KINDS]}::text[]) with ordinality as k (kind, place) using (place)
          where b.user_id <> job.publisher_id
            and not exists (select from notice_off o where o.user_id = b.user_id and o.kind = k.kind)
            and not exists (select from person gone where gone.user_id = b.user_id and gone.deleted_at is not null)
          order by b.user_id, f.place
        returning 1
    )
    update publication w set told_after = coalesce((select max(user_id) from batch), w.told_after),
        told_at = case when (select count(*) from batch) < ${limit} then ${at}::timestamptz end
      from job where w.plugin_version_id = ${versionId}
      returning (select count(*) from told) as count`.execute(db);
  return rows[0]?.count;
}
