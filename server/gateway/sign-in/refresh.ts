import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { appError, isAppError } from '../../http/errors.ts';
import { endsAt, type Session, type SessionLimits, sessionHash } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import { isNetworkFailure } from '../upstream/failure.ts';
import type { Provider, Renewal } from './provider.ts';

/** How a refresh ended, for the figures. */
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
