import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ErrorCode } from '../../shared/errors.ts';
import type { FormProblem } from '../ui/form-problems.ts';
import type { ApiError } from './api-error.ts';
import { errorText, useFailureText } from './error-text.ts';

/** What an error means for what was typed: its text, and the field; of several fields those that the error points at. */
export type Refusal<F extends FieldValues = FieldValues> =
  | string
  | { at: FieldPath<F> | 'root' | readonly FieldPath<F>[]; text: string };

/** Errors with a text of their own, by their codes or in full. */
export type ErrorMessages<F extends FieldValues> =
  | Readonly<Partial<Record<ErrorCode, Refusal<F>>>>
  | ((error: ApiError) => Refusal<F> | undefined);

export type Failures<F extends FieldValues> = {
  /** What failed; the reason follows. Without it a general text names the reason alone. */
  failed?: string | undefined;
  errorMessages?: ErrorMessages<F> | undefined;
};

/** What to say about an error, and at which fields of a form; at its `root` if it concerns none. */
export function useFailure<F extends FieldValues = FieldValues>({ failed, errorMessages = {} }: Failures<F>) {
  const t = useTranslations('error');
  const failureText = useFailureText();
  return (error: ApiError): readonly FormProblem<F>[] => {
    const problems = problemsOf(error, errorMessages);
    if (problems.length > 0) return problems;
    return [{ field: 'root', text: failed === undefined ? t(errorText(error)) : failureText(failed, error) }];
  };
}

/** The problems that an error is known to mean; none for others. */
export function problemsOf<F extends FieldValues>(
  error: ApiError,
  errorMessages: ErrorMessages<F>,
): FormProblem<F>[] {
  const refusal =
    typeof errorMessages === 'function' ? errorMessages(error) : error.reason && errorMessages[error.reason];
  if (refusal === undefined) return [];
  if (typeof refusal === 'string') return [{ field: 'root', text: refusal }];
  const { at, text } = refusal;
  const fields = typeof at === 'string' ? [at] : at.filter((field) => isPointedAt(error, field));
  return fields.map((field) => ({ field, text }));
}

/** Pointers are of the request's body (RFC 6901), whose fields are named as the form's. */
function isPointedAt({ details }: ApiError, field: string): boolean {
  return details.some(({ pointer }) => pointer.slice(1).replaceAll('/', '.') === field);
}
