import { ACTIVITY_ID } from '../../../../shared/constants.ts';
import type { ManagedActivity } from '../../../../shared/entities/backstage.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { featuredRoutes } from '../../../../shared/routes/featured.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { appError } from '../../../http/errors.ts';
import type { StoredPicture } from '../../files/media/pictures.ts';
import { insertPictures } from '../../files/media/store.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { deleteActivityRow, lockActivity, readManagedActivity, writeActivity } from './store.ts';

type ActivityForm = BodyOf<(typeof featuredRoutes)['saveActivity']>;

const EMPTY = { view_num: 0, participate_num: 0, tutorial_url: '', is_hidden: false, cover: null };

/**
 * Validates the fields of a form. An empty link removes the link.
 * @throws LINK_INVALID
 */
export function validateActivity({ tutorial_url, ...rest }: ActivityForm): ActivityForm {
  if (tutorial_url === undefined) return rest;
  const link = tutorial_url.trim() === '' ? '' : siteLink(tutorial_url);
  if (link === null) throw appError('LINK_INVALID');
  return { ...rest, tutorial_url: link };
}

/** Adds the card, or changes the given fields. */
export async function saveActivity(
  db: Db,
  { change, cover }: { change: ActivityForm; cover: StoredPicture | undefined },
  caller: Caller,
): Promise<ManagedActivity> {
  return db.transaction().execute(async (trx) => {
    await lockActivity(trx);
    const before = await readManagedActivity(trx);
    if (cover) await insertPictures(trx, [cover]);
    const { cover: former, ...content } = { ...EMPTY, ...before, ...change };
    await writeActivity(trx, ACTIVITY_ID, { ...content, cover_key: cover?.key ?? former?.key ?? null });
    const activity = await readManagedActivity(trx);
    if (!activity) throw appError('ACTIVITY_NOT_FOUND');
    await recordActivityChange(trx, before ? 'activity.change' : 'activity.add', activity, caller);
    return activity;
  });
}

/**
 * Deletes the card; the sweep removes its cover.
 * @throws ACTIVITY_NOT_FOUND
 */
export async function deleteActivity(db: Db, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockActivity(trx);
    const activity = await readManagedActivity(trx);
    if (!activity) throw appError('ACTIVITY_NOT_FOUND');
    await deleteActivityRow(trx);
    await recordActivityChange(trx, 'activity.delete', activity, caller);
  });
}

async function recordActivityChange(
  db: Db,
  action: string,
  { cover, ...facts }: ManagedActivity,
  caller: Caller,
): Promise<void> {
  await recordChange(db, caller, {
    action,
    targetKind: 'activity',
    targetId: ACTIVITY_ID,
    targetName: '',
    detail: { ...facts, cover: cover?.key ?? null },
  });
}
