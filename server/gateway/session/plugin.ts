import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access } from '../../../shared/route.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import { type AppError, appError, isAppError } from '../../http/errors.ts';
import { authorizeRoutes } from '../../http/implement.ts';
import { isInTool } from '../csrf.ts';
import { recordOf } from '../log.ts';
import { isOpenInTool } from './in-tool.ts';
import type { Change } from './refresh.ts';
import { createRoles, type Roles } from './roles.ts';
import { type CookieMode, type Session, type SessionState, signedInSession } from './session.ts';
import { createSessions, type Sessions } from './sessions.ts';

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
    /** A page inside a design tool makes this call: it has a session of its own, which can do what the Client API can. */
    isInTool: boolean;
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
     * A page inside a design tool is a visitor, unless the call is open to it.
     * @throws AppError UNAUTHENTICATED or `absent`, SESSION_ENDED for an ended session, 502 if the refresh fails; NOT_IN_TOOL
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
    app.decorateRequest('isInTool', false);
    app.decorateRequest('session', null);
    app.decorateRequest('sessionFailure', null);
    app.decorateRequest('sessionCookies', null);
    app.decorateRequest('startsAnew', false);
    app.addHook('onRequest', (request, _reply, done) => {
      request.isInTool = isInTool(request);
      request.sessionState = sessions.read(request.cookies, request.isInTool ? 'tool' : 'site');
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
        if (this.isInTool && !isOpenInTool(this.contractRoute)) {
          if (access === 'all') return null;
          throw appError('NOT_IN_TOOL');
        }
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
 * Authenticates the calls that the gateway answers itself; the proxy does that for the others, whose bearer it needs. After
 * rate limits and cache.
 */
export const access = fp(
  async (app: FastifyInstance) => {
    authorizeRoutes(app, async (route, request) => {
      if (route.service !== 'gateway' || route.access === 'all') return;
      // Without a session the user info has an answer of its own (R 8.9).
      const isUserInfo = route === authRoutes.readUserInfo;
      await request.authenticate(route.access, isUserInfo ? { absent: 'NO_LOCAL_SESSION' } : {});
    });
  },
  { name: 'access', dependencies: ['session'] },
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
    const hasEnded = isAppError(error) && error.code === 'SESSION_ENDED';
    recordOf(request).refresh = hasEnded ? 'refused' : 'failed';
    if (hasEnded) markEnded(request);
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

/** Replaces the request's session by a newer copy with a valid token. */
export function updateSession(request: FastifyRequest, session: Session): void {
  const { sessionState: state } = request;
  if (state?.kind !== 'signed-in') return;
  request.sessionState = { ...state, session };
  request.session = session;
}
