import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../ui/notice/error-notice.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AccountSection } from '../account-section.tsx';
import styles from './second-factor-section.module.css';
import { TurnOn } from './turn-on.tsx';
import { TurnedOn } from './turned-on.tsx';

/** The second factor of the viewer: on or off, and what can be done about it. */
export function SecondFactorSection() {
  const t = useTranslations('account');
  const list = useTranslations('list');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readSecondFactor', {}));
  return (
    <AccountSection title={t('second_factor_title')} lead={t('second_factor_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && (
        <ErrorNotice
          title={list('error_title')}
          text={list('error_text')}
          retryLabel={list('retry')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data && data.since !== null && <TurnedOn state={data} since={data.since} />}
      {data &&
        data.since === null &&
        (data.is_elsewhere ? <p>{t('second_factor_elsewhere')}</p> : <TurnOn confirm={data.confirm} />)}
    </AccountSection>
  );
}
