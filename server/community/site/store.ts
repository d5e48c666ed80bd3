import { sql } from 'kysely';
import { CAROUSEL_SLIDES } from '../../../shared/constants.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { pictureOf } from '../plugins/cards/store.ts';
import type { Db } from '../schema.ts';

const BANNERS_SHOWN = 20;

export type BannerRow = {
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

export type ActivityRow = {
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

export type WorkRow = {
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
