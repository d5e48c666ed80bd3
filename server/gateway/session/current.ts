import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SessionView } from '../../../shared/entities/user.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import { type CookieMode, type Session, sessionView } from './session.ts';

/** Milliseconds that a page waits for a fresh token; the refresh goes on without it. */
const TIMEOUT_MS = 2000;

/**
 * Finds the session for telling a page who is there, which may fail to get a fresh token without failing itself. True
 * when its token is fresh.
 */
export async function findSession(request: FastifyRequest, cookies: CookieMode): Promise<boolean> {
  const found = request.authenticate('all', { cookies });
  const timer = new AbortController();
  const late = delay(TIMEOUT_MS, null, { signal: timer.signal }).catch(() => null);
  try {
    return (await Promise.race([found, late])) !== null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return false;
  } finally {
    timer.abort();
  }
}

/** What a page may know of a session, with its role where its token is fresh. */
export async function sessionViewOf(
  { roles, sessions }: FastifyInstance,
  session: Session | null,
  hasFreshToken = true,
): Promise<SessionView> {
  const role = session && hasFreshToken ? await roles.of(session) : null;
  return sessionView(session, role, sessions.limits);
}

/** The request goes on with a newer copy of its session. */
export function updateSession(request: FastifyRequest, session: Session): void {
  const { sessionState: state } = request;
  if (state?.kind === 'signed-in') request.sessionState = { ...state, session };
}

/** Guard of routes for users: the session is there, with a token that is good. */
export const authenticated: Guard = async (_route, request) => {
  await request.authenticate('user');
};

/**
 * Makes a call in the name of who is signed in, whom a hook has authenticated. When its access token is refused
 * (TOKEN_INVALID), it is renewed once and the call is made once more (requirement 18).
 * @throws AppError UNAUTHENTICATED, SESSION_ENDED, and what the call throws
 */
export async function withUserToken<T>(
  request: FastifyRequest,
  call: (session: Session) => Promise<T>,
): Promise<T> {
  if (!request.session) throw appError('UNAUTHENTICATED');
  try {
    return await call(request.session);
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const renewed = await request.renewSession();
  try {
    return await call(renewed);
  } catch (error) {
    throw isRefusedToken(error) ? appError('UNAUTHENTICATED') : error;
  }
}

function isRefusedToken(error: unknown): boolean {
  return isAppError(error) && error.code === 'TOKEN_INVALID';
}
