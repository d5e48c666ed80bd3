import {
  type ErrorCode,
  type ErrorDetail,
  TRANSPORT_FAILED,
  TRANSPORT_UNAUTHENTICATED,
} from '../../shared/errors.ts';
import { foreignFailure } from '../../shared/tolerant.ts';

/** Why a call failed (R 15.2). */
export type ApiError = Error & {
  /**
   * 401 for every response with that status, else the service's code, or its number for a foreign service; -10000
   * without a usable response.
   */
  code: number | ErrorCode;
  /** The service's own code, also for a 401. */
  reason: ErrorCode | undefined;
  /** HTTP status; 0 without a response. */
  status: number;
  details: ErrorDetail[];
  /** Message of a foreign service, shown in place of ours. */
  foreignMessage: string | undefined;
  /** Seconds after which a retry makes sense. */
  retryAfter: number | undefined;
};

type Options = {
  status: number;
  code?: number | undefined;
  reason?: ErrorCode | undefined;
  details?: ErrorDetail[];
  foreignMessage?: string | undefined;
  retryAfter?: number | undefined;
};

export function apiError(
  { status, code: own, reason, details = [], foreignMessage, retryAfter }: Options,
  cause?: unknown,
): ApiError {
  const code = status === 401 ? TRANSPORT_UNAUTHENTICATED : (own ?? reason ?? TRANSPORT_FAILED);
  return Object.assign(new Error(`The call failed: ${reason ?? code}`, { cause }), {
    code,
    reason,
    status,
    details,
    foreignMessage: foreignMessage || undefined,
    retryAfter,
  });
}

/** The error that came with the document as JSON. */
export function restoredApiError({ code, ...facts }: Omit<ApiError, keyof Error>): ApiError {
  return apiError({ ...facts, code: typeof code === 'number' ? code : undefined });
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'code' in error && 'status' in error && 'details' in error;
}

/** True when the caller isn't signed in (any more). A rejected password doesn't count. */
export function isUnauthenticated(error: unknown): boolean {
  return (
    isApiError(error) && error.code === TRANSPORT_UNAUTHENTICATED && error.reason !== 'CREDENTIALS_INVALID'
  );
}

/** The error of an HTTP response; its body counts only as far as it is an envelope. */
export function errorOfResponse(status: number, headers: Headers, body: unknown): ApiError {
  const envelope = typeof body === 'object' && body !== null ? body : {};
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const foreign = foreignFailure(status, body);
  return apiError({
    status: foreign?.status ?? status,
    code: foreign?.code,
    foreignMessage: foreign?.message,
    reason: 'code' in envelope && isErrorCode(envelope.code) ? envelope.code : undefined,
    details: 'errors' in envelope && Array.isArray(envelope.errors) ? envelope.errors.filter(isDetail) : [],
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined,
  });
}

/** The table of codes stays out of the browser: codes that no screen handles get a general text anyway. */
function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && /^[A-Z][A-Z_]+$/.test(value);
}

function isDetail(value: unknown): value is ErrorDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pointer' in value &&
    typeof value.pointer === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
