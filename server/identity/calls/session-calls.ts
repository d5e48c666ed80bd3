import type { FastifyInstance } from 'fastify';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { enterEnterprise, findUser } from '../accounts/store.ts';
import { userInfoOf } from '../accounts/user-info.ts';
import type { IdentityContext } from '../context.ts';
import { signAccessToken } from '../sessions/access-token.ts';
import { type Caller, tokenInvalid } from '../sessions/caller.ts';
import { signedInUser } from '../sessions/signed-in-user.ts';
import { issueRefreshToken } from '../sessions/start-session.ts';
import { revokeSession } from '../sessions/store.ts';
import { answerBearer } from './answer.ts';

/** Calls about the session that the bearer belongs to (specification section 7). */
export function serveSessionCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.validate, async ({ user }) => ({
    info: userInfoOf(user),
  }));

  answerBearer(app, identity, userServiceCalls.userInfo, async ({ user }) => userInfoOf(user));

  // The refresh token is not replaced: the answer has no place for another one.
  answerBearer(app, identity, userServiceCalls.refreshToken, async ({ user, session }) => ({
    access_token: await signAccessToken(identity, user, session),
  }));

  answerBearer(app, identity, userServiceCalls.logout, async ({ session }, { request }) => {
    await revokeSession(identity.db, session.sid, new Date(identity.now()));
    request.log.info({ user_id: session.user_id }, 'signed out');
    return {};
  });

  answerBearer(app, identity, userServiceCalls.resetToken, (caller, { body }) =>
    switchEnterprise(identity, caller, body.e_id),
  );
}

/** @throws FORBIDDEN when the user is no member of the enterprise */
async function switchEnterprise(identity: IdentityContext, { session }: Caller, eId: number) {
  const { user, refreshToken } = await identity.db.transaction().execute(async (db) => {
    if (!(await enterEnterprise(db, session.user_id, eId))) throw appError('FORBIDDEN');
    const entered = await findUser(db, session.user_id);
    if (!entered) throw tokenInvalid();
    return { user: entered, refreshToken: await issueRefreshToken(db, identity, session) };
  });
  const { access_token, refresh_token, refresh_expires_in } = await signedInUser(
    identity,
    { user, session },
    refreshToken,
  );
  return { access_token, refresh_token, refresh_expires_in, user_info: userInfoOf(user) };
}
