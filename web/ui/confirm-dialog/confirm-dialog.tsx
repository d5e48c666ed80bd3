import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import styles from './confirm-dialog.module.css';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** The consequences, and fields if the answer needs them. */
  children?: ReactNode;
  confirmLabel: string;
  /** "Cancel" by default. */
  cancelLabel?: string;
  /** `danger` for actions that can't be undone. */
  tone?: 'normal' | 'danger';
  busy?: boolean;
  /** False while what the answer needs still loads: only closing is possible. */
  isReady?: boolean;
  error?: string | undefined;
  /** Whether closing would lose input; by default, whether anything was typed or chosen. */
  isDirty?: boolean;
  onClose: () => void;
} & (
  | { onConfirm: () => void }
  | {
      /** Id of the form among `children`, which the confirmation submits, as Enter in its fields does. */ form: string;
    }
);

/** Confirms an action; stays open while `busy`. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel: ownLabel,
  tone = 'normal',
  busy = false,
  isReady = true,
  error,
  isDirty,
  onClose,
  ...confirmation
}: ConfirmDialogProps) {
  const t = useTranslations('common');
  const cancelLabel = ownLabel ?? t('cancel');
  const close = (): void => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      isDirty={busy ? false : isDirty}
      title={title}
      closeLabel={cancelLabel}
      foot={
        <>
          <Button variant="outline" disabled={busy} onClick={close}>
            {cancelLabel}
          </Button>
          <Button
            variant="primary"
            className={tone === 'danger' ? styles.danger : undefined}
            busy={busy || !isReady}
            {...('form' in confirmation
              ? { type: 'submit', form: confirmation.form }
              : { onClick: confirmation.onConfirm })}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children && <div className={styles.text}>{children}</div>}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
