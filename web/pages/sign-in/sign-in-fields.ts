import { PASSWORD_MAX } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { isMailAddress } from '../../../shared/mail-address.ts';
import { markLookalikeIn } from '../../../shared/mark-lookalikes.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import type { ApiError } from '../../api/api-error.ts';
import { type WeaknessText, weaknessText } from '../../features/password/weakness-text.ts';
import type { SignInMode } from './sign-in-parameters.ts';

export type SignInValues = { account: string; email: string; nick_name: string; password: string };
export type FieldName = keyof SignInValues;

/** Kind of form; a sign-up by mail only asks for the address. */
export type FormKind = SignInMode | 'sign_up_by_mail';

/** A form field as data: labels are texts of the namespace `signIn`. */
type SignInField = {
  name: FieldName;
  type: 'text' | 'email' | 'password';
  autoComplete: string;
  maxLength: number;
  hint?: 'signIn.nick_name_hint' | 'signIn.sign_up_by_mail_hint' | 'password.hint';
};

/** Characters of a name that others see. */
export const NICK_NAME_MAX = 40;

export const EMPTY_VALUES: SignInValues = { account: '', email: '', nick_name: '', password: '' };

export const SIGN_IN_FIELDS: Readonly<Record<FormKind, readonly SignInField[]>> = {
  sign_in: [
    { name: 'account', type: 'text', autoComplete: 'username', maxLength: 254 },
    { name: 'password', type: 'password', autoComplete: 'current-password', maxLength: PASSWORD_MAX },
  ],
  sign_up_by_mail: [
    {
      name: 'email',
      type: 'email',
      autoComplete: 'username',
      maxLength: 254,
      hint: 'signIn.sign_up_by_mail_hint',
    },
  ],
  sign_up: [
    { name: 'email', type: 'email', autoComplete: 'username', maxLength: 254 },
    {
      name: 'nick_name',
      type: 'text',
      autoComplete: 'nickname',
      maxLength: NICK_NAME_MAX,
      hint: 'signIn.nick_name_hint',
    },
    {
      name: 'password',
      type: 'password',
      autoComplete: 'new-password',
      maxLength: PASSWORD_MAX,
      hint: 'password.hint',
    },
  ],
};

/** What is wrong with a name, before it is sent. */
export function nickNameProblem(
  name: string,
): 'signIn.nick_name_missing' | 'signIn.nick_name_mark' | undefined {
  if (markLookalikeIn(name) !== undefined) return 'signIn.nick_name_mark';
  return isVisible(name) ? undefined : 'signIn.nick_name_missing';
}

/** Client-side validation of a field. */
export function problemIn(
  mode: FormKind,
  name: FieldName,
  typed: string,
  passwordMin: number,
): SignInProblem['text'] | undefined {
  const value = name === 'password' ? typed : typed.trim();
  if (name === 'nick_name') return nickNameProblem(value);
  if (value === '') return `signIn.${name}_missing`;
  if (name === 'email' && !isMailAddress(value)) return 'signIn.email_wrong';
  const isShort = mode === 'sign_up' && name === 'password' && [...value].length < passwordMin;
  return isShort ? 'password.short' : undefined;
}

/** A message and its field; without a field it concerns the whole form. */
type SignInProblem = {
  field?: 'account' | 'email' | 'nick_name' | 'password';
  text:
    | 'signIn.account_missing'
    | 'signIn.email_missing'
    | 'signIn.email_wrong'
    | 'signIn.nick_name_missing'
    | 'signIn.nick_name_mark'
    | 'signIn.nick_name_refused'
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

/** The form's message for a rejected attempt; undefined when only the general texts fit. */
export function problemOf(error: ApiError): SignInProblem | undefined {
  if (error.reason === undefined) return undefined;
  if (error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined)
    return { text: 'signIn.too_many_seconds' };
  if (error.reason === 'VALIDATION_FAILED') {
    const isAt = (at: string): boolean => error.details.some(({ pointer }) => pointer === at);
    if (isAt('/email')) return { field: 'email', text: 'signIn.email_wrong' };
    // The form finds a missing one itself.
    if (isAt('/nick_name')) return { field: 'nick_name', text: 'signIn.nick_name_refused' };
  }
  const weakness = weaknessText(error);
  return weakness ? { field: 'password', text: weakness } : PROBLEMS[error.reason];
}
