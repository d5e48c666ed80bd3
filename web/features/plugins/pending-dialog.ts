import { useEffect, useEffectEvent } from 'react';
import { useViewer } from './viewer-context.ts';

const ACTION = 'open ';

/** Parses the pending action of a dialog to its name; undefined for any other action. */
export function readPendingDialog(text: string): string | undefined {
  return text.startsWith(ACTION) ? text.slice(ACTION.length) : undefined;
}

/**
 * Opens a dialog for which visitors must sign in, also after that sign-in.
 * @param dialog its name, different from that of every other one on the page
 * @returns a function that opens it; `title` is the heading of the sign-in
 */
export function useDialogForMembers(dialog: string, open: () => void): (title: string) => void {
  const { signedIn, startSignIn, pendingDialog, onDialogOpened } = useViewer();
  const openPending = useEffectEvent(() => {
    onDialogOpened();
    open();
  });
  useEffect(() => {
    if (pendingDialog === dialog) openPending();
  }, [pendingDialog, dialog]);
  return (title) => (signedIn === false ? startSignIn(ACTION + dialog, title) : open());
}
