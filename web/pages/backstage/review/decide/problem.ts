import type { ErrorCode } from '../../../../../shared/errors.ts';
import { isApiError } from '../../../../api/api-error.ts';

/** Texts of the namespace `review` that say why a decision came to nothing. */
export type DecisionProblem =
  | 'problem_decided'
  | 'problem_claimed'
  | 'problem_newer'
  | 'problem_gone'
  | 'problem_own'
  | 'problem_incomplete'
  | 'problem_failed';

const PROBLEMS: Readonly<Partial<Record<ErrorCode, DecisionProblem>>> = {
  ALREADY_DECIDED: 'problem_decided',
  ALREADY_CLAIMED: 'problem_claimed',
  CONFLICT: 'problem_newer',
  SUBMISSION_NOT_FOUND: 'problem_gone',
  PLUGIN_NOT_FOUND: 'problem_gone',
  OWN_SUBMISSION: 'problem_own',
  LISTING_INCOMPLETE: 'problem_incomplete',
};

export function problemOf(error: unknown): DecisionProblem {
  return (isApiError(error) && error.reason && PROBLEMS[error.reason]) || 'problem_failed';
}
