import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../../shared/languages.ts';
import type { OwnAddress } from '../../../../shared/routes/address.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AccountSection } from '../account-section.tsx';
import styles from './address-section.module.css';

/** The e-mail address of the viewer, and whether it is proved to be theirs. */
export function AddressSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readAddress', {}));
  if (data?.email === '') return null;
  return (
    <AccountSection title={t('address_title')} lead={t('address_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && <Address address={data} />}
    </AccountSection>
  );
}

function Address({ address: { email, verified_at, can_verify } }: { address: OwnAddress }) {
  const t = useTranslations();
  const locale = useLocale();
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => call('askAddressLink', { language }),
  });
  const isOpen = verified_at === null && can_verify;
  const isEarly = error?.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined;
  return (
    <div className={styles.panel}>
      <p className={styles.line}>
        <span className={styles.address}>{email}</span>
        {verified_at !== null && <Badge tone="positive">{t('account.address_proved')}</Badge>}
        {isOpen && <Badge tone="warning">{t('account.address_open')}</Badge>}
      </p>
      {isOpen && <p>{t('account.address_open_text')}</p>}
      {isSuccess && <p role="status">{t('account.address_sent', { email })}</p>}
      {error && (
        <p className={styles.problem} role="alert">
          {isEarly
            ? t('account.password_too_many', { seconds: error.retryAfter ?? 0 })
            : t(`error.${errorText(error)}`)}
        </p>
      )}
      {isOpen && (
        <div>
          <Button variant="outline" busy={isPending} onClick={() => mutate()}>
            {t('account.address_send')}
          </Button>
        </div>
      )}
    </div>
  );
}
