import type { FastifyReply } from 'fastify';
import type { authRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { admit, withSession } from '../session/admit.ts';
import { sessionHash } from '../session/session.ts';
import { currentVisit, viewOf } from './current-session.ts';
import type { AuthParts } from './parts.ts';
import { userInfoOf } from './sign-in-answer.ts';
import { signOut } from './sign-out.ts';

type Routes = typeof authRoutes;

function setCookies(reply: FastifyReply, cookies: string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

/** Who this browser is. Pages may ask as often as they like: that alone keeps no session alive. */
export function readSession({ sessions, roleOf }: AuthParts): Handler<Routes['readSession']> {
  return async ({ request, reply }) => {
    const current = await currentVisit(sessions, request);
    const view = await viewOf(current, sessions, roleOf);
    setCookies(reply, sessions.cookies(current.visit, request.headers.cookie, { slide: false }));
    return view;
  };
}

/**
 * Ends the session here whatever the user service says, and fails when it could not be told there (specification
 * section 4).
 */
export function logout(parts: AuthParts): Handler<Routes['logout']> {
  const { sessions, log } = parts;
  return async ({ request, reply }) => {
    const visit = await sessions.open(request.headers.cookie);
    setCookies(reply, sessions.clear(request.headers.cookie));
    if (visit.kind === 'signed-in') {
      const ended = await sessions.end(visit.session);
      log.info({ event: 'logout', session: sessionHash(ended), reqId: request.id }, 'signed out');
      await signOut(parts, ended);
    }
    return { redirect_url: null };
  };
}

/** The user info as the user service has it now. */
export function readUserInfo({ sessions, userService }: AuthParts): Handler<Routes['readUserInfo']> {
  return async ({ request, reply }) => {
    let visit = await admit(sessions, request, reply, 'user');
    if (visit.kind !== 'signed-in') throw appError('UNAUTHENTICATED');
    const read = (bearer: string) => userService.call('userInfo', { bearer });
    let answer = await read(visit.session.access_token);
    if (answer.status === 401) {
      visit = await withSession(sessions, request, reply, visit, sessions.renew);
      answer = await read(visit.session.access_token);
    }
    setCookies(reply, sessions.cookies(visit, request.headers.cookie, { slide: true }));
    if (answer.status === 401) throw appError('UNAUTHENTICATED');
    const user = answer.ok ? userInfoOf(answer.data) : undefined;
    if (!user) throw appError('UPSTREAM_INVALID', { cause: new Error(`userinfo answered ${answer.status}`) });
    return user;
  };
}
