import type { ErrorCode } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';

/** A text of the namespace `signIn` and the field it belongs to; without a field it is about the whole form. */
export type SignInProblem = {
  field?: 'account' | 'email' | 'nick_name' | 'password';
  text:
    | 'account_missing'
    | 'email_missing'
    | 'email_wrong'
    | 'nick_name_missing'
    | 'password_missing'
    | 'password_short'
    | 'password_weak'
    | 'credentials_wrong'
    | 'account_taken'
    | 'account_disabled'
    | 'redirect_refused'
    | 'too_many_seconds';
};

const PROBLEMS: Readonly<Partial<Record<ErrorCode, SignInProblem>>> = {
  CREDENTIALS_INVALID: { text: 'credentials_wrong' },
  ACCOUNT_DISABLED: { text: 'account_disabled' },
  ACCOUNT_EXISTS: { field: 'email', text: 'account_taken' },
  PASSWORD_TOO_WEAK: { field: 'password', text: 'password_weak' },
  REDIRECT_URI_REFUSED: { text: 'redirect_refused' },
  REDIRECT_URI_EMPTY: { text: 'redirect_refused' },
};

/** What the form says about a refused attempt; undefined when only the general texts fit. */
export function problemOf(error: ApiError): SignInProblem | undefined {
  if (error.reason === undefined) return undefined;
  if (error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined)
    return { text: 'too_many_seconds' };
  if (error.reason === 'VALIDATION_FAILED' && error.details.some(({ pointer }) => pointer === '/email'))
    return { field: 'email', text: 'email_wrong' };
  return PROBLEMS[error.reason];
}
