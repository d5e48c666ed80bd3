import type { Proof } from '../../../shared/entities/proof.ts';
import type { ApiError } from '../../api/api-error.ts';

/** Why nothing was bound; each has its texts in the namespace `bind`. */
export type BindRefusal = 'not_here' | 'taken' | 'invalid' | 'forbidden' | 'unsupported' | 'unavailable';

const BY_STATUS: Readonly<Record<number, BindRefusal>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'invalid',
  409: 'taken',
  410: 'invalid',
  422: 'invalid',
};

const WRONG_PROOF: readonly unknown[] = ['SECOND_FACTOR_WRONG', 'PASSWORD_WRONG'];

/**
 * What a refusal of the user service means; its own words are no texts for people. No answer, and an empty one
 * (specification section 8), count as a service that cannot be reached.
 */
export function refusalOf({ status, reason }: Pick<ApiError, 'status' | 'reason'>): BindRefusal {
  // A deployment whose sign-in service binds no accounts has no such call at all, or one that says so.
  if (reason === 'BIND_REFUSED') return 'not_here';
  if (reason === 'NOT_IMPLEMENTED' || reason === 'NOT_FOUND') return 'unsupported';
  return BY_STATUS[status] ?? 'unavailable';
}

/** What the form itself says of the way in which the person proves who they are: beside its field, or by another one. */
export function isAboutProof(
  { reason, retryAfter }: Pick<ApiError, 'reason' | 'retryAfter'>,
  proof: Proof | undefined,
): boolean {
  if (reason === 'REAUTHENTICATION_REQUIRED') return true;
  if (proof !== 'code' && proof !== 'password') return false;
  return reason === 'TOO_MANY_REQUESTS' ? retryAfter !== undefined : WRONG_PROOF.includes(reason);
}

/** Trying once more may help. */
export function mayHelpToRetry(refusal: BindRefusal): boolean {
  return refusal === 'unavailable';
}
