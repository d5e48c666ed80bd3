import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { admit, withSession } from '../session/admit.ts';
import type { Session } from '../session/session.ts';
import type { SignedIn } from '../session/sessions.ts';
import type { AuthParts } from './parts.ts';

/**
 * Makes a call in the name of who is signed in. When its access token is refused (TOKEN_INVALID), it is renewed once and
 * the call is made once more (requirement 18).
 * @throws AppError UNAUTHENTICATED or `absent`, SESSION_ENDED, and what the call throws
 */
export async function asPerson<T>(
  { sessions }: Pick<AuthParts, 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  call: (session: Session) => Promise<T>,
  absent?: 'NO_LOCAL_SESSION',
): Promise<{ visit: SignedIn; answer: T }> {
  const visit = await admit(sessions, request, reply, 'user', absent);
  if (visit.kind !== 'signed-in') throw appError('UNAUTHENTICATED');
  try {
    return { visit, answer: await call(visit.session) };
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const renewed = await withSession(sessions, request, reply, visit, sessions.renew);
  try {
    return { visit: renewed, answer: await call(renewed.session) };
  } catch (error) {
    setCookies(reply, sessions.cookies(renewed, request.cookies, { slide: false }));
    throw isRefusedToken(error) ? appError('UNAUTHENTICATED') : error;
  }
}

function isRefusedToken(error: unknown): boolean {
  return isAppError(error) && error.code === 'TOKEN_INVALID';
}
