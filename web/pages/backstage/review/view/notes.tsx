import CheckIcon from 'lucide-react/icons/check';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { auditPath } from '../audits-query.ts';
import styles from './notes.module.css';

/** Milliseconds until screen readers have registered a new live region. */
const LIVE_REGION_DELAY_MS = 100;

/** Navigation state after a decision. */
type Decided = { submission_id: number; name: string; passed: boolean };

export function decidedState({ submission_id, plugin, audit_status }: ReviewItem): { decided: Decided } {
  return { decided: { submission_id, name: plugin.name, passed: audit_status === AUDIT_PASSED } };
}

/** The last decision, with a button to withdraw it. */
export function DecisionBanner() {
  const t = useTranslations('review');
  const { state, search } = useLocation();
  const decided = decidedOf(state);
  // Screen readers only announce changes of an existing region.
  const [isVisible, setThere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setThere(true), LIVE_REGION_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!decided) return null;
  const { name, passed } = decided;
  return (
    <div className={styles.done}>
      <CheckIcon />
      <p className={styles.text} role="status">
        {isVisible && t(passed ? 'just_approved' : 'just_rejected', { name })}
      </p>
      {isVisible && (
        <Link className={styles.link} to={auditPath(decided, search)}>
          {t(passed ? 'undo_approval' : 'undo_rejection')}
        </Link>
      )}
    </div>
  );
}

function decidedOf(state: unknown): Decided | undefined {
  if (typeof state !== 'object' || state === null || !('decided' in state)) return undefined;
  const { decided } = state;
  if (typeof decided !== 'object' || decided === null) return undefined;
  if (!('submission_id' in decided && 'name' in decided && 'passed' in decided)) return undefined;
  const { submission_id, name, passed } = decided;
  if (typeof submission_id !== 'number' || typeof name !== 'string') return undefined;
  return { submission_id, name, passed: passed === true };
}

const SETTING = 'REVIEW_OWN_SUBMISSIONS=yes';

/** Why reviewers can't decide on their own submissions, and what a site with one administrator can do. */
export function OwnSubmissionNote() {
  const t = useTranslations('review');
  return (
    <span>
      {t('problem_own')} {t('own_setting', { setting: SETTING })}
    </span>
  );
}
