import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './account-form.module.css';
import { Connection, ThirdPartyAccountForm, useSaveAccount } from './account-form.tsx';

/** The icon-font account of the design tool (R 2.8). */
export function IconFontScreen() {
  const t = useTranslations('accounts3rd');
  const save = useSaveAccount('saveIconFont');
  return (
    <AccountScreen
      account="icon_font"
      query={useQuery(queryOptionsOf('readIconFont', {}))}
      save={save}
      fieldsOf={({ client_id: id, client_secret_masked: masked }) => [
        { name: 'client_id', label: t('client_id'), stored: id, isSecret: false },
        { name: 'client_secret', label: t('client_secret'), stored: masked, isSecret: true },
      ]}
      onSave={({ client_id = '', client_secret = '' }, onSuccess) =>
        save.mutate({ client_id, client_secret }, { onSuccess })
      }
    />
  );
}

/** The stock-photo account of the design tool (R 2.9). */
export function StockPhotoScreen() {
  const t = useTranslations('accounts3rd');
  const save = useSaveAccount('saveStockPhoto');
  return (
    <AccountScreen
      account="stock_photo"
      query={useQuery(queryOptionsOf('readStockPhoto', {}))}
      save={save}
      fieldsOf={({ api_key_masked: masked }) => [
        { name: 'api_key', label: t('api_key'), stored: masked, isSecret: true },
      ]}
      onSave={({ api_key = '' }, onSuccess) => save.mutate({ api_key }, { onSuccess })}
    />
  );
}

type FormProps = ComponentProps<typeof ThirdPartyAccountForm>;
type Props<T> = {
  account: ComponentProps<typeof Connection>['account'];
  query: UseQueryResult<T>;
  save: { isPending: boolean; submittedAt: number };
  fieldsOf: (stored: T) => FormProps['fields'];
  onSave: FormProps['onSave'];
};

function AccountScreen<T extends { test_host?: string; has_readers?: boolean }>(props: Props<T>) {
  const { account, query, save, fieldsOf, onSave } = props;
  const { data, error, isFetching, refetch } = query;
  const t = useTranslations('accounts3rd');
  const fields = data && fieldsOf(data);
  return (
    <>
      <PageHeader title={t(`${account}_title`)} lead={t(`${account}_lead`)} />
      {data && fields ? (
        <>
          <ThirdPartyAccountForm fields={fields} busy={save.isPending} note={t('note')} onSave={onSave} />
          <Connection
            key={save.submittedAt}
            account={account}
            isSaved={fields.some(({ isSecret, stored }) => isSecret && stored !== '')}
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
