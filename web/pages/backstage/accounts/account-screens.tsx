import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './account-form.module.css';
import { AccountForm, Connection, useSaved } from './account-form.tsx';

/** The icon-font account of the design tool (specification section 2). */
export function IconFontScreen() {
  const t = useTranslations('accounts3rd');
  const query = useQuery(queryOptionsOf('readIconFont', {}));
  const save = useSaved('saveIconFont');
  return (
    <AccountScreen title={t('icon_font_title')} lead={t('icon_font_lead')} query={query}>
      {({ client_id: id, client_secret_masked: masked, test_host: host, has_readers: hasReaders }) => (
        <>
          <AccountForm
            fields={[
              { name: 'client_id', label: t('client_id'), kept: id, isSecret: false },
              { name: 'client_secret', label: t('client_secret'), kept: masked, isSecret: true },
            ]}
            busy={save.isPending}
            note={t('note')}
            onSave={({ client_id = '', client_secret = '' }, onSuccess) =>
              save.mutate({ client_id, client_secret }, { onSuccess })
            }
          />
          <Connection
            key={save.submittedAt}
            account="icon_font"
            isSaved={masked !== ''}
            host={host}
            hasReaders={hasReaders}
          />
        </>
      )}
    </AccountScreen>
  );
}

/** The stock-photo account of the design tool (specification section 2). */
export function StockPhotoScreen() {
  const t = useTranslations('accounts3rd');
  const query = useQuery(queryOptionsOf('readStockPhoto', {}));
  const save = useSaved('saveStockPhoto');
  return (
    <AccountScreen title={t('stock_photo_title')} lead={t('stock_photo_lead')} query={query}>
      {({ api_key_masked: masked, test_host: host, has_readers: hasReaders }) => (
        <>
          <AccountForm
            fields={[{ name: 'api_key', label: t('api_key'), kept: masked, isSecret: true }]}
            busy={save.isPending}
            note={t('note')}
            onSave={({ api_key = '' }, onSuccess) => save.mutate({ api_key }, { onSuccess })}
          />
          <Connection
            key={save.submittedAt}
            account="stock_photo"
            isSaved={masked !== ''}
            host={host}
            hasReaders={hasReaders}
          />
        </>
      )}
    </AccountScreen>
  );
}

type Props<T> = {
  title: string;
  lead: string;
  query: UseQueryResult<T>;
  /** The content below the header once the account has loaded. */
  children: (account: T) => ReactNode;
};

function AccountScreen<T>({ title, lead, query, children }: Props<T>) {
  const { data, error, isFetching, refetch } = query;
  return (
    <>
      <PageHeader title={title} lead={lead} />
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton shape="block" className={styles.loading} />
      )}
    </>
  );
}
