import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { REFRESH_NETWORK_RETRY } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import type { Access } from '../../../shared/route.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { noteRefresh, noteSession } from '../request-record.ts';
import { revokeUpstreamSession } from '../sign-in/begin-session.ts';
import { createSessionCookie } from './cookie.ts';
import { updateSession } from './current.ts';
import { createEndRefused, createRefresh, createRevalidate } from './refresh.ts';
import { createRoles, type RoleOf, rememberRoles } from './roles.ts';
import { endsAt, type Session } from './session.ts';
import { type Change, createSessions, type Sessions, tokensOf, type Visit } from './sessions.ts';
import { createSessionStorage, type SessionStorage } from './storage.ts';

/**
 * What of a session's cookies goes with a reply. `slide`: those of a renewed session, and the request counts as use;
 * `keep`: those of a renewed session alone; `none`: a file that caches may store.
 */
export type CookieMode = 'slide' | 'keep' | 'none';

type Authenticate = {
  /** What is said where there is no session. */
  absent?: 'UNAUTHENTICATED' | 'NO_LOCAL_SESSION';
  cookies?: CookieMode;
};

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions;
    /** `of`: the role that the community service gives a session now; `last`: the one it was last seen with. */
    roles: { of: RoleOf; last: (session: Session) => Role | undefined };
  }
  interface FastifyRequest {
    /** The session in its newest copy; null until one of the calls below has found one. */
    session: Session | null;
    /** What those calls have found out; null before. */
    sessionState: Visit | null;
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
    const { sessions, roles } = createAll(app);
    app.decorate('sessions', sessions);
    app.decorate('roles', roles);
    app.decorateRequest('session', null);
    app.decorateRequest('sessionState', null);
    app.decorateRequest('sessionCookies', 'none');

    app.decorateRequest('loadSession', async function load(this: FastifyRequest, cookies = 'keep') {
      const state = await sessions.open(this.cookies);
      this.sessionState = state;
      this.sessionCookies = cookies;
      this.session = state.kind === 'signed-in' ? state.session : null;
      if (this.session) noteSession(this, this.session);
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
      if (!this.sessionState) await sessions.open(this.cookies).catch(() => undefined);
      return tokensOf([...sessions.copies(this.cookies), ...(this.session ? [this.session] : [])]);
    });

    app.decorateReply('setSession', async function set(this: FastifyReply, begun) {
      const { request } = this;
      setCookies(this, await sessions.begin(begun, request.cookies));
      request.session = begun;
      request.sessionState = null;
      noteSession(request, begun);
    });
    app.decorateReply('clearSession', function clear(this: FastifyReply) {
      setCookies(this, sessions.clear(this.request.cookies));
      this.request.session = null;
      this.request.sessionState = null;
    });

    // Asked for as late as this: a session that has been ended in the meantime is not set again.
    app.addHook('onSend', (request, reply, _payload, done) => {
      const { sessionState: state, sessionCookies: mode } = request;
      if (!state || (state.kind === 'signed-in' && mode === 'none')) return done();
      const lines = sessions.cookies(state, request.cookies, { slide: mode === 'slide' });
      setCookies(reply, lines);
      if (lines.length > 0) reply.header('cache-control', 'no-store');
      done();
    });
  },
  { name: 'session', dependencies: ['cookies', 'gateway', 'metrics', 'provider', 'shared', 'upstreams'] },
);

/** Sets the request's session to what `work` makes of it; when that ends it, the cookies go with the refusal. */
async function change(
  request: FastifyRequest,
  found: Session,
  work: (session: Session) => Promise<Session>,
): Promise<Session> {
  try {
    const changed = await noteRefresh(request, found, work);
    updateSession(request, changed);
    return changed;
  } catch (error) {
    if (isAppError(error) && error.code === 'SESSION_ENDED') {
      request.session = null;
      request.sessionState = { kind: 'ended' };
    }
    throw error;
  }
}

function createAll({ gateway, metrics, provider, shared: { state, store }, upstreams }: FastifyInstance): {
  sessions: Sessions;
  roles: { of: RoleOf; last: (session: Session) => Role | undefined };
} {
  const { config, keys, log, now, secure } = gateway;
  const limits = { idle: config.session.idle, max: config.session.max };
  const cookie = createSessionCookie({ keys, secure, onWrite: metrics.observeCookie });
  const storage = createSessionStorage({ cookie, store, limits, log, now });
  const fitted = fitWith(storage, async (tooLarge) => {
    await state.revoke(tooLarge.id, endsAt(tooLarge, limits));
    void revokeUpstreamSession({ provider, gateway }, tooLarge);
  });
  const endRefused = createEndRefused({ state, limits, log });
  const retryAfter = gateway.refreshRetryAfter ?? REFRESH_NETWORK_RETRY;
  const refresh = fitted(
    createRefresh({ provider, endRefused, retryAfter, onOutcome: metrics.countRefresh }),
  );
  const { fits } = storage;
  const revalidate = createRevalidate({ provider, refresh, endRefused, state, fits, now, log });
  const onEvent = metrics.countSession;
  const sessions = createSessions({ storage, state, limits, refresh, revalidate, fitted, onEvent, now });
  const { roleOf, lastRole } = rememberRoles(createRoles({ community: upstreams.community, now, log }));
  return { sessions, roles: { of: roleOf, last: lastRole } };
}

/**
 * New tokens may be larger than the old. A session that can be kept nowhere ends here, once, with SESSION_ENDED: the next
 * sign-in says what is wrong, where a session in its old form would fail at every request.
 */
function fitWith(
  { place, store }: SessionStorage,
  end: (tooLarge: Session) => Promise<void>,
): (change: Change) => Change {
  return (change) => async (session) => {
    const changed = await change(session);
    let placed: Session;
    try {
      placed = place(changed);
    } catch {
      await end(changed);
      throw appError('SESSION_ENDED');
    }
    // Tokens that are good only once are not lost with a Redis that is away: the reply stores them again.
    await store(placed).catch(() => undefined);
    return placed;
  };
}
