import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AccountSection } from '../account-section.tsx';
import { SessionList } from './session-list.tsx';
import styles from './sessions.module.css';

/** Where the viewer is signed in, and signing out there. */
export function SessionsSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listOwnSessions', {}));
  return (
    <AccountSection title={t('session_title')} lead={t('session_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && <SessionList sessions={data.session_list} />}
    </AccountSection>
  );
}
