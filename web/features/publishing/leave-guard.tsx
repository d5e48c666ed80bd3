import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';

type LeaveGuardProps = {
  /** There is something on the page that would be lost. */
  isActive: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
};

/** Asks before the page is left; the browser itself asks before it is closed or loaded again. */
export function LeaveGuard({ isActive, text, ...texts }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isActive]);
  return (
    <ConfirmDialog
      {...texts}
      open={blocker.state === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
