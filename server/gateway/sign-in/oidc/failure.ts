import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { type AppError, appError } from '../../../http/errors.ts';
import { loggedFailure, ownFailure } from '../../../http/openid/failure.ts';

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
