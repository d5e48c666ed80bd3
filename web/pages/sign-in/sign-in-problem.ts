import type { ErrorCode } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';
import { type WeaknessText, weaknessText } from '../../features/password/weakness-text.ts';

/** A text and the field it belongs to; without a field it is about the whole form. */
export type SignInProblem = {
  field?: 'account' | 'email' | 'nick_name' | 'password';
  text:
    | 'signIn.account_missing'
    | 'signIn.email_missing'
    | 'signIn.email_wrong'
    | 'signIn.nick_name_missing'
    | 'signIn.password_missing'
    | 'signIn.credentials_wrong'
    | 'signIn.account_taken'
    | 'signIn.account_disabled'
    | 'signIn.redirect_refused'
    | 'signIn.too_many_seconds'
    | WeaknessText;
};

const PROBLEMS: Readonly<Partial<Record<ErrorCode, SignInProblem>>> = {
  CREDENTIALS_INVALID: { text: 'signIn.credentials_wrong' },
  ACCOUNT_DISABLED: { text: 'signIn.account_disabled' },
  ACCOUNT_EXISTS: { field: 'email', text: 'signIn.account_taken' },
  REDIRECT_URI_REFUSED: { text: 'signIn.redirect_refused' },
  REDIRECT_URI_EMPTY: { text: 'signIn.redirect_refused' },
};

/** What the form says about a refused attempt; undefined when only the general texts fit. */
export function problemOf(error: ApiError): SignInProblem | undefined {
  if (error.reason === undefined) return undefined;
  if (error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined)
    return { text: 'signIn.too_many_seconds' };
  if (error.reason === 'VALIDATION_FAILED' && error.details.some(({ pointer }) => pointer === '/email'))
    return { field: 'email', text: 'signIn.email_wrong' };
  const weakness = weaknessText(error);
  return weakness ? { field: 'password', text: weakness } : PROBLEMS[error.reason];
}
