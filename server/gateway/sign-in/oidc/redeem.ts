import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { authorizationCodeGrant, fetchUserInfo, type ServerMetadata } from 'openid-client';
import { Value } from 'typebox/value';
import { UserInfo } from '../../../../shared/entities/user.ts';
import { appError } from '../../../http/errors.ts';
import { newSession, type Session } from '../../session/session.ts';
import type { Transaction } from '../cookies.ts';
import type { Returned } from '../provider.ts';
import { webAddress } from '../return-to.ts';
import { tokensOf } from '../tokens.ts';
import { shortName } from '../user-service.ts';
import { type Connection, isRefusedGrant, isRefusedToken, providerFailure } from './connection.ts';

/** What a sign-in keeps until the browser is back: for PKCE (RFC 7636) and the ID token's nonce. */
export const VERIFIER = 'verifier';
export const NONCE = 'nonce';

/** Milliseconds by which the provider's clock may be ahead. */
const SKEW = 2 * 60 * 1000;

/**
 * A new session for an authorization code. State, issuer, nonce, audience, times and signature of the ID token are
 * checked (OpenID Connect Core 1.0 section 3.1.3.7, RFC 9207) before anything is believed.
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function redeem(
  { configuration }: Connection,
  { url, transaction }: Returned,
  { now, log }: { now: () => number; log: FastifyBaseLogger },
): Promise<Session> {
  const verifier = transaction?.secrets[VERIFIER];
  const nonce = transaction?.secrets[NONCE];
  if (!transaction || verifier === undefined || nonce === undefined) throw appError('CODE_INVALID');
  const returned = answerTo(transaction, url, configuration.serverMetadata());
  if (!returned) throw appError('CODE_INVALID');
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
  const tokens = tokensOf(
    answer,
    { date: undefined, now: now() },
    { refresh_token: '', refresh_expires: null },
  );
  if (!claims || sub === null || !tokens) {
    throw appError('UPSTREAM_INVALID', { cause: new Error('sign-in answer without subject or token') });
  }
  refuseDatedAhead(claims, now());
  const more = await readMore(configuration, tokens.access_token, sub, log);
  const issuer = configuration.serverMetadata().issuer;
  return newSession(
    {
      ...tokens,
      refresh_expires: tokens.refresh_token === '' ? tokens.access_expires : tokens.refresh_expires,
      user: userInfoOfClaims(issuer, sub, { ...claims, ...more }),
      sub,
      sid: shortName(claims.sid),
      login_method: 'oidc',
    },
    now(),
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
function answerTo({ nonce }: Transaction, url: URL, server: ServerMetadata): URL | undefined {
  const given = url.searchParams;
  if (given.has('error') || PARAMETERS.some((name) => given.getAll(name).length > 1)) return undefined;
  const issuer = given.get('iss');
  const isOurProvider =
    issuer === null
      ? server.authorization_response_iss_parameter_supported !== true
      : issuer === server.issuer;
  if (!isOurProvider || given.get('state') !== nonce) return undefined;
  const answer = new URL(url);
  const told = { code: given.get('code') ?? '', state: nonce, ...(issuer !== null && { iss: issuer }) };
  answer.search = new URLSearchParams(told).toString();
  return answer;
}

/** What the userinfo endpoint adds, where there is one for this token. */
async function readMore(
  configuration: Connection['configuration'],
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

type Claims = Readonly<Record<string, unknown>>;

/** Numbers of OpenID Connect Core 1.0's `gender`; 0 is what nobody has told. */
const SEXES: Readonly<Record<string, number>> = { male: 1, female: 2 };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Our fields and the standard claims they come from (OpenID Connect Core 1.0 section 5.1). */
const FROM_CLAIMS: Partial<{ [Field in keyof UserInfo]: (claims: Claims) => UserInfo[Field] }> = {
  user_name: ({ preferred_username, email }) => text(preferred_username) || text(email),
  nick_name: ({ nickname, name, preferred_username }) =>
    text(nickname) || text(name) || text(preferred_username),
  email: ({ email }) => text(email),
  mobile: ({ phone_number }) => text(phone_number),
  sex: ({ gender }) => SEXES[text(gender)] ?? 0,
  birthday: ({ birthdate }) => text(birthdate),
  avatar_url: ({ picture }) => webAddress(picture) ?? '',
};

/** The user info of an OpenID Connect user, whom `issuer` and `sub` together name for good. */
export function userInfoOfClaims(issuer: string, sub: string, claims: Claims): UserInfo {
  const mapped = Object.entries(FROM_CLAIMS).map(([field, read]) => [field, read(claims)]);
  return {
    ...Value.Create(UserInfo),
    ...Object.fromEntries(mapped),
    user_id: userIdOf(issuer, sub),
    identification: sub,
  };
}

/** A subject that is a number stays it; any other becomes 52 bits of its hash, the same at every sign-in. */
function userIdOf(issuer: string, sub: string): number {
  const number = Number(sub);
  if (/^[1-9]\d{0,15}$/.test(sub) && Number.isSafeInteger(number)) return number;
  return Number.parseInt(createHash('sha256').update(`${issuer}\n${sub}`).digest('hex').slice(0, 13), 16);
}
