import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { NavCount, REREAD_AFTER } from '../frame/nav-count.tsx';

/** How many reports nobody has decided. */
export function OpenReportsCount() {
  const t = useTranslations('reports');
  const { data } = useQuery({
    ...queryOptionsOf('listReports', { state: 'open', limit: 1 }),
    refetchInterval: REREAD_AFTER,
  });
  return <NavCount count={data?.total} label={(count) => t('open_count', { count })} />;
}
