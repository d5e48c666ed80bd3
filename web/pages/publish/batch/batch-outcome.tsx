import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { classNames } from '../../../ui/class-names.ts';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { WarningIcon } from '../../../ui/icon/sign-icons.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './batch.module.css';
import { BatchError } from './batch-error.tsx';
import type { BatchSummary } from './batch-summary.ts';
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
