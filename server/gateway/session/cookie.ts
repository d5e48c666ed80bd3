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
  maxValueLength,
  namesOf,
  sessionCookieLine,
  splitIntoCookies,
} from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import {
  endsAt,
  type Place,
  parseSession,
  placeOf,
  type Session,
  type SessionState,
  sessionHash,
} from './session.ts';

const CACHE_SIZE = 10_000;
/** Sessions are cached by the last characters of their cookie: hashing the whole value costs time. */
const CACHE_KEY_START = -32;

/** Session keys: the configured ones, or one generated once in the data folder (R 9.5). */
export function loadSessionKeys(given: { configured: readonly Buffer[]; dataDir: string }): Buffer[] {
  return loadKeys({ ...given, fileName: 'session-keys' });
}

const NAMES: Readonly<Record<Place, string>> = { site: 'session', tool: 'tool-session' };

/** Name of a session cookie, or of its first chunk. `secure`: the site uses https. */
export function sessionCookieName(secure: boolean, place: Place = 'site'): string {
  return cookieName(NAMES[place], secure);
}

type Jar = {
  name: string;
  attributes: CookieAttributes;
  /** Characters of a value. */
  limit: number;
  /** The sessions of cookies, with their tokens as soon as those were read from Redis. */
  known: LRUCache<string, { value: string; session: Session }>;
};

function jarOf(place: Place, attributes: CookieAttributes): Jar {
  const name = sessionCookieName(attributes.secure, place);
  const limit = maxValueLength(name, attributes);
  return { name, attributes, limit, known: new LRUCache({ max: CACHE_SIZE }) };
}

/** Of a browser that has validated its session since it was started; it forgets it at its end. */
const RUNNING = 'running';

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * Reads and writes sessions (R 9.1 to 9.5). A session is stored in encrypted cookies. If it exceeds the cookie
 * size limit (access tokens with many groups, for example), it is stored in Redis under a random ticket, and the cookie
 * contains everything except the tokens. Pages inside a design tool have a cookie of their own, which browsers keep apart for each
 * site around it (CHIPS); one is never read as the other, because its name is part of what is encrypted.
 */
export function createSessionCookies({ gateway, metrics, shared: { store } }: FastifyInstance) {
  const { config, keys, log, now, secure } = gateway;
  const jars: Readonly<Record<Place, Jar>> = {
    site: jarOf('site', { secure, sameSite: 'strict' }),
    tool: jarOf('tool', { secure, sameSite: 'none', partitioned: true }),
  };
  const running = cookieName(RUNNING, secure);
  const encryptor = createEncryptor(keys, 'session');
  const remember = (value: string, session: Session): void =>
    void jars[placeOf(session)].known.set(value.slice(CACHE_KEY_START), { value, session });

  const inCookie = (session: Session): Session =>
    session.ticket === undefined ? session : { ...session, access_token: '', refresh_token: '' };
  const encrypt = (session: Session): string =>
    encryptor.encrypt(JSON.stringify(inCookie(session)), jars[placeOf(session)].name);
  const lifetimeOf = (session: Session): number =>
    Math.min(endsAt(session, config.session), session.seen + config.session.idle) - now();
  /** Whether the session fits where it is stored now. */
  const fits = (session: Session): boolean => encrypt(session).length <= jars[placeOf(session)].limit;

  return {
    /** What the cookies say; no network call. */
    read(cookies: Cookies, place: Place): SessionState {
      const { name, known } = jars[place];
      const value = joinCookies(cookies, name);
      if (value === undefined) return { kind: 'anonymous' };
      if (value === null) return { kind: 'unusable', place };
      const cached = known.get(value.slice(CACHE_KEY_START));
      if (cached?.value === value) return { kind: 'unchecked', fromCookie: cached.session };
      const text = encryptor.decrypt(value, name);
      const session = text === undefined ? undefined : parseSession(text);
      if (!session) return { kind: 'unusable', place };
      remember(value, session);
      return { kind: 'unchecked', fromCookie: session };
    },

    /**
     * Adds the tokens from Redis to the session of these cookies; undefined if it was removed there.
     * @throws AppError SERVICE_UNAVAILABLE
     */
    async load(found: Session, cookies: Cookies): Promise<Session | undefined> {
      if (found.ticket === undefined || found.access_token !== '') return found;
      const stored = await store?.get(found.ticket);
      if (stored?.id !== found.id) return undefined;
      const whole = { ...stored, seen: Math.max(stored.seen, found.seen) };
      const value = joinCookies(cookies, jars[placeOf(found)].name);
      if (value) remember(value, whole);
      return whole;
    },
    fits,
    /** Adds a ticket if the session exceeds the cookie size limit. @throws AppError UPSTREAM_INVALID if too large */
    withTicketIfLarge(session: Session): Session {
      if (fits(session)) return session;
      const withTicket = { ...session, ticket: randomBytes(24).toString('base64url') };
      if (store && fits(withTicket)) return withTicket;
      const { limit } = jars[placeOf(session)];
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

    /** Set-Cookie lines that store the session and delete unused chunks. */
    write(session: Session, cookies: Cookies): string[] {
      store?.put(session, lifetimeOf(session)).catch((error: unknown) => {
        log.warn({ err: error, session: sessionHash(session) }, 'storing session in Redis failed');
      });
      const { name, attributes } = jars[placeOf(session)];
      const value = encrypt(session);
      const chunks = splitIntoCookies(name, value, attributes);
      if (!chunks) return [];
      remember(value, session);
      metrics.observeCookie(chunks.reduce((sum, { name, value }) => sum + name.length + value.length, 0));
      const used = new Set(chunks.map((chunk) => chunk.name));
      const stale = namesOf(cookies, name).filter((chunk) => !used.has(chunk));
      return [
        ...chunks.map((chunk) => cookieLine(chunk.name, chunk.value, lifetimeOf(session), attributes)),
        ...stale.map((chunk) => deletionLine(chunk, attributes)),
      ];
    },
    isRunning: (cookies: Cookies): boolean => cookies[running] !== undefined,
    /** Set-Cookie line that marks the browser as running. */
    markRunning: (): string => sessionCookieLine(running, '1', jars.site.attributes),
    /** Set-Cookie lines that delete every chunk that the browser sent. */
    clear(cookies: Cookies, place: Place): string[] {
      const { name, attributes } = jars[place];
      return namesOf(cookies, name).map((chunk) => deletionLine(chunk, attributes));
    },
  };
}
