import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type AppError, appError, isAppError } from '../../http/errors.ts';
import type { Renewal } from '../sign-in/provider.ts';
import { isNetworkFailure } from '../upstream.ts';
import type { SessionCookies } from './cookie.ts';
import { endsAt, type Session, sessionHash } from './session.ts';

/** Milliseconds before a session is validated again after a failure. */
const VALIDATION_RETRY_MS = 30_000;

/** Milliseconds in which a public read does not try again what has just failed. */
const UNREACHABLE_MS = 10_000;

/** Result of a refresh, for metrics. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'failed';

/** Returns a newer copy of a session, with the next generation number. */
export type Change = (session: Session) => Promise<Session>;

/** Token refresh and validation at the sign-in service. `withSizeLimit`: ends a session that becomes too large. */
export function createRefresh(
  app: FastifyInstance,
  { fits }: SessionCookies,
  withSizeLimit: (change: Change) => Change,
): {
  refresh: Change;
  revalidate: Change;
  /** Why a refresh of this session failed in the last seconds, if it did. */
  lastFailure(session: Session): AppError | undefined;
} {
  const { gateway, metrics, provider, shared } = app;
  const { config, log, now, perf = performance, timeouts } = gateway;
  const { state } = shared;
  /** Sessions whose validation failed recently. */
  const failed = new LRUCache<string, true>({
    max: 10_000,
    ttl: VALIDATION_RETRY_MS,
    ttlResolution: 0,
    perf,
  });

  const unreachable = new LRUCache<string, AppError>({
    max: 10_000,
    ttl: UNREACHABLE_MS,
    ttlResolution: 0,
    perf,
  });

  /** Ends a rejected session, or returns a newer copy: then the tokens were replaced, not revoked. */
  async function endRefused(session: Session, event: string): Promise<Session> {
    const newer = await state.newerThan(session);
    if (newer) return newer;
    log.info({ event, session: sessionHash(session) }, 'session ended');
    await state.revoke(session.id, endsAt(session, config.session));
    throw appError('SESSION_ENDED');
  }

  async function renewWithRetry(session: Session): Promise<Renewal> {
    try {
      return await provider.renew(session);
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
      await delay(timeouts.refreshRetry);
      return provider.renew(session);
    }
  }

  /**
   * Gets new tokens (R 9.17). A rejected refresh token ends the session, a network error is retried
   * once, any other failure is a 502 and leaves the session unchanged.
   * @throws AppError SESSION_ENDED, SERVICE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, UPSTREAM_INVALID
   */
  const refresh = withSizeLimit(async (session) => {
    const renewal = await renewWithRetry(session).catch((error: unknown) => {
      const isUnusable = isAppError(error) && error.code === 'UPSTREAM_INVALID';
      metrics.countRefresh(isUnusable ? 'failed' : 'unreachable');
      const failure = isUnusable ? error : appError('UPSTREAM_UNAVAILABLE', { cause: error });
      unreachable.set(session.id, failure);
      throw failure;
    });
    unreachable.delete(session.id);
    metrics.countRefresh(renewal.kind);
    if (renewal.kind === 'refused') return endRefused(session, 'refresh_refused');
    return { ...session, ...renewal.changes, generation: session.generation + 1 };
  });

  /** A failed validation changes nothing: requests that need new tokens may wait for the result. */
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
   * Validates a session at the sign-in service and updates its user info (R 8.9), once for concurrent
   * requests. A rejection ends the session; a failure leaves it unchanged. While the shared state is unavailable
   * nothing is validated: the tokens of this copy may have been replaced, and would be rejected.
   * @throws AppError SESSION_ENDED
   */
  async function revalidate(session: Session): Promise<Session> {
    if (!state.canRenew() || failed.has(session.id)) return session;
    try {
      return await state.renewOnce(session, validate);
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      return session;
    }
  }

  return { refresh, revalidate, lastFailure: ({ id }) => unreachable.get(id) };
}
