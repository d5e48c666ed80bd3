import type { Cookies } from '../../http/cookies.ts';
import { isOver, type SessionLimits } from './session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SharedState } from './shared-state.ts';

/** Id of the session that these cookies prove, as far as this process knows without asking anybody. */
export type HolderOf = (cookies: Cookies) => string | undefined;

export function createHolder({
  cookie,
  state,
  limits,
  now,
}: {
  cookie: SessionCookie;
  state: Pick<SharedState, 'isKnownRevoked'>;
  limits: SessionLimits;
  now: () => number;
}): HolderOf {
  return (cookies) => {
    const opened = cookie.open(cookies);
    if (opened.kind !== 'opened') return undefined;
    const { session } = opened;
    return state.isKnownRevoked(session.id) || isOver(session, limits, now()) ? undefined : session.id;
  };
}
