import type { FastifyRequest } from 'fastify';
import type { SessionView } from '../../../shared/entities/user.ts';
import { isAppError } from '../../http/errors.ts';
import { noteSession } from '../request-record.ts';
import type { RoleOf } from '../session/roles.ts';
import { ANONYMOUS, sessionView } from '../session/session.ts';
import type { Sessions, Visit } from '../session/sessions.ts';

/** A visit for telling a page who is there: it may fail to get a fresh token without failing itself. */
export type Current = { visit: Visit; hasFreshToken: boolean };

export async function currentVisit(sessions: Sessions, request: FastifyRequest): Promise<Current> {
  const visit = await sessions.open(request.headers.cookie);
  if (visit.kind !== 'signed-in') return { visit, hasFreshToken: false };
  noteSession(request, visit.session);
  try {
    return { visit: { ...visit, session: await sessions.fresh(visit.session) }, hasFreshToken: true };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code === 'SESSION_ENDED'
      ? { visit: { kind: 'ended' }, hasFreshToken: false }
      : { visit, hasFreshToken: false };
  }
}

/** What a page may know of a visit. */
export async function viewOf(
  { visit, hasFreshToken }: Current,
  sessions: Sessions,
  roleOf: RoleOf,
): Promise<SessionView> {
  if (visit.kind !== 'signed-in') return ANONYMOUS;
  const role = hasFreshToken ? await roleOf(visit.session) : null;
  return sessionView(visit.session, role, sessions.limits);
}
