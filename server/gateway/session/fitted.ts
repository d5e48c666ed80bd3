import { appError } from '../../http/errors.ts';
import { endsAt, type Session, type SessionLimits } from './session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SharedState } from './shared-state.ts';

/** Makes a newer copy of a session, with the generation after. */
export type Change = (session: Session) => Promise<Session>;

/** Holds a change to what cookies can hold. */
export type Fitted = (change: Change) => Change;

/**
 * New tokens may be larger than the old. What no browser would keep ends here, once, with SESSION_ENDED: the next sign-in
 * says what is wrong, where a session kept in its old form would fail at every request.
 */
export function createFitted({
  cookie,
  state,
  limits,
  onOutgrown,
}: {
  cookie: Pick<SessionCookie, 'fits'>;
  state: Pick<SharedState, 'revoke'>;
  limits: SessionLimits;
  /** Told of the session that has ended so, with its new tokens. */
  onOutgrown: (session: Session) => void;
}): Fitted {
  return (change) => async (session) => {
    const changed = await change(session);
    if (cookie.fits(changed)) return changed;
    await state.revoke(session.id, endsAt(session, limits));
    onOutgrown(changed);
    throw appError('SESSION_ENDED');
  };
}
