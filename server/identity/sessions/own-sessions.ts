import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type EndedSession, type OwnSession, ownSessionRoutes } from '../../../shared/routes/own-session.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import type { SignInMethod } from '../federation/method.ts';
import { sendBackchannelLogout } from './backchannel-logout.ts';
import { type Caller, callerOf, userGuard } from './caller.ts';
import { readSessionsOf, revokeOtherSessions, revokeSessionOf, type Session } from './store.ts';

export const LISTED = 100;

/** Where a user is signed in, and signing out there. */
export function serveOwnSessions(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, ownSessionRoutes.listOwnSessions, ({ request }) =>
    listOwnSessions(identity, callerOf(request)),
  );
  implement(app, guard, ownSessionRoutes.endOwnSession, ({ body, request }) =>
    endOwnSession(identity, callerOf(request), { sid: body.sid, log: request.log }),
  );
  implement(app, guard, ownSessionRoutes.endOtherSessions, ({ request }) =>
    endOtherSessions(identity, callerOf(request), request.log),
  );
}

/** Where a user is signed in, last active first. */
async function listOwnSessions(
  { db, now, methods }: IdentityContext,
  { user, session: current }: Caller,
): Promise<{ session_list: OwnSession[] }> {
  const rows = await readSessionsOf(db, user.user_id, { at: new Date(now()), limit: LISTED });
  return {
    session_list: rows.map((row) => ({ ...toSession(row, methods), is_current: row.sid === current.sid })),
  };
}

/**
 * Ends a session of the caller, and has the gateway end it at once.
 * @throws NOT_FOUND for one that has ended or is somebody else's
 */
async function endOwnSession(
  identity: IdentityContext,
  { user: { user_id } }: Caller,
  { sid, log }: { sid: string; log: FastifyBaseLogger },
): Promise<Record<string, never>> {
  const at = new Date(identity.now());
  if (!(await revokeSessionOf(identity.db, { userId: user_id, sid, at }))) throw appError('NOT_FOUND');
  log.info({ user_id, sid, action: 'session.end' }, 'account changed');
  await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
  return {};
}

/** Ends all sessions of the caller but their present one. */
async function endOtherSessions(
  identity: IdentityContext,
  { user: { user_id }, session }: Caller,
  log: FastifyBaseLogger,
): Promise<{ ended: number }> {
  const at = new Date(identity.now());
  const sids = await identity.db
    .transaction()
    .execute((db) => revokeOtherSessions(db, user_id, session.sid, at));
  log.info({ user_id, ended: sids.length, action: 'session.end_others' }, 'account changed');
  await sendBackchannelLogout(identity, { userId: user_id, sids }, log);
  return { ended: sids.length };
}

/** A session as its user may see it. */
export function toSession(row: Session, methods: readonly SignInMethod[]): EndedSession {
  return {
    sid: row.sid,
    browser: row.browser,
    system: row.system,
    login_method: row.login_method,
    login_label: methods.find(({ source }) => source === row.source)?.label ?? null,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at.toISOString(),
  };
}
