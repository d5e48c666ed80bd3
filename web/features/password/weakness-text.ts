import type { PasswordWeakness } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';

/** A text that explains why a password was rejected. */
export type WeaknessText =
  | 'password.short'
  | 'password.common'
  | 'password.name'
  | 'password.pattern'
  | 'password.date'
  | 'password.guessable';

const TEXTS: Readonly<Record<PasswordWeakness, WeaknessText>> = {
  PASSWORD_SHORT: 'password.short',
  PASSWORD_COMMON: 'password.common',
  PASSWORD_NAME: 'password.name',
  PASSWORD_PATTERN: 'password.pattern',
  PASSWORD_DATE: 'password.date',
  PASSWORD_GUESSABLE: 'password.guessable',
};

/** Why the service rejected a new password; undefined for other errors. */
export function weaknessText({ reason, details }: ApiError): WeaknessText | undefined {
  if (reason !== 'PASSWORD_TOO_WEAK') return undefined;
  const code = details.find(({ pointer }) => pointer === '/password')?.code ?? '';
  return new Map<string, WeaknessText>(Object.entries(TEXTS)).get(code) ?? 'password.guessable';
}
