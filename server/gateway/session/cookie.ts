import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createEncryptor } from '../../encryption/encryptor.ts';
import { loadKeys } from '../../encryption/keys.ts';
import {
  type CookieAttributes,
  type Cookies,
  cookieLine,
  cookieName,
  deletionLine,
  joinCookies,
  namesOf,
  roomInCookies,
  splitIntoCookies,
} from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { endsAt, parseSession, type Session, sessionHash } from './session.ts';

/** Opening costs a decryption, so what was opened is remembered, by the end of the cookie's value: hashing it whole costs. */
const REMEMBERED = 10_000;
const END = -32;

/** Keys that encrypt sessions: the configured ones, or one generated once into the data folder (design section 4). */
export function loadSessionKeys(given: { configured: readonly Buffer[]; dataDir: string }): Buffer[] {
  return loadKeys({ ...given, fileName: 'session-keys' });
}

/** Name of the cookie, or of its first chunk. `secure`: the site is https. */
export function sessionCookieName(secure: boolean): string {
  return cookieName('session', secure);
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * Where sessions lie (requirements 1 to 5): in encrypted cookies as long as they fit. Larger ones, of access tokens with
 * many groups for example, lie in Redis under a random ticket, while the cookie has everything but the tokens.
 */
export function createSessionCookies({ gateway, metrics, shared: { store } }: FastifyInstance) {
  const { config, keys, log, now, secure } = gateway;
  const name = sessionCookieName(secure);
  const attributes: CookieAttributes = { secure, sameSite: 'strict' };
  const limit = roomInCookies(name, attributes);
  const encryptor = createEncryptor(keys, 'session');
  const opened = new LRUCache<string, { value: string; session: Session }>({ max: REMEMBERED });
  /** Stored sessions with their tokens: as long as the one from the cookie is remembered, so is the other. */
  const loaded = new WeakMap<Session, Session>();
  /** One request asks for its cookies several times. */
  let latest: { cookies: Cookies; found: Session | undefined } = { cookies: {}, found: undefined };

  function decrypt(cookies: Cookies): Session | undefined {
    const value = joinCookies(cookies, name);
    if (typeof value !== 'string') return undefined;
    const known = opened.get(value.slice(END));
    if (known?.value === value) return known.session;
    const text = encryptor.decrypt(value, name);
    const session = text === undefined ? undefined : parseSession(text);
    if (session) opened.set(value.slice(END), { value, session });
    return session;
  }

  const inCookie = (session: Session): Session =>
    session.ticket === undefined ? session : { ...session, access_token: '', refresh_token: '' };
  const encrypt = (session: Session): string => encryptor.encrypt(JSON.stringify(inCookie(session)), name);
  const lifetimeOf = (session: Session): number =>
    Math.min(endsAt(session, config.session), session.seen + config.session.idle) - now();
  /** Whether the session can be kept where it is now. */
  const fits = (session: Session): boolean => encrypt(session).length <= limit;

  return {
    /** The session in these cookies, without its tokens where they are stored; undefined too for cookies of no use. */
    open(cookies: Cookies): Session | undefined {
      if (cookies !== latest.cookies) latest = { cookies, found: decrypt(cookies) };
      return latest.found;
    },
    isSent: (cookies: Cookies): boolean => namesOf(cookies, name).length > 0,

    /** The whole session of an opened one; undefined when it is stored no longer. @throws AppError SERVICE_UNAVAILABLE */
    async load(found: Session): Promise<Session | undefined> {
      if (found.ticket === undefined) return found;
      const known = loaded.get(found);
      if (known) return known;
      const stored = await store?.get(found.ticket);
      if (stored?.id !== found.id) return undefined;
      const whole = { ...stored, seen: Math.max(stored.seen, found.seen) };
      loaded.set(found, whole);
      return whole;
    },
    fits,
    /** The session, with a ticket where cookies cannot hold it. @throws AppError UPSTREAM_INVALID for one too large */
    place(session: Session): Session {
      if (fits(session)) return session;
      const placed = { ...session, ticket: randomBytes(24).toString('base64url') };
      if (store && fits(placed)) return placed;
      const size = encrypt(session).length;
      const lengths = {
        access_token: session.access_token.length,
        refresh_token: session.refresh_token.length,
        user: JSON.stringify(session.user).length,
      };
      const message = 'session exceeds cookie size limit';
      const fields = { event: 'session_too_large', session: sessionHash(session), size, limit, lengths };
      log.error(fields, message);
      const sizes = Object.entries(lengths).map(([field, length]) => `${field} ${length}`);
      const cause = new Error(`${message}: ${size} of ${limit} characters (${sizes.join(', ')})`);
      throw appError('UPSTREAM_INVALID', { cause });
    },
    /** Stores a session that has a ticket. @throws AppError SERVICE_UNAVAILABLE */
    store: async (session: Session) => store?.put(session, lifetimeOf(session)),
    remove: async ({ ticket }: Session) => (ticket === undefined ? undefined : store?.remove(ticket)),

    /** Set-Cookie lines that keep the session, and delete chunks no longer used. */
    write(session: Session, cookies: Cookies): string[] {
      store?.put(session, lifetimeOf(session)).catch((error: unknown) => {
        log.warn({ err: error, session: sessionHash(session) }, 'storing session in Redis failed');
      });
      const written = inCookie(session);
      const value = encrypt(session);
      const chunks = splitIntoCookies(name, value, attributes);
      if (!chunks) return [];
      opened.set(value.slice(END), { value, session: written });
      if (written !== session) loaded.set(written, session);
      metrics.observeCookie(chunks.reduce((sum, { name, value }) => sum + name.length + value.length, 0));
      const used = new Set(chunks.map((chunk) => chunk.name));
      const stale = namesOf(cookies, name).filter((chunk) => !used.has(chunk));
      return [
        ...chunks.map((chunk) => cookieLine(chunk.name, chunk.value, lifetimeOf(session), attributes)),
        ...stale.map((chunk) => deletionLine(chunk, attributes)),
      ];
    },
    /** Set-Cookie lines that delete every chunk the browser has. */
    clear: (cookies: Cookies): string[] =>
      namesOf(cookies, name).map((chunk) => deletionLine(chunk, attributes)),
  };
}
