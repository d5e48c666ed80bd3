import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../../ui/confirm-dialog/confirm-dialog.tsx';
import { ReasonField } from './reason-field.tsx';
import { useReason } from './use-reason.ts';

type Props = {
  title: string;
  text: string;
  confirmLabel: string;
  busy: boolean;
  error: string | undefined;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks for the reason before something is rejected or taken back. */
export function ReasonDialog({ title, text, confirmLabel, busy, error, onConfirm, onClose }: Props) {
  const t = useTranslations('review');
  const reason = useReason();
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={confirmLabel}
      cancelLabel={t('cancel')}
      tone="danger"
      busy={busy}
      error={error}
      onConfirm={() => {
        const checked = reason.check();
        if (checked !== undefined) onConfirm(checked);
      }}
      onClose={onClose}
    >
      <p>{text}</p>
      <ReasonField reason={reason} />
    </ConfirmDialog>
  );
}
