import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { type AppError, appError, isAppError } from '../../../http/errors.ts';

/** Whether the provider has refused a grant: a code or refresh token that it does not take (RFC 6749 section 5.2). */
export function isRefusedGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether a resource of the provider has refused an access token (RFC 6750 section 3). */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/**
 * A failed call to the provider as the client may know it. What the library says may hold what the provider has sent, so
 * the log gets its codes alone.
 */
export function providerFailure(error: unknown): AppError {
  const known = causes(error).find(isAppError);
  if (known) return known;
  return appError('UPSTREAM_INVALID', { cause: new Error(`provider: ${wordsOf(error)}`) });
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function wordsOf(error: unknown): string {
  if (error instanceof ResponseBodyError)
    return `${error.status} ${/^[a-z_]{1,64}$/.exec(error.error)?.[0] ?? ''}`;
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  return error instanceof Error ? error.name : 'unknown failure';
}
