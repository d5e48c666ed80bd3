import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../../shared/entities/base.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { type CheckedGrants, type IssuedGrant, publishGrantCalls } from '../../../shared/identity-calls.ts';
import { RefreshForm, type SignedInUser, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { userInfoOf } from '../accounts/account.ts';
import { type AccountState, enterEnterprise, findUser, readAccountStates } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { beginBind, bindPending, readBind } from '../federation/linking.ts';
import type { Logout, SignInMethod } from '../federation/method.ts';
import { signInByHandOver } from '../federation/routes.ts';
import { CODE_LIFETIME } from '../lifetimes.ts';
import { decryptJson } from '../secret.ts';
import { type Caller, tokenInvalid } from '../sessions/caller.ts';
import { exchangeCode, issueCode } from '../sessions/codes.ts';
import { rotateRefreshToken } from '../sessions/rotation.ts';
import { issueRefreshToken, signedInUser } from '../sessions/sessions.ts';
import { findSession, revokeSession } from '../sessions/store.ts';
import { implementBearerCall, implementOpenCall } from './answer.ts';

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
async function switchEnterprise(identity: IdentityContext, { session }: Caller, eId: number) {
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

/** Calls that issue and exchange one-time codes (R 14.46 to 14.48). */
export function serveCodeCalls(app: FastifyInstance): void {
  const { identity } = app;
  implementBearerCall(app, userServiceCalls.loginCode, async ({ session }) => {
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

  implementOpenCall(app, userServiceCalls.exchangeCode, ({ query, request }) =>
    exchangeCode(identity, presentedCode(query), request),
  );

  implementOpenCall(app, userServiceCalls.exchangeOauth2Code, ({ body, request }) =>
    exchangeCode(identity, presentedCode(body), request),
  );
}

type CodeOfSignIn = Static<(typeof userServiceCalls)['exchangeCode']['query']>;

function presentedCode({ code, code_verifier: codeVerifier, redirect_uri: redirectUri }: CodeOfSignIn) {
  return { code, codeVerifier, redirectUri };
}

/** Calls that depend on the sign-in methods of the deployment (R 14.44, R 14.45, R 14.53). */
export function serveDeploymentCalls(app: FastifyInstance): void {
  const { identity } = app;
  implementBearerCall(app, userServiceCalls.privateConfig, ({ session }) =>
    logoutEntries(identity.methods, session.source),
  );

  implementBearerCall(app, userServiceCalls.beginBind, ({ user }, { body }) =>
    beginBind(identity, user, body),
  );
  implementBearerCall(app, userServiceCalls.readBind, (caller, { body }) => readBind(identity, caller, body));
  implementBearerCall(app, userServiceCalls.bind, async (caller, { body, request }) => {
    await bindPending(identity, caller, { body, request });
    return {};
  });

  implementOpenCall(app, userServiceCalls.thirdPartyAuth, ({ params, body, request }) =>
    signInByHandOver(identity, params.source ?? '', body, request),
  );
}

/**
 * A '{method}-private' entry for each method with its own sign-out. Of several providers with one method, the caller's own
 * one is used.
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

const LABEL = 'publish grant';

/** The account, and its last sign-out when the grant was issued (milliseconds since 1970). */
const Content = Type.Object({ user_id: Type.Integer(), signed_out_at: Nullable(Type.Integer()) });
type Content = Static<typeof Content>;

/**
 * Grants with which the community service checks the current rights of a publish token's owner. A grant ends with the next
 * sign-out everywhere, which disabling, losing a role and a new password cause as well. No clocks are compared, and only a
 * service that holds a grant can query the account.
 */
export function servePublishGrantCalls(app: FastifyInstance): void {
  const { identity } = app;
  const { db, encryptor } = identity;

  implementBearerCall(app, publishGrantCalls.issue, async ({ user, session }) => {
    // Read again after the account: the grant must not include a sign-out that has ended this session.
    const current = await findSession(db, session.sid);
    if (!current || current.revoked_at !== null) throw tokenInvalid();
    const signed_out_at = user.signed_out_at?.getTime() ?? null;
    const content: Content = { user_id: user.user_id, signed_out_at };
    const grant = encryptor.encrypt(JSON.stringify(content), LABEL);
    return { grant, role: user.role, signed_out_at } satisfies Static<typeof IssuedGrant>;
  });

  implementOpenCall(app, publishGrantCalls.check, async ({ body }) => {
    const grants = body.grant_list.map((grant) => decryptJson(encryptor, Content, grant, LABEL) ?? null);
    const ids = grants.flatMap((grant) => grant?.user_id ?? []);
    const accounts = new Map((await readAccountStates(db, ids)).map((account) => [account.user_id, account]));
    const role_list = grants.map((grant) => grant && roleBy(grant, accounts.get(grant.user_id)));
    return { role_list } satisfies Static<typeof CheckedGrants>;
  });
}

/** The current role; null when the account is disabled or was signed out since the grant was issued. */
function roleBy(grant: Content, account: AccountState | undefined): Role | null {
  if (!account || account.disabled_at !== null) return null;
  return (account.signed_out_at?.getTime() ?? null) === grant.signed_out_at ? account.role : null;
}
