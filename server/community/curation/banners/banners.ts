import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { bannerRoutes } from '../../../../shared/routes/banner.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { lockOrdered, putInOrder } from '../../catalogue/ordering.ts';
import { implementForm } from '../../files/forms/implement-form.ts';
import { ONE_PICTURE, type StoredPicture, storeUploadedPicture } from '../../files/media/pictures.ts';
import { insertPictures } from '../../files/media/store.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { plainTexts } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  type BannerChange,
  deleteBannerRow,
  insertBanner,
  type ManagedBannerRow,
  readBannerRows,
  readManagedBannerRow,
  readManagedBannerRows,
  updateBanner,
} from './store.ts';

/** Banners of the home page, and their administration. */
export function bannersRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir } = app;
  implement(app, contract.listBanners, async ({ request }) => {
    const rows = await readBannerRows(db);
    const language = languageOf(request);
    const banners = rows.map(({ title, default_lang, plugin, ...banner }) => {
      const { text, lang } = textIn(title, language, default_lang);
      const named = plugin && textIn(plugin.names, language, plugin.default_lang);
      return { ...banner, title: text, lang, plugin: named && { name: named.text, lang: named.lang } };
    });
    return { banner_list: banners };
  });
  implement(app, contract.listManagedBanners, async () => ({
    banner_list: (await readManagedBannerRows(db)).map(toManagedBanner),
  }));
  implementForm(
    app,
    contract.saveBanner,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields, files, request, signal }) => {
      const change = bannerChange(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal };
      const picture = await storeUploadedPicture(pictures, files.picture[0], turn);
      return saveBanner(db, { ...change, id: fields.id, picture }, caller);
    },
  );
  implement(app, contract.deleteBanner, async ({ body, request }) => {
    await deleteBanner(db, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.orderBanners, async ({ body, request }) => {
    await putInOrder(db, 'banner', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
}

type Fields = BodyOf<(typeof bannerRoutes)['saveBanner']>;

/**
 * Validates the fields of a form. A banner with an empty link is not shown.
 * @throws LINK_INVALID, VALIDATION_FAILED
 */
function bannerChange({ redirect_url, title, default_lang }: Fields): BannerChange {
  return {
    default_lang,
    ...(redirect_url !== undefined && { redirect_url: linkOf(redirect_url) }),
    ...(title !== undefined && { title: plainTexts(title, '/title') }),
  };
}

function linkOf(text: string): string {
  if (text.trim() === '') return '';
  const link = siteLink(text);
  if (link === null) throw appError('LINK_INVALID');
  return link;
}

/**
 * Adds a banner, or changes the given fields of the banner with this id.
 * @throws NOT_FOUND
 */
async function saveBanner(
  db: Db,
  { id, picture, ...change }: BannerChange & { id?: number | undefined; picture: StoredPicture | undefined },
  caller: Caller,
): Promise<ManagedBanner> {
  return db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'banner');
    if (picture) await insertPictures(trx, [picture]);
    const set = { ...change, picture_key: picture?.key };
    const default_lang = change.default_lang ?? FALLBACK_LANGUAGE;
    const isNew = id === undefined;
    const saved = isNew ? await insertBanner(trx, { ...set, default_lang, created_by: caller.user_id }) : id;
    if (!isNew && !(await updateBanner(trx, saved, set))) throw appError('NOT_FOUND');
    const row = await readManagedBannerRow(trx, saved);
    if (!row) throw appError('NOT_FOUND');
    await recordBannerChange(trx, isNew ? 'banner.add' : 'banner.change', row, caller);
    return toManagedBanner(row);
  });
}

/**
 * Deletes a banner. The sweep removes its picture unless another row uses it.
 * @throws NOT_FOUND
 */
async function deleteBanner(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'banner');
    const row = await readManagedBannerRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    await deleteBannerRow(trx, id);
    await recordBannerChange(trx, 'banner.delete', row, caller);
  });
}

/** Only a banner with a link and a picture is shown (R 3.8). */
function toManagedBanner(row: ManagedBannerRow): ManagedBanner {
  return { ...row, is_shown: row.redirect_url !== '' && row.picture !== null };
}

async function recordBannerChange(
  db: Db,
  action: string,
  row: ManagedBannerRow,
  caller: Caller,
): Promise<void> {
  await recordChange(db, caller, {
    action,
    targetKind: 'banner',
    targetId: row.id,
    targetName: { names: row.title, default_lang: row.default_lang },
    detail: { redirect_url: row.redirect_url, picture: row.picture?.key ?? null },
  });
}
