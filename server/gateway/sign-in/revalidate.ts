import type { FastifyBaseLogger } from 'fastify';
import { isAppError } from '../../http/errors.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { type Session, sessionHash } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { Provider } from './provider.ts';
import type { EndRefused } from './refresh.ts';

/** After a failure the sign-in service is left alone about this session for so long. */
const RETRY_AFTER = 30_000;

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
  /** Whether cookies can hold a session. */
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
  async function askPatiently(session: Session): Promise<Session> {
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
    if (Math.abs(now() - (failedAt.get(session.id) ?? Number.NEGATIVE_INFINITY)) < RETRY_AFTER)
      return session;
    try {
      return await state.renewOnce(session, askPatiently);
    } catch (error) {
      if (!isAppError(error) || error.code === 'SESSION_ENDED') throw error;
      return session;
    }
  };
}
