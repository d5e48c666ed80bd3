import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { REFRESH_NETWORK_RETRY } from '../../../shared/constants.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Renewal } from '../sign-in/provider.ts';
import { isNetworkFailure } from '../upstream.ts';
import type { SessionCookies } from './cookie.ts';
import { endsAt, type Session, sessionHash } from './session.ts';

/** After a failure the sign-in service is left alone about this session for so many milliseconds. */
const VALIDATE_AGAIN_AFTER = 30_000;

/** How a refresh ended, for metrics. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'failed';

/** Makes a newer copy of a session, with the generation after. */
export type Change = (session: Session) => Promise<Session>;

/** What changes a session at the sign-in service. `limited`: ends a session that a change makes too large. */
export function createRefresh(
  app: FastifyInstance,
  { fits }: SessionCookies,
  limited: (change: Change) => Change,
): { refresh: Change; revalidate: Change } {
  const { gateway, metrics, provider, shared } = app;
  const { config, log, now, perf = performance, refreshRetryAfter = REFRESH_NETWORK_RETRY } = gateway;
  const { state } = shared;
  /** Sessions whose validation has just failed. */
  const failed = new LRUCache<string, true>({
    max: 10_000,
    ttl: VALIDATE_AGAIN_AFTER,
    ttlResolution: 0,
    perf,
  });

  /**
   * What becomes of a session that the sign-in service has refused: it is over, unless another gateway has renewed it
   * since, which is what made this copy's tokens worthless. Then that one's copy.
   */
  async function endRefused(session: Session, event: string): Promise<Session> {
    const newer = await state.newerThan(session);
    if (newer) return newer;
    log.info({ event, session: sessionHash(session) }, 'session ended');
    await state.revoke(session.id, endsAt(session, config.session));
    throw appError('SESSION_ENDED');
  }

  async function renewTwice(session: Session): Promise<Renewal> {
    try {
      return await provider.renew(session);
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
      await delay(refreshRetryAfter);
      return provider.renew(session);
    }
  }

  /**
   * Gets new tokens (specification section 8): refused means the session is over; after a network error one more try; any
   * other failure is a 502 that leaves the session as it is.
   * @throws AppError SESSION_ENDED, SERVICE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, UPSTREAM_INVALID
   */
  const refresh = limited(async (session) => {
    const renewal = await renewTwice(session).catch((error: unknown) => {
      const isUnusable = isAppError(error) && error.code === 'UPSTREAM_INVALID';
      metrics.countRefresh(isUnusable ? 'failed' : 'unreachable');
      throw isUnusable ? error : appError('UPSTREAM_UNAVAILABLE', { cause: error });
    });
    metrics.countRefresh(renewal.kind);
    if (renewal.kind === 'refused') return endRefused(session, 'refresh_refused');
    return { ...session, ...renewal.changes, generation: session.generation + 1 };
  });

  /** Calls that need new tokens may be waiting for this: a failure to validate is none of theirs. */
  async function validate(session: Session): Promise<Session> {
    try {
      const found = await provider.validate(session);
      if (found.kind === 'stale') return { ...(await refresh(session)), validated: now() };
      if (found.kind === 'refused') return await endRefused(session, 'validation_refused');
      const valid = { ...session, generation: session.generation + 1, validated: now() };
      const named = { ...valid, user: found.user };
      return fits(named) ? named : valid;
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      failed.set(session.id, true);
      log.warn({ err: error.cause ?? error, session: sessionHash(session) }, 'session validation failed');
      return session;
    }
  }

  /**
   * Asks the sign-in service whether a session still holds and what its user is called now (specification section 4).
   * However many requests come, one asks. Refused means that the session is over; any failure leaves it as it is. While
   * gateways cannot agree on who asks, nobody does: this copy's tokens may be replaced ones, which are refused.
   * @throws AppError SESSION_ENDED
   */
  async function revalidate(session: Session): Promise<Session> {
    if (!state.mayRenew() || failed.has(session.id)) return session;
    try {
      return await state.renewOnce(session, validate);
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      return session;
    }
  }

  return { refresh, revalidate };
}
