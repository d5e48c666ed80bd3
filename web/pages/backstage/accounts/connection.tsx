import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ConnectionTest } from '../../../../shared/routes/settings.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import styles from './account-form.module.css';

/** What is asked of each vendor, and the setting that holds its address. */
const TESTS = {
  icon_font: { operation: 'testIconFont', setting: 'ICON_FONT_TOKEN_URL', asked: 'test_icon_font' },
  stock_photo: { operation: 'testStockPhoto', setting: 'STOCK_PHOTO_URL', asked: 'test_stock_photo' },
} as const;

type Props = {
  account: keyof typeof TESTS;
  isSaved: boolean;
  /** As the service tells them; one of another make tells neither. */
  host: string | undefined;
  hasReaders: boolean | undefined;
};

/** Who can read an account, and whether its vendor accepts it: the administrator asks, with what is saved. */
export function Connection({ account, isSaved, host, hasReaders }: Props) {
  const t = useTranslations('accounts3rd');
  const { setting, asked } = TESTS[account];
  if (host === undefined && hasReaders === undefined) return null;
  return (
    <section className={styles.form} aria-labelledby="connection-title">
      <h2 id="connection-title" className={styles.title}>
        {t('connection')}
      </h2>
      {hasReaders !== undefined && (
        <p className={styles.note}>
          {hasReaders ? t('readers') : t('readers_none', { setting: 'SERVICE_TOKENS' })}
        </p>
      )}
      {host === '' && <p className={styles.note}>{t('test_no_address', { setting })}</p>}
      {host !== undefined && host !== '' && (
        <>
          <p className={styles.note}>{t(asked, { host })}</p>
          <Test account={account} host={host} isSaved={isSaved} />
        </>
      )}
    </section>
  );
}

function Test({ account, host, isSaved }: { account: keyof typeof TESTS; host: string; isSaved: boolean }) {
  const t = useTranslations();
  const { operation, setting } = TESTS[account];
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => call(operation, {}) });
  const tell: Readonly<Record<ConnectionTest['result'], (status: number) => string>> = {
    accepted: () => t('accounts3rd.test_accepted', { host }),
    refused: (status) => t('accounts3rd.test_refused', { host, status }),
    limited: (status) => t('accounts3rd.test_limited', { host, status }),
    failed: (status) => t('accounts3rd.test_failed', { host, status, setting }),
    redirected: (status) => t('accounts3rd.test_redirected', { host, status, setting }),
    unusable: () => t('accounts3rd.test_unusable', { host, setting }),
    too_large: () => t('accounts3rd.test_too_large', { host, setting }),
    timed_out: () => t('accounts3rd.test_timed_out', { host }),
    unreachable: () => t('accounts3rd.test_unreachable', { host, setting }),
    no_address: () => t('accounts3rd.test_no_address', { setting }),
    not_saved: () => t('accounts3rd.test_not_saved'),
    not_opened: () => t('accounts3rd.test_not_opened'),
  };
  const told = data ? tell[data.result](data.status ?? 0) : error && t(`error.${errorText(error)}`);
  const isGood = data?.result === 'accepted';
  return (
    <>
      <div>
        <Button variant="outline" busy={isPending} disabled={!isSaved} onClick={() => mutate()}>
          {t('accounts3rd.test')}
        </Button>
      </div>
      {!isSaved && <p className={styles.note}>{t('accounts3rd.test_not_saved')}</p>}
      <div role="status">
        {!isPending && told && (
          <p className={classNames(styles.result, isGood ? styles.good : styles.bad)}>
            {isGood ? <CheckIcon size={18} /> : <AlertIcon size={18} />}
            <span>{told}</span>
          </p>
        )}
      </div>
    </>
  );
}
