import type { ApiError } from '../../../api/api-error.ts';
import { type WeaknessText, weaknessText } from '../../../features/password/weakness-text.ts';

export type Typed = { current_password: string; password: string };

/** What is wrong with each field. */
export type PasswordProblem = {
  current_password?:
    | 'account.password_current_missing'
    | 'account.password_current_wrong'
    | 'account.password_too_many';
  password?: 'password.new_missing' | WeaknessText;
};

/** What can be said to be wrong without asking the service. */
export function wrongIn({ current_password, password }: Typed, min: number): PasswordProblem {
  return {
    ...(current_password === '' && { current_password: 'account.password_current_missing' }),
    ...(password !== '' && [...password].length < min && { password: 'password.short' }),
    ...(password === '' && { password: 'password.new_missing' }),
  };
}

/** What the service says is wrong with a field; empty when only a general text fits. */
export function problemOf(error: ApiError): PasswordProblem {
  const weakness = weaknessText(error);
  if (weakness) return { password: weakness };
  if (error.reason === 'PASSWORD_WRONG') return { current_password: 'account.password_current_wrong' };
  if (error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined)
    return { current_password: 'account.password_too_many' };
  return {};
}
