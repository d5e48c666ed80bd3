import { useBlocker } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';

/** Asks before the page is left with packages that were not handed in. */
export function BatchLeave({ isActive }: { isActive: boolean }) {
  const t = useTranslations('batch');
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return isActive && currentLocation.pathname !== nextLocation.pathname;
  });
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('leave_title')}
      confirmLabel={t('leave_confirm')}
      cancelLabel={t('leave_cancel')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>{t('leave_text')}</p>
    </ConfirmDialog>
  );
}
