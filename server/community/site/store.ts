import { sql } from 'kysely';
import { CAROUSEL_SLIDES } from '../../../shared/constants.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { pictureOf } from '../plugins/card-store.ts';
import type { Db } from '../schema.ts';

const BANNERS_SHOWN = 20;

type BannerRow = {
  id: number;
  redirect_url: string;
  title: Texts;
  default_lang: Language;
  picture: Picture;
  position: number;
};

/** Banners with a link, in their order. */
export async function readBannerRows(db: Db): Promise<BannerRow[]> {
  const { rows } = await sql<BannerRow>`
    select id, redirect_url, title, default_lang, position, ${pictureOf('b.picture_key')} as picture
      from banner b where redirect_url <> '' and picture_key is not null
      order by position, id limit ${BANNERS_SHOWN}`.execute(db);
  return rows;
}

type ActivityRow = {
  view_num: number;
  participate_num: number;
  tutorial_url: string;
  cover: Picture | null;
};

export async function readActivityRow(db: Db, id: number): Promise<ActivityRow | undefined> {
  const { rows } = await sql<ActivityRow>`
    select view_num, participate_num, tutorial_url, ${pictureOf('a.cover_key')} as cover
      from activity a where id = ${id} and not is_hidden`.execute(db);
  return rows[0];
}

type WorkRow = {
  id: number;
  title: Texts;
  default_lang: Language;
  author: string;
  url: string;
  picture: Picture;
  view_num: number;
  like_num: number;
};

export async function readWorkRows(db: Db): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select id, title, default_lang, author, url, view_num, like_num, ${pictureOf('w.picture_key')} as picture
      from featured_work w where picture_key is not null and not is_hidden
      order by position, id limit ${CAROUSEL_SLIDES}`.execute(db);
  return rows;
}

/** Numbers of plugins that one range holds, published or not. */
const RANGE_SIZE = 1000;

/**
 * Ranges that hold a published plugin, by looking up the first of each in the index: as many steps as there are ranges.
 * The rows of tag 0 are the published plugins.
 */
export async function readRanges(db: Db): Promise<number[]> {
  const { rows } = await sql<{ range: number }>`
    with recursive found (range) as (
      (select plugin_id / ${RANGE_SIZE}::bigint from plugin_listing where tag_id = 0 order by plugin_id limit 1)
      union all
      select (
        select l.plugin_id / ${RANGE_SIZE}::bigint from plugin_listing l
          where l.tag_id = 0 and l.plugin_id >= (found.range + 1) * ${RANGE_SIZE}::bigint
          order by l.plugin_id limit 1
      ) from found where found.range is not null
    )
    select range from found where range is not null`.execute(db);
  return rows.map(({ range }) => range);
}

/** Published plugins of one range, in the order of their numbers. */
export async function readRange(db: Db, range: number): Promise<{ plugin_key: string; updated_at: Date }[]> {
  const first = range * RANGE_SIZE;
  const end = first + RANGE_SIZE;
  // The bounds are said of both tables, as a planner does not carry them over a join.
  const { rows } = await sql<{ plugin_key: string; updated_at: Date }>`
    select p.plugin_key, p.updated_at
      from plugin_listing l join plugin p on p.id = l.plugin_id
      where l.tag_id = 0 and l.plugin_id >= ${first} and l.plugin_id < ${end}
        and p.id >= ${first} and p.id < ${end}
      order by l.plugin_id`.execute(db);
  return rows;
}
