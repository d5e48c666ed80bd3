import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { JWTVerifyGetKey } from 'jose';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, JWKS_PATH } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { GatewayConfig } from '../options.ts';
import { isExpiring, type Session, sessionHash } from '../session/session.ts';
import { createFetch, isObject } from '../upstream.ts';
import { callbackUrl, loginUrl, VERIFIER } from './login-params.ts';
import { type Provider, type Renewal, type Returned, tokensOf } from './provider.ts';
import { webAddress } from './return-to.ts';
import { redeemed, type UserService, type UserServiceAnswer, unusable, userInfoOf } from './user-service.ts';

/** Milliseconds a request waits to hear whether its session still holds. */
const VALIDATION_TIMEOUT_MS = 2000;

/** Logout mode of a private entry that sends the browser on (specification section 3). */
const REDIRECT_MODE = 1;

/** Users sign in at the user service (specification section 7). */
export function createUserServiceProvider(app: FastifyInstance, userService: UserService): Provider {
  const { config, log, now } = app.gateway;
  let keys: Promise<JWTVerifyGetKey> | undefined;

  /** Keys the user service signs with. They are asked for when sessions end from its side; jose is loaded then. */
  async function readKeys(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { basePath, origin } = app.upstreams.identity;
    return createRemoteJWKSet(new URL(origin + basePath + JWKS_PATH), {
      [customFetch]: createFetch(app.signInAt),
    });
  }
  async function renew(session: Session): Promise<Renewal> {
    const answer = await userService.call('refreshToken', { bearer: session.refresh_token });
    if (isRefusal(answer)) return { kind: 'refused' };
    const changes = answer.ok ? tokensOf(answer.data, { date: answer.date, now: now() }, session) : undefined;
    if (!changes) throw unusable('refresh', answer);
    return { kind: 'renewed', changes };
  }

  /** The session with tokens that still open something, as far as they can be had. */
  async function usable(session: Session): Promise<Session> {
    if (!isExpiring(session, now())) return session;
    const renewal = await renew(session).catch((error: unknown) => {
      log.warn({ err: error }, 'token refresh before sign-out failed');
    });
    return renewal?.kind === 'renewed' ? { ...session, ...renewal.changes } : session;
  }

  /**
   * Where the browser goes after a sign-out: `logout_url` of the `{method}-private` entry, when that asks for it
   * (specification section 4). What keeps us from knowing is logged, and the sign-out goes on.
   */
  async function privateLogoutUrl(session: Session): Promise<string | null> {
    const name = `${session.login_method}-private`;
    try {
      const params = { product: config.login.product };
      const bearer = session.access_token;
      const answer = await userService.call('privateConfig', { params, bearer, reads: name });
      if (!answer.ok) throw new Error(`private config answered ${answer.status}`);
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
    async redeem(returned, headers) {
      const { code, app } = returned;
      // Services that know the code alone ignore the rest (RFC 6749 section 3.2).
      const query = { code, ...boundTo(config, returned) };
      const answer = await (app === undefined
        ? userService.call('exchangeCode', { query, headers })
        : userService.call('exchangeOauth2Code', { body: { app, ...query }, headers }));
      if (!answer.ok) throw appError(answer.status >= 500 ? 'UPSTREAM_INVALID' : 'CODE_INVALID');
      const found = redeemed(answer, now());
      if (!found) throw unusable('sign-in without user or tokens', answer);
      return found;
    },
    renew,
    async validate(session) {
      const bearer = session.refresh_token;
      const answer = await userService.call('validate', { bearer, timeout: VALIDATION_TIMEOUT_MS });
      if (answer.status === 401) return { kind: 'refused' };
      const { info } = answer.data;
      const user = answer.ok ? userInfoOf(isObject(info) ? info : answer.data) : undefined;
      if (user?.user_id !== session.user.user_id) throw unusable('validation', answer);
      return { kind: 'valid', user };
    },
    async userInfo(session) {
      const answer = await userService.call('userInfo', { bearer: session.access_token });
      if (answer.status === 401) throw appError('TOKEN_INVALID');
      const user = answer.ok ? userInfoOf(answer.data) : undefined;
      if (!user) throw unusable('userinfo', answer);
      return user;
    },
    async signOut(session) {
      // Only private deployments sign out by redirect, and only users who came by a method of their own.
      const byRedirect = isPrivate(config.deployType) && session.login_method !== null;
      const latest = byRedirect ? await usable(session) : session;
      const url = byRedirect ? await privateLogoutUrl(latest) : null;
      const answer = await userService.call('logout', { bearer: latest.refresh_token });
      // A refresh token that the user service no longer knows is as good.
      if (!answer.ok && answer.status !== 401) throw unusable('logout', answer);
      return url;
    },
    async logoutTokenRules() {
      keys ??= readKeys();
      return { issuer: ACCESS_TOKEN_ISSUER, audience: ACCESS_TOKEN_AUDIENCE, keys: await keys };
    },
  };
}

/**
 * What a user service can tell by that a code is of the sign-in that this browser has begun. A code that nobody here has
 * asked for was issued for the page it came to, at most.
 * @throws AppError CODE_INVALID for a sign-in without a verifier
 */
function boundTo(config: GatewayConfig, { url, transaction }: Returned): Record<string, string> {
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

/** 401, or the refusal of OAuth 2 (RFC 6749 section 5.2). */
function isRefusal({ status, data }: UserServiceAnswer): boolean {
  return status === 401 || (status === 400 && data.error === 'invalid_grant');
}
