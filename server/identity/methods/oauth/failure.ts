import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { type AppError, appError } from '../../../http/errors.ts';
import { loggedFailure, ownFailure } from '../../../http/openid/failure.ts';

/** Codes of the library that say that the other side was not there, or not in time. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Why a sign-in at a provider did not work, as the client may know it: refused, or the provider cannot be asked. */
export function ssoFailure(error: unknown): AppError {
  const known = ownFailure(error);
  if (known) return known;
  const isRefused =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && !UNREACHABLE.has(error.code));
  return appError(isRefused ? 'SSO_REFUSED' : 'SERVICE_UNAVAILABLE', { cause: loggedFailure(error) });
}
