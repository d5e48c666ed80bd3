import { useQuery } from '@tanstack/react-query';
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
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readIconFont', {}));
  const save = useSaved('saveIconFont');
  return (
    <>
      <PageHeader title={t('icon_font_title')} lead={t('icon_font_lead')} />
      {data ? (
        <>
          <AccountForm
            fields={[
              { name: 'client_id', label: t('client_id'), kept: data.client_id, isSecret: false },
              {
                name: 'client_secret',
                label: t('client_secret'),
                kept: data.client_secret_masked,
                isSecret: true,
              },
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
            isSaved={data.client_secret_masked !== ''}
            host={data.test_host}
            hasReaders={data.has_readers}
          />
        </>
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton shape="block" className={styles.loading} />
      )}
    </>
  );
}

/** The stock-photo account of the design tool (specification section 2). */
export function StockPhotoScreen() {
  const t = useTranslations('accounts3rd');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readStockPhoto', {}));
  const save = useSaved('saveStockPhoto');
  return (
    <>
      <PageHeader title={t('stock_photo_title')} lead={t('stock_photo_lead')} />
      {data ? (
        <>
          <AccountForm
            fields={[{ name: 'api_key', label: t('api_key'), kept: data.api_key_masked, isSecret: true }]}
            busy={save.isPending}
            note={t('note')}
            onSave={({ api_key = '' }, onSuccess) => save.mutate({ api_key }, { onSuccess })}
          />
          <Connection
            key={save.submittedAt}
            account="stock_photo"
            isSaved={data.api_key_masked !== ''}
            host={data.test_host}
            hasReaders={data.has_readers}
          />
        </>
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton shape="block" className={styles.loading} />
      )}
    </>
  );
}
