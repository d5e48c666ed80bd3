import type { ManagedBanner } from '../../../shared/entities/backstage.ts';
import { textIn } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { rememberPerson } from '../people/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import {
  deleteBannerRow,
  lockBanners,
  type ManagedBannerRow,
  placeBanners,
  readManagedBannerRow,
  readManagedBannerRows,
} from './store.ts';

/** All banners in their order, also those that nobody sees. */
export async function listManagedBanners(db: Db): Promise<ManagedBanner[]> {
  return (await readManagedBannerRows(db)).map(toManagedBanner);
}

/**
 * Deletes a banner. Its picture is left to the sweep, for another row may show the same.
 * @throws NOT_FOUND
 */
export async function deleteBanner(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockBanners(trx);
    const row = await readManagedBannerRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    await deleteBannerRow(trx, id);
    await noteBanner(trx, 'banner.delete', row, caller);
  });
}

/**
 * Puts the banners in this order; those that somebody has added in the meantime stay behind them.
 * @throws VALIDATION_FAILED for an id that comes twice, CONFLICT for one that is gone
 */
export async function orderBanners(db: Db, ids: readonly number[], caller: Caller): Promise<void> {
  if (new Set(ids).size < ids.length) throw refusedAt('/ids', 'must not name a banner twice');
  await db.transaction().execute(async (trx) => {
    await lockBanners(trx);
    const known = (await readManagedBannerRows(trx)).map((row) => row.id);
    if (ids.some((id) => !known.includes(id))) throw appError('CONFLICT');
    const ordered = [...ids, ...known.filter((id) => !ids.includes(id))];
    if (ordered.every((id, index) => id === known[index])) return;
    await placeBanners(trx, ordered);
    await rememberPerson(trx, caller);
    const target = { targetKind: 'banner', targetId: 'all', targetName: '' };
    const detail = { order: ordered.join(' ') };
    await writeTrail(trx, { actorId: caller.user_id, action: 'banner.order', ...target, detail });
  });
}

/** A row as the wire has it; only a banner with a link and a picture is shown (specification section 3). */
export function toManagedBanner(row: ManagedBannerRow): ManagedBanner {
  return { ...row, is_shown: row.redirect_url !== '' && row.picture !== null };
}

export async function noteBanner(
  db: Db,
  action: string,
  row: ManagedBannerRow,
  caller: Caller,
): Promise<void> {
  await rememberPerson(db, caller);
  await writeTrail(db, {
    actorId: caller.user_id,
    action,
    targetKind: 'banner',
    targetId: row.id,
    targetName: textIn(row.title, row.default_lang, row.default_lang).text,
    detail: { redirect_url: row.redirect_url, picture: row.picture?.key ?? null },
  });
}
