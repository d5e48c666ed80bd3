import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Progress } from '../../../../ui/progress/progress.tsx';
import styles from './bulk-dialog.module.css';
import { BulkList } from './bulk-list.tsx';
import type { Verdict } from './decision.ts';
import { ReasonField } from './reason-field.tsx';
import { useBulkDecision } from './use-bulk-decision.ts';
import { useReason } from './use-reason.ts';

export type BulkTask = {
  /** What is shown: what was chosen, and what was left out or may not be decided. */
  items: readonly ReviewItem[];
  chosen: readonly ReviewItem[];
  verdict: Verdict;
};

/** Approves or rejects several submissions: asks once, shows how far it is, and says of each what came of it. */
export function BulkDialog({ items, chosen, verdict, onClose }: BulkTask & { onClose: () => void }) {
  const t = useTranslations('review');
  const reason = useReason();
  const { phase, outcomes, run } = useBulkDecision();
  const [ids, setIds] = useState<ReadonlySet<number>>(
    new Set(chosen.map(({ submission_id }) => submission_id)),
  );
  const isRejection = verdict === AUDIT_REFUSED;
  const meant = items.filter(({ submission_id }) => ids.has(submission_id));
  const count = meant.length;
  const toggle = ({ submission_id }: ReviewItem): void => {
    const next = new Set(ids);
    if (!next.delete(submission_id)) next.add(submission_id);
    setIds(next);
  };
  const begin = (): void => {
    const checked = isRejection ? reason.check() : '';
    if (checked !== undefined) void run(meant, verdict, checked);
  };
  const close = (): void => {
    if (phase !== 'running') onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={t(isRejection ? 'bulk_reject_title' : 'bulk_approve_title', { count })}
      closeLabel={t('close')}
    >
      <div className={styles.content}>
        {phase === 'asking' && (
          <p className={styles.text}>{t(isRejection ? 'reject_text' : 'approve_text')}</p>
        )}
        {phase === 'asking' && meant.length < items.length && (
          <p className={styles.text}>{t('bulk_left_out')}</p>
        )}
        {phase === 'asking' && isRejection && <ReasonField reason={reason} />}
        {phase !== 'asking' && (
          <Progress
            label={t('bulk_progress')}
            value={outcomes.size / count}
            detail={t('bulk_done', { done: outcomes.size, count })}
          />
        )}
        <BulkList
          items={phase === 'asking' ? items : meant}
          ids={ids}
          outcomes={outcomes}
          verdict={verdict}
          onToggle={phase === 'asking' ? toggle : undefined}
        />
      </div>
      <div className={styles.actions}>
        {phase !== 'over' && (
          <Button variant="outline" disabled={phase === 'running'} onClick={close}>
            {t('cancel')}
          </Button>
        )}
        {phase === 'over' ? (
          <Button variant="primary" onClick={onClose}>
            {t('close')}
          </Button>
        ) : (
          <Button
            variant="primary"
            className={isRejection ? styles.danger : undefined}
            busy={phase === 'running'}
            disabled={count === 0}
            onClick={begin}
          >
            {t(isRejection ? 'reject' : 'approve')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
