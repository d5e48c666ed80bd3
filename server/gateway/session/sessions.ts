import type { FastifyInstance } from 'fastify';
import { SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Cookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { revokeUpstreamSession } from '../sign-in/begin-session.ts';
import { createSessionCookies } from './cookie.ts';
import { type Change, createRefresh } from './refresh.ts';
import { endsAt, isExpiring, isOver, revocationKeys, type Session } from './session.ts';

/** What happens to sessions, for metrics. `over`: a cookie was right once; `unusable`: it means nothing. */
export type SessionEvent = 'begun' | 'ended' | 'over' | 'unusable';

/** A session is prolonged by use, but its cookie is not written for every request. */
const SLIDE_EVERY = 60_000;

/** How often a change gives way to another instance's before it gives up. */
const CHANGE_TRIES = 3;

/** Who asks. `stale`: a cookie was sent that means nothing and is to be deleted. */
export type SessionState =
  | { kind: 'anonymous'; stale: boolean }
  /** The cookie was right once: signed out, timed out, or refused by the sign-in service. */
  | { kind: 'ended' }
  /** `fromCookie` is the copy in the cookie; `session` the newest known. */
  | { kind: 'signed-in'; session: Session; fromCookie: Session };

/** What of these sessions may not leave the gateway. */
export function tokensOf(sessions: readonly Session[]): readonly string[] {
  const tokens = sessions.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
  return [...new Set(tokens)].filter((token) => token !== '');
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions as one gateway knows them; what several must agree on is in the shared state. */
export function createSessions(app: FastifyInstance) {
  const { gateway, metrics, shared } = app;
  const { now } = gateway;
  const { state } = shared;
  const limits = gateway.config.session;
  const stored = createSessionCookies(app);
  const { refresh, revalidate } = createRefresh(app, stored, limited);

  /** A renewed copy knows nothing of the use since; a cookie knows nothing of the renewal. */
  function newestOf(fromCookie: Session): Session {
    const known = state.newest(fromCookie.id);
    if (!known || known.generation <= fromCookie.generation) return fromCookie;
    return known.seen >= fromCookie.seen ? known : { ...known, seen: fromCookie.seen };
  }

  async function isEnded(session: Session): Promise<boolean> {
    if (await state.isRevoked(session.id)) return true;
    return (await state.revokedAllAt(revocationKeys(session))) >= session.started;
  }

  /** The state of who has this session in their cookies. @throws AppError SERVICE_UNAVAILABLE */
  async function find(inCookie: Session): Promise<SessionState> {
    if (await isEnded(inCookie)) return { kind: 'ended' };
    const fromCookie = await stored.load(inCookie);
    if (!fromCookie) return { kind: 'ended' };
    const session = newestOf(fromCookie);
    return isOver(session, limits, now()) ? { kind: 'ended' } : { kind: 'signed-in', session, fromCookie };
  }

  /**
   * New tokens may be larger than the old. A session that can be kept nowhere ends here, once, with SESSION_ENDED: the
   * next sign-in says what is wrong, where a session in its old form would fail at every request.
   */
  function limited(change: Change): Change {
    return async (session) => {
      const changed = await change(session);
      let placed: Session;
      try {
        placed = stored.place(changed);
      } catch {
        await state.revoke(session.id, endsAt(session, limits));
        void revokeUpstreamSession(app, changed);
        throw appError('SESSION_ENDED');
      }
      // Tokens that are good only once are not lost with a Redis that is away: the reply stores them again.
      await stored.store(placed).catch(() => undefined);
      return placed;
    };
  }

  /**
   * The session with another access token, after an upstream has refused this one. What was under way may have been a
   * change that kept the token. @throws as `fresh`
   */
  async function renew(session: Session): Promise<Session> {
    const renewed = await state.renewOnce(session, refresh);
    return renewed.access_token === session.access_token ? state.renewOnce(renewed, refresh) : renewed;
  }

  return {
    limits,
    /** Id of the session in these cookies, as far as this process knows without asking anybody. */
    idOf(cookies: Cookies): string | undefined {
      const found = stored.open(cookies);
      const isLive = found && !state.isKnownRevoked(found.id) && !isOver(found, limits, now());
      return isLive ? found.id : undefined;
    },
    /** @throws AppError SERVICE_UNAVAILABLE for a stored session while Redis is away */
    async open(cookies: Cookies): Promise<SessionState> {
      const found = stored.open(cookies);
      const stale = !found && stored.isSent(cookies);
      if (stale) metrics.countSession('unusable');
      if (!found) return { kind: 'anonymous', stale };
      const known = await find(found);
      if (known.kind === 'ended') metrics.countSession('over');
      return known;
    },
    /** The session that these cookies hold, whatever its state and without what is stored: no word on who asks. */
    inCookies: stored.open,
    /** Tokens of these cookies' session and its newest copy; those of a stored one as far as Redis can be asked. */
    async tokens(cookies: Cookies): Promise<readonly string[]> {
      const found = stored.open(cookies);
      const whole = found && ((await stored.load(found).catch(() => undefined)) ?? found);
      return whole ? tokensOf([whole, newestOf(whole)]) : [];
    },
    /**
     * The session with an access token good for at least five seconds, asked after at the sign-in service within the last
     * five minutes. @throws AppError SESSION_ENDED, SERVICE_UNAVAILABLE or 502
     */
    async fresh(session: Session): Promise<Session> {
      const usable = isExpiring(session, now()) ? await renew(session) : session;
      const isValidated = Math.abs(now() - usable.validated) < SESSION_REVALIDATE_AFTER;
      return isValidated ? usable : revalidate(usable);
    },
    renew,
    /** The session after a change of its own, apart from any refresh. @throws AppError CONFLICT, and what `change` does */
    async replace(session: Session, change: Change): Promise<Session> {
      for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
        await state.settled(session.id);
        const own = { isRun: false, failures: [] as unknown[] };
        const changed = await state.renewOnce(newestOf(session), (newest) => {
          own.isRun = true;
          return limited(change)(newest).catch((error: unknown) => {
            own.failures.push(error);
            return newest;
          });
        });
        if (own.failures.length > 0) throw own.failures[0];
        if (own.isRun) return changed;
      }
      throw appError('CONFLICT');
    },
    /**
     * Set-Cookie lines for an answer in this state, asked for when its head is written: a session that has been ended in
     * the meantime is not set again. `slide`: the request counts as use.
     */
    cookies(found: SessionState, sent: Cookies, { slide }: { slide: boolean }): string[] {
      if (found.kind === 'ended') return stored.clear(sent);
      if (found.kind === 'anonymous') return found.stale ? stored.clear(sent) : [];
      const { fromCookie } = found;
      if (state.isKnownRevoked(fromCookie.id)) return [];
      const session = newestOf(found.session);
      const isDue = slide && now() - fromCookie.seen >= SLIDE_EVERY;
      if (!isDue && session.generation === fromCookie.generation) return [];
      return stored.write(isDue ? { ...session, seen: now() } : session, sent);
    },
    /** Set-Cookie lines of a session that begins. @throws AppError UPSTREAM_INVALID, too large; SERVICE_UNAVAILABLE */
    async begin(session: Session, sent: Cookies): Promise<string[]> {
      const placed = stored.place(session);
      await stored.store(placed);
      metrics.countSession('begun');
      return stored.write(placed, sent);
    },
    clear: stored.clear,
    /** Waits for a refresh under way, then ends the session everywhere; answers its newest copy. */
    async end(session: Session): Promise<Session> {
      await state.settled(session.id);
      const newest = newestOf(session);
      await state.revoke(session.id, endsAt(newest, limits));
      await stored.remove(newest);
      metrics.countSession('ended');
      return newest;
    },
  };
}
