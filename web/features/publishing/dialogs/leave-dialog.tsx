import { useBlocker } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useForm } from '../publish-form-context.ts';

/** Asks before the page is left with something in it that would be lost. */
export function LeaveDialog({ isActive }: { isActive: boolean }) {
  const t = useTranslations('publish');
  const { chosen } = useForm();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return isActive && currentLocation.pathname !== nextLocation.pathname;
  });
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('leave')}
      confirmLabel={t('leave_confirm')}
      cancelLabel={t('leave_cancel')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>{t(chosen.length > 0 ? 'leave_files' : 'leave_text')}</p>
    </ConfirmDialog>
  );
}
