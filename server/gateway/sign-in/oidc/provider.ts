import type { FastifyInstance } from 'fastify';
import { createRemoteJWKSet, customFetch as fetchOfKeys, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { BASE_PATH, CALLBACK_PATH } from '../../../../shared/constants.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import type { ClientCredentials } from '../../../http/client-credentials.ts';
import { appError } from '../../../http/errors.ts';
import { clientAuth, clientRefusal } from '../../../http/openid.ts';
import { type Session, sessionHash } from '../../session/session.ts';
import { createFetch } from '../../upstream.ts';
import { VERIFIER } from '../login-params.ts';
import { type Provider, tokensFromResponse } from '../provider.ts';
import {
  checkIssuedAt,
  isRefusedGrant,
  isRefusedToken,
  NONCE,
  providerFailure,
  redeem,
  userInfoOfClaims,
} from './redeem.ts';

/** The gateway's client registration at the provider (R 8.21). */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  scope: string;
};

/** A discovered provider and its signing keys. */
type Connection = { configuration: Configuration; keys: JWTVerifyGetKey };

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Sign-in at an OpenID Connect provider, by authorization code with PKCE. */
export function createOidcProvider({ gateway, signInAt }: FastifyInstance, settings: OidcSettings): Provider {
  const { log, now, publicUrl, timeouts } = gateway;
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === 'http:';
  const fetch = createFetch(signInAt);
  let known: Connection | undefined;

  /**
   * OpenID Connect Discovery 1.0: read at the start, and by sign-ins until one has it. They do not wait for each other's
   * request: one that began later would fail with the timeout of the first.
   */
  async function connect(): Promise<Connection> {
    try {
      const configuration = await discovery(
        issuer,
        settings.clientId,
        { [clockTolerance]: CLOCK_TOLERANCE / 1000 },
        clientAuth(settings.credentials),
        {
          [customFetch]: fetch,
          timeout: timeouts.userService / 1000,
          // Signatures of ID tokens are verified although TLS already authenticates the provider.
          execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
        },
      );
      const { jwks_uri } = configuration.serverMetadata();
      if (jwks_uri === undefined)
        throw appError('UPSTREAM_INVALID', { cause: new Error('provider without keys') });
      return { configuration, keys: createRemoteJWKSet(new URL(jwks_uri), { [fetchOfKeys]: fetch }) };
    } catch (error) {
      const failure = providerFailure(error);
      const fields = { err: failure.cause ?? failure, issuer: settings.issuer };
      log.warn(fields, 'OpenID provider discovery failed');
      throw failure;
    }
  }
  async function connection() {
    known ??= await connect();
    const { configuration, keys } = known;
    return { configuration, keys, server: configuration.serverMetadata() };
  }
  if (isPlain && !LOOPBACK.has(issuer.hostname)) {
    log.warn({ issuer: settings.issuer }, 'OpenID provider without TLS');
  }
  connection().catch(() => undefined);

  /** The current user info; undefined if the userinfo endpoint rejects the access token. */
  async function readUser({ access_token, sub, user }: Session): Promise<UserInfo | undefined> {
    const { configuration, server } = await connection();
    if (server.userinfo_endpoint === undefined) return user;
    try {
      const claims = await fetchUserInfo(configuration, access_token, sub ?? '');
      return userInfoOfClaims(server.issuer, claims.sub, claims);
    } catch (error) {
      if (isRefusedToken(error)) return undefined;
      throw providerFailure(error);
    }
  }

  return {
    secrets: () => ({ [VERIFIER]: randomPKCECodeVerifier(), [NONCE]: randomNonce() }),
    async loginUrl({ nonce: state, secrets }, { page, force }) {
      const { configuration, server } = await connection();
      const { [VERIFIER]: verifier = '', [NONCE]: nonce = '' } = secrets;
      const { prompt_values_supported: prompts } = server;
      const mayCreate = Array.isArray(prompts) && prompts.includes('create');
      return buildAuthorizationUrl(configuration, {
        redirect_uri: new URL(CALLBACK_PATH, publicUrl).href,
        scope: settings.scope,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(force && { prompt: 'login' }),
        ...(page === 'sign_up' && mayCreate && { prompt: 'create' }),
      }).href;
    },
    async redeem(callback) {
      const { configuration } = await connection();
      return { session: await redeem(configuration, callback, { now: now(), log }) };
    },
    /** The refresh token is replaced if the provider rotates it. */
    async renew(session) {
      if (session.refresh_token === '') return { kind: 'refused' };
      const { configuration, server } = await connection();
      try {
        const answer = await refreshTokenGrant(configuration, session.refresh_token);
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
        throw clientRefusal(error, server.token_endpoint) ?? providerFailure(error);
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
     * The logout URL ends the tokens too, so a failed revocation is an error only without it. The client is identified by
     * its id, because an `id_token_hint` would put a token into the browser's URL.
     */
    async signOut(session) {
      const { configuration, server } = await connection();
      const mayRedirect = server.end_session_endpoint !== undefined;
      try {
        if (server.revocation_endpoint !== undefined && session.refresh_token !== '') {
          await tokenRevocation(configuration, session.refresh_token);
        }
      } catch (error) {
        const failure = clientRefusal(error, server.revocation_endpoint) ?? providerFailure(error);
        if (!mayRedirect) throw failure;
        const fields = { err: failure.cause ?? failure, session: sessionHash(session) };
        log.warn(fields, 'refresh token revocation failed');
      }
      const post_logout_redirect_uri = new URL(BASE_PATH, publicUrl).href;
      return mayRedirect ? buildEndSessionUrl(configuration, { post_logout_redirect_uri }).href : null;
    },
    async logoutTokenRules() {
      const { keys, server } = await connection();
      return { issuer: server.issuer, audience: settings.clientId, keys };
    },
  };
}
