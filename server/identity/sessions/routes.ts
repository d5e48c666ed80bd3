import type { FastifyInstance } from 'fastify';
import { RefreshForm, type SignedInUser, userServiceCalls } from '../../../shared/user-service.ts';
import { tokenInvalid } from '../../http/authentication.ts';
import { appError } from '../../http/errors.ts';
import { userInfoOf } from '../accounts/account.ts';
import { enterEnterprise, findUser } from '../accounts/store.ts';
import { implementOpenCall } from '../calls.ts';
import { implementBearerCall } from './bearer-call.ts';
import type { Caller } from './caller.ts';
import { rotateRefreshToken } from './rotation.ts';
import { issueRefreshToken, signedInUser } from './sessions.ts';
import { revokeSession } from './store.ts';
import type { SessionContext } from './tokens.ts';

const FORM_BYTES = 16 * 1024;

/** Calls about the session of a bearer token, or of the refresh token in a form (R 14.49 to 14.52). */
export async function serveSessionCalls(app: FastifyInstance): Promise<void> {
  const { identity } = app;
  implementBearerCall(app, userServiceCalls.validate, async ({ user }) => ({
    info: userInfoOf(user),
  }));

  implementBearerCall(app, userServiceCalls.userInfo, async ({ user }) => userInfoOf(user));

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    const call = { ...userServiceCalls.refreshToken, bearer: 'none', body: RefreshForm } as const;
    implementOpenCall(scope, call, async ({ body: { refresh_token }, request }) => {
      const { caller, refreshToken } = await rotateRefreshToken(identity, refresh_token, request.log);
      return tokensOf(await signedInUser(identity, caller, refreshToken));
    });
  });

  implementBearerCall(app, userServiceCalls.logout, async ({ session }, { request }) => {
    await revokeSession(identity.db, session.sid, new Date(identity.now()));
    request.log.info({ user_id: session.user_id }, 'signed out');
    return {};
  });

  implementBearerCall(app, userServiceCalls.resetToken, (caller, { body }) =>
    switchEnterprise(identity, caller, body.e_id),
  );
}

/** @throws FORBIDDEN when the user is not a member of the enterprise */
async function switchEnterprise(identity: SessionContext, { session }: Caller, eId: number) {
  const { user, refreshToken } = await identity.db.transaction().execute(async (db) => {
    if (!(await enterEnterprise(db, session.user_id, eId))) throw appError('FORBIDDEN');
    const user = await findUser(db, session.user_id);
    if (!user) throw tokenInvalid();
    return { user, refreshToken: await issueRefreshToken(db, identity, session) };
  });
  const tokens = tokensOf(await signedInUser(identity, { user, session }, refreshToken));
  return { ...tokens, user_info: userInfoOf(user) };
}

function tokensOf({ access_token, refresh_token, refresh_expires_in }: SignedInUser) {
  return { access_token, refresh_token, refresh_expires_in };
}
