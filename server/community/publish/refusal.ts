import type { Finding } from '../../../shared/entities/finding.ts';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import { type AppError, appError } from '../../http/errors.ts';

/** What one part of a form was found to be. */
export type CheckedPart = {
  findings: readonly Finding[];
  /** The answer's code for a fault whose own code is no answer's. */
  refusedAs: ErrorCode;
};

/** Faults of a package that decide the answer; all others are PACKAGE_INVALID. */
const PACKAGE_CODES: Readonly<Record<string, ErrorCode>> = {
  NOT_JSON: 'CODE_FORMAT',
  PACKAGE_TOO_LARGE: 'PACKAGE_TOO_LARGE',
};

function codeOf({ code }: Finding, refusedAs: ErrorCode): ErrorCode {
  if (refusedAs === 'PACKAGE_INVALID') return PACKAGE_CODES[code] ?? refusedAs;
  return isErrorCode(code) ? code : refusedAs;
}

/**
 * Refuses what any part is at fault for, with all faults of all parts; the first decides the code.
 * @throws AppError
 */
export function refuse(parts: readonly CheckedPart[]): void {
  const faults = parts.flatMap(({ findings, refusedAs }) =>
    findings.filter(({ severity }) => severity === 'error').map((fault) => ({ fault, refusedAs })),
  );
  const [first] = faults;
  if (!first) return;
  throw refusalOf(
    codeOf(first.fault, first.refusedAs),
    faults.map(({ fault }) => fault),
  );
}

/** The error that refuses for findings. */
export function refusalOf(code: ErrorCode, [first, ...others]: readonly Finding[]): AppError {
  return appError(code, {
    details: first ? [first, ...others] : [],
    ...(first?.params && { params: first.params }),
  });
}
