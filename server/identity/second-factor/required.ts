import { ROLE_USER } from '../../../shared/constants.ts';
import type { Account } from '../schema.ts';

/** Who must have a second factor: nobody, or every administrator who types a password on our own page. */
export type SecondFactorRule = 'optional' | 'administrators';

/** Whether a user must have a second factor, by the role they have now. */
export function isRequiredOf(
  { secondFactor }: { secondFactor: SecondFactorRule },
  { role }: Pick<Account, 'role'>,
): boolean {
  return secondFactor === 'administrators' && role !== ROLE_USER;
}
