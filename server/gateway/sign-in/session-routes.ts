import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authRoutes, userServiceRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import { everybody, implement } from '../../http/implement.ts';
import { authenticated, findSession, sessionViewOf, withUserToken } from '../session/current.ts';
import { sessionHash } from '../session/session.ts';

/** What pages ask of the session, and signing out. */
export async function sessionRoutes(app: FastifyInstance): Promise<void> {
  const { provider, sessions, userService } = app;

  /** Who this browser is. Pages may ask as often as they like: that alone keeps no session alive. */
  implement(app, everybody, authRoutes.readSession, async ({ request }) => {
    const hasFreshToken = await findSession(request, 'keep');
    return sessionViewOf(request, hasFreshToken);
  });

  /**
   * Ends the session here whatever the sign-in service says, and fails when it could not be told there (specification
   * section 4). Answers where the browser must go to be signed out there as well.
   */
  implement(app, everybody, authRoutes.logout, async ({ request, reply }) => {
    const found = await request.loadSession('none').catch(async (error: unknown) => {
      // Its tokens cannot be had now: it ends here all the same.
      const [copy] = sessions.copies(request.cookies);
      if (copy) await sessions.end(copy);
      reply.clearSession();
      throw error;
    });
    reply.clearSession();
    if (!found) return { redirect_url: null };
    const ended = await sessions.end(found);
    request.log.info({ event: 'logout', session: sessionHash(ended) }, 'signed out');
    return { redirect_url: await provider.signOut(ended) };
  });

  /** The user info as the sign-in service has it now. Without a session: 'no exist local authInfo' (specification section 4). */
  const withLocalSession = async (_route: unknown, request: FastifyRequest): Promise<void> => {
    await request.authenticate('user', { absent: 'NO_LOCAL_SESSION' });
  };
  implement(app, withLocalSession, authRoutes.readUserInfo, ({ request }) =>
    withUserToken(request, provider.userInfo),
  );

  if (!userService) return;
  /**
   * Whether the user service hands out a login code for this session (`user/login/code`). No code leaves the gateway, so
   * the answer says that there is one and for how long; the code itself runs out unused.
   */
  implement(app, authenticated, userServiceRoutes.readLoginCode, async ({ request }) => {
    const answer = await withUserToken(request, async ({ access_token }) => {
      const found = await userService.call('loginCode', { bearer: access_token });
      if (found.status === 401) throw appError('TOKEN_INVALID');
      return found;
    });
    if (!answer.ok && answer.status >= 500) {
      throw appError('UPSTREAM_INVALID', { cause: new Error(`login code answered ${answer.status}`) });
    }
    const { code, expires_in } = answer.data;
    const issued = answer.ok && typeof code === 'string' && code !== '';
    const lifetime = issued && Number.isSafeInteger(expires_in) ? Number(expires_in) : null;
    return { issued, expires_in: lifetime };
  });
}
