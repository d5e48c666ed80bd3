import type { ErrorCode } from '../../../shared/errors.ts';
import { type AppError, appError, isAppError } from '../../http/errors.ts';

/** Failures that are no plain lack of an answer. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'UPSTREAM_INVALID',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'UPSTREAM_INVALID',
};

/** A failed call as the client may know it: no address, no system error; those stay in `cause`, for the log. */
export function upstreamFailure(error: unknown): AppError {
  if (isAppError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const isUnreadable = error instanceof Error && error.name === 'HTTPParserError';
  const known = isTimeout ? 'UPSTREAM_TIMEOUT' : isUnreadable ? 'UPSTREAM_INVALID' : CODES[code];
  return appError(known ?? 'UPSTREAM_UNAVAILABLE', { cause: error });
}

/** True when no answer came at all, so that asking once more may help. */
export function isNetworkFailure(error: unknown): boolean {
  return isAppError(error) && error.code === 'UPSTREAM_UNAVAILABLE';
}
