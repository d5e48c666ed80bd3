import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REFRESH_ADVANCE, ROLE_USER } from '../../../shared/constants.ts';
import type { Role, SessionView } from '../../../shared/entities/user.ts';
import { isAppError } from '../../http/errors.ts';
import { type CookieMode, endsAt, type Session, signedInSession } from './session.ts';

/** While a token cannot be refreshed. */
const REFRESH_RETRY_MS = 30_000;
const SHORTEST_REFRESH_MS = 1000;

/** `session`: null if there is none, or if it was not found in time. */
type FoundSession = { session: Session | null; hasFreshToken: boolean };

/**
 * Finds the session that a page shows. A failed refresh does not fail the page, and a slow one continues in the background.
 * `starts`: a document, with which the application starts.
 */
export async function findSession(
  request: FastifyRequest,
  cookies: CookieMode,
  { starts = false } = {},
): Promise<FoundSession> {
  const hasFreshToken = await authenticateInTime(request, cookies, starts);
  return { session: signedInSession(request.sessionState), hasFreshToken };
}

async function authenticateInTime(
  request: FastifyRequest,
  cookies: CookieMode,
  starts: boolean,
): Promise<boolean> {
  const found = request.authenticate('all', { cookies, starts });
  const timer = new AbortController();
  const late = delay(request.server.gateway.timeouts.page, null, { signal: timer.signal }).catch(() => null);
  try {
    return (await Promise.race([found, late])) !== null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return false;
  } finally {
    timer.abort();
  }
}

/** The session as shown to a page: without tokens, and with the role if the token is fresh. */
export async function sessionViewOf(
  { gateway, roles, sessions }: FastifyInstance,
  session: Session | null,
  hasFreshToken = true,
): Promise<SessionView> {
  // Nothing of the backstage is there for pages inside a design tool.
  const roleIn = async (shown: Session): Promise<Role | null> =>
    shown.in_tool ? ROLE_USER : hasFreshToken ? roles.of(shown) : null;
  if (!session) return { signed_in: false, user: null, role: null, login_method: null, expires_at: null };
  return {
    signed_in: true,
    user: session.user,
    role: await roleIn(session),
    login_method: session.login_method,
    expires_at: endsAt(session, sessions.limits),
    refresh_in: refreshIn(session, gateway.now(), hasFreshToken),
  };
}

/** Milliseconds after which a page that stays open asks again, so that the next click has a fresh token. */
function refreshIn({ access_expires }: Session, now: number, hasFreshToken: boolean): number | null {
  if (!hasFreshToken) return REFRESH_RETRY_MS;
  return access_expires && Math.max(access_expires - REFRESH_ADVANCE - now, SHORTEST_REFRESH_MS);
}
