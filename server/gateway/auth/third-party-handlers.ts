import type { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { sessionView } from '../session/session.ts';
import { traceHeaders } from '../upstream/upstream.ts';
import { asPerson } from './as-person.ts';
import { beginSession } from './begin-session.ts';
import type { AuthParts } from './parts.ts';
import { personHeaders } from './person-headers.ts';
import { passFailure, passRefusal } from './refused-body.ts';
import { sessionOf } from './sign-in-answer.ts';
import type { UserService, UserServiceAnswer } from './user-service.ts';
import { withoutTokens } from './without-tokens.ts';

type Routes = typeof userServiceRoutes;

/** An answer, or what stands for one that never came. */
type Asked = UserServiceAnswer | { failure: unknown };

async function asked(answer: Promise<UserServiceAnswer>): Promise<Asked> {
  return answer.catch((failure: unknown) => ({ failure }));
}

/** Binds an account of a third party to the person's own (specification section 7). */
export function bindThirdParty(
  parts: AuthParts,
  userService: UserService,
): Handler<Routes['bindThirdParty']> {
  const { sessions } = parts;
  return async ({ body, request, reply }) => {
    const { visit, answer } = await asPerson(parts, request, reply, async ({ access_token }) => {
      const headers = traceHeaders(request);
      const found = await asked(userService.call('bind', { bearer: access_token, body, headers }));
      if ('status' in found && found.status === 401) throw appError('TOKEN_INVALID');
      return found;
    });
    setCookies(reply, sessions.cookies(visit, request.cookies, { slide: true }));
    if ('failure' in answer) return passFailure(reply, answer.failure);
    const secrets = [visit.session.access_token, visit.session.refresh_token];
    return answer.ok ? withoutTokens(answer.data, secrets) : passRefusal(reply, answer, secrets);
  };
}

/** Signs in by a third party: tokens in the answer become a session and stay here (specification section 7). */
export function signInByThirdParty(
  parts: AuthParts,
  userService: UserService,
): Handler<Routes['signInByThirdParty']> {
  const { sessions, roleOf, now } = parts;
  return async ({ params, body, request, reply }) => {
    const { source } = params;
    const headers = personHeaders(request);
    const answer = await asked(userService.call('thirdPartyAuth', { params: { source }, body, headers }));
    if ('failure' in answer) return passFailure(reply, answer.failure);
    if (!answer.ok) return passRefusal(reply, answer, []);
    const session = sessionOf(answer, now());
    if (!session) return { session: null, answer: withoutTokens(answer.data) };
    setCookies(reply, await beginSession(parts, request, session));
    const view = sessionView(session, await roleOf(session), sessions.limits);
    return {
      session: view,
      answer: withoutTokens(answer.data, [session.access_token, session.refresh_token]),
    };
  };
}
