import { useFormatter, useTranslations } from 'use-intl';
import type { AUDIT_PASSED, AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import type { ErrorCode } from '../../../../../shared/errors.ts';
import { isApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import { useFailureText } from '../../../../api/error-text.ts';

export type Decision = typeof AUDIT_PASSED | typeof AUDIT_REFUSED;

/** Decides a submission, unless its status has changed since it was loaded. */
export function decide(item: ReviewItem, verdict: Decision, reason: string): Promise<ReviewItem> {
  return call('decideAudit', {
    plugin_key: item.plugin.plugin_key,
    submission_id: item.submission_id,
    version: item.version,
    audit_status: verdict,
    expected_status: item.audit_status,
    ...(reason !== '' && { reason }),
  });
}

/** Serializes claims, releases and decisions, so that none overtakes another. */
export const REVIEW_SCOPE = { id: 'review' };

type ProblemText =
  | 'problem_decided'
  | 'problem_claimed'
  | 'problem_newer'
  | 'problem_gone'
  | 'problem_own'
  | 'problem_incomplete'
  | 'problem_failed';

/** Why a decision failed: a text of the namespace `review`, and texts of the fields concerned. */
export type DecisionProblem = { text: ProblemText; fields: FieldText[]; error: unknown };

const PROBLEMS: Readonly<Partial<Record<ErrorCode, ProblemText>>> = {
  ALREADY_DECIDED: 'problem_decided',
  ALREADY_CLAIMED: 'problem_claimed',
  CONFLICT: 'problem_newer',
  SUBMISSION_NOT_FOUND: 'problem_gone',
  PLUGIN_NOT_FOUND: 'problem_gone',
  OWN_SUBMISSION: 'problem_own',
};

/** Required fields for an approval, by pointer (shared/package/listing-rules.ts). */
const FIELDS = {
  '/name': 'field_name',
  '/intro': 'field_intro',
  '/description': 'field_description',
  '/contact': 'field_contact',
  '/version_note': 'field_version_note',
  '/copyright_holder': 'field_copyright_holder',
} as const;
type FieldText = (typeof FIELDS)[keyof typeof FIELDS];

export function problemOf(error: unknown): DecisionProblem {
  const reason = isApiError(error) ? error.reason : undefined;
  if (isApiError(error) && reason === 'LISTING_INCOMPLETE') {
    const fields = error.details.flatMap(({ pointer }) => (isField(pointer) ? [FIELDS[pointer]] : []));
    if (fields.length > 0) return { text: 'problem_incomplete', fields, error };
  }
  return { text: (reason && PROBLEMS[reason]) || 'problem_failed', fields: [], error };
}

function isField(pointer: string): pointer is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, pointer);
}

/** Text of a failed decision; an error without its own text shows the message of a foreign service. */
export function useProblemText(): (problem: DecisionProblem) => string {
  const t = useTranslations('review');
  const failureText = useFailureText();
  const format = useFormatter();
  return ({ text, fields, error }) => {
    if (text === 'problem_incomplete')
      return t(text, { fields: format.list(fields.map((field) => t(field))) });
    return text === 'problem_failed' ? failureText(t(text), error) : t(text);
  };
}
