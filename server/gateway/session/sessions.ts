import type { FastifyInstance } from 'fastify';
import { SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Cookies } from '../../http/cookies.ts';
import { type AppError, appError } from '../../http/errors.ts';
import { revokeUpstreamSession } from '../sign-in/begin-session.ts';
import { createSessionCookies } from './cookie.ts';
import { type Change, createRefresh } from './refresh.ts';
import {
  endsAt,
  isExpired,
  isExpiring,
  placeOf,
  revocationKeys,
  type Session,
  type SessionState,
} from './session.ts';

/** For metrics. `over`: the cookie of an ended session; `unusable`: a cookie that cannot be decrypted. */
export type SessionEvent = 'begun' | 'ended' | 'over' | 'unusable';

/** The idle timeout is extended at most this often, so that not every reply sets a cookie. */
const SLIDE_INTERVAL_MS = 60_000;

/** A session that has just begun is not validated by the first document. Milliseconds. */
const REVALIDATE_ANEW_AFTER = 60_000;

/** Attempts of a change while other instances change the same session. */
const MAX_CHANGE_ATTEMPTS = 3;

/** Distinct tokens of these sessions, which must not leave the gateway. */
export function tokensOf(sessions: readonly Session[]): readonly string[] {
  const tokens = sessions.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
  return [...new Set(tokens)].filter((token) => token !== '');
}

export type Sessions = ReturnType<typeof createSessions>;

/** Session operations of one gateway. State that several gateways share is in `shared.state`. */
export function createSessions(app: FastifyInstance) {
  const { gateway, metrics, shared } = app;
  const { now } = gateway;
  const { state } = shared;
  const limits = gateway.config.session;
  const stored = createSessionCookies(app);
  const { refresh, revalidate, lastFailure } = createRefresh(app, stored, withSizeLimit);

  /** The refreshed copy has the newer tokens, the cookie the newer `seen`. */
  function newestOf(fromCookie: Session): Session {
    const known = state.newest(fromCookie.id);
    if (!known || known.generation <= fromCookie.generation) return fromCookie;
    return known.seen >= fromCookie.seen ? known : { ...known, seen: fromCookie.seen };
  }

  async function isEnded(session: Session): Promise<boolean> {
    if (await state.isRevoked(session.id)) return true;
    return (await state.revokedAllAt(revocationKeys(session))) >= session.started;
  }

  /** @throws AppError SERVICE_UNAVAILABLE */
  async function find(inCookie: Session, cookies: Cookies): Promise<SessionState> {
    const fromCookie = (await isEnded(inCookie)) ? undefined : await stored.load(inCookie, cookies);
    if (!fromCookie) return { kind: 'ended', fromCookie: inCookie };
    const session = newestOf(fromCookie);
    return isExpired(session, limits, now())
      ? { kind: 'ended', fromCookie }
      : { kind: 'signed-in', fromCookie, session };
  }

  /**
   * New tokens may be larger than the old ones. A session that is too large to store ends with SESSION_ENDED: the next
   * sign-in reports the cause, while the old session would fail at every request.
   */
  function withSizeLimit(change: Change): Change {
    return async (session) => {
      const changed = await change(session);
      let storable: Session;
      try {
        storable = stored.withTicketIfLarge(changed);
      } catch {
        await state.revoke(session.id, endsAt(session, limits));
        void revokeUpstreamSession(app, changed);
        throw appError('SESSION_ENDED');
      }
      // If Redis is unavailable, the reply stores the tokens again: a one-time refresh token must not be lost.
      await stored.store(storable).catch(() => undefined);
      return storable;
    };
  }

  /**
   * The session with a new access token, after an upstream rejected the current one. Refreshes again if the renewal in
   * progress was a change that did not replace the token. @throws as `fresh`
   */
  async function renew(session: Session): Promise<Session> {
    const renewed = await state.renewOnce(session, refresh);
    return renewed.access_token === session.access_token ? state.renewOnce(renewed, refresh) : renewed;
  }

  return {
    limits,
    read: stored.read,
    /** The session id, if this process knows the session as live; no network call. */
    liveId(found: SessionState): string | undefined {
      if (!('fromCookie' in found)) return undefined;
      const { fromCookie } = found;
      const isLive = !state.isKnownRevoked(fromCookie.id) && !isExpired(fromCookie, limits, now());
      return isLive ? fromCookie.id : undefined;
    },
    /** @throws AppError SERVICE_UNAVAILABLE for a session in Redis while Redis is unavailable */
    async check(found: SessionState, cookies: Cookies): Promise<SessionState> {
      if (found.kind === 'unusable') metrics.countSession('unusable');
      if (found.kind !== 'unchecked') return found;
      const checked = await find(found.fromCookie, cookies);
      if (checked.kind === 'ended') metrics.countSession('over');
      return checked;
    },
    /** Tokens of a session in any state, and of its newest copy; those in Redis only if it is available. */
    async tokens(found: SessionState, cookies: Cookies): Promise<readonly string[]> {
      if (!('fromCookie' in found)) return [];
      const { fromCookie } = found;
      const whole = (await stored.load(fromCookie, cookies).catch(() => undefined)) ?? fromCookie;
      const copies = [whole, newestOf(whole)];
      return tokensOf('session' in found && found.session ? [found.session, ...copies] : copies);
    },
    /**
     * The session with an access token valid for at least five seconds, validated at the sign-in service within the
     * last five minutes; `anew`: within the last minute.
     * @throws AppError SESSION_ENDED, SERVICE_UNAVAILABLE or 502
     */
    async fresh(session: Session, { anew = false } = {}): Promise<Session> {
      const usable = isExpiring(session, now()) ? await renew(session) : session;
      const isValidated =
        Math.abs(now() - usable.validated) < (anew ? REVALIDATE_ANEW_AFTER : SESSION_REVALIDATE_AFTER);
      return isValidated ? usable : revalidate(usable);
    },
    renew,
    /** The failure of a refresh that has just failed, if the session needs one. */
    failure: (session: Session): AppError | undefined =>
      isExpiring(session, now()) ? lastFailure(session) : undefined,
    /** Applies a change other than a refresh. @throws AppError CONFLICT, and the errors of `change` */
    async replace(session: Session, change: Change): Promise<Session> {
      for (let attempt = 0; attempt < MAX_CHANGE_ATTEMPTS; attempt += 1) {
        await state.waitForRenewal(session.id);
        const own = { isRun: false, failures: [] as unknown[] };
        const changed = await state.renewOnce(newestOf(session), (newest) => {
          own.isRun = true;
          return withSizeLimit(change)(newest).catch((error: unknown) => {
            own.failures.push(error);
            return newest;
          });
        });
        if (own.failures.length > 0) throw own.failures[0];
        if (own.isRun) return changed;
      }
      throw appError('CONFLICT');
    },
    /** Set-Cookie lines of a reply; none if the session has ended. `slide`: extend the idle timeout. */
    cookies(found: SessionState, sent: Cookies, { slide }: { slide: boolean }): string[] {
      if (found.kind === 'unusable') return stored.clear(sent, found.place);
      if (found.kind === 'ended') return stored.clear(sent, placeOf(found.fromCookie));
      if (found.kind !== 'signed-in') return [];
      const { fromCookie } = found;
      if (state.isKnownRevoked(fromCookie.id)) return [];
      const session = newestOf(found.session);
      const isDue = slide && now() - fromCookie.seen >= SLIDE_INTERVAL_MS;
      if (!isDue && session.generation === fromCookie.generation) return [];
      return stored.write(isDue ? { ...session, seen: now() } : session, sent);
    },
    /** Set-Cookie lines of a new session. @throws AppError UPSTREAM_INVALID if it is too large, SERVICE_UNAVAILABLE */
    async begin(session: Session, sent: Cookies): Promise<string[]> {
      const storable = stored.withTicketIfLarge(session);
      await stored.store(storable);
      metrics.countSession('begun');
      return stored.write(storable, sent);
    },
    isRunning: stored.isRunning,
    markRunning: stored.markRunning,
    /** Waits for a refresh in progress, then ends the session on all gateways; returns its newest copy. */
    async end(session: Session): Promise<Session> {
      await state.waitForRenewal(session.id);
      const newest = newestOf(session);
      await state.revoke(session.id, endsAt(newest, limits));
      await stored.remove(newest);
      metrics.countSession('ended');
      return newest;
    },
  };
}
