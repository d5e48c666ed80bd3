import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { Value } from 'typebox/value';
import { UserInfo } from '../../../../shared/entities/user.ts';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import type { OpenIdClient } from '../../../http/openid/client.ts';
import { isRefusedGrant, isRefusedToken, loggedFailure, ownFailure } from '../../../http/openid/failures.ts';
import { newSession, type Session } from '../../session/session.ts';
import { VERIFIER, webAddress } from '../login-params.ts';
import { type Callback, tokensFromResponse } from '../provider.ts';
import { validIdentifier } from '../user-service.ts';

/** Key of the ID token's nonce in the secrets of a transaction. */
export const NONCE = 'nonce';

/**
 * Exchanges an authorization code for a session. State, issuer, nonce, audience, times and signature of the ID token
 * are checked (OpenID Connect Core 1.0 section 3.1.3.7, RFC 9207).
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function redeem(
  client: OpenIdClient,
  { url, transaction }: Callback,
  { now, log }: { now: number; log: FastifyBaseLogger },
): Promise<Session> {
  const server = await client.server();
  const { [VERIFIER]: verifier, [NONCE]: nonce } = transaction?.secrets ?? {};
  const callback = transaction && authorizationResponse(server, transaction.nonce, url);
  if (!callback || verifier === undefined || nonce === undefined) throw appError('CODE_INVALID');
  const sent = { state: transaction.nonce, secrets: { verifier, nonce } };
  const answer = await client.redeem(callback, sent).catch((error: unknown) => {
    if (isRefusedGrant(error)) throw appError('CODE_INVALID', { cause: new Error('invalid_grant') });
    throw providerFailure(error);
  });

  const claims = answer.claims();
  const sub = validIdentifier(claims?.sub);
  // Without a refresh token the session ends when the access token expires.
  const tokens = tokensFromResponse(
    answer,
    { date: undefined, now },
    { refresh_token: '', refresh_expires: null },
  );
  if (!claims || sub === null || !tokens) {
    throw appError('UPSTREAM_INVALID', { cause: new Error('token response without subject or token') });
  }
  checkIssuedAt(claims, now);
  const more = await readUserinfo(client, tokens.access_token, sub, log);
  return newSession(
    {
      ...tokens,
      refresh_expires: tokens.refresh_token === '' ? tokens.access_expires : tokens.refresh_expires,
      user: userInfoOfClaims(server.issuer, sub, { ...claims, ...more }),
      sub,
      sid: validIdentifier(claims.sid),
      login_method: 'oidc',
    },
    now,
  );
}

/**
 * Refuses an ID token that was issued in the future, which the library does not (OpenID Connect Core 1.0 section
 * 3.1.3.7, item 10).
 * @throws AppError UPSTREAM_INVALID
 */
export function checkIssuedAt({ iat }: { iat: number }, now: number): void {
  if (iat * 1000 - now <= CLOCK_TOLERANCE) return;
  throw appError('UPSTREAM_INVALID', { cause: new Error('ID token issued in the future') });
}

/** An authorization response (RFC 6749 section 4.1.2, RFC 9207 section 2); each at most once (section 3.1). */
const PARAMETERS = ['code', 'state', 'iss'];

/**
 * The callback URL reduced to the parameters of an authorization response, if it matches this request and provider (RFC
 * 9207 section 2.4). Other parameters could look like an error of the provider.
 */
function authorizationResponse(
  server: Awaited<ReturnType<OpenIdClient['server']>>,
  state: string,
  url: URL,
): URL | undefined {
  const given = url.searchParams;
  if (given.has('error') || PARAMETERS.some((name) => given.getAll(name).length > 1)) return undefined;
  const iss = given.get('iss');
  const isIssuerOptional = server.authorization_response_iss_parameter_supported !== true;
  const isOurProvider = iss === null ? isIssuerOptional : iss === server.issuer;
  if (!isOurProvider || given.get('state') !== state) return undefined;
  const answer = new URL(url);
  answer.search = String(
    new URLSearchParams(
      PARAMETERS.filter((name) => given.has(name)).map((name): [string, string] => [
        name,
        given.get(name) ?? '',
      ]),
    ),
  );
  return answer;
}

/** Claims of the userinfo endpoint; empty if there is none or if it rejects the token. */
async function readUserinfo(
  client: OpenIdClient,
  accessToken: string,
  sub: string,
  log: FastifyBaseLogger,
): Promise<Record<string, unknown>> {
  try {
    return (await client.userinfo(accessToken, sub)) ?? {};
  } catch (error) {
    if (!isRefusedToken(error)) throw providerFailure(error);
    log.warn('userinfo endpoint refused access token');
    return {};
  }
}

/** Numbers for the `gender` claim of OpenID Connect Core 1.0; 0 is unknown. */
const SEXES: Readonly<Record<string, number>> = { male: 1, female: 2 };

/** User info from the standard claims (OpenID Connect Core 1.0 section 5.1). `issuer` and `sub` identify the user. */
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

/** A numeric subject is the id; any other is hashed to 52 bits, the same at every sign-in. */
function userIdOf(issuer: string, sub: string): number {
  const number = Number(sub);
  if (/^[1-9]\d{0,15}$/.test(sub) && Number.isSafeInteger(number)) return number;
  return Number.parseInt(createHash('sha256').update(`${issuer}\n${sub}`).digest('hex').slice(0, 13), 16);
}

/** The error of a failed provider call for the client. */
export function providerFailure(error: unknown): AppError {
  return ownFailure(error) ?? appError('UPSTREAM_INVALID', { cause: loggedFailure(error) });
}
