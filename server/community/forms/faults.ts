import type { ErrorCode, ErrorDetail } from '../../../shared/errors.ts';
import { type AppError, appError } from '../../http/errors.ts';

/** What is wrong with a form, collected while it is read so that one answer tells all of it. */
export type FormFaults = {
  /** A fault of one part; `code` is the answer's when this fault is the first. */
  add(code: ErrorCode, pointer: string, message?: string): void;
  /** The same of a code whose message has placeholders. */
  addFilled(code: ErrorCode, pointer: string, params: Readonly<Record<string, string>>): void;
  /** @throws AppError with all faults, when there are any */
  refuseAny(): void;
};

export function collectFaults(): FormFaults {
  const details: ErrorDetail[] = [];
  let first: { code: ErrorCode; params: Readonly<Record<string, string>> } | undefined;
  const add = (code: ErrorCode, params: Readonly<Record<string, string>>, detail: ErrorDetail): void => {
    first ??= { code, params };
    details.push(detail);
  };
  return {
    add(code, pointer, message) {
      add(code, {}, { pointer, message: message ?? appError(code).message, code, severity: 'error' });
    },
    addFilled(code, pointer, params) {
      const { message } = appError(code, { params });
      add(code, params, { pointer, message, code, severity: 'error', params });
    },
    refuseAny() {
      const error: AppError | undefined =
        first && appError(first.code, { params: first.params, details: details.slice(0, 100) });
      if (error) throw error;
    },
  };
}

/** Name of a part as a JSON pointer (RFC 6901), cut where it is absurdly long. */
export function pointerTo(name: string): string {
  return `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
