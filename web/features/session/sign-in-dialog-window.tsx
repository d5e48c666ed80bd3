import { useTranslations } from 'use-intl';
import { DialogWindow } from '../../ui/dialog/dialog-window.tsx';
import { SignInPanel } from './sign-in-panel.tsx';
import { type OpenedWindow, SignInWindow } from './sign-in-window.tsx';

type Props = {
  open: boolean;
  /** What one signs in for. */
  title: string;
  /** The page to come back to. */
  here: string;
  opened: OpenedWindow | undefined;
  /** Code of a failed attempt, if there was one. */
  failure: string | undefined;
  onFail: (code: string) => void;
  /** Somebody seems to have signed in; rejects where nobody has. */
  onSignedIn: () => Promise<unknown>;
  onClose: () => void;
};

/** The dialog of sign-in, whose code is fetched before it is asked for. */
export function SignInDialogWindow({ open, title, here, opened, failure, ...tell }: Props) {
  const t = useTranslations('session');
  const { onFail, onSignedIn, onClose } = tell;
  return (
    <DialogWindow open={open} onClose={onClose} title={title} closeLabel={t('close')}>
      {opened ? (
        <SignInWindow here={here} opened={opened} onSignedIn={onSignedIn} onLeave={onClose} />
      ) : (
        <SignInPanel
          here={here}
          failure={failure}
          onFail={onFail}
          onSignedIn={() => void onSignedIn().catch(() => onFail('NO_LOCAL_SESSION'))}
          onLeave={onClose}
        />
      )}
    </DialogWindow>
  );
}
