import { createHash, randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { REFRESH_ADVANCE } from '../../../shared/constants.ts';
import { Nullable } from '../../../shared/entities/base.ts';
import { LoginMethod, type Role, type SessionView, UserInfo } from '../../../shared/entities/user.ts';

/** What the encrypted cookie contains (design section 4). Times in milliseconds since 1970, by the gateway's clock. */
export const Session = Type.Object({
  id: Type.String(),
  /** Counts what the sign-in service has changed: of two copies of a session the one with the higher number is newer. */
  generation: Type.Integer(),
  access_token: Type.String(),
  refresh_token: Type.String(),
  /** Null when neither the token nor the answer that brought it says so. */
  access_expires: Nullable(Type.Number()),
  refresh_expires: Nullable(Type.Number()),
  started: Type.Number(),
  seen: Type.Number(),
  /** When the sign-in service last said that the session holds. */
  validated: Type.Number(),
  /** How the sign-in service names user and session, by which it may end them from its side. */
  sub: Nullable(Type.String()),
  sid: Nullable(Type.String()),
  login_method: Nullable(LoginMethod),
  user: UserInfo,
  /** By what the rest is found in Redis, when cookies cannot hold it; the cookie then has everything but the tokens. */
  ticket: Type.Optional(Type.String()),
});
export type Session = Static<typeof Session>;

export type SessionLimits = {
  /** Longest time without a request, and longest life, in milliseconds. */
  idle: number;
  max: number;
};

const check = Compile(Session);

/** The session in an opened cookie; undefined when its form is not (or no longer) this one. */
export function parseSession(text: string): Session | undefined {
  const value: unknown = JSON.parse(text);
  return check.Check(value) ? value : undefined;
}

/** A session that begins now, from what the sign-in service has told. */
export function newSession(
  fields: Omit<Session, 'id' | 'generation' | 'started' | 'seen' | 'validated'>,
  now: number,
): Session {
  const id = randomBytes(16).toString('base64url');
  return { ...fields, id, generation: 0, started: now, seen: now, validated: now };
}

/** True when the access token ends within the refresh window (specification section 9). */
export function isExpiring({ access_expires }: Pick<Session, 'access_expires'>, now: number): boolean {
  return access_expires !== null && access_expires - now <= REFRESH_ADVANCE;
}

/** Latest moment of a session however busy it is: never beyond its refresh token. */
export function endsAt(session: Session, limits: SessionLimits): number {
  return Math.min(session.started + limits.max, session.refresh_expires ?? Number.POSITIVE_INFINITY);
}

export function isOver(session: Session, limits: SessionLimits, now: number): boolean {
  return now >= endsAt(session, limits) || now >= session.seen + limits.idle;
}

/** Under which keys `revokeAll` finds a session. */
export function revocationKeys({ sub, sid }: Pick<Session, 'sub' | 'sid'>): string[] {
  return [...(sid === null ? [] : [`sid:${sid}`]), ...(sub === null ? [] : [`sub:${sub}`])];
}

/** Stands for a session in the log, where its id must not be. */
export function sessionHash(session: Session): string {
  return createHash('sha256').update(session.id).digest('base64url').slice(0, 12);
}

/** The session as a page may know it. */
export function sessionView(session: Session | null, role: Role | null, limits: SessionLimits): SessionView {
  return {
    signed_in: session !== null,
    user: session?.user ?? null,
    role,
    login_method: session?.login_method ?? null,
    expires_at: session && endsAt(session, limits),
  };
}

/**
 * What of a session's cookies goes with a reply. `slide`: those of a renewed session, and the request counts as use;
 * `keep`: those of a renewed session alone; `none`: of a file that caches may store, none.
 */
export type CookieMode = 'slide' | 'keep' | 'none';
