import { REFRESH_ADVANCE } from '../../../shared/constants.ts';
import { endsAt, isOver, type Session, type SessionLimits } from './session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SharedState } from './shared-state.ts';

/** A session is prolonged by use, but its cookie is not written anew for every request. */
const SLIDE_EVERY = 60_000;

/** Who asks. `stale`: a cookie was sent that means nothing and is to be deleted. */
export type Visit =
  | { kind: 'anonymous'; stale: boolean }
  /** The cookie was right once: signed out, timed out, or refused by the user service. */
  | { kind: 'ended' }
  /** `held` is the copy in the cookie; `session` the newest known. */
  | { kind: 'signed-in'; session: Session; held: Session };

export type SignedIn = Extract<Visit, { kind: 'signed-in' }>;

export type Sessions = {
  limits: SessionLimits;
  open(header: string | undefined): Promise<Visit>;
  /** The session with an access token good for at least five seconds. @throws AppError SESSION_ENDED or 502 */
  fresh(session: Session): Promise<Session>;
  /** The session with another access token, after an upstream has refused this one. @throws as `fresh` */
  renew(session: Session): Promise<Session>;
  /**
   * Set-Cookie lines for an answer to this visit, asked for when its head is written: a session that has been ended in
   * the meantime is not set again. `slide`: the request counts as use.
   */
  cookies(visit: Visit, header: string | undefined, options: { slide: boolean }): string[];
  /** Set-Cookie lines of a session that begins. */
  begin(session: Session, header: string | undefined): string[];
  clear(header: string | undefined): string[];
  /** Waits for a refresh under way, then ends the session everywhere; answers its newest copy. */
  end(session: Session): Promise<Session>;
};

export function createSessions({
  cookie,
  state,
  limits,
  refresh,
  now,
}: {
  cookie: SessionCookie;
  state: SharedState;
  limits: SessionLimits;
  /** Gets new tokens from the user service. */
  refresh: (session: Session) => Promise<Session>;
  now: () => number;
}): Sessions {
  const write = (session: Session, header: string | undefined): string[] =>
    cookie.write(session, header, Math.min(endsAt(session, limits), session.seen + limits.idle) - now());

  /** A renewed copy knows nothing of the use since; a cookie knows nothing of the renewal. */
  function newestOf(held: Session): Session {
    const known = state.newest(held.id);
    if (!known || known.generation <= held.generation) return held;
    return known.seen >= held.seen ? known : { ...known, seen: held.seen };
  }

  return {
    limits,
    async open(header) {
      const opened = cookie.open(header);
      if (opened.kind !== 'opened') return { kind: 'anonymous', stale: opened.kind === 'unusable' };
      const held = opened.session;
      if (await state.isRevoked(held.id)) return { kind: 'ended' };
      const session = newestOf(held);
      return isOver(session, limits, now()) ? { kind: 'ended' } : { kind: 'signed-in', session, held };
    },
    async fresh(session) {
      const expires = session.access_expires;
      if (expires === null || expires - now() > REFRESH_ADVANCE) return session;
      return state.renewOnce(session, refresh);
    },
    renew: (session) => state.renewOnce(session, refresh),
    cookies(visit, header, { slide }) {
      if (visit.kind === 'ended') return cookie.clear(header);
      if (visit.kind === 'anonymous') return visit.stale ? cookie.clear(header) : [];
      const { session, held } = visit;
      if (state.isKnownRevoked(session.id)) return [];
      const isDue = slide && now() - held.seen >= SLIDE_EVERY;
      if (!isDue && session.generation === held.generation) return [];
      return write(isDue ? { ...session, seen: now() } : session, header);
    },
    begin: write,
    clear: cookie.clear,
    async end(session) {
      await state.settled(session.id);
      const newest = newestOf(session);
      await state.revoke(session.id, endsAt(newest, limits));
      return newest;
    },
  };
}
