import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access } from '../../../shared/route.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { recordOf } from '../log.ts';
import { updateSession } from './current.ts';
import type { Change } from './refresh.ts';
import { createRoles, type Roles } from './roles.ts';
import type { CookieMode, Session } from './session.ts';
import { createSessions, type SessionState, type Sessions, tokensOf } from './sessions.ts';

type Authenticate = {
  /** What is said where there is no session. */
  absent?: 'UNAUTHENTICATED' | 'NO_LOCAL_SESSION';
  cookies?: CookieMode;
};

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions;
    roles: Roles;
  }
  interface FastifyRequest {
    /** The session in its newest copy; null until one of the calls below has found one. */
    readonly session: Session | null;
    /** What those calls have found out; null before. */
    sessionState: SessionState | null;
    sessionCookies: CookieMode;
    /** Reads the session whatever its tokens are worth; null without one. Says of no request that it must have one. */
    loadSession(cookies?: CookieMode): Promise<Session | null>;
    /**
     * The session with an access token that is still good; null where `access` is `all` and there is none.
     * @throws AppError UNAUTHENTICATED or `absent`, SESSION_ENDED for one that is over, 502 when it cannot be refreshed
     */
    authenticate(access: Access, options?: Authenticate): Promise<Session | null>;
    /** The session with another access token, after an upstream has refused this one. @throws as `authenticate` */
    renewSession(): Promise<Session>;
    /** Tokens of this browser's session, whatever its state, none of which may leave the gateway. */
    sessionTokens(): Promise<readonly string[]>;
  }
  interface FastifyReply {
    /** Begins a session in this browser. @throws AppError UPSTREAM_INVALID for one that is too large */
    setSession(session: Session): Promise<void>;
    /** Deletes the session's cookies; the session itself is ended by `app.sessions.end`. */
    clearSession(): void;
  }
}

/**
 * Sessions in encrypted cookies (design section 4). Nothing is read until somebody asks; whoever has asked gets the
 * cookies of what has become of the session with the reply, which is then stored nowhere.
 */
export const session = fp(
  async (app: FastifyInstance) => {
    const sessions = createSessions(app);
    app.decorate('sessions', sessions);
    app.decorate('roles', createRoles(app));
    app.decorateRequest('sessionState', null);
    app.decorateRequest('session', {
      getter(this: FastifyRequest) {
        return this.sessionState?.kind === 'signed-in' ? this.sessionState.session : null;
      },
    });
    app.decorateRequest('sessionCookies', 'none');

    app.decorateRequest('loadSession', async function load(this: FastifyRequest, cookies = 'keep') {
      this.sessionState = await sessions.open(this.cookies);
      this.sessionCookies = cookies;
      if (this.session) recordOf(this).session = this.session;
      return this.session;
    });
    app.decorateRequest(
      'authenticate',
      async function authenticate(this: FastifyRequest, access, options = {}) {
        const found = await this.loadSession(options.cookies ?? 'slide');
        if (found) return change(this, found, sessions.fresh);
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
 * Adds the cookies of what has become of the session. Asked for when the head is written: a session that has been ended in
 * the meantime is not set again.
 */
function writeSessionCookies(request: FastifyRequest, reply: FastifyReply): void {
  const { cookies, server, sessionState: state, sessionCookies: mode } = request;
  if (!state || (mode === 'none' && reply.statusCode < 400)) return;
  const lines = server.sessions.cookies(state, cookies, { slide: mode === 'slide' });
  setCookies(reply, lines);
  if (lines.length > 0) reply.header('cache-control', 'no-store');
}

/** Sets the request's session to what `work` makes of it; when that ends it, the cookies go with the refusal. */
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
