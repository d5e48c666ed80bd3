import { ERRORS, type ErrorCode, type ErrorDetail, type ErrorEnvelope } from '../../shared/errors.ts';

/** An error for the client: its code determines status and message (shared/errors.ts). */
export type AppError = Error & {
  code: ErrorCode;
  statusCode: number;
  details: ErrorDetail[];
  headers: Record<string, string>;
  data?: unknown;
};

type Options = {
  details?: ErrorDetail[];
  /** Values of the message's placeholders. */
  params?: Readonly<Record<string, string | number>>;
  /** Additional data for the client. */
  data?: unknown;
  /** For the log only, never sent. */
  cause?: unknown;
  headers?: Record<string, string>;
};

/** Creates an error to throw from a handler. The message is from the table, so that no internal detail can leak. */
export function appError(code: ErrorCode, options: Options = {}): AppError {
  const error = new Error(fillParams(ERRORS[code].message, options.params ?? {}), { cause: options.cause });
  return Object.assign(error, {
    code,
    statusCode: ERRORS[code].status,
    details: options.details ?? [],
    headers: options.headers ?? {},
    ...(options.data !== undefined && { data: options.data }),
  });
}

/** An error that says when to try again: Retry-After, after a wait in milliseconds, at least a second. */
export function retryLater(
  code: 'TOO_MANY_REQUESTS' | 'PUBLISH_LIMIT_REACHED' | 'SERVICE_UNAVAILABLE',
  wait: number,
  options: Omit<Options, 'headers'> = {},
): AppError {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return appError(code, { ...options, headers: { 'retry-after': String(seconds) } });
}

function fillParams(message: string, params: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}

export function isAppError(error: unknown): error is AppError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    Object.hasOwn(ERRORS, error.code) &&
    'details' in error
  );
}

/** The error envelope of an error, or of a code only. */
export function errorEnvelope(
  code: ErrorCode,
  { message = ERRORS[code].message, details = [], data }: Partial<Omit<AppError, 'code'>> = {},
): ErrorEnvelope {
  return {
    code,
    message,
    ...(details.length > 0 && { errors: details }),
    ...(data !== undefined && { data }),
  };
}

/** Codes of errors from Fastify, Node and the database. */
const KNOWN_CODES: Readonly<Record<string, ErrorCode>> = {
  DATABASE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  DATABASE_FULL: 'STORAGE_FULL',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_ROUTE_MISSING_CONTENT: 'MALFORMED_BODY',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'BAD_PATH',
  FST_ERR_MAX_LIMIT: 'BAD_PATH',
  FST_ERR_MAX_HEADER_SIZE: 'HEADERS_TOO_LARGE',
};

/** Converts any thrown value to an AppError; an unknown one becomes INTERNAL with the original as its cause. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof Error && 'validation' in error && Array.isArray(error.validation)) {
    return appError('VALIDATION_FAILED', { details: validationDetails(error.validation), cause: error });
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const code = KNOWN_CODES[error.code];
    if (code) return appError(code, { cause: error });
  }
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 400) {
    const isUnreadBody = error instanceof SyntaxError || ('code' in error && error.code === 'ECONNRESET');
    if (isUnreadBody) return appError('MALFORMED_BODY', { cause: error });
  }
  return appError('INTERNAL', { cause: error });
}

function validationDetails(validation: unknown[]): ErrorDetail[] {
  const seen = new Map<string, ErrorDetail>();
  for (const item of validation) {
    if (typeof item !== 'object' || item === null) continue;
    const pointer = 'instancePath' in item && typeof item.instancePath === 'string' ? item.instancePath : '';
    const message = 'message' in item && typeof item.message === 'string' ? item.message : 'is not valid';
    if (!seen.has(pointer)) seen.set(pointer, { pointer, message });
  }
  return [...seen.values()];
}
