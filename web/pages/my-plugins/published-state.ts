import { AUDIT_PASSED, AUDIT_REFUSED } from '../../../shared/constants.ts';
import type { AuditItem } from '../../../shared/entities/review.ts';

type State = Pick<AuditItem, 'audit_status' | 'is_live' | 'is_hidden' | 'brings_version'>;

/** Key of the text in the namespace `myPlugins` that explains what other users see of a plugin. */
export function publishedState({ audit_status, is_live, is_hidden, brings_version }: State) {
  if (is_hidden) return 'state_hidden';
  if (audit_status === AUDIT_PASSED) return is_live ? 'state_live' : 'state_not_live';
  const isRefused = audit_status === AUDIT_REFUSED;
  if (!is_live) return isRefused ? 'state_refused_first' : 'state_waiting_first';
  if (brings_version) return isRefused ? 'state_refused_version' : 'state_waiting_version';
  return isRefused ? 'state_refused_listing' : 'state_waiting_listing';
}
