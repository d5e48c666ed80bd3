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
import { type CookieMode, type Session, type SessionState, sessionView, signedInSession } from './session.ts';
import { createSessions, type Sessions } from './sessions.ts';

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
    /** What the cookies say, and then what became of it; null in the hooks before this plugin's. No authentication. */
    sessionState: SessionState | null;
    /** The newest copy of the session, whose access token is valid; null until `authenticate` has succeeded. */
    session: Session | null;
    /** Why a request that has a session is made without it. */
    sessionFailure: AppError | null;
    /** Null until the request asks for its session: until then the reply changes no session cookie. */
    sessionCookies: CookieMode | null;
    /** Whether the reply marks the browser as running. */
    startsAnew: boolean;
    /**
     * Looks the session up without checking its tokens; null if there is none.
     * @throws AppError SERVICE_UNAVAILABLE for a session in Redis while Redis is unavailable
     */
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

/** Sessions in encrypted cookies (R 9.5): read by a hook, looked up on demand, and updated by the reply. */
export const session = fp(
  async (app: FastifyInstance) => {
    const sessions = createSessions(app);
    app.decorate('sessions', sessions);
    app.decorate('roles', createRoles(app));
    app.decorateRequest('sessionState', null);
    app.decorateRequest('session', null);
    app.decorateRequest('sessionFailure', null);
    app.decorateRequest('sessionCookies', null);
    app.decorateRequest('startsAnew', false);
    app.addHook('onRequest', (request, _reply, done) => {
      request.sessionState = sessions.read(request.cookies);
      done();
    });

    app.decorateRequest('loadSession', async function load(this: FastifyRequest, cookies = 'keep') {
      this.sessionState = await sessions.check(stateOf(this), this.cookies);
      this.sessionCookies = cookies;
      return signedInSession(this.sessionState);
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
      return sessions.tokens(stateOf(this), this.cookies);
    });

    app.decorateReply('setSession', async function set(this: FastifyReply, begun) {
      const { request } = this;
      setCookies(this, await sessions.begin(begun, request.cookies));
      request.sessionState = { kind: 'signed-in', fromCookie: begun, session: begun };
      request.session = null;
      request.sessionCookies = null;
    });
    app.decorateReply('clearSession', function clear(this: FastifyReply) {
      markEnded(this.request);
      this.request.sessionCookies = 'keep';
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
  request.session = null;
  return null;
}

/** Called when the response head is written, so that a session that was ended in the meantime is not set again. */
function writeSessionCookies(request: FastifyRequest, reply: FastifyReply): void {
  const { cookies, server, sessionState: state, sessionCookies: mode, startsAnew } = request;
  if (!state || !mode || (mode === 'none' && reply.statusCode < 400)) return;
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
    if (isOver) markEnded(request);
    throw error;
  }
}

/** The state of a request after this plugin's hook. */
function stateOf({ sessionState }: FastifyRequest): SessionState {
  if (!sessionState) throw new Error('the session has not been read');
  return sessionState;
}

function markEnded(request: FastifyRequest): void {
  const state = stateOf(request);
  if ('fromCookie' in state) request.sessionState = { ...state, kind: 'ended' };
  request.session = null;
}

/** `session`: null if there is none, or if it was not found in time. */
type FoundSession = { session: Session | null; hasFreshToken: boolean };

/**
 * Finds the session of a page request. A failed refresh does not fail the page, and a slow one continues in the background.
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

/** Replaces the request's session by a newer copy with a valid token. */
export function updateSession(request: FastifyRequest, session: Session): void {
  const { sessionState: state } = request;
  if (state?.kind !== 'signed-in') return;
  request.sessionState = { ...state, session };
  request.session = session;
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
