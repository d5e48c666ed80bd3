import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { REFRESH_ADVANCE } from '../../../shared/constants.ts';
import type { SessionView } from '../../../shared/entities/user.ts';
import type { Access } from '../../../shared/route.ts';
import { setCookies } from '../../http/cookies.ts';
import { type AppError, appError, isAppError } from '../../http/errors.ts';
import { recordOf } from '../log.ts';
import type { Change } from './refresh.ts';
import { createRoles, type Roles } from './roles.ts';
import { type CookieMode, type Session, sessionView } from './session.ts';
import { createSessions, type SessionState, type Sessions, tokensOf } from './sessions.ts';

/** While a token cannot be refreshed. */
const REFRESH_RETRY_MS = 30_000;
const SHORTEST_REFRESH_MS = 1000;

type Authenticate = {
  /** Error code when there is no session. */
  absent?: 'UNAUTHENTICATED' | 'NO_LOCAL_SESSION';
  cookies?: CookieMode;
  /** A read that visitors get as well: they are what it is made for while the tokens cannot be refreshed (R 9.33). */
  orAnonymous?: boolean;
  /** The application starts: the session is validated if this browser has not done so since it was started (R 8.9). */
  starts?: boolean;
};

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions;
    roles: Roles;
  }
  interface FastifyRequest {
    /** The newest copy of the session; null until `loadSession` or `authenticate` has found one. */
    readonly session: Session | null;
    /** Why a request that has a session is made without it. */
    sessionFailure: AppError | null;
    /** The result of `loadSession` and `authenticate`; null before. */
    sessionState: SessionState | null;
    sessionCookies: CookieMode;
    /** Whether the reply marks the browser as running. */
    startsAnew: boolean;
    /** Reads the session without checking its tokens; null if there is none. */
    loadSession(cookies?: CookieMode): Promise<Session | null>;
    /**
     * The session with a valid access token; null if `access` is `all` and there is no session.
     * @throws AppError UNAUTHENTICATED or `absent`, SESSION_ENDED for an ended session, 502 if the refresh fails
     */
    authenticate(access: Access, options?: Authenticate): Promise<Session | null>;
    /** The session with a new access token, after an upstream rejected the current one. @throws as `authenticate` */
    renewSession(): Promise<Session>;
    /** Tokens of this browser's session in any state; they must not leave the gateway. */
    sessionTokens(): Promise<readonly string[]>;
  }
  interface FastifyReply {
    /** Starts a session in this browser. @throws AppError UPSTREAM_INVALID if it is too large */
    setSession(session: Session): Promise<void>;
    /** Deletes the session cookies; `app.sessions.end` ends the session itself. */
    clearSession(): void;
  }
}

/** Sessions in encrypted cookies (R 9.5), read on demand and updated by the reply. */
export const session = fp(
  async (app: FastifyInstance) => {
    const sessions = createSessions(app);
    app.decorate('sessions', sessions);
    app.decorate('roles', createRoles(app));
    app.decorateRequest('sessionState', null);
    app.decorateRequest('sessionFailure', null);
    app.decorateRequest('session', {
      getter(this: FastifyRequest) {
        if (this.sessionFailure) return null;
        return this.sessionState?.kind === 'signed-in' ? this.sessionState.session : null;
      },
    });
    app.decorateRequest('sessionCookies', 'none');
    app.decorateRequest('startsAnew', false);

    app.decorateRequest('loadSession', async function load(this: FastifyRequest, cookies = 'keep') {
      this.sessionState = await sessions.open(this.cookies);
      this.sessionCookies = cookies;
      if (this.session) recordOf(this).session = this.session;
      return this.session;
    });
    app.decorateRequest(
      'authenticate',
      async function authenticate(this: FastifyRequest, access, options = {}) {
        try {
          const found = await this.loadSession(options.cookies ?? 'slide');
          const failure = options.orAnonymous && found ? sessions.failure(found) : undefined;
          if (failure) throw failure;
          const anew = options.starts === true && !sessions.isRunning(this.cookies);
          this.startsAnew = found !== null && anew;
          if (found) return await change(this, found, (session) => sessions.fresh(session, { anew }));
        } catch (error) {
          if (!options.orAnonymous) throw error;
          return withoutSession(this, error);
        }
        const isEnded = this.sessionState?.kind === 'ended';
        if (!isEnded && access === 'all') return null;
        throw appError(isEnded ? 'SESSION_ENDED' : (options.absent ?? 'UNAUTHENTICATED'));
      },
    );
    app.decorateRequest('renewSession', async function renew(this: FastifyRequest) {
      if (!this.session) throw appError('UNAUTHENTICATED');
      return change(this, this.session, sessions.renew);
    });
    app.decorateRequest('sessionTokens', async function tokens(this: FastifyRequest) {
      const own = this.session ? tokensOf([this.session]) : [];
      return [...new Set([...own, ...(await sessions.tokens(this.cookies))])];
    });

    app.decorateReply('setSession', async function set(this: FastifyReply, begun) {
      const { request } = this;
      setCookies(this, await sessions.begin(begun, request.cookies));
      request.sessionState = null;
      recordOf(request).session = begun;
    });
    app.decorateReply('clearSession', function clear(this: FastifyReply) {
      setCookies(this, sessions.clear(this.request.cookies));
      this.request.sessionState = null;
    });

    app.addHook('onSend', (request, reply, _payload, done) => {
      writeSessionCookies(request, reply);
      done();
    });
  },
  { name: 'session', dependencies: ['cookies', 'gateway', 'metrics', 'provider', 'shared', 'upstreams'] },
);

/**
 * Continues a request without its session, whose tokens cannot be refreshed now.
 * @throws any other error
 */
export function withoutSession(request: FastifyRequest, error: unknown): null {
  if (!isAppError(error) || error.statusCode < 500) throw error;
  request.sessionFailure = error;
  return null;
}

/** Called when the response head is written, so that a session that was ended in the meantime is not set again. */
function writeSessionCookies(request: FastifyRequest, reply: FastifyReply): void {
  const { cookies, server, sessionState: state, sessionCookies: mode, startsAnew } = request;
  if (!state || (mode === 'none' && reply.statusCode < 400)) return;
  const lines = server.sessions.cookies(state, cookies, { slide: mode === 'slide' });
  if (startsAnew && state.kind === 'signed-in') lines.push(server.sessions.markRunning());
  setCookies(reply, lines);
  if (lines.length > 0) reply.header('cache-control', 'no-store');
}

/** Applies a change to the request's session. If the change ends the session, the reply deletes the cookies. */
async function change(request: FastifyRequest, found: Session, work: Change): Promise<Session> {
  try {
    const changed = await work(found);
    if (changed.access_token !== found.access_token) recordOf(request).refresh = 'renewed';
    updateSession(request, changed);
    return changed;
  } catch (error) {
    const isOver = isAppError(error) && error.code === 'SESSION_ENDED';
    recordOf(request).refresh = isOver ? 'refused' : 'failed';
    if (isOver) request.sessionState = { kind: 'ended' };
    throw error;
  }
}

/**
 * Finds the session of a page request. Returns whether its token is fresh; a failed refresh does not fail the page, and a
 * slow one continues in the background. `starts`: a document, with which the application starts.
 */
export async function findSession(
  request: FastifyRequest,
  cookies: CookieMode,
  { starts = false } = {},
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

/** The session as shown to a page, with the role if the token is fresh. */
export async function sessionViewOf(
  { gateway, roles, sessions }: FastifyInstance,
  session: Session | null,
  hasFreshToken = true,
): Promise<SessionView> {
  const role = session && hasFreshToken ? await roles.of(session) : null;
  const view = sessionView(session, role, sessions.limits);
  return session ? { ...view, refresh_in: refreshIn(session, gateway.now(), hasFreshToken) } : view;
}

/** Milliseconds after which a page that stays open asks again, so that the next click has a fresh token. */
function refreshIn({ access_expires }: Session, now: number, hasFreshToken: boolean): number | null {
  if (!hasFreshToken) return REFRESH_RETRY_MS;
  return access_expires && Math.max(access_expires - REFRESH_ADVANCE - now, SHORTEST_REFRESH_MS);
}

/** Replaces the request's session by a newer copy. */
export function updateSession(request: FastifyRequest, session: Session): void {
  const { sessionState: state } = request;
  if (state?.kind === 'signed-in') request.sessionState = { ...state, session };
}

/**
 * Makes a call with the token of the authenticated user. If the token is rejected (TOKEN_INVALID), it is refreshed and
 * the call repeated once (R 9.18).
 * @throws AppError UNAUTHENTICATED, SESSION_ENDED, and the errors of the call
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
