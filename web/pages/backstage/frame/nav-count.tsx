import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { CountBadge } from '../../../ui/badge/badge.tsx';
import styles from './side-nav.module.css';

type NavCountProps = {
  /** Undefined while unknown. */
  count: number | undefined;
  /** Accessible name: the number and its unit. */
  label: (count: number) => string;
};

/** Number of open tasks of a screen, beside its title in the navigation; hidden when 0. */
function NavCount({ count, label }: NavCountProps) {
  if (!count) return null;
  return (
    <span className={styles.count}>
      <CountBadge count={count} label={label(count)} />
    </span>
  );
}

/** Milliseconds between refetches. */
const REFETCH_INTERVAL_MS = 60_000;

/** Number of submissions pending review. */
export function PendingCount() {
  const t = useTranslations('review');
  const { data } = useQuery({
    ...queryOptionsOf('listAudits', { audit_status: AUDIT_WAITING, limit: 1 }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return <NavCount count={data?.waiting} label={(count) => t('waiting', { count })} />;
}

/** Number of undecided reports. */
export function OpenReportsCount() {
  const t = useTranslations('reports');
  const { data } = useQuery({
    ...queryOptionsOf('listReports', { state: 'open', limit: 1 }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return <NavCount count={data?.total} label={(count) => t('open_count', { count })} />;
}

/** Number of withdrawals that wait for the viewer as the second administrator. */
export function ProposalsCount() {
  const t = useTranslations('withdrawing');
  const { data } = useQuery({
    ...queryOptionsOf('listWithdrawalProposals', {}),
    refetchInterval: ({ state }) => state.data?.is_needed === true && REFETCH_INTERVAL_MS,
  });
  const count = data?.proposal_list.filter(({ is_own }) => !is_own).length;
  return <NavCount count={count} label={(number) => t('proposal_count', { count: number })} />;
}
