import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { appError, isAppError } from '../../http/errors.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import type { Provider, Renewal } from '../sign-in/provider.ts';
import { isNetworkFailure } from '../upstream/failure.ts';
import { endsAt, type Session, type SessionLimits, sessionHash } from './session.ts';
import type { SharedState } from './shared-state.ts';

/** After a failure the sign-in service is left alone about this session for so many milliseconds. */
const VALIDATE_AGAIN_AFTER = 30_000;

/** How a refresh ended, for metrics. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'failed';

/**
 * What becomes of a session that the sign-in service has refused: it is over, unless another gateway has renewed it since,
 * which is what made this copy's tokens worthless. Then that one's copy.
 * @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE while the others cannot be asked
 */
export type EndRefused = (
  session: Session,
  event: 'refresh_refused' | 'validation_refused',
) => Promise<Session>;

export function createEndRefused({
  state,
  limits,
  log,
}: {
  state: Pick<SharedState, 'newerThan' | 'revoke'>;
  limits: SessionLimits;
  log: FastifyBaseLogger;
}): EndRefused {
  return async (session, event) => {
    const newer = await state.newerThan(session);
    if (newer) return newer;
    log.info({ event, session: sessionHash(session) }, 'session ended');
    await state.revoke(session.id, endsAt(session, limits));
    throw appError('SESSION_ENDED');
  };
}

/**
 * Gets new tokens for a session (specification section 8): refused means the session is over; after a network error one
 * more try `retryAfter` milliseconds later; any other failure is a 502 that leaves the session as it is.
 * @throws AppError SESSION_ENDED, UPSTREAM_UNAVAILABLE, UPSTREAM_INVALID
 */
export function createRefresh({
  provider,
  endRefused,
  retryAfter,
  onOutcome,
}: {
  provider: Pick<Provider, 'renew'>;
  endRefused: EndRefused;
  retryAfter: number;
  onOutcome: (outcome: RefreshOutcome) => void;
}): (session: Session) => Promise<Session> {
  async function renewTwice(session: Session): Promise<Renewal> {
    try {
      return await provider.renew(session);
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
      await delay(retryAfter);
      return provider.renew(session);
    }
  }

  return async (session) => {
    const renewal = await renewTwice(session).catch((error: unknown) => {
      const isUnusable = isAppError(error) && error.code === 'UPSTREAM_INVALID';
      onOutcome(isUnusable ? 'failed' : 'unreachable');
      throw isUnusable ? error : appError('UPSTREAM_UNAVAILABLE', { cause: error });
    });
    onOutcome(renewal.kind);
    if (renewal.kind === 'refused') return endRefused(session, 'refresh_refused');
    return { ...session, ...renewal.changes, generation: session.generation + 1 };
  };
}

/**
 * Asks the sign-in service whether a session still holds and what its person is called now (specification section 4).
 * However many requests come, one asks. Refused means that the session is over; any failure leaves it as it is. While
 * gateways cannot agree on who asks, nobody does: this copy's tokens may be replaced ones, which are refused.
 * @throws AppError SESSION_ENDED
 */
export function createRevalidate({
  provider,
  refresh,
  endRefused,
  state,
  fits,
  now,
  log,
}: {
  provider: Pick<Provider, 'validate'>;
  /** Gets new tokens, for a session of which the access token alone is refused. */
  refresh: (session: Session) => Promise<Session>;
  endRefused: EndRefused;
  state: Pick<SharedState, 'mayRenew' | 'renewOnce'>;
  /** Whether a session can be kept where it is. */
  fits: (session: Session) => boolean;
  now: () => number;
  log: FastifyBaseLogger;
}): (session: Session) => Promise<Session> {
  const failedAt = boundedMap<number>({ limit: 10_000 });

  async function ask(session: Session): Promise<Session> {
    const found = await provider.validate(session);
    if (found.kind === 'stale') return { ...(await refresh(session)), validated: now() };
    if (found.kind === 'refused') return endRefused(session, 'validation_refused');
    const valid = { ...session, generation: session.generation + 1, validated: now() };
    const told = { ...valid, user: found.user };
    return fits(told) ? told : valid;
  }

  /** Calls that need new tokens may be waiting for this: a failure to validate is none of theirs. */
  async function askTolerantly(session: Session): Promise<Session> {
    try {
      return await ask(session);
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      failedAt.set(session.id, now());
      log.warn({ err: error.cause ?? error, session: sessionHash(session) }, 'session not validated');
      return session;
    }
  }

  return async (session) => {
    if (!state.mayRenew()) return session;
    if (Math.abs(now() - (failedAt.get(session.id) ?? Number.NEGATIVE_INFINITY)) < VALIDATE_AGAIN_AFTER)
      return session;
    try {
      return await state.renewOnce(session, askTolerantly);
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      return session;
    }
  };
}
