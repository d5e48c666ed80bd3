import { sql } from 'kysely';
import { BASE_PATH } from '../../../../shared/constants.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { pictureOf } from '../../catalogue/plugins/card-store.ts';
import { type Names, namesOf } from '../../names.ts';
import type { Db } from '../../schema.ts';

const BANNERS_SHOWN = 20;

type BannerRow = {
  id: number;
  redirect_url: string;
  title: Texts;
  default_lang: Language;
  picture: Picture;
  position: number;
};

/** The banners that are shown, in their order, each with the published plugin whose page it leads to. */
export async function readBannerRows(db: Db): Promise<(BannerRow & { plugin: Names | null })[]> {
  const page = `^${BASE_PATH}plugin/([^/?#]+)`;
  const { rows } = await sql<BannerRow & { plugin: Names | null }>`
    select b.id, b.redirect_url, b.title, b.default_lang, b.position, ${pictureOf('b.picture_key')} as picture,
        case when p.id is not null then
          jsonb_build_object('names', ${namesOf('p.id')}, 'default_lang', p.default_lang) end as plugin
      from banner b
        left join plugin p on p.is_visible and p.plugin_key = substring(b.redirect_url from ${page})
      where b.redirect_url <> '' and b.picture_key is not null
      order by b.position, b.id limit ${BANNERS_SHOWN}`.execute(db);
  return rows;
}

export type ManagedBannerRow = {
  id: number;
  redirect_url: string;
  title: Texts;
  default_lang: Language;
  picture: Picture | null;
  position: number;
};

const banners = sql`
  select id, coalesce(redirect_url, '') as redirect_url, title, default_lang, position,
      ${pictureOf('b.picture_key')} as picture
    from banner b`;

/** Reads all banners in their order, also those that are not shown. */
export async function readManagedBannerRows(db: Db): Promise<ManagedBannerRow[]> {
  const { rows } = await sql<ManagedBannerRow>`${banners} order by position, id`.execute(db);
  return rows;
}

export async function readManagedBannerRow(db: Db, id: number): Promise<ManagedBannerRow | undefined> {
  const { rows } = await sql<ManagedBannerRow>`${banners} where id = ${id}`.execute(db);
  return rows[0];
}

/** Undefined fields stay as they are. */
export type BannerChange = {
  redirect_url?: string | undefined;
  title?: Texts | undefined;
  default_lang?: Language | undefined;
  picture_key?: string | undefined;
};

/** Adds a banner after the others. @returns its id */
export async function insertBanner(
  db: Db,
  banner: BannerChange & { default_lang: Language; created_by: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into banner (redirect_url, title, default_lang, picture_key, position, created_by)
      select ${banner.redirect_url ?? null}, ${JSON.stringify(banner.title ?? {})}, ${banner.default_lang},
          ${banner.picture_key ?? null}, coalesce(max(position) + 1, 0), ${banner.created_by}
        from banner
      returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
}

/** @returns false for an unknown banner */
export async function updateBanner(db: Db, id: number, change: BannerChange): Promise<boolean> {
  const title = change.title === undefined ? null : JSON.stringify(change.title);
  const { rows } = await sql`
    update banner set redirect_url = coalesce(${change.redirect_url ?? null}, redirect_url),
        title = coalesce(${title}::jsonb, title),
        default_lang = coalesce(${change.default_lang ?? null}, default_lang),
        picture_key = coalesce(${change.picture_key ?? null}, picture_key)
      where id = ${id}
      returning id`.execute(db);
  return rows.length > 0;
}

export async function deleteBannerRow(db: Db, id: number): Promise<void> {
  await sql`delete from banner where id = ${id}`.execute(db);
}
