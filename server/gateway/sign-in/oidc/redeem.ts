import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import {
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { Value } from 'typebox/value';
import { UserInfo } from '../../../../shared/entities/user.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import { loggedFailure, ownFailure } from '../../../http/openid.ts';
import { newSession, type Session } from '../../session/session.ts';
import { VERIFIER } from '../login-params.ts';
import { type Returned, tokensOf } from '../provider.ts';
import { webAddress } from '../return-to.ts';
import { shortName } from '../user-service.ts';

/** Under which name a sign-in keeps the ID token's nonce. */
export const NONCE = 'nonce';

/** Milliseconds by which the provider's clock may be ahead. */
const SKEW = 2 * 60 * 1000;

/**
 * A new session for an authorization code. State, issuer, nonce, audience, times and signature of the ID token are
 * checked (OpenID Connect Core 1.0 section 3.1.3.7, RFC 9207) before anything is believed.
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function redeem(
  configuration: Configuration,
  { url, transaction }: Returned,
  { now, log }: { now: number; log: FastifyBaseLogger },
): Promise<Session> {
  const { issuer } = configuration.serverMetadata();
  const { [VERIFIER]: verifier, [NONCE]: nonce } = transaction?.secrets ?? {};
  const returned = transaction && answerTo(configuration, transaction.nonce, url);
  if (!returned || verifier === undefined || nonce === undefined) throw appError('CODE_INVALID');
  const answer = await authorizationCodeGrant(configuration, returned, {
    expectedState: transaction.nonce,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  }).catch((error: unknown) => {
    if (isRefusedGrant(error)) throw appError('CODE_INVALID', { cause: new Error('invalid_grant') });
    throw providerFailure(error);
  });

  const claims = answer.claims();
  const sub = shortName(claims?.sub);
  /** A provider may give no refresh token: then the session ends with its access token. */
  const tokens = tokensOf(answer, { date: undefined, now }, { refresh_token: '', refresh_expires: null });
  if (!claims || sub === null || !tokens) {
    throw appError('UPSTREAM_INVALID', { cause: new Error('sign-in answer without subject or token') });
  }
  refuseDatedAhead(claims, now);
  const more = await readMore(configuration, tokens.access_token, sub, log);
  return newSession(
    {
      ...tokens,
      refresh_expires: tokens.refresh_token === '' ? tokens.access_expires : tokens.refresh_expires,
      user: userInfoOfClaims(issuer, sub, { ...claims, ...more }),
      sub,
      sid: shortName(claims.sid),
      login_method: 'oidc',
    },
    now,
  );
}

/**
 * The library checks when an ID token ends; one that was made in times to come is none (OpenID Connect Core 1.0 section
 * 3.1.3.7, item 10).
 * @throws AppError UPSTREAM_INVALID
 */
export function refuseDatedAhead({ iat }: { iat: number }, now: number): void {
  if (iat * 1000 - now <= SKEW) return;
  throw appError('UPSTREAM_INVALID', { cause: new Error('the ID token is of another time') });
}

/** What an answer is told by (RFC 6749 section 4.1.2, RFC 9207 section 2); each may be there once (section 3.1). */
const PARAMETERS = ['code', 'state', 'iss'];

/**
 * The address with what an answer is told by alone, where it answers this very request with a code and comes from this
 * provider (RFC 9207 section 2.4). What else a browser brings along can then not look like an error of the provider.
 */
function answerTo(configuration: Configuration, state: string, url: URL): URL | undefined {
  const server = configuration.serverMetadata();
  const given = url.searchParams;
  if (given.has('error') || PARAMETERS.some((name) => given.getAll(name).length > 1)) return undefined;
  const iss = given.get('iss');
  const isIssuerOptional = server.authorization_response_iss_parameter_supported !== true;
  const isOurProvider = iss === null ? isIssuerOptional : iss === server.issuer;
  if (!isOurProvider || given.get('state') !== state) return undefined;
  const answer = new URL(url);
  answer.search = String(
    new URLSearchParams(
      PARAMETERS.filter((name) => given.has(name)).map((name) => [name, given.get(name) ?? '']),
    ),
  );
  return answer;
}

/** What the userinfo endpoint adds, where there is one for this token. */
async function readMore(
  configuration: Configuration,
  accessToken: string,
  sub: string,
  log: FastifyBaseLogger,
): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await fetchUserInfo(configuration, accessToken, sub);
  } catch (error) {
    if (!isRefusedToken(error)) throw providerFailure(error);
    log.warn('userinfo endpoint refused access token');
    return {};
  }
}

/** Numbers of OpenID Connect Core 1.0's `gender`; 0 is what nobody has told. */
const SEXES: Readonly<Record<string, number>> = { male: 1, female: 2 };

/**
 * The user info of an OpenID Connect user, whom `issuer` and `sub` together name for good, from the standard claims
 * (OpenID Connect Core 1.0 section 5.1).
 */
export function userInfoOfClaims(
  issuer: string,
  sub: string,
  claims: Readonly<Record<string, unknown>>,
): UserInfo {
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '');
  return {
    ...Value.Create(UserInfo),
    user_id: userIdOf(issuer, sub),
    identification: sub,
    user_name: text('preferred_username') || text('email'),
    nick_name: text('nickname') || text('name') || text('preferred_username'),
    email: text('email'),
    mobile: text('phone_number'),
    sex: SEXES[text('gender')] ?? 0,
    birthday: text('birthdate'),
    avatar_url: webAddress(claims.picture) ?? '',
  };
}

/** A subject that is a number stays it; any other becomes 52 bits of its hash, the same at every sign-in. */
function userIdOf(issuer: string, sub: string): number {
  const number = Number(sub);
  if (/^[1-9]\d{0,15}$/.test(sub) && Number.isSafeInteger(number)) return number;
  return Number.parseInt(createHash('sha256').update(`${issuer}\n${sub}`).digest('hex').slice(0, 13), 16);
}

/** Whether the provider has refused a grant: a code or refresh token that it does not take (RFC 6749 section 5.2). */
export function isRefusedGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether a resource of the provider has refused an access token (RFC 6750 section 3). */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/** A failed call to the provider as the client may know it. */
export function providerFailure(error: unknown): AppError {
  return ownFailure(error) ?? appError('UPSTREAM_INVALID', { cause: loggedFailure(error) });
}
