import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { CountBadge } from '../../../ui/badge/badge.tsx';
import styles from './side-nav.module.css';

type NavCountProps = {
  /** Undefined while it is not known. */
  count: number | undefined;
  /** What is read out: the number and what it counts. */
  label: (count: number) => string;
};

/** How much there is to do on a screen, beside its title in the navigation; nothing when there is nothing. */
function NavCount({ count, label }: NavCountProps) {
  if (!count) return null;
  return (
    <span className={styles.count}>
      <CountBadge count={count} label={label(count)} />
    </span>
  );
}

/** Milliseconds after which the numbers are read again. */
const REREAD_AFTER = 60_000;

/** How many submissions wait for review. */
export function WaitingCount() {
  const t = useTranslations('review');
  const { data } = useQuery({
    ...queryOptionsOf('listAudits', { audit_status: AUDIT_WAITING, limit: 1 }),
    refetchInterval: REREAD_AFTER,
  });
  return <NavCount count={data?.waiting} label={(count) => t('waiting', { count })} />;
}

/** How many reports nobody has decided. */
export function OpenReportsCount() {
  const t = useTranslations('reports');
  const { data } = useQuery({
    ...queryOptionsOf('listReports', { state: 'open', limit: 1 }),
    refetchInterval: REREAD_AFTER,
  });
  return <NavCount count={data?.total} label={(count) => t('open_count', { count })} />;
}
