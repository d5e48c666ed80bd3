import { useTranslations } from 'use-intl';
import type { ErrorCode } from '../../shared/errors.ts';
import { isConnectionLost } from '../loading/connection.ts';
import { type ApiError, isApiError, isUnauthenticated } from './api-error.ts';

/** Texts of the namespace `error` that fit any call. */
export type ErrorText =
  | 'network'
  | 'offline'
  | 'file'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_in_tool'
  | 'not_found'
  | 'too_many'
  | 'unavailable'
  | 'unexpected';

const TEXTS: Readonly<Partial<Record<ErrorCode, ErrorText>>> = {
  FORBIDDEN: 'forbidden',
  CSRF_REFUSED: 'forbidden',
  NOT_IN_TOOL: 'not_in_tool',
  TOO_MANY_REQUESTS: 'too_many',
};

/** The general text for a failed call: by its own code, else by its HTTP status. */
export function errorText(error: ApiError): ErrorText {
  if (isUnauthenticated(error)) return 'unauthenticated';
  const own = error.reason && TEXTS[error.reason];
  if (own) return own;
  if (error.status === 0) {
    if (isFileUnreadable(error)) return 'file';
    return isConnectionLost() ? 'offline' : 'network';
  }
  if (error.status === 404) return 'not_found';
  return error.status >= 502 ? 'unavailable' : 'unexpected';
}

function isFileUnreadable({ details }: ApiError): boolean {
  return details.some(({ code }) => code === 'FILE_UNREADABLE');
}

/** Marks that end a sentence, in any of the languages. */
const END = /[.。]$/u;

/** Reasons that say more than that it failed. */
const REASONS: readonly ErrorText[] = [
  'network',
  'offline',
  'too_many',
  'unavailable',
  'forbidden',
  'not_in_tool',
];

/** What failed, followed by why: the message of a foreign service, or what the reader can do something about. */
export function useFailureText(): (what: string, error: unknown) => string {
  const t = useTranslations('error');
  return (what, error) => {
    const reason = isApiError(error) && error.foreignMessage === undefined ? errorText(error) : undefined;
    if (reason === undefined || !REASONS.includes(reason)) return failureText(what, error);
    return t('with_reason', { what: what.replace(END, ''), reason: t(reason) });
  };
}

/** The given text, followed by the message of a foreign service if there is one. */
export function failureText(what: string, error: unknown): string {
  return isApiError(error) && error.foreignMessage !== undefined
    ? `${what.replace(END, '')}: ${error.foreignMessage}`
    : what;
}
