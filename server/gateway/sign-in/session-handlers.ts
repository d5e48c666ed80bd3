import type { authRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import type { Handler } from '../../http/implement.ts';
import { sessionHash } from '../session/session.ts';
import { asPerson } from './as-person.ts';
import { currentVisit, viewOf } from './current-session.ts';
import type { AuthParts } from './parts.ts';

type Routes = typeof authRoutes;

/** Who this browser is. Pages may ask as often as they like: that alone keeps no session alive. */
export function readSession({ sessions, roleOf }: AuthParts): Handler<Routes['readSession']> {
  return async ({ request, reply }) => {
    const current = await currentVisit(sessions, request);
    const view = await viewOf(current, sessions, roleOf);
    setCookies(reply, sessions.cookies(current.visit, request.cookies, { slide: false }));
    return view;
  };
}

/**
 * Ends the session here whatever the sign-in service says, and fails when it could not be told there (specification
 * section 4). Answers where the browser must go to be signed out there as well.
 */
export function logout({ sessions, provider, log }: AuthParts): Handler<Routes['logout']> {
  return async ({ request, reply }) => {
    const visit = await sessions.open(request.cookies);
    setCookies(reply, sessions.clear(request.cookies));
    if (visit.kind !== 'signed-in') return { redirect_url: null };
    const ended = await sessions.end(visit.session);
    log.info({ event: 'logout', session: sessionHash(ended), reqId: request.id }, 'signed out');
    return { redirect_url: await provider.signOut(ended) };
  };
}

/** The user info as the sign-in service has it now. Without a session: 'no exist local authInfo' (specification section 4). */
export function readUserInfo(parts: AuthParts): Handler<Routes['readUserInfo']> {
  const { sessions, provider } = parts;
  return async ({ request, reply }) => {
    const { visit, answer } = await asPerson(parts, request, reply, provider.userInfo, 'NO_LOCAL_SESSION');
    setCookies(reply, sessions.cookies(visit, request.cookies, { slide: true }));
    return answer;
  };
}
