import { SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Cookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { endsAt, isExpiring, isOver, revocationKeys, type Session, type SessionLimits } from './session.ts';
import type { SharedState } from './shared-state.ts';
import type { SessionStorage } from './storage.ts';

/** Makes a newer copy of a session, with the generation after. */
export type Change = (session: Session) => Promise<Session>;

/** What happens to sessions, for metrics. `over`: a cookie was right once; `unusable`: it means nothing. */
export type SessionEvent = 'begun' | 'ended' | 'over' | 'unusable';

/** A session is prolonged by use, but its cookie is not written for every request. */
const SLIDE_EVERY = 60_000;

/** How often a change gives way to another instance's before it gives up. */
const CHANGE_TRIES = 3;

/** Who asks. `stale`: a cookie was sent that means nothing and is to be deleted. */
export type Visit =
  | { kind: 'anonymous'; stale: boolean }
  /** The cookie was right once: signed out, timed out, or refused by the sign-in service. */
  | { kind: 'ended' }
  /** `held` is the copy in the cookie; `session` the newest known. */
  | { kind: 'signed-in'; session: Session; held: Session };

/** What of these sessions may not leave the gateway. */
export function tokensOf(sessions: readonly Session[]): readonly string[] {
  const tokens = sessions.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
  return [...new Set(tokens)].filter((token) => token !== '');
}

export type SignedIn = Extract<Visit, { kind: 'signed-in' }>;

export type Sessions = {
  limits: SessionLimits;
  /** Id of the session that these cookies prove, as far as this process knows without asking anybody. */
  idOf(cookies: Cookies): string | undefined;
  open(cookies: Cookies): Promise<Visit>;
  /** The session that these cookies hold, in its newest copy too, whatever its state: no word on who asks. */
  copies(cookies: Cookies): readonly Session[];
  /**
   * The session with an access token good for at least five seconds, asked after at the sign-in service within the last
   * five minutes. @throws AppError SESSION_ENDED or 502
   */
  fresh(session: Session): Promise<Session>;
  /** The session with another access token, after an upstream has refused this one. @throws as `fresh` */
  renew(session: Session): Promise<Session>;
  /** The session after a change of its own, apart from any refresh. @throws AppError CONFLICT, and what `change` does */
  replace(session: Session, change: Change): Promise<Session>;
  /**
   * Set-Cookie lines for an answer to this visit, asked for when its head is written: a session that has been ended in
   * the meantime is not set again. `slide`: the request counts as use.
   */
  cookies(visit: Visit, sent: Cookies, options: { slide: boolean }): string[];
  /** Set-Cookie lines of a session that begins. @throws AppError UPSTREAM_INVALID for one too large, SERVICE_UNAVAILABLE */
  begin(session: Session, sent: Cookies): Promise<string[]>;
  clear(sent: Cookies): string[];
  /** Waits for a refresh under way, then ends the session everywhere; answers its newest copy. */
  end(session: Session): Promise<Session>;
};

export function createSessions({
  storage,
  state,
  limits,
  refresh,
  revalidate,
  fitted,
  onEvent,
  now,
}: {
  storage: SessionStorage;
  state: SharedState;
  limits: SessionLimits;
  /** Gets new tokens from the sign-in service. */
  refresh: Change;
  /** Asks the sign-in service whether the session holds. */
  revalidate: Change;
  /** Holds a change to what can be kept. */
  fitted: (change: Change) => Change;
  onEvent: (event: SessionEvent) => void;
  now: () => number;
}): Sessions {
  /** A renewed copy knows nothing of the use since; a cookie knows nothing of the renewal. */
  function newestOf(held: Session): Session {
    const known = state.newest(held.id);
    if (!known || known.generation <= held.generation) return held;
    return known.seen >= held.seen ? known : { ...known, seen: held.seen };
  }

  async function isEnded(session: Session): Promise<boolean> {
    if (await state.isRevoked(session.id)) return true;
    return (await state.revokedAllAt(revocationKeys(session))) >= session.started;
  }

  /** What was under way may have been a change that kept the token. */
  async function renew(session: Session): Promise<Session> {
    const renewed = await state.renewOnce(session, refresh);
    return renewed.access_token === session.access_token ? state.renewOnce(renewed, refresh) : renewed;
  }

  async function find(inCookie: Session): Promise<Visit> {
    if (await isEnded(inCookie)) return { kind: 'ended' };
    const held = await storage.load(inCookie);
    if (!held) return { kind: 'ended' };
    const session = newestOf(held);
    return isOver(session, limits, now()) ? { kind: 'ended' } : { kind: 'signed-in', session, held };
  }

  return {
    limits,
    idOf(cookies) {
      const opened = storage.open(cookies);
      if (opened.kind !== 'opened') return undefined;
      const { session } = opened;
      return state.isKnownRevoked(session.id) || isOver(session, limits, now()) ? undefined : session.id;
    },
    async open(cookies) {
      const opened = storage.open(cookies);
      if (opened.kind === 'unusable') onEvent('unusable');
      if (opened.kind !== 'opened') return { kind: 'anonymous', stale: opened.kind === 'unusable' };
      const found = await find(opened.session);
      if (found.kind === 'ended') onEvent('over');
      return found;
    },
    copies(cookies) {
      const opened = storage.open(cookies);
      if (opened.kind !== 'opened') return [];
      const held = storage.loaded(opened.session);
      return [held, newestOf(held)];
    },
    async fresh(session) {
      const usable = isExpiring(session, now()) ? await renew(session) : session;
      const isValidated = Math.abs(now() - usable.validated) < SESSION_REVALIDATE_AFTER;
      return isValidated ? usable : revalidate(usable);
    },
    renew,
    async replace(session, change) {
      for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
        await state.settled(session.id);
        const own = { isRun: false, failures: [] as unknown[] };
        const changed = await state.renewOnce(newestOf(session), (newest) => {
          own.isRun = true;
          return fitted(change)(newest).catch((error: unknown) => {
            own.failures.push(error);
            return newest;
          });
        });
        if (own.failures.length > 0) throw own.failures[0];
        if (own.isRun) return changed;
      }
      throw appError('CONFLICT');
    },
    cookies(visit, sent, { slide }) {
      if (visit.kind === 'ended') return storage.clear(sent);
      if (visit.kind === 'anonymous') return visit.stale ? storage.clear(sent) : [];
      const { held } = visit;
      if (state.isKnownRevoked(held.id)) return [];
      const session = newestOf(visit.session);
      const isDue = slide && now() - held.seen >= SLIDE_EVERY;
      if (!isDue && session.generation === held.generation) return [];
      return storage.write(isDue ? { ...session, seen: now() } : session, sent);
    },
    async begin(session, sent) {
      const placed = storage.place(session);
      await storage.store(placed);
      onEvent('begun');
      return storage.write(placed, sent);
    },
    clear: storage.clear,
    async end(session) {
      await state.settled(session.id);
      const newest = newestOf(session);
      await state.revoke(session.id, endsAt(newest, limits));
      await storage.remove(newest);
      onEvent('ended');
      return newest;
    },
  };
}
