import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Cookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import type { SessionStore } from '../redis/session-store.ts';
import type { SessionCookie } from './cookie.ts';
import { endsAt, type Session, type SessionLimits, sessionHash } from './session.ts';

/**
 * Where sessions lie: in cookies as long as they fit; larger ones, access tokens with many groups for example, in Redis
 * under a random ticket, while the cookie has everything but the tokens.
 */
export type SessionStorage = Pick<SessionCookie, 'open' | 'clear'> & {
  /** Whether the session can be kept where it is now. */
  fits(session: Session): boolean;
  /** The session, with a ticket where cookies cannot hold it. @throws AppError UPSTREAM_INVALID for one too large, logged */
  place(session: Session): Session;
  /** Keeps a session with a ticket. @throws AppError SERVICE_UNAVAILABLE */
  store(session: Session): Promise<void>;
  /** The whole session of one from a cookie; undefined when it is there no longer. @throws AppError SERVICE_UNAVAILABLE */
  load(inCookie: Session): Promise<Session | undefined>;
  /** What `load` would bring, where it is known without asking. */
  loaded(inCookie: Session): Session;
  remove(session: Session): Promise<void>;
  /** Set-Cookie lines of a placed session. */
  write(session: Session, cookies: Cookies): string[];
};

export function createSessionStorage({
  cookie,
  store,
  limits,
  log,
  now,
}: {
  cookie: SessionCookie;
  store: SessionStore | undefined;
  limits: SessionLimits;
  log: FastifyBaseLogger;
  now: () => number;
}): SessionStorage {
  /** Sessions of opened cookies with their tokens: as long as one is remembered, so is the other. */
  const whole = new WeakMap<Session, Session>();

  const inCookie = (session: Session): Session =>
    session.ticket === undefined ? session : { ...session, access_token: '', refresh_token: '' };
  const lifetimeOf = (session: Session): number =>
    Math.min(endsAt(session, limits), session.seen + limits.idle) - now();
  const fits = (session: Session): boolean => {
    const { size, limit } = cookie.sizeOf(inCookie(session));
    return size <= limit;
  };
  const storeLater = (session: Session): void => {
    store?.put(session, lifetimeOf(session)).catch((error: unknown) => {
      log.warn({ err: error, session: sessionHash(session) }, 'session not stored');
    });
  };

  return {
    open: cookie.open,
    clear: cookie.clear,
    fits,
    place(session) {
      if (fits(session)) return session;
      const placed = { ...session, ticket: randomBytes(24).toString('base64url') };
      if (store && fits(placed)) return placed;
      const { size, limit } = cookie.sizeOf(inCookie(session));
      const parts = {
        access_token: session.access_token.length,
        refresh_token: session.refresh_token.length,
        user: JSON.stringify(session.user).length,
      };
      const message = 'session exceeds cookie size limit';
      const fields = { event: 'session_too_large', session: sessionHash(session), size, limit, parts };
      log.error(fields, message);
      throw appError('UPSTREAM_INVALID', { cause: new Error(`${message}: ${size} of ${limit} characters`) });
    },
    store: async (session) => store?.put(session, lifetimeOf(session)),
    async load(found) {
      const { ticket } = found;
      if (ticket === undefined) return found;
      const known = whole.get(found);
      if (known) return known;
      const stored = await store?.get(ticket);
      if (stored?.id !== found.id) return undefined;
      const loaded = { ...stored, seen: Math.max(stored.seen, found.seen) };
      whole.set(found, loaded);
      return loaded;
    },
    loaded: (found) => whole.get(found) ?? found,
    remove: async ({ ticket }) => (ticket === undefined ? undefined : store?.remove(ticket)),
    write(session, cookies) {
      if (session.ticket !== undefined) storeLater(session);
      return cookie.write(inCookie(session), cookies, lifetimeOf(session));
    },
  };
}
