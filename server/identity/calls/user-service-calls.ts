import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { userInfoOf } from '../accounts/account-fields.ts';
import { enterEnterprise, findUser } from '../accounts/store.ts';
import { exchangeCode, issueCode } from '../codes/codes.ts';
import type { IdentityContext } from '../context.ts';
import { beginBind, bindPending, readBind } from '../federation/linking.ts';
import type { Logout, SignInMethod } from '../federation/method.ts';
import { signInByHandOver } from '../federation/third-party.ts';
import { CODE_LIFETIME } from '../lifetimes.ts';
import { signAccessToken } from '../sessions/access-token.ts';
import { type Caller, tokenInvalid } from '../sessions/caller.ts';
import { issueRefreshToken, signedInUser } from '../sessions/start-session.ts';
import { revokeSession } from '../sessions/store.ts';
import { answerAnyone, answerBearer } from './answer.ts';

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

/** Calls that make and take one-time codes (specification section 7). */
export function serveCodeCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.loginCode, async ({ session }) => {
    const code = await issueCode(identity, {
      userId: session.user_id,
      method: session.login_method,
      source: session.source,
      redirectUri: null,
      codeChallenge: null,
      authenticatedAt: session.authenticated_at,
    });
    return { code, expires_in: CODE_LIFETIME / 1000 };
  });

  answerAnyone(app, userServiceCalls.exchangeCode, ({ query, request }) =>
    exchangeCode(identity, shownIn(query), request),
  );

  answerAnyone(app, userServiceCalls.exchangeOauth2Code, ({ body, request }) =>
    exchangeCode(identity, shownIn(body), request),
  );
}

type CodeOfSignIn = Static<(typeof userServiceCalls)['exchangeCode']['query']>;

function shownIn({ code, code_verifier: codeVerifier, redirect_uri: redirectUri }: CodeOfSignIn) {
  return { code, codeVerifier, redirectUri };
}

/** Calls whose answer depends on what the deployment has set up (specification section 7). */
export function serveDeploymentCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.privateConfig, ({ session }) =>
    logoutEntries(identity.methods, session.source),
  );

  answerBearer(app, identity, userServiceCalls.beginBind, ({ user }, { body }) =>
    beginBind(identity, user, body),
  );
  answerBearer(app, identity, userServiceCalls.readBind, (caller, { body }) =>
    readBind(identity, caller, body),
  );
  answerBearer(app, identity, userServiceCalls.bind, async (caller, { body, request }) => {
    await bindPending(identity, caller, { body, request });
    return {};
  });

  answerAnyone(app, userServiceCalls.thirdPartyAuth, ({ params, body, request }) =>
    signInByHandOver(identity, params.source ?? '', body, request),
  );
}

/**
 * A '{method}-private' entry for each method with a sign-out of its own. Where a deployment has two of one method, the
 * one that the caller came by speaks for it.
 */
async function logoutEntries(
  methods: readonly SignInMethod[],
  source: string | null,
): Promise<Record<string, Logout>> {
  const ownLast = methods.toSorted((a, b) => Number(a.source === source) - Number(b.source === source));
  const entries: Record<string, Logout> = {};
  for (const { name, logout } of ownLast) {
    if (logout) entries[`${name}-private`] = await logout();
  }
  return entries;
}
