import type { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import type { Handler } from '../../http/implement.ts';
import { sessionView } from '../session/session.ts';
import { tokensOf } from '../session/sessions.ts';
import { keepsAccounts } from './accounts-kept.ts';
import { beginSession } from './begin-session.ts';
import type { AuthParts } from './parts.ts';
import { personHeaders } from './person-headers.ts';
import { passFailure, passRefusal } from './refused-body.ts';
import { deviceTokenOf, sessionOf } from './sign-in-answer.ts';
import type { UserService, UserServiceAnswer } from './user-service.ts';
import { withoutTokens } from './without-tokens.ts';

type Routes = typeof userServiceRoutes;

/** An answer, or what stands for one that never came. */
type Asked = UserServiceAnswer | { failure: unknown };

export async function asked(answer: Promise<UserServiceAnswer>): Promise<Asked> {
  return answer.catch((failure: unknown) => ({ failure }));
}

/**
 * Signs in by a third party: tokens in the answer become a session and stay here (specification section 7), and so does
 * the id of what must be bound first.
 */
export function signInByThirdParty(
  parts: AuthParts,
  userService: UserService,
): Handler<Routes['signInByThirdParty']> {
  const { binds, config, sessions, roleOf, now } = parts;
  return async ({ params, body, request, reply }) => {
    const { source } = params;
    const headers = { ...personHeaders(request), ...parts.devices.headers(request.cookies) };
    const answer = await asked(userService.call('thirdPartyAuth', { params: { source }, body, headers }));
    if ('failure' in answer) return passFailure(reply, answer.failure);
    const held = tokensOf(sessions.copies(request.cookies));
    if (!answer.ok) return passRefusal(reply, answer, held);
    const session = sessionOf(answer, now());
    if (!session) {
      const { need_bind, id } = answer.data;
      const known = withoutTokens(answer.data, held);
      if (need_bind !== true || typeof id !== 'string' || !keepsAccounts(config)) {
        return { session: null, answer: known };
      }
      const { handle, cookie } = binds.keep({ id }, request.cookies);
      setCookies(reply, [cookie]);
      return { session: null, answer: { ...known, id: handle } };
    }
    const deviceToken = deviceTokenOf(answer);
    setCookies(reply, await beginSession(parts, request, { session, deviceToken }));
    const view = sessionView(session, await roleOf(session), sessions.limits);
    return {
      session: view,
      answer: withoutTokens(answer.data, [...held, session.access_token, session.refresh_token]),
    };
  };
}
