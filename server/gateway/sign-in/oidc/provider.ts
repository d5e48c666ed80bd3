import type { FastifyInstance } from 'fastify';
import { createRemoteJWKSet, customFetch as fetchOfKeys, type JWTVerifyGetKey } from 'jose';
import { BASE_PATH, CALLBACK_PATH } from '../../../../shared/constants.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import type { ClientCredentials } from '../../../http/client-credentials.ts';
import { appError } from '../../../http/errors.ts';
import { discoveredClient, newNonce, newVerifier } from '../../../http/openid/client.ts';
import { isRefusedGrant, isRefusedToken } from '../../../http/openid/failures.ts';
import { type Session, sessionHash } from '../../session/session.ts';
import { createFetch } from '../../upstream.ts';
import { VERIFIER } from '../login-params.ts';
import { type Provider, tokensFromResponse } from '../provider.ts';
import { checkIssuedAt, NONCE, providerFailure, redeem, userInfoOfClaims } from './redeem.ts';

/** The gateway's client registration at the provider (R 8.21). */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  scope: string;
};

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Sign-in at an OpenID Connect provider, by authorization code with PKCE. */
export function createOidcProvider({ gateway, signInAt }: FastifyInstance, settings: OidcSettings): Provider {
  const { log, now, publicUrl, timeouts } = gateway;
  const issuer = new URL(settings.issuer);
  const fetch = createFetch(signInAt);
  let keys: JWTVerifyGetKey | undefined;

  const { clientId, credentials } = settings;
  const timeout = timeouts.userService;
  const client = discoveredClient(settings.issuer, { clientId, credentials, fetch, timeout }, (error) => {
    const failure = providerFailure(error);
    const fields = { err: failure.cause ?? failure, issuer: settings.issuer };
    log.warn(fields, 'OpenID provider discovery failed');
    return failure;
  });
  if (issuer.protocol === 'http:' && !LOOPBACK.has(issuer.hostname)) {
    log.warn({ issuer: settings.issuer }, 'OpenID provider without TLS');
  }
  // Read at the start, and by sign-ins until one has it.
  client.server().catch(() => undefined);

  /** The current user info; undefined if the userinfo endpoint rejects the access token. */
  async function readUser({ access_token, sub, user }: Session): Promise<UserInfo | undefined> {
    const server = await client.server();
    try {
      const claims = await client.userinfo(access_token, sub ?? '');
      return claims ? userInfoOfClaims(server.issuer, String(claims.sub), claims) : user;
    } catch (error) {
      if (isRefusedToken(error)) return undefined;
      throw providerFailure(error);
    }
  }

  return {
    secrets: () => ({ [VERIFIER]: newVerifier(), [NONCE]: newNonce() }),
    async loginUrl({ nonce: state, secrets }, { page, force }) {
      const { [VERIFIER]: verifier = '', [NONCE]: nonce = '' } = secrets;
      const { prompt_values_supported: prompts } = await client.server();
      const mayCreate = page === 'sign_up' && Array.isArray(prompts) && prompts.includes('create');
      return client.authorizationUrl({
        redirectUri: new URL(CALLBACK_PATH, publicUrl).href,
        state,
        secrets: { verifier, nonce },
        scope: settings.scope,
        prompt: mayCreate ? 'create' : force ? 'login' : undefined,
      });
    },
    async redeem(callback) {
      return { session: await redeem(client, callback, { now: now(), log }) };
    },
    /** The refresh token is replaced if the provider rotates it. */
    async renew(session) {
      if (session.refresh_token === '') return { kind: 'refused' };
      try {
        const answer = await client.refresh(session.refresh_token);
        const claims = answer.claims();
        if (claims) checkIssuedAt(claims, now());
        const changes = tokensFromResponse(answer, { date: undefined, now: now() }, session);
        if (!changes || (claims && claims.sub !== session.sub)) {
          const cause = new Error('refresh response with another subject or without token');
          throw appError('UPSTREAM_INVALID', { cause });
        }
        return { kind: 'renewed', changes };
      } catch (error) {
        if (isRefusedGrant(error)) return { kind: 'refused' };
        throw providerFailure(error);
      }
    },
    async validate(session) {
      const user = await readUser(session);
      return user ? { kind: 'valid', user } : { kind: 'stale' };
    },
    async userInfo(session) {
      const user = await readUser(session);
      if (!user) throw appError('TOKEN_INVALID');
      return user;
    },
    /**
     * Revokes the refresh token (RFC 7009) and returns the provider's logout URL (OpenID Connect RP-Initiated Logout 1.0).
     * The logout URL ends the tokens too, so a failed revocation is an error only without it.
     */
    async signOut(session) {
      const server = await client.server();
      const logoutUrl = (await client.logoutUrl(new URL(BASE_PATH, publicUrl).href)) ?? null;
      try {
        if (server.revocation_endpoint !== undefined && session.refresh_token !== '') {
          await client.revoke(session.refresh_token);
        }
      } catch (error) {
        const failure = providerFailure(error);
        if (logoutUrl === null) throw failure;
        const fields = { err: failure.cause ?? failure, session: sessionHash(session) };
        log.warn(fields, 'refresh token revocation failed');
      }
      return logoutUrl;
    },
    async logoutTokenRules() {
      const { issuer, jwks_uri = '' } = await client.server();
      keys ??= createRemoteJWKSet(new URL(jwks_uri), { [fetchOfKeys]: fetch });
      return { issuer, audience: clientId, keys };
    },
  };
}
