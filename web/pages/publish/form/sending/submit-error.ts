import type { PublishRules } from '../../../../../shared/entities/review.ts';
import type { ErrorCode, ErrorDetail } from '../../../../../shared/errors.ts';
import type { ApiError } from '../../../../api/api-error.ts';
import { isFormField, type Problem } from './problems.ts';

/** Why sending failed: a message for the form, its field problems, and the seconds to wait if known. */
export type SubmitError = {
  /** A key of the namespace `publish`. */
  text: ReturnType<typeof textOf>;
  problems: Problem[];
  findings: ErrorDetail[];
  /** Message of a foreign service. */
  foreignMessage?: string;
  retryAfter?: number;
};

const TEXTS = {
  PUBLISHER_NAME_TAKEN: 'refused_name',
  PACKAGE_INVALID: 'refused_package',
  QUOTA_EXCEEDED: 'refused_quota',
  BODY_TOO_LARGE: 'refused_size',
  STORAGE_FULL: 'refused_storage',
  PLUGIN_NOT_FOUND: 'refused_gone',
  FORBIDDEN: 'refused_forbidden',
  REQUEST_TIMEOUT: 'refused_timeout',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Field of codes that imply one, for responses without details. */
const FIELDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  CODE_FORMAT: '/code',
  PACKAGE_INVALID: '/code',
  PACKAGE_TOO_LARGE: '/code',
  VERSION_EXISTS: '/version',
  VERSION_NOT_GREATER: '/version',
  TOO_MANY_MEDIA: '/media',
  VIDEO_FORMAT: '/media',
  VIDEO_DAMAGED: '/media',
  VIDEO_TOO_LARGE: '/media',
};

/** Findings that repeat the code of the response. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  CODE_FORMAT: 'NOT_JSON',
  PACKAGE_INVALID: 'NOT_A_PLUGIN',
};

/** Converts an error into the problems that the form shows. */
export function submitErrorOf(error: ApiError): SubmitError {
  const { reason, details, retryAfter } = error;
  const problems = details.filter(isOfForm).map(problemOf(reason));
  const own = reason && FIELDS[reason];
  if (own !== undefined && reason !== undefined && problems.length === 0)
    problems.push({
      code: CODES[reason] ?? reason,
      pointer: own,
      message: error.message,
      ...(details[0] && { reason: problemOf(reason)(details[0]) }),
    });
  return {
    text: textOf(error, problems.length > 0),
    problems,
    findings: details.filter((detail) => !isOfForm(detail)),
    ...(error.foreignMessage !== undefined && { foreignMessage: error.foreignMessage }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function isOfForm({ pointer }: ErrorDetail): boolean {
  return isFormField(fieldPointer(pointer));
}

/** The gallery's order belongs to its field. */
function fieldPointer(pointer: string): string {
  return pointer.startsWith('/media_order') ? '/media' : pointer;
}

function problemOf(reason: ErrorCode | undefined) {
  return ({ code, pointer, params, message }: ErrorDetail): Problem => ({
    code: code ?? reason ?? 'VALIDATION_FAILED',
    message,
    pointer: fieldPointer(pointer),
    ...(params ? { params } : {}),
  });
}

function textOf({ status, reason, retryAfter }: ApiError, hasProblems: boolean) {
  if (status === 429) return retryAfter === undefined ? 'refused_limit' : 'refused_limit_at';
  if (hasText(reason)) return TEXTS[reason];
  if (hasProblems) return 'refused_fields';
  if (status === 0) return 'refused_network';
  if (status === 413) return 'refused_size';
  return status >= 502 && status <= 504 ? 'refused_unavailable' : 'refused_unexpected';
}

function hasText(reason: ErrorCode | undefined): reason is keyof typeof TEXTS {
  return reason !== undefined && reason in TEXTS;
}

const MINUTE = 60;
const HOUR = 3600;
/** Share of a limit at which users are warned. */
const NEAR_LIMIT = 0.7;
const NEAR_QUOTA = 0.8;

type NearLimit = { window: 'hour' | 'day'; left: number };

/** The limit that is closest to being reached, if most of it is used. */
export function nearLimit({ is_limited, limits }: PublishRules): NearLimit | undefined {
  if (!is_limited) return undefined;
  const near = limits
    .filter(({ max, used, window_seconds }) => window_seconds > MINUTE && used >= max * NEAR_LIMIT)
    .map(({ max, used, window_seconds }) => ({ left: Math.max(0, max - used), window_seconds }))
    .sort((a, b) => a.left - b.left)[0];
  if (!near) return undefined;
  return { left: near.left, window: near.window_seconds <= HOUR ? 'hour' : 'day' };
}

/** True when most of the storage quota is used. */
export function nearQuota({ is_limited, used_bytes, quota_bytes }: PublishRules): boolean {
  return is_limited && used_bytes >= quota_bytes * NEAR_QUOTA;
}
