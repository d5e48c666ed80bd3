import type { Finding } from '../../../shared/entities/finding.ts';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import { type AppError, appError } from '../../http/errors.ts';

/** The error that refuses a picture or video for what was found, with the finding among its details. */
export function refusal(found: Finding, otherwise: ErrorCode): AppError {
  const code = isErrorCode(found.code) ? found.code : otherwise;
  return appError(code, { details: [found], ...(found.params && { params: found.params }) });
}
