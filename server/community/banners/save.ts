import type { ManagedBanner } from '../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { bannerRoutes } from '../../../shared/routes/banner.ts';
import { siteLink } from '../../../shared/site-link.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeptPicture } from '../media/prepare-picture.ts';
import { insertPictures } from '../media/store.ts';
import { plainTexts } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { noteBanner, toManagedBanner } from './banners.ts';
import { type BannerChange, insertBanner, lockBanners, readManagedBannerRow, updateBanner } from './store.ts';

type Fields = BodyOf<(typeof bannerRoutes)['saveBanner']>;

/**
 * What a form sets, checked before its picture is kept. An empty link is none: the banner is not shown then.
 * @throws LINK_INVALID, VALIDATION_FAILED
 */
export function bannerChange({ redirect_url, title, default_lang }: Fields): BannerChange {
  return {
    default_lang,
    ...(redirect_url !== undefined && { redirect_url: linkOf(redirect_url) }),
    ...(title !== undefined && { title: plainTexts(title, '/title') }),
  };
}

/**
 * Adds a banner, or changes the one of this id; what is left out stays as it is.
 * @throws NOT_FOUND
 */
export async function saveBanner(
  db: Db,
  { id, picture, ...change }: BannerChange & { id?: number | undefined; picture: KeptPicture | undefined },
  caller: Caller,
): Promise<ManagedBanner> {
  return db.transaction().execute(async (trx) => {
    await lockBanners(trx);
    if (picture) await insertPictures(trx, [picture]);
    const set = { ...change, picture_key: picture?.key };
    const default_lang = change.default_lang ?? FALLBACK_LANGUAGE;
    const isNew = id === undefined;
    const saved = isNew ? await insertBanner(trx, { ...set, default_lang, created_by: caller.user_id }) : id;
    if (!isNew && !(await updateBanner(trx, saved, set))) throw appError('NOT_FOUND');
    const row = await readManagedBannerRow(trx, saved);
    if (!row) throw appError('NOT_FOUND');
    await noteBanner(trx, isNew ? 'banner.add' : 'banner.change', row, caller);
    return toManagedBanner(row);
  });
}

function linkOf(text: string): string {
  if (text.trim() === '') return '';
  const link = siteLink(text);
  if (link === null) throw appError('LINK_INVALID');
  return link;
}
