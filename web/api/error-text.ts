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

/** Which general text says why a call failed; its own code first, then its HTTP status. */
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

/** The mark that ends a sentence, in any of the languages. */
const END = /[.。]$/u;

/** What has failed, followed by why in the words of a service that is not our own, where it has any. */
export function failureText(what: string, error: unknown): string {
  return isApiError(error) && error.told !== undefined ? `${what.replace(END, '')}: ${error.told}` : what;
}
