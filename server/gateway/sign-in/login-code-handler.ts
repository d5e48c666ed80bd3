import type { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { asPerson } from './as-person.ts';
import type { AuthParts } from './parts.ts';
import type { UserService } from './user-service.ts';

type Routes = typeof userServiceRoutes;

/**
 * Whether the user service hands out a login code for this session (`user/login/code`). No code leaves the gateway, so
 * the answer says that there is one and for how long; the code itself runs out unused.
 */
export function readLoginCode(parts: AuthParts, userService: UserService): Handler<Routes['readLoginCode']> {
  const { sessions } = parts;
  return async ({ request, reply }) => {
    const { visit, answer } = await asPerson(parts, request, reply, async ({ access_token }) => {
      const found = await userService.call('loginCode', { bearer: access_token });
      if (found.status === 401) throw appError('TOKEN_INVALID');
      return found;
    });
    setCookies(reply, sessions.cookies(visit, request.cookies, { slide: true }));
    if (!answer.ok && answer.status >= 500) {
      throw appError('UPSTREAM_INVALID', { cause: new Error(`login code answered ${answer.status}`) });
    }
    const { code, expires_in } = answer.data;
    const issued = answer.ok && typeof code === 'string' && code !== '';
    const lifetime = issued && Number.isSafeInteger(expires_in) ? Number(expires_in) : null;
    return { issued, expires_in: lifetime };
  };
}
