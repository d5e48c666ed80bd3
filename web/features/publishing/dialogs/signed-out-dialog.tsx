import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useForm } from '../publish-form-context.ts';
import type { Sending } from '../sending/use-sending.ts';

type SignedOutProps = { sending: Sending; onSignIn: () => void; onClose: () => void };

/** The session has ended while the form was open: what is kept, and the way on. */
export function SignedOutDialog({ sending, onSignIn, onClose }: SignedOutProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { chosen } = useForm();
  return (
    <ConfirmDialog
      open={sending.state === 'signed-out'}
      title={t('signed_out')}
      confirmLabel={t('signed_out_sign_in')}
      cancelLabel={form('cancel')}
      onConfirm={onSignIn}
      onClose={onClose}
    >
      <p>{t(chosen.length > 0 ? 'signed_out_files' : 'signed_out_text')}</p>
    </ConfirmDialog>
  );
}
