import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { type AppError, appError, isAppError } from '../../../http/errors.ts';

/** Codes of the library that say that the other side was not there, or not in time. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/**
 * Why a sign-in at a provider did not work, as the client may know it: refused, or the provider cannot be asked. What
 * the library says may hold what the provider has sent, so the log gets its codes alone.
 */
export function ssoFailure(error: unknown): AppError {
  const known = causes(error).find(isAppError);
  if (known) return known;
  const isRefused =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && !UNREACHABLE.has(error.code));
  return appError(isRefused ? 'SSO_REFUSED' : 'SERVICE_UNAVAILABLE', {
    cause: new Error(`provider: ${wordsOf(error)}`),
  });
}

/** The library wraps what our own `fetch` has thrown. */
function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function wordsOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.status} ${word(error.error)}`;
  if (error instanceof AuthorizationResponseError) return word(error.error);
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  return error instanceof Error
    ? `${error.name} ${'code' in error ? String(error.code) : ''}`
    : 'unknown failure';
}

const word = (text: string): string => /^[a-z_]{1,64}$/.exec(text)?.[0] ?? 'no word';
