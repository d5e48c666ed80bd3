import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AccountSection } from '../account-section.tsx';
import { ChangeForm } from './change-form.tsx';
import styles from './password-section.module.css';

/** The password of the viewer, if they have one here. */
export function PasswordSection() {
  const t = useTranslations('account');
  const { data, isError, isFetching, refetch } = useQuery(queryOptionsOf('readPasswordState', {}));
  const lead = data && t(data.has_password ? 'password_lead' : 'password_elsewhere');
  return (
    <AccountSection title={t('password_title')} lead={lead}>
      {data?.has_password && <ChangeForm min={data.password_min} />}
      {!data && !isError && <Skeleton className={styles.placeholder} />}
      {!data && isError && (
        <div className={styles.failed}>
          <span role="alert">{t('password_failed')}</span>
          <Button size="s" busy={isFetching} onClick={() => void refetch()}>
            {t('password_retry')}
          </Button>
        </div>
      )}
    </AccountSection>
  );
}
