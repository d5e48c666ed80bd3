import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import { inMegabytes } from '../../../../shared/package/limits.ts';
import { useBytesText } from '../../../features/publishing/use-bytes-text.ts';
import { ActionBar } from '../../../ui/action-bar/action-bar.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { SendIcon } from '../../../ui/icon/work-icons.tsx';
import { Progress } from '../../../ui/progress/progress.tsx';
import styles from './batch.module.css';
import type { BatchRow } from './batch-row.ts';
import type { BatchSummary } from './batch-state.ts';
import { firstButtonId } from './row-context.ts';
import type { BatchSending } from './use-send-batch.ts';

type BatchBarProps = {
  summary: BatchSummary;
  sending: BatchSending;
  isLocked: boolean;
  /** The service is being asked what packages would become. */
  isMatching: boolean;
  onSend: () => void;
  onStop: () => void;
  onClear: (which: 'all' | 'done') => void;
};

/** What the batch comes to, and the button that sends it; while it is sent, how far that has come. */
export function BatchBar({ summary, sending, isLocked, isMatching, onSend, onStop, onClear }: BatchBarProps) {
  const t = useTranslations('batch');
  const bytes = useBytesText();
  if (sending.state === 'sending') {
    const { bytes: sent, total, answered, rows } = sending;
    return (
      <ActionBar>
        <div className={styles.grow}>
          <Progress
            label={t('sending')}
            value={total === 0 ? null : sent / total}
            detail={t('sending_detail', { answered, rows, sent: bytes(sent), total: bytes(total) })}
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
  /** What was removed last. */
  rows: readonly BatchRow[] | undefined;
  isLocked: boolean;
  onUndo: () => void;
};

/** Says what was removed, and brings it back. The keyboard follows: to "Undo", then to what is there again. */
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
