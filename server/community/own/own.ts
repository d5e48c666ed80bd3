import { PAGE_SIZE } from '../../../shared/constants.ts';
import type { AuditItem, EditablePlugin } from '../../../shared/entities/review.ts';
import type { Language } from '../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { ownRoutes } from '../../../shared/routes/own.ts';
import { toldTotal } from '../../../shared/told-total.ts';
import { appError } from '../../http/errors.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import { lockPlugin } from '../manage/store.ts';
import { rememberPerson } from '../people/store.ts';
import { toTag } from '../plugins/cards/cards.ts';
import { decodeCursor, encodeCursor, LatestPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { toAuditItem } from '../submissions/items.ts';
import { resolveListings } from '../submissions/listings.ts';
import { readSubmissionRows } from '../submissions/store.ts';
import { writeTrail } from '../trail/store.ts';
import { greatestVersion } from '../versions/greatest.ts';
import { findEditablePlugin } from './access.ts';
import {
  countOwn,
  markDeleted,
  readEditableRow,
  readHiddenTags,
  readOwnRows,
  readVersionNumbers,
} from './store.ts';

type OwnQuery = QueryOf<(typeof ownRoutes)['listOwnPlugins']>;
type OwnPage = DataOf<(typeof ownRoutes)['listOwnPlugins']>;
type Reader = { caller: Caller; language: Language; now: number };

/**
 * A page of the caller's own plugins, each as it was handed in last.
 * @throws BAD_CURSOR
 */
export async function listOwnPlugins(
  db: Db,
  { cursor, limit = PAGE_SIZE }: OwnQuery,
  { caller, language, now }: Reader,
): Promise<OwnPage> {
  const userId = caller.user_id;
  const list = ['own', userId];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [total, found] = await Promise.all([
    countOwn(db, userId),
    readOwnRows(db, { userId, after, limit: limit + 1 }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const submissionIds = rows.map((row) => row.submission_id);
  const submissions = await readSubmissionRows(db, submissionIds, userId);
  return {
    ...toldTotal(total),
    next_cursor: last ? encodeCursor([last.sort_key, last.plugin_id], list) : null,
    plugin_list: submissions.map((row): AuditItem => toAuditItem(row, language, now)),
  };
}

/**
 * A plugin as its publisher edits it, for him and for administrators.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
export async function readEditablePlugin(
  db: Db,
  pluginKey: string,
  { caller, language }: Omit<Reader, 'now'>,
): Promise<EditablePlugin> {
  const { id } = await findEditablePlugin(db, pluginKey, caller);
  const [row, versions] = await Promise.all([readEditableRow(db, id), readVersionNumbers(db, id)]);
  if (!row) throw appError('PLUGIN_NOT_FOUND');
  const [listing] = await resolveListings(db, [row.listing]);
  if (!listing) throw appError('PLUGIN_NOT_FOUND');
  const hidden = await readHiddenTags(db, listing.tags);
  return {
    ...row,
    plugin_key: pluginKey,
    listing,
    hidden_tags: hidden.map((tag) => toTag(tag, language)),
    last_version: greatestVersion(versions) ?? row.version,
  };
}

/**
 * Deletes a plugin: at once it is nowhere to be found, and what waits for review is withdrawn. Who has installed it
 * keeps it until he uninstalls it. What an administrator deletes is in the audit trail.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
export async function deletePlugin(db: Db, pluginKey: string, caller: Caller, now: number): Promise<void> {
  const { id } = await findEditablePlugin(db, pluginKey, caller);
  await db.transaction().execute(async (trx) => {
    const plugin = await lockPlugin(trx, pluginKey);
    const isDone = await markDeleted(trx, id, new Date(now));
    if (!plugin || !isDone) throw appError('PLUGIN_NOT_FOUND');
    if (!isAdmin(caller)) return;
    await rememberPerson(trx, caller);
    await writeTrail(trx, {
      actorId: caller.user_id,
      action: 'plugin.delete',
      targetKind: 'plugin',
      targetId: pluginKey,
      targetName: plugin.name,
    });
  });
}
