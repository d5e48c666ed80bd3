import type { Finding } from '../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';

/** A place of a refused request as a finding: what names no code of its own is shown in the words that came. */
export function findingOfDetail(detail: ErrorDetail): Finding {
  return { code: 'VALIDATION_FAILED', severity: 'error', ...detail };
}
