import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { JWTVerifyGetKey } from 'jose';
import type { Static } from 'typebox';
import { isPrivate } from '../../../shared/deploy-types.ts';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  JWKS_PATH,
  type RefreshForm,
} from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { GatewayConfig } from '../options.ts';
import { IN_TOOL_SCOPES } from '../session/in-tool.ts';
import { isExpiring, type Session, sessionHash } from '../session/session.ts';
import { createFetch, isObject } from '../upstream.ts';
import { callbackUrl, loginUrl, VERIFIER, webAddress } from './login-params.ts';
import { type Callback, type Provider, type Renewal, tokensFromResponse } from './provider.ts';
import {
  signedInFrom,
  type UserService,
  type UserServiceAnswer,
  unexpectedResponse,
  userInfoOf,
} from './user-service.ts';

/** `logout_mode` of a private entry with a redirect (R 8.14). */
const REDIRECT_MODE = 1;

/** Sign-in at the user service. */
export function createUserServiceProvider(app: FastifyInstance, userService: UserService): Provider {
  const { config, log, now } = app.gateway;
  let keys: Promise<JWTVerifyGetKey> | undefined;

  /** The signing keys of the user service. jose is loaded only for a back-channel logout. */
  async function readKeys(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { basePath, origin } = app.upstreams.identity;
    return createRemoteJWKSet(new URL(origin + basePath + JWKS_PATH), {
      [customFetch]: createFetch(app.signInAt),
    });
  }
  async function renew(session: Session): Promise<Renewal> {
    const { refresh_token } = session;
    const form: Static<typeof RefreshForm> = { grant_type: 'refresh_token', refresh_token };
    const answer = await userService.call(
      'refreshToken',
      userService.isConfidential ? { form } : { bearer: refresh_token },
    );
    if (isRefusal(answer)) return { kind: 'refused' };
    const changes = answer.ok
      ? tokensFromResponse(answer.data, { date: answer.date, now: now() }, session)
      : undefined;
    if (!changes) throw unexpectedResponse('refresh', answer);
    return { kind: 'renewed', changes };
  }

  /** The session with a fresh access token, if it can be refreshed. */
  async function withFreshToken(session: Session): Promise<Session> {
    if (!isExpiring(session, now())) return session;
    const renewal = await renew(session).catch((error: unknown) => {
      log.warn({ err: error }, 'token refresh before sign-out failed');
    });
    return renewal?.kind === 'renewed' ? { ...session, ...renewal.changes } : session;
  }

  /** `logout_url` of the `{method}-private` entry in redirect mode (R 8.14), if readable. */
  async function privateLogoutUrl(session: Session): Promise<string | null> {
    const name = `${session.login_method}-private`;
    try {
      const params = { product: config.login.product };
      const bearer = session.access_token;
      const answer = await userService.call('privateConfig', { params, bearer, reads: name });
      if (!answer.ok) throw new Error(`private config response ${answer.status}`);
      const entry = answer.data[name];
      if (!isObject(entry) || Number(entry.logout_mode) !== REDIRECT_MODE) return null;
      const url = webAddress(entry.logout_url);
      if (url === null) log.warn({ method: session.login_method }, 'logout_url is no web address');
      return url;
    } catch (error) {
      log.warn({ err: error, session: sessionHash(session) }, 'private config request failed');
      return null;
    }
  }

  return {
    secrets: () => ({ [VERIFIER]: randomBytes(32).toString('base64url') }),
    loginUrl: async (transaction, params) => loginUrl(config, transaction, params),
    async redeem(callback, headers) {
      const { code, app } = callback;
      // Services that do not know these parameters ignore them (RFC 6749 section 3.2).
      const query = {
        code,
        ...codeBinding(config, callback),
        ...(callback.transaction?.in_tool && { scope: IN_TOOL_SCOPES.join(' ') }),
      };
      const answer = await (app === undefined
        ? userService.call('exchangeCode', { query, headers })
        : userService.call('exchangeOauth2Code', { body: { app, ...query }, headers }));
      if (!answer.ok) throw appError(answer.status >= 500 ? 'UPSTREAM_INVALID' : 'CODE_INVALID');
      const signedIn = signedInFrom(answer, now());
      if (!signedIn) throw unexpectedResponse('sign-in without user or tokens', answer);
      return signedIn;
    },
    renew,
    async validate(session) {
      const bearer = session.refresh_token;
      const answer = await userService.call('validate', { bearer });
      if (answer.status === 401) return { kind: 'refused' };
      const { info } = answer.data;
      const user = answer.ok ? userInfoOf(isObject(info) ? info : answer.data) : undefined;
      if (user?.user_id !== session.user.user_id) throw unexpectedResponse('validation', answer);
      return { kind: 'valid', user };
    },
    async userInfo(session) {
      const answer = await userService.call('userInfo', { bearer: session.access_token });
      if (answer.status === 401) throw appError('TOKEN_INVALID');
      const user = answer.ok ? userInfoOf(answer.data) : undefined;
      if (!user) throw unexpectedResponse('userinfo', answer);
      return user;
    },
    async signOut(session) {
      // Only private deployments sign out by redirect, and only users with a login method of the deployment.
      const byRedirect = isPrivate(config.deployType) && session.login_method !== null;
      const latest = byRedirect ? await withFreshToken(session) : session;
      const url = byRedirect ? await privateLogoutUrl(latest) : null;
      const answer = await userService.call('logout', { bearer: latest.refresh_token });
      // 401: the refresh token is already invalid.
      if (!answer.ok && answer.status !== 401) throw unexpectedResponse('logout', answer);
      return url;
    },
    async logoutTokenRules() {
      keys ??= readKeys();
      return { issuer: ACCESS_TOKEN_ISSUER, audience: ACCESS_TOKEN_AUDIENCE, keys: await keys };
    },
  };
}

/**
 * Parameters that bind a code to the sign-in of this browser. An unsolicited code is bound to the page that received
 * it.
 * @throws AppError CODE_INVALID for a transaction without a verifier
 */
function codeBinding(config: GatewayConfig, { url, transaction }: Callback): Record<string, string> {
  if (!transaction) {
    const page = new URL(url);
    page.searchParams.delete('code');
    return { redirect_uri: page.href };
  }
  const verifier = transaction.secrets[VERIFIER];
  if (verifier === undefined)
    throw appError('CODE_INVALID', { cause: new Error('sign-in without verifier') });
  return { redirect_uri: callbackUrl(config, transaction.nonce), code_verifier: verifier };
}

/** 401, or `invalid_grant` (RFC 6749 section 5.2). */
function isRefusal({ status, data }: UserServiceAnswer): boolean {
  return status === 401 || (status === 400 && data.error === 'invalid_grant');
}
