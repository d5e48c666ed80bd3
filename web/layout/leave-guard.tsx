import { type Location, useBlocker } from 'react-router-dom';
import '../ui/dialog/with-dialogs.ts';
import { useUnsavedInput } from '../loading/unsaved-input.ts';
import { ConfirmDialog } from '../ui/confirm-dialog/confirm-dialog.tsx';

type LeaveGuardProps = {
  /** The page has unsaved changes. */
  isActive: boolean;
  /** They are stored, and a reload brings them back. */
  comesBack?: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
};

/**
 * Confirms before navigation, also to the same page with another query; the browser itself asks before the page is closed
 * or reloaded.
 */
export function LeaveGuard({ isActive, comesBack = false, text, ...texts }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && pageOf(currentLocation) !== pageOf(nextLocation),
  );
  useUnsavedInput(isActive, comesBack);
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

const pageOf = ({ pathname, search }: Location): string => `${pathname}${search}`;
