import type { FastifyInstance } from 'fastify';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { managedPublisherRoutes, publisherRoutes } from '../../../../shared/routes/publisher.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { findPublisher } from '../../catalogue/publishers/store.ts';
import { cutPage, decodeCursor, IdPlace } from '../../pages.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { insertNotices, tellReporters } from '../../people/notices/store.ts';
import { readNickName, upsertUser } from '../../people/users.ts';
import { refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  dismissOpenReport,
  insertProfileReport,
  readOpenReports,
  setProfileHidden,
  upholdOpenReports,
} from './store.ts';

type Routes = typeof publisherRoutes & typeof managedPublisherRoutes;
type Deciding = { caller: Caller; at: Date };

/**
 * Reports what a publisher says about themselves. A user has at most one open report of a publisher.
 * @throws PUBLISHER_NOT_FOUND, VALIDATION_FAILED
 */
async function reportPublisher(
  db: Db,
  { handle, kind, reason: text }: BodyOf<Routes['reportPublisher']>,
  { caller, at }: Deciding,
): Promise<void> {
  const reason = requiredText(text, '/reason');
  const publisher = await findPublisher(db, handle);
  if (!publisher) throw appError('PUBLISHER_NOT_FOUND');
  await db.transaction().execute(async (trx) => {
    await upsertUser(trx, caller);
    await insertProfileReport(trx, {
      publisher_id: publisher.user_id,
      user_id: caller.user_id,
      kind,
      reason,
      created_at: at,
    });
  });
}

/** @throws BAD_CURSOR */
async function listReports(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listPublisherReports']>,
): Promise<DataOf<Routes['listPublisherReports']>> {
  const list = ['publisher reports'];
  const [after] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const found = await readOpenReports(db, { after, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  return {
    next_cursor,
    report_list: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
  };
}

/** @throws NOT_FOUND, ALREADY_DECIDED */
async function dismissReport(db: Db, id: number, { caller, at }: Deciding): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const decided = await dismissOpenReport(trx, id, { by: caller.user_id, at });
    const { publisher_id: publisherId, user_id: userId } = decided;
    await recordChange(trx, caller, {
      action: 'publisher.dismiss',
      targetKind: 'publisher',
      targetId: publisherId,
      targetName: await readNickName(trx, publisherId),
    });
    const decision = { reported: 'publisher' as const, isUpheld: false };
    await tellReporters(trx, [userId], decision, { actorId: caller.user_id, at });
  });
}

/**
 * Hides what a publisher says about themselves, which upholds the reports of it, or shows it again; a repeated call changes
 * nothing.
 * @throws PUBLISHER_NOT_FOUND for who has written nothing, VALIDATION_FAILED
 */
async function hideProfile(
  db: Db,
  { user_id: userId, is_hidden: isHidden, reason: text = '' }: BodyOf<Routes['hideProfile']>,
  { caller, at }: Deciding,
): Promise<void> {
  if (!isHidden && text !== '') throw refusedAt('/reason', 'goes with is_hidden true');
  const reason = isHidden ? requiredText(text, '/reason') : null;
  await db.transaction().execute(async (trx) => {
    const outcome = await setProfileHidden(trx, userId, reason, at);
    if (outcome === 'missing') throw appError('PUBLISHER_NOT_FOUND');
    if (isHidden) {
      const reporters = await upholdOpenReports(trx, userId, { by: caller.user_id, at });
      const decision = { reported: 'publisher' as const, isUpheld: true };
      await tellReporters(trx, reporters, decision, { actorId: caller.user_id, at });
    }
    if (outcome === 'same') return;
    await recordChange(trx, caller, {
      action: isHidden ? 'publisher.hide' : 'publisher.show',
      targetKind: 'publisher',
      targetId: userId,
      targetName: await readNickName(trx, userId),
      ...(reason !== null && { detail: { reason } }),
    });
    if (reason !== null) await insertNotices(trx, [{ userId, kind: 'profile_hidden', data: { reason } }], at);
  });
}

/** Reports of what publishers say about themselves, and what administrators do about it. */
export function profilesRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const at = (): Date => new Date(now());
  implement(app, contract.reportPublisher, async ({ body, request }) => {
    await reportPublisher(db, body, { caller: callerOf(request), at: at() });
    return {};
  });
  implement(app, contract.listPublisherReports, ({ query }) => listReports(db, query));
  implement(app, contract.dismissPublisherReport, async ({ body, request }) => {
    await dismissReport(db, body.id, { caller: callerOf(request), at: at() });
    return {};
  });
  implement(app, contract.hideProfile, async ({ body, request }) => {
    await hideProfile(db, body, { caller: callerOf(request), at: at() });
    return {};
  });
}
