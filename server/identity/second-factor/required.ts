import { ROLE_USER } from '../../../shared/constants.ts';
import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';

/** Who must have a second factor: nobody, or every administrator who types a password on our own page. */
export type SecondFactorRule = 'optional' | 'administrators';

/** Whether a person must have a second factor, by the role that he has now. */
export function isRequiredOf(
  { secondFactor }: Pick<IdentityContext, 'secondFactor'>,
  { role }: Pick<Account, 'role'>,
): boolean {
  return secondFactor === 'administrators' && role !== ROLE_USER;
}
