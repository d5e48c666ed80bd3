import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { CountBadge } from '../../../ui/badge/count-badge.tsx';
import styles from './waiting-count.module.css';

const REREAD_AFTER = 60_000;

/** How many submissions wait for review; nothing when none does. */
export function WaitingCount() {
  const t = useTranslations('review');
  const format = useFormatter();
  const { data } = useQuery({
    ...queryOptionsOf('listAudits', { audit_status: AUDIT_WAITING, limit: 1 }),
    refetchInterval: REREAD_AFTER,
  });
  if (!data?.waiting) return null;
  return (
    <span className={styles.end}>
      <CountBadge count={data.waiting} label={`${format.number(data.waiting)} ${t('waiting')}`} />
    </span>
  );
}
