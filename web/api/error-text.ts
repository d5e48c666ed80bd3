import type { ErrorCode } from '../../shared/errors.ts';
import { type ApiError, isApiError, isUnauthenticated } from './api-error.ts';

/** Texts of the namespace `error` that fit any call. */
export type ErrorText =
  | 'network'
  | 'file'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'too_many'
  | 'unavailable'
  | 'unexpected';

const TEXTS: Readonly<Partial<Record<ErrorCode, ErrorText>>> = {
  FORBIDDEN: 'forbidden',
  CSRF_REFUSED: 'forbidden',
  TOO_MANY_REQUESTS: 'too_many',
};

/** The general text for a failed call: by its own code, else by its HTTP status. */
export function errorText(error: ApiError): ErrorText {
  if (isUnauthenticated(error)) return 'unauthenticated';
  const own = error.reason && TEXTS[error.reason];
  if (own) return own;
  if (error.status === 0) return isFileUnreadable(error) ? 'file' : 'network';
  if (error.status === 404) return 'not_found';
  return error.status >= 502 ? 'unavailable' : 'unexpected';
}

function isFileUnreadable({ details }: ApiError): boolean {
  return details.some(({ code }) => code === 'FILE_UNREADABLE');
}

/** Marks that end a sentence, in any of the languages. */
const END = /[.。]$/u;

/** The given text, followed by the message of a foreign service if there is one. */
export function failureText(what: string, error: unknown): string {
  return isApiError(error) && error.foreignMessage !== undefined
    ? `${what.replace(END, '')}: ${error.foreignMessage}`
    : what;
}
