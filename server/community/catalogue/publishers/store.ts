import { sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';
import { PLUGIN_PICTURES } from '../plugins/card-store.ts';

/** A publisher with what they say about themselves, and why others do not see it. */
export type PublisherRow = {
  user_id: number;
  nick_name: string;
  avatar_url: string;
  handle: string;
  default_lang: Language | null;
  about: Texts;
  links: string[];
  hidden_reason: string | null;
  verified_as: string | null;
};

/** Finds the publisher with a handle, or who had it before, if they have published plugins. */
export async function findPublisher(db: Db, handle: string): Promise<PublisherRow | undefined> {
  const { rows } = await sql<PublisherRow>`
    select p.user_id, p.nick_name, p.avatar_url, p.handle, p.verified_as, r.default_lang, r.hidden_reason,
        coalesce(r.about, '{}') as about, coalesce(r.links, '{}') as links
      from person p left join publisher_profile r on r.user_id = p.user_id
      where p.user_id = coalesce(
          (select user_id from person where handle = ${handle}),
          (select user_id from former_handle where handle = ${handle}))
        and p.deleted_at is null and exists (select from plugin_listing l where l.publisher_id = p.user_id)`.execute(
    db,
  );
  return rows[0];
}

/** Counts published plugins, up to one more than is shown exactly, and their installs. */
export async function readTotals(
  db: Db,
  publisherId: number,
): Promise<{ plugin_count: number; install_count: number }> {
  const { rows } = await sql<{ plugin_count: number; install_count: number }>`
    select count(*) as plugin_count, coalesce(sum(c.install_count), 0)::bigint as install_count
      from (
        select plugin_id from plugin_listing where publisher_id = ${publisherId} limit ${TOTAL_EXACT_UP_TO + 1}
      ) own join plugin_counter c on c.plugin_id = own.plugin_id`.execute(db);
  return rows[0] ?? { plugin_count: 0, install_count: 0 };
}

export type PosterPicture = { icon: Picture | null; cover: Picture | null };

/** Icon and cover of the most popular plugins of a publisher. */
export async function readPosterPictures(
  db: Db,
  publisherId: number,
  limit: number,
): Promise<PosterPicture[]> {
  const { rows } = await sql<PosterPicture>`
    select ${PLUGIN_PICTURES}
      from (
        select plugin_id, popularity from plugin_listing where publisher_id = ${publisherId}
          order by popularity desc, plugin_id desc limit ${limit}
      ) own join plugin p on p.id = own.plugin_id
      order by own.popularity desc, own.plugin_id desc`.execute(db);
  return rows;
}

/** Handles of publishers with published plugins, with one index lookup each. */
export async function readSitemapHandles(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ handle: string }>`
    with recursive found (id) as (
      (select publisher_id from plugin_listing where publisher_id is not null order by publisher_id limit 1)
      union all
      select (
        select l.publisher_id from plugin_listing l where l.publisher_id > found.id order by l.publisher_id limit 1
      ) from found where found.id is not null
    )
    select p.handle
      from (select id from found where id is not null limit ${limit}) known
      cross join lateral (
        select handle from person where user_id = known.id and deleted_at is null offset 0
      ) p
      order by known.id`.execute(db);
  return rows.map(({ handle }) => handle);
}
