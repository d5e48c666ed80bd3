import { useQueryClient } from '@tanstack/react-query';
import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ConnectionTest } from '../../../../shared/routes/settings.ts';
import { errorText } from '../../../api/error-text.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { putNewerData } from '../../../api/query-client.ts';
import { type PayloadOf, useOperation } from '../../../api/use-operation.ts';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { FormTextField } from '../../../ui/form-fields.tsx';
import styles from './account-form.module.css';

type AccountField = {
  name: string;
  label: string;
  /** The stored value, or for a secret its displayable part. */
  stored: string;
  isSecret: boolean;
};

type Props = {
  fields: readonly AccountField[];
  busy: boolean;
  note: ReactNode;
  /** Calls `onDone` after saving. */
  onSave: (values: Record<string, string>, onDone: () => void) => void;
};

/** An account at an external service. The form never has a stored secret: a new one replaces it. */
export function ThirdPartyAccountForm({ fields, busy, note, onSave }: Props) {
  const t = useTranslations('accounts3rd');
  const common = useTranslations('common');
  const { control, handleSubmit, reset } = useForm<Record<string, string>>({
    values: Object.fromEntries(fields.map(({ name, stored, isSecret }) => [name, isSecret ? '' : stored])),
    resetOptions: { keepDirtyValues: true },
  });
  const save = handleSubmit((values) => {
    const typed = Object.entries(values).map(([name, value]) => [name, value.trim()]);
    onSave(Object.fromEntries(typed), () => reset());
  });
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
      {fields.map(({ name, label, stored, isSecret }) => (
        <FormTextField
          key={name}
          control={control}
          name={name}
          check={(value) => (value.trim() === '' ? t('missing', { field: label }) : undefined)}
          label={label}
          {...(isSecret && {
            type: 'password',
            revealLabel: t('reveal'),
            autoComplete: 'new-password',
            hint: stored === '' ? t('none_kept') : t('kept', { masked: stored }),
          })}
          spellCheck={false}
        />
      ))}
      <p className={styles.note}>{note}</p>
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          {common('save')}
        </Button>
      </div>
    </form>
  );
}

/** Texts for each vendor, and the setting with its URL. */
const TESTS = {
  icon_font: { operation: 'testIconFont', setting: 'ICON_FONT_TOKEN_URL', textKey: 'test_icon_font' },
  stock_photo: { operation: 'testStockPhoto', setting: 'STOCK_PHOTO_URL', textKey: 'test_stock_photo' },
} as const;

type ConnectionProps = {
  account: keyof typeof TESTS;
  isSaved: boolean;
  /** Fields of our own service; a foreign one has neither. */
  host: string | undefined;
  hasReaders: boolean | undefined;
};

/** Who can read an account, and a button that tests the saved one at its vendor. */
export function Connection({ account, isSaved, host, hasReaders }: ConnectionProps) {
  const t = useTranslations('accounts3rd');
  const { setting, textKey } = TESTS[account];
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
          <p className={styles.note}>{t(textKey, { host })}</p>
          <Test account={account} host={host} isSaved={isSaved} />
        </>
      )}
    </section>
  );
}

function Test({ account, host, isSaved }: { account: keyof typeof TESTS; host: string; isSaved: boolean }) {
  const t = useTranslations();
  const { operation, setting } = TESTS[account];
  const { mutate, data, error, isPending } = useOperation(operation, () => ({}));
  const resultTexts: Readonly<Record<ConnectionTest['result'], (status: number) => string>> = {
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
  const resultText = data
    ? resultTexts[data.result](data.status ?? 0)
    : error && t(`error.${errorText(error)}`);
  const isAccepted = data?.result === 'accepted';
  return (
    <>
      <div>
        <Button variant="outline" busy={isPending} disabled={!isSaved} onClick={() => mutate()}>
          {t('accounts3rd.test')}
        </Button>
      </div>
      {!isSaved && <p className={styles.note}>{t('accounts3rd.test_not_saved')}</p>}
      <div role="status">
        {!isPending && resultText && (
          <p className={classNames(styles.result, isAccepted ? styles.good : styles.bad)}>
            {isAccepted ? <CheckIcon size={18} /> : <CircleAlertIcon size={18} />}
            <span>{resultText}</span>
          </p>
        )}
      </div>
    </>
  );
}

const READ = { saveIconFont: 'readIconFont', saveStockPhoto: 'readStockPhoto' } as const;

/** Saves an account and shows the result (R 7.12). */
export function useSaveAccount<O extends keyof typeof READ>(save: O) {
  const t = useTranslations('accounts3rd');
  const queryClient = useQueryClient();
  return useOperation(save, (values: PayloadOf<O>) => values, {
    done: t('saved'),
    failsIn: 'toast',
    failed: t('save_failed'),
    onSuccess: (stored) => putNewerData(queryClient, queryKeyOf(READ[save], {}), stored),
  });
}
