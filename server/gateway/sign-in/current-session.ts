import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { SessionView } from '../../../shared/entities/user.ts';
import { isAppError } from '../../http/errors.ts';
import { noteRefresh, noteSession } from '../request-record.ts';
import type { RoleOf } from '../session/roles.ts';
import { ANONYMOUS, type Session, sessionView } from '../session/session.ts';
import type { Sessions, Visit } from '../session/sessions.ts';

/** A visit for telling a page who is there: it may fail to get a fresh token without failing itself. */
export type Current = { visit: Visit; hasFreshToken: boolean };

/** How long a page waits for a fresh token; the refresh goes on without it. */
const PATIENCE = 2000;

export async function currentVisit(sessions: Sessions, request: FastifyRequest): Promise<Current> {
  const visit = await sessions.open(request.cookies);
  if (visit.kind !== 'signed-in') return { visit, hasFreshToken: false };
  noteSession(request, visit.session);
  try {
    const session = await withinPatience(noteRefresh(request, visit.session, sessions.fresh));
    return session ? { visit: { ...visit, session }, hasFreshToken: true } : { visit, hasFreshToken: false };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code === 'SESSION_ENDED'
      ? { visit: { kind: 'ended' }, hasFreshToken: false }
      : { visit, hasFreshToken: false };
  }
}

async function withinPatience(fresh: Promise<Session>): Promise<Session | undefined> {
  const timer = new AbortController();
  const late = delay(PATIENCE, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([fresh, late]);
  } finally {
    timer.abort();
  }
}

/** What a page may know of a visit. */
export async function viewOf(
  { visit, hasFreshToken }: Current,
  sessions: Pick<Sessions, 'limits'>,
  roleOf: RoleOf,
): Promise<SessionView> {
  if (visit.kind !== 'signed-in') return ANONYMOUS;
  const role = hasFreshToken ? await roleOf(visit.session) : null;
  return sessionView(visit.session, role, sessions.limits);
}
