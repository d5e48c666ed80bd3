import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { Moment } from '../../frame/moment.tsx';
import { Person } from '../../frame/person.tsx';
import styles from './review-view.module.css';

/** Earlier decisions on the plugin, newest first. */
export function HistoryPanel({ history }: { history: AuditDetail['history'] }) {
  const t = useTranslations('review');
  if (history.length === 0) return <p className={styles.muted}>{t('no_history')}</p>;
  return (
    <ol className={styles.history}>
      {history.map(({ submission_id, version, audit_status, reason, reviewer, decided_at }) => (
        <li key={`${submission_id} ${decided_at}`} className={styles.decision}>
          <StatusBadge status={audit_status} />
          <span>{version}</span>
          <Person user={reviewer} />
          <span className={styles.muted}>
            <Moment at={decided_at} />
          </span>
          {reason && <p className={styles.reason}>{reason}</p>}
        </li>
      ))}
    </ol>
  );
}
