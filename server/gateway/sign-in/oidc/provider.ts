import type { FastifyInstance } from 'fastify';
import {
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { BASE_PATH, CALLBACK_PATH } from '../../../../shared/constants.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { appError } from '../../../http/errors.ts';
import { type Session, sessionHash } from '../../session/session.ts';
import type { Transaction } from '../cookies.ts';
import type { LoginParams } from '../login-params.ts';
import type { Provider, Renewal, Validation } from '../provider.ts';
import { tokensOf } from '../tokens.ts';
import {
  type Connection,
  isRefusedGrant,
  isRefusedToken,
  type OidcSettings,
  providerFailure,
} from './connection.ts';
import { NONCE, redeem, refuseDatedAhead, userInfoOfClaims, VERIFIER } from './redeem.ts';

type Dependencies = {
  settings: OidcSettings;
  connection: () => Promise<Connection>;
  gateway: FastifyInstance['gateway'];
};

/** Users sign in at an OpenID Connect provider, by authorization code with PKCE. */
export function createOidcProvider(
  gateway: FastifyInstance['gateway'],
  settings: OidcSettings,
  connection: () => Promise<Connection>,
): Provider {
  const dependencies = { gateway, settings, connection };
  return {
    secrets: () => ({ [VERIFIER]: randomPKCECodeVerifier(), [NONCE]: randomNonce() }),
    loginUrl: async (transaction, params) =>
      authorizationUrl(dependencies, await connection(), transaction, params),
    redeem: async (returned) => ({ session: await redeem(await connection(), returned, gateway) }),
    renew: (session) => renew(dependencies, session),
    async validate(session): Promise<Validation> {
      const user = await readUser(dependencies, session);
      return user ? { kind: 'valid', user } : { kind: 'stale' };
    },
    async userInfo(session) {
      const user = await readUser(dependencies, session);
      if (!user) throw appError('TOKEN_INVALID');
      return user;
    },
    signOut: (session) => signOut(dependencies, session),
    async logoutTokenRules() {
      const { configuration, keys } = await connection();
      return { issuer: configuration.serverMetadata().issuer, audience: settings.clientId, keys };
    },
  };
}

async function authorizationUrl(
  { settings, gateway: { publicUrl } }: Dependencies,
  { configuration }: Connection,
  { nonce: state, secrets }: Transaction,
  { page, force }: LoginParams,
): Promise<string> {
  const { [VERIFIER]: verifier = '', [NONCE]: nonce = '' } = secrets;
  const prompts = configuration.serverMetadata().prompt_values_supported;
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
}

/** New tokens; the refresh token is replaced when the provider rotates it. */
async function renew({ connection, gateway: { now } }: Dependencies, session: Session): Promise<Renewal> {
  if (session.refresh_token === '') return { kind: 'refused' };
  const { configuration } = await connection();
  try {
    const answer = await refreshTokenGrant(configuration, session.refresh_token);
    const claims = answer.claims();
    if (claims) refuseDatedAhead(claims, now());
    const sub = claims?.sub;
    const tokens = tokensOf(answer, { date: undefined, now: now() }, session);
    if (!tokens || (sub !== undefined && sub !== session.sub)) {
      throw appError('UPSTREAM_INVALID', {
        cause: new Error('refresh answered another subject or no token'),
      });
    }
    return { kind: 'renewed', changes: tokens };
  } catch (error) {
    if (isRefusedGrant(error)) return { kind: 'refused' };
    throw providerFailure(error);
  }
}

/** The user as the userinfo endpoint tells of them now; undefined when it refuses the access token. */
async function readUser({ connection }: Dependencies, session: Session): Promise<UserInfo | undefined> {
  const { configuration } = await connection();
  const { issuer, userinfo_endpoint } = configuration.serverMetadata();
  if (userinfo_endpoint === undefined) return session.user;
  const sub = session.sub ?? '';
  try {
    return userInfoOfClaims(issuer, sub, await fetchUserInfo(configuration, session.access_token, sub));
  } catch (error) {
    if (isRefusedToken(error)) return undefined;
    throw providerFailure(error);
  }
}

/**
 * Revokes the refresh token (RFC 7009) and answers the provider's own sign-out (OpenID Connect RP-Initiated Logout 1.0).
 * That one ends the tokens too, so a revocation fails the sign-out only where there is none. The client is named by
 * its id: an `id_token_hint` would carry a token through the browser's address.
 */
async function signOut(
  { connection, gateway: { publicUrl, log } }: Dependencies,
  session: Session,
): Promise<string | null> {
  const { configuration } = await connection();
  const { end_session_endpoint, revocation_endpoint } = configuration.serverMetadata();
  try {
    if (revocation_endpoint !== undefined && session.refresh_token !== '') {
      await tokenRevocation(configuration, session.refresh_token);
    }
  } catch (error) {
    const failure = providerFailure(error);
    if (end_session_endpoint === undefined) throw failure;
    log.warn(
      { err: failure.cause ?? failure, session: sessionHash(session) },
      'refresh token revocation failed',
    );
  }
  if (end_session_endpoint === undefined) return null;
  return buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: new URL(BASE_PATH, publicUrl).href,
  }).href;
}
