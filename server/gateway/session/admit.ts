import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../../shared/route.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { noteRefresh, noteSession } from '../log/record.ts';
import type { Session } from './session.ts';
import type { SessionState, Sessions } from './sessions.ts';

type SignedIn = Extract<SessionState, { kind: 'signed-in' }>;

export type Admitted = Exclude<SessionState, { kind: 'ended' }>;

/**
 * Who asks, with an access token that is still good. A refused visit takes its useless cookies with it.
 * @throws AppError `absent` where a session is needed, SESSION_ENDED for one that is over, 502 when it cannot be
 * refreshed
 */
export async function admit(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  /** What is said where there is no session. */
  absent: 'UNAUTHENTICATED' | 'NO_LOCAL_SESSION' = 'UNAUTHENTICATED',
): Promise<Admitted> {
  const { cookies } = request;
  const visit = await sessions.open(cookies);
  if (visit.kind === 'signed-in') {
    noteSession(request, visit.session);
    return withSession(sessions, request, reply, visit, sessions.fresh);
  }
  if (visit.kind === 'anonymous' && access === 'all') return visit;
  setCookies(reply, sessions.cookies(visit, cookies, { slide: false }));
  throw appError(visit.kind === 'ended' ? 'SESSION_ENDED' : absent);
}

/** The visit with what `change` makes of its session; when that ends it, the cookies go with the refusal. */
export async function withSession(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: SignedIn,
  change: (session: Session) => Promise<Session>,
): Promise<SignedIn> {
  try {
    return { ...visit, session: await noteRefresh(request, visit.session, change) };
  } catch (error) {
    if (isAppError(error) && error.code === 'SESSION_ENDED') {
      setCookies(reply, sessions.clear(request.cookies));
    }
    throw error;
  }
}
