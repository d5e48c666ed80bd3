import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { NavCount, REREAD_AFTER } from '../frame/nav-count.tsx';

/** How many submissions wait for review. */
export function WaitingCount() {
  const t = useTranslations('review');
  const { data } = useQuery({
    ...queryOptionsOf('listAudits', { audit_status: AUDIT_WAITING, limit: 1 }),
    refetchInterval: REREAD_AFTER,
  });
  return <NavCount count={data?.waiting} label={(count) => t('waiting', { count })} />;
}
