import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { collectionRoutes } from '../../../../shared/routes/collection.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { tellReporters } from '../../people/notices/store.ts';
import { canReadCollection } from '../../people/policy.ts';
import { requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { ownerOf, toSummary } from './collections.ts';
import {
  insertCollectionReport,
  lockCollection,
  type ReportedRow,
  readReportedRows,
  setCollectionHidden,
} from './store.ts';

type Routes = typeof collectionRoutes;
type Changing = { caller: Caller; at: Date };

/** Collections in a list of administrators. */
const LISTED = 100;

/** Reports of collections, and what administrators do about them. */
export function moderationRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.reportCollection, async ({ body, request }) => {
    await reportCollection(db, body, { caller: callerOf(request), at: new Date(now()) });
    return {};
  });
  implement(app, contract.listReportedCollections, async ({ query, request }) => {
    const rows = await readReportedRows(db, query.state, LISTED);
    return { collection_list: rows.map((row) => toReported(row, languageOf(request))) };
  });
  implement(app, contract.hideCollection, async ({ body, request }) => {
    await hideCollection(db, body, { caller: callerOf(request), at: new Date(now()) });
    return {};
  });
}

/** @throws COLLECTION_NOT_FOUND, also for one of the editors or one that the caller may not see; VALIDATION_FAILED */
async function reportCollection(
  db: Db,
  { collection_key: key, kind, reason }: BodyOf<Routes['reportCollection']>,
  { caller, at }: Changing,
): Promise<void> {
  const text = requiredText(reason, '/reason');
  await db.transaction().execute(async (trx) => {
    const found = await lockCollection(trx, key);
    if (!found || found.user_id === null || !canReadCollection(caller, found))
      throw appError('COLLECTION_NOT_FOUND');
    await insertCollectionReport(trx, {
      collectionId: found.id,
      userId: caller.user_id,
      kind,
      reason: text,
      at,
    });
  });
}

/**
 * Hides a collection or shows it again, which decides its open reports; in the audit log with its title, which may change.
 * @throws COLLECTION_NOT_FOUND, also for a private one and one of the editors
 */
async function hideCollection(
  db: Db,
  { collection_key: key, is_hidden: isHidden }: BodyOf<Routes['hideCollection']>,
  { caller, at }: Changing,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await lockCollection(trx, key);
    const isPrivate = found?.access === 'private' && !found.is_hidden;
    if (!found || found.user_id === null || isPrivate) throw appError('COLLECTION_NOT_FOUND');
    const adminId = caller.user_id;
    const reporters = await setCollectionHidden(trx, { id: found.id, isHidden, adminId, at });
    await recordChange(trx, caller, {
      action: isHidden ? 'collection.hide' : 'collection.show',
      targetKind: 'collection',
      targetId: key,
      targetName: found.title,
    });
    const decision = { reported: 'collection' as const, isUpheld: isHidden };
    await tellReporters(trx, reporters, decision, { actorId: adminId, at });
  });
}

function toReported({ report_list, ...row }: ReportedRow, language: Parameters<typeof toSummary>[1]) {
  return {
    ...toSummary(row, language),
    owner: ownerOf(row),
    report_list: report_list.map(({ created_at, ...report }) => ({
      ...report,
      created_at: new Date(created_at).toISOString(),
    })),
  };
}
