import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { type AppError, appError, isAppError } from '../errors.ts';

/** Error codes of a token endpoint that refuses the client, not the grant (RFC 6749 section 5.2). */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  invalid_client: 'wrong client credentials',
  unauthorized_client: 'the client may not use this grant',
};

/**
 * The error of a call to the token or revocation endpoint that refused our client, for which users can do nothing. Its cause
 * tells the operator the endpoint and what it asks for.
 */
export function clientRefusal(error: unknown, endpoint: string | undefined): AppError | undefined {
  if (!(error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError))
    return undefined;
  const code = error instanceof ResponseBodyError ? error.error : 'invalid_client';
  const why = CLIENT_ERRORS[code];
  if (why === undefined) return undefined;
  const challenge = error.response.headers.get('www-authenticate');
  const asked = challenge === null ? '' : `, challenge ${challenge.replaceAll(/[^ -~]/g, '').slice(0, 200)}`;
  const cause = new Error(
    `${why}: ${endpoint ?? 'the token endpoint'} answered ${error.status} ${code}${asked}`,
  );
  return appError('SIGN_IN_MISCONFIGURED', { cause });
}

/** Whether the provider rejected a code or refresh token (RFC 6749 section 5.2). */
export function isRefusedGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether an endpoint of the provider rejected an access token (RFC 6750 section 3). */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/** Error codes of the library for an unreachable or slow provider. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Whether the provider responded, but with an error or with something that a check of the library refuses. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && !UNREACHABLE.has(error.code))
  );
}

/** The error of our own `fetch` inside an error of the library. */
export function ownFailure(error: unknown): AppError | undefined {
  return causes(error).find(isAppError);
}

/** A failed provider call for the log: only error codes, because the library's messages may contain the response. */
export function loggedFailure(error: unknown): Error {
  return new Error(`provider: ${describe(error)}`);
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function describe(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.status} ${errorCode(error.error)}`;
  if (error instanceof AuthorizationResponseError) return errorCode(error.error);
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  if (!(error instanceof Error)) return 'unknown failure';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

const errorCode = (text: string): string => /^[a-z_]{1,64}$/.exec(text)?.[0] ?? 'invalid error code';
