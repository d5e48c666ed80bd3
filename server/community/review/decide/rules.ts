import { AUDIT_REFUSED } from '../../../../shared/constants.ts';
import { appError } from '../../../http/errors.ts';
import { plainText } from '../../plain-text.ts';

/**
 * The reason as it is stored; an approval may have one too.
 * @throws REASON_REQUIRED for a refusal without one, VALIDATION_FAILED for one that holds control characters
 */
export function reasonOf(auditStatus: 2 | 3, reason: string | undefined): string | null {
  const text = plainText(reason ?? '', '/reason');
  if (text !== '') return text;
  if (auditStatus !== AUDIT_REFUSED) return null;
  const message = 'must not be empty';
  throw appError('REASON_REQUIRED', { details: [{ pointer: '/reason', message }] });
}
