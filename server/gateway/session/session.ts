import { createHash, randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { REFRESH_ADVANCE } from '../../../shared/constants.ts';
import { Nullable } from '../../../shared/entities/base.ts';
import { LoginMethod, UserInfo } from '../../../shared/entities/user.ts';

/** Content of the encrypted cookie (R 9.5). Times in milliseconds since 1970, by the gateway's clock. */
export const Session = Type.Object({
  id: Type.String(),
  /** Incremented with each change at the sign-in service: the copy with the higher number is newer. */
  generation: Type.Integer(),
  access_token: Type.String(),
  refresh_token: Type.String(),
  /** Null if neither the token nor the token response contains it. */
  access_expires: Nullable(Type.Number()),
  refresh_expires: Nullable(Type.Number()),
  started: Type.Number(),
  seen: Type.Number(),
  /** When the sign-in service last confirmed the session. */
  validated: Type.Number(),
  /** Identifiers of user and session at the sign-in service, used by back-channel logout. */
  sub: Nullable(Type.String()),
  sid: Nullable(Type.String()),
  login_method: Nullable(LoginMethod),
  user: UserInfo,
  /** Key of a large session in Redis; its cookie contains everything but the tokens. */
  ticket: Type.Optional(Type.String()),
  /** Of a page inside a design tool: for the Client API only. */
  in_tool: Type.Optional(Type.Literal(true)),
});
export type Session = Static<typeof Session>;

/** Which cookies a session is in: those of the site's own pages, or of pages inside a design tool. */
export type Place = 'site' | 'tool';

export const placeOf = ({ in_tool }: Pick<Session, 'in_tool'>): Place => (in_tool ? 'tool' : 'site');

export type SessionLimits = {
  /** Idle timeout and absolute lifetime, in milliseconds. */
  idle: number;
  max: number;
};

const check = Compile(Session);

/** Parses a decrypted session; undefined if it does not match the current schema. */
export function parseSession(text: string): Session | undefined {
  const value: unknown = JSON.parse(text);
  return check.Check(value) ? value : undefined;
}

/** Creates a session that starts now. */
export function newSession(
  fields: Omit<Session, 'id' | 'generation' | 'started' | 'seen' | 'validated'>,
  now: number,
): Session {
  const id = randomBytes(16).toString('base64url');
  return { ...fields, id, generation: 0, started: now, seen: now, validated: now };
}

/** Whether the access token expires within the refresh window (R 9.19). */
export function isExpiring({ access_expires }: Pick<Session, 'access_expires'>, now: number): boolean {
  return access_expires !== null && access_expires - now <= REFRESH_ADVANCE;
}

/** Absolute end of a session; never later than its refresh token expires. */
export function endsAt(session: Session, limits: SessionLimits): number {
  return Math.min(session.started + limits.max, session.refresh_expires ?? Number.POSITIVE_INFINITY);
}

export function isExpired(session: Session, limits: SessionLimits, now: number): boolean {
  return now >= endsAt(session, limits) || now >= session.seen + limits.idle;
}

/** The `revokeAll` keys that cover a session. */
export function revocationKeys({ sub, sid }: Pick<Session, 'sub' | 'sid'>): string[] {
  return [...(sid === null ? [] : [`sid:${sid}`]), ...(sub === null ? [] : [`sub:${sub}`])];
}

/** What a request knows of its session. One hook reads it from the cookies; `loadSession` looks it up. */
export type SessionState =
  /** No session cookie was sent. */
  | { kind: 'anonymous' }
  /** An invalid session cookie was sent, which must be deleted. */
  | { kind: 'unusable'; place: Place }
  /** The copy in the cookie, which may have ended or lack its tokens in Redis. */
  | { kind: 'unchecked'; fromCookie: Session }
  /** Signed out, timed out, or rejected by the sign-in service; `session`: its newest copy, if this request ended it. */
  | { kind: 'ended'; fromCookie: Session; session?: Session }
  /** `session` is the newest known copy; its access token may have expired. */
  | { kind: 'signed-in'; fromCookie: Session; session: Session };

/** The session of a signed-in user, also if its token cannot be refreshed. */
export function signedInSession(state: SessionState | null): Session | null {
  return state?.kind === 'signed-in' ? state.session : null;
}

/** Identifies a session in the log, which must not contain its id. */
export function sessionHash(session: Session): string {
  return createHash('sha256').update(session.id).digest('base64url').slice(0, 12);
}

/**
 * Which session cookies a reply sets. `slide`: those of a refreshed session, and the request extends the idle timeout;
 * `keep`: those of a refreshed session only; `none`: none, for files that caches may store.
 */
export type CookieMode = 'slide' | 'keep' | 'none';
