import { useTranslations } from 'use-intl';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { AuditItem } from '../../../shared/entities/review.ts';
import { TimeAgo } from '../../features/plugins/time-ago.tsx';
import styles from './published-card.module.css';

/** Which version others see, which one was submitted or approved last, and when. */
export function PublishedVersions({ item }: { item: AuditItem }) {
  const t = useTranslations('myPlugins');
  const { audit_status, version, submitted_at, decided_at } = item;
  const live = item.is_live ? item.current_version : null;
  const isApproved = audit_status === AUDIT_PASSED;
  const at = isApproved ? (decided_at ?? submitted_at) : submitted_at;
  return (
    <p className={styles.meta}>
      {live !== null && <span className={styles.live}>{t('live', { version: live })}</span>}
      {live !== version && <span>{t(isApproved ? 'approved' : 'handed_in', { version })}</span>}
      <TimeAgo at={at} />
    </p>
  );
}
