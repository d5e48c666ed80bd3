import CheckIcon from 'lucide-react/icons/check';
import SendIcon from 'lucide-react/icons/send';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { inMegabytes } from '../../../../shared/package/package.ts';
import { type ApiError, isUnauthenticated } from '../../../api/api-error.ts';
import { errorText, failureText } from '../../../api/error-text.ts';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { ActionBar } from '../../../ui/action-bar/action-bar.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Progress } from '../../../ui/progress/progress.tsx';
import { PublishFormAlert } from '../form/sending/form-notes.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { useFormatBytes } from '../use-format-bytes.ts';
import styles from './batch.module.css';
import type { BatchRow } from './batch-row.ts';
import type { BatchSummary } from './batch-state.ts';
import { firstButtonId } from './row-context.ts';
import type { BatchSending } from './use-send-batch.ts';

type BatchBarProps = {
  summary: BatchSummary;
  sending: BatchSending;
  isLocked: boolean;
  /** The service is matching packages to plugins. */
  isMatching: boolean;
  onSend: () => void;
  onStop: () => void;
  onClear: (which: 'all' | 'done') => void;
};

/** Summary of the batch and its submit button; while sending, its progress. */
export function BatchBar({ summary, sending, isLocked, isMatching, onSend, onStop, onClear }: BatchBarProps) {
  const t = useTranslations('batch');
  const bytes = useFormatBytes();
  if (sending.state === 'sending') {
    const { bytes: sent, total, finished, rows } = sending;
    return (
      <ActionBar>
        <div className={styles.grow}>
          <Progress
            label={t('sending')}
            value={total === 0 ? null : sent / total}
            detail={t('sending_detail', { answered: finished, rows, sent: bytes(sent), total: bytes(total) })}
          />
        </div>
        <Button variant="outline" onClick={onStop}>
          {t('stop')}
        </Button>
      </ActionBar>
    );
  }
  const { sendable, newPlugins, newVersions, blocked, waiting, unchecked, done, isTooLarge } = summary;
  const count = sendable.length;
  const isAgain = summary.refused > 0 && done > 0;
  return (
    <ActionBar>
      <p className={styles.summary}>
        <strong>{t('packages', { count: summary.rows })}</strong>
        {newPlugins > 0 && <span>{t('new_plugins', { count: newPlugins })}</span>}
        {newVersions > 0 && <span>{t('new_versions', { count: newVersions })}</span>}
        {blocked > 0 && <span className={styles.wrong}>{t('blocked', { count: blocked })}</span>}
        {unchecked > 0 && <span>{t('unchecked', { count: unchecked })}</span>}
        {waiting > 0 && <span>{t('waiting', { count: waiting })}</span>}
        {count > 0 && (
          <span className={isTooLarge ? styles.wrong : undefined}>
            {isTooLarge
              ? t('too_large', { size: inMegabytes(BATCH_BYTES_MAX) })
              : t('bytes', { size: bytes(summary.bytes), limit: bytes(BATCH_BYTES_MAX) })}
          </span>
        )}
      </p>
      <div className={styles.buttons}>
        <Button variant="quiet" disabled={isLocked} onClick={() => onClear(done > 0 ? 'done' : 'all')}>
          {t(done > 0 ? 'clear_done' : 'clear')}
        </Button>
        <Button
          variant="primary"
          size="l"
          disabled={isLocked || isMatching || count === 0 || waiting > 0 || isTooLarge}
          onClick={onSend}
        >
          <SendIcon />
          {count === 0 ? t('send_nothing') : t(isAgain ? 'send_again' : 'send', { count })}
        </Button>
      </div>
    </ActionBar>
  );
}

type BatchRemovedProps = {
  rows: readonly BatchRow[] | undefined;
  isLocked: boolean;
  onUndo: () => void;
};

/** Reports removed rows with an undo button. Keyboard focus moves to "Undo", then to the restored rows. */
export function BatchRemoved({ rows, isLocked, onUndo }: BatchRemovedProps) {
  const t = useTranslations('batch');
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const restored = useRef<number>(undefined);
  const [first] = rows ?? [];
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    const back = restored.current;
    restored.current = undefined;
    if (!isLost) return;
    if (back === undefined) button.current?.focus({ preventScroll: true });
    else document.getElementById(firstButtonId(back))?.focus();
  }, [rows]);
  return (
    <div className={first && styles.removed}>
      <p role="status" id={id}>
        {first &&
          (rows?.length === 1
            ? t('removed', { name: first.name || first.item.fileName })
            : t('removed_many', { count: rows?.length ?? 0 }))}
      </p>
      {first && (
        <Button
          ref={button}
          variant="outline"
          size="s"
          disabled={isLocked}
          aria-describedby={id}
          onClick={() => {
            restored.current = first.id;
            onUndo();
          }}
        >
          {t('undo')}
        </Button>
      )}
    </div>
  );
}

type BatchOutcomeProps = { sending: BatchSending; summary: BatchSummary };

/** Result of the last submission as a whole. */
export function BatchOutcome({ sending, summary: { done, refused } }: BatchOutcomeProps) {
  const t = useTranslations('batch');
  const isAllAccepted = sending.state === 'answered' && refused === 0;
  const text =
    sending.state === 'stopped'
      ? t('stopped', { done })
      : sending.state === 'answered'
        ? isAllAccepted
          ? t('answered', { done })
          : t('answered_some', { done, refused })
        : undefined;
  return (
    <>
      <div className={classNames(text !== undefined && (isAllAccepted ? styles.fine : styles.mixed))}>
        {text !== undefined && (isAllAccepted ? <CheckIcon size={18} /> : <TriangleAlertIcon size={18} />)}
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

/** Why sending was aborted. Sign-in opens beside this page, which would otherwise lose its packages. */
function BatchError({ error, at }: BatchErrorProps) {
  const t = useTranslations('batch');
  const general = useTranslations('error');
  const session = useTranslations('session');
  const format = useFormatter();
  if (error.status === 429 && error.retryAfter !== undefined) {
    const time = format.dateTime(at + error.retryAfter * 1000, { timeStyle: 'short' });
    return <PublishFormAlert title={t('error_limit', { time })} />;
  }
  const own = error.reason && TEXTS[error.reason];
  return (
    <PublishFormAlert title={failureText(own ? t(own) : general(errorText(error)), error)}>
      {isUnauthenticated(error) && (
        <p>
          <a className={styles.link} href={signInUrl(MY_PLUGINS_PATH)} target="_blank" rel="noopener">
            {session('sign_in')}
          </a>
        </p>
      )}
    </PublishFormAlert>
  );
}
