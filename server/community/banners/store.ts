import { sql } from 'kysely';
import type { Picture } from '../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { pictureOf } from '../plugins/card-store.ts';
import type { Db } from '../schema.ts';

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

/** All banners in their order, also those that nobody sees. */
export async function readManagedBannerRows(db: Db): Promise<ManagedBannerRow[]> {
  const { rows } = await sql<ManagedBannerRow>`${banners} order by position, id`.execute(db);
  return rows;
}

export async function readManagedBannerRow(db: Db, id: number): Promise<ManagedBannerRow | undefined> {
  const { rows } = await sql<ManagedBannerRow>`${banners} where id = ${id}`.execute(db);
  return rows[0];
}

/** The order of all banners is changed by one at a time. */
export async function lockBanners(db: Db): Promise<void> {
  await sql`lock table banner in share row exclusive mode`.execute(db);
}

/** What of a banner is set; undefined leaves it as it is. */
export type BannerChange = {
  redirect_url?: string | undefined;
  title?: Texts | undefined;
  default_lang?: Language | undefined;
  picture_key?: string | undefined;
};

/** Adds a banner behind the others. */
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
  if (!row) throw new Error('a banner was stored without an id');
  return row.id;
}

/** Answers whether there is such a banner. */
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
