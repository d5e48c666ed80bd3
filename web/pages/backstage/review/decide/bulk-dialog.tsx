import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { AuditItem } from '../../../../../shared/entities/review.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Progress } from '../../../../ui/progress/progress.tsx';
import styles from './bulk-dialog.module.css';
import { BulkList } from './bulk-list.tsx';
import type { Verdict } from './decision.ts';
import { ReasonField } from './reason-field.tsx';
import { useBulkDecision } from './use-bulk-decision.ts';
import { useReason } from './use-reason.ts';

type Props = { items: readonly AuditItem[]; verdict: Verdict; onClose: () => void };

/** Approves or rejects several submissions: asks once, shows how far it is, and says of each what came of it. */
export function BulkDialog({ items, verdict, onClose }: Props) {
  const t = useTranslations('review');
  const reason = useReason();
  const { phase, outcomes, run } = useBulkDecision();
  const isRejection = verdict === AUDIT_REFUSED;
  const count = items.length;
  const begin = (): void => {
    const checked = isRejection ? reason.check() : '';
    if (checked !== undefined) void run(items, verdict, checked);
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
        {phase === 'asking' && isRejection && <ReasonField reason={reason} />}
        {phase !== 'asking' && (
          <Progress
            label={t('bulk_progress')}
            value={outcomes.size / count}
            detail={t('bulk_done', { done: outcomes.size, count })}
          />
        )}
        <BulkList items={items} outcomes={outcomes} verdict={verdict} />
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
            onClick={begin}
          >
            {t(isRejection ? 'reject' : 'approve')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
