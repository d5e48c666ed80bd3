import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { type ApiError, isUnauthenticated } from '../../../api/api-error.ts';
import { errorText, failureText } from '../../../api/error-text.ts';
import { FormAlert } from '../../../features/publishing/sending/form-notes.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { WarningIcon } from '../../../ui/icon/sign-icons.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './batch.module.css';
import type { BatchSummary } from './batch-state.ts';
import type { BatchSending } from './use-send-batch.ts';

type BatchOutcomeProps = { sending: BatchSending; summary: BatchSummary };

/** What came of the last sending as a whole. */
export function BatchOutcome({ sending, summary: { done, refused } }: BatchOutcomeProps) {
  const t = useTranslations('batch');
  const isFine = sending.state === 'answered' && refused === 0;
  const text =
    sending.state === 'stopped'
      ? t('stopped', { done })
      : sending.state === 'answered'
        ? isFine
          ? t('answered', { done })
          : t('answered_some', { done, refused })
        : undefined;
  return (
    <>
      <div className={classNames(text !== undefined && (isFine ? styles.fine : styles.mixed))}>
        {text !== undefined && (isFine ? <CheckIcon size={18} /> : <WarningIcon size={18} />)}
        <p role="status">{text}</p>
        {text !== undefined && done > 0 && (
          <Link className={styles.link} to={MY_PLUGINS_PATH}>
            {t('back')}
          </Link>
        )}
      </div>
      {sending.state === 'failed' && <BatchError error={sending.error} at={sending.at} />}
    </>
  );
}

const TEXTS: Readonly<Partial<Record<ErrorCode, 'error_size' | 'error_storage' | 'error_quota'>>> = {
  BATCH_TOO_LARGE: 'error_size',
  BODY_TOO_LARGE: 'error_size',
  STORAGE_FULL: 'error_storage',
  QUOTA_EXCEEDED: 'error_quota',
};

type BatchErrorProps = { error: ApiError; at: number };

/** Why sending broke off. Sign-in opens beside this page, whose packages would not come back. */
function BatchError({ error, at }: BatchErrorProps) {
  const t = useTranslations('batch');
  const general = useTranslations('error');
  const session = useTranslations('session');
  const format = useFormatter();
  if (error.status === 429 && error.retryAfter !== undefined) {
    const time = format.dateTime(at + error.retryAfter * 1000, { timeStyle: 'short' });
    return <FormAlert title={t('error_limit', { time })} />;
  }
  const own = error.reason && TEXTS[error.reason];
  return (
    <FormAlert title={failureText(own ? t(own) : general(errorText(error)), error)}>
      {isUnauthenticated(error) && (
        <p>
          <a className={styles.link} href={signInUrl(MY_PLUGINS_PATH)} target="_blank" rel="noopener">
            {session('sign_in')}
          </a>
        </p>
      )}
    </FormAlert>
  );
}
