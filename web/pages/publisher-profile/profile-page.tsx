import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { publisherPath } from '../../features/publishers/index.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { AccessGate } from '../access-gate/access-gate.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import { ProfileForm } from './profile-form.tsx';
import styles from './profile-page.module.css';
import { Verification } from './verification.tsx';

/** Where publishers choose the address of their page and write about themselves. */
export function ProfilePage() {
  const t = useTranslations('profile');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="publisher">
      <Profile />
    </AccessGate>
  );
}

function Profile() {
  const t = useTranslations('profile');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readOwnProfile', {}));
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          data?.is_public && (
            <Link to={publisherPath(data.handle)} className={buttonClass({ variant: 'outline' })}>
              {t('view')}
            </Link>
          )
        }
      />
      {data && !data.is_public && <p className={styles.note}>{t('not_public')}</p>}
      {data && data.hidden_reason !== null && (
        <p className={styles.note}>{t('hidden', { reason: data.hidden_reason })}</p>
      )}
      {data ? (
        <>
          <ProfileForm profile={data} />
          <Verification />
        </>
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <PageSkeleton />
      )}
    </div>
  );
}
