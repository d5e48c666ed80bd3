import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { appError } from '../../http/errors.ts';
import { endsAt, type Session, type SessionLimits, sessionHash } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import { isNetworkFailure } from '../upstream/failure.ts';
import { tokensOf } from './sign-in-answer.ts';
import type { UserService, UserServiceAnswer } from './user-service.ts';

/** How a refresh ended, for the figures. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable' | 'failed';

/**
 * Gets new tokens for a session (specification section 8): refused means the session is over; after a network error one
 * more try `retryAfter` milliseconds later; any other failure is a 502 that leaves the session as it is.
 * @throws AppError SESSION_ENDED, UPSTREAM_UNAVAILABLE, UPSTREAM_INVALID
 */
export function createRefresh({
  userService,
  state,
  limits,
  now,
  retryAfter,
  log,
  onOutcome,
}: {
  userService: UserService;
  state: SharedState;
  limits: SessionLimits;
  now: () => number;
  retryAfter: number;
  log: FastifyBaseLogger;
  onOutcome: (outcome: RefreshOutcome) => void;
}): (session: Session) => Promise<Session> {
  const callOnce = (session: Session) => userService.call('refreshToken', { bearer: session.refresh_token });

  async function callTwice(session: Session): Promise<UserServiceAnswer> {
    try {
      return await callOnce(session);
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
      await delay(retryAfter);
      return callOnce(session);
    }
  }

  return async (session) => {
    const answer = await callTwice(session).catch((error: unknown) => {
      onOutcome('unreachable');
      throw appError('UPSTREAM_UNAVAILABLE', { cause: error });
    });
    if (isRefusal(answer)) {
      onOutcome('refused');
      log.info({ event: 'refresh_refused', session: sessionHash(session) }, 'session ended');
      await state.revoke(session.id, endsAt(session, limits));
      throw appError('SESSION_ENDED');
    }
    const tokens = answer.ok ? tokensOf(answer, now(), session) : undefined;
    if (!tokens) {
      onOutcome('failed');
      throw appError('UPSTREAM_INVALID', { cause: new Error(`refresh answered ${answer.status}`) });
    }
    onOutcome('renewed');
    return { ...session, ...tokens, generation: session.generation + 1 };
  };
}

/** 401, or the refusal of OAuth 2 (RFC 6749 section 5.2). */
function isRefusal(answer: UserServiceAnswer): boolean {
  return answer.status === 401 || (answer.status === 400 && answer.data.error === 'invalid_grant');
}
