import { useTranslations } from 'use-intl';
import { Button } from '../../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../../ui/confirm-dialog/confirm-dialog.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { ReasonField, useReasonForm } from './reason-field.tsx';

type ReasonDialogProps = {
  title: string;
  text: string;
  confirmLabel: string;
  busy: boolean;
  error: string | undefined;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks for the reason before a rejection or withdrawal. */
export function ReasonDialog({
  title,
  text,
  confirmLabel,
  busy,
  error,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const { control, handleSubmit } = useReasonForm();
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={confirmLabel}
      tone="danger"
      busy={busy}
      error={error}
      onConfirm={() => void handleSubmit(({ reason }) => onConfirm(reason.trim()))()}
      onClose={onClose}
    >
      <p>{text}</p>
      <ReasonField control={control} />
    </ConfirmDialog>
  );
}

type UnseenCodeDialogProps = {
  approveLabel: string;
  onLook: () => void;
  onApprove: () => void;
  onClose: () => void;
};

/** Asks before code is approved that the reviewer has not looked at. */
export function UnseenCodeDialog({ approveLabel, onLook, onApprove, onClose }: UnseenCodeDialogProps) {
  const t = useTranslations('review');
  const common = useTranslations('common');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('unseen_title')}
      closeLabel={common('cancel')}
      foot={
        <>
          <Button variant="outline" onClick={onLook}>
            {t('unseen_look')}
          </Button>
          <Button variant="primary" onClick={onApprove}>
            {approveLabel}
          </Button>
        </>
      }
    >
      <p>{t('unseen_text')}</p>
    </Dialog>
  );
}
