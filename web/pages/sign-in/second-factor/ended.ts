import type { ApiError } from '../../../api/api-error.ts';

/** A text of the namespace `signIn`: why a sign-in has to begin again. */
export type Ended = 'second_factor_expired' | 'second_factor_spent' | 'account_disabled';

/** Undefined when the sign-in may go on. */
export function endedBy({ reason }: Pick<ApiError, 'reason'>): Ended | undefined {
  if (reason === 'CHALLENGE_INVALID') return 'second_factor_expired';
  if (reason === 'CHALLENGE_SPENT') return 'second_factor_spent';
  return reason === 'ACCOUNT_DISABLED' ? 'account_disabled' : undefined;
}
