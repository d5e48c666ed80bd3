import type { FastifyInstance } from 'fastify';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { managedVerificationRoutes as Routes } from '../../../../shared/routes/verification.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { settleMark } from '../../catalogue/verification/store.ts';
import { endOf } from '../../catalogue/verification/verification.ts';
import { cutPage, decodeCursor, IdPlace } from '../../pages.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { insertNotices } from '../../people/notices/store.ts';
import { readNickName } from '../../people/users.ts';
import { requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { lockPerson, readVerified, writeDecision } from './store.ts';

/** @throws BAD_CURSOR */
async function listVerified(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<(typeof Routes)['listVerified']>,
): Promise<DataOf<(typeof Routes)['listVerified']>> {
  const list = ['verified publishers'];
  const [after] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const found = await readVerified(db, { after, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  return {
    next_cursor,
    publisher_list: rows.map(({ publisher, since, reason, failing_since }) => ({
      publisher,
      since: since.toISOString(),
      reason,
      ends_at: endOf(failing_since),
    })),
  };
}

/**
 * Verifies a publisher, or takes their mark away. The decision counts more than a proved domain, until the next one.
 * @throws PUBLISHER_NOT_FOUND for who has never been here or is gone, VALIDATION_FAILED
 */
async function decideVerification(
  db: Db,
  { user_id: userId, is_verified: isVerified, reason: text }: BodyOf<(typeof Routes)['decideVerification']>,
  { caller, at }: { caller: Caller; at: Date },
): Promise<void> {
  const reason = requiredText(text, '/reason');
  await db.transaction().execute(async (trx) => {
    if (!(await lockPerson(trx, userId))) throw appError('PUBLISHER_NOT_FOUND');
    await writeDecision(trx, userId, {
      is_verified: isVerified,
      reason,
      decided_by: caller.user_id,
      decided_at: at,
    });
    await settleMark(trx, userId);
    await recordChange(trx, caller, {
      action: isVerified ? 'publisher.verify' : 'publisher.unverify',
      targetKind: 'publisher',
      targetId: userId,
      targetName: await readNickName(trx, userId),
      detail: { reason },
    });
    const kind = isVerified ? 'verification_given' : 'verification_taken';
    await insertNotices(trx, [{ userId, kind, data: { reason } }], at);
  });
}

/** Publishers who are verified, and what administrators decide about it. */
export function verifiedRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.listVerified, ({ query }) => listVerified(db, query));
  implement(app, contract.decideVerification, async ({ body, request }) => {
    await decideVerification(db, body, { caller: callerOf(request), at: new Date(now()) });
    return {};
  });
}
