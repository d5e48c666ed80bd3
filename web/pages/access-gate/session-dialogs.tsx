import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../shared/deploy-types.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { useSite } from '../../api/site-context.ts';
import { signInElsewhere, useSignIn } from '../../features/session/ask-sign-in.ts';
import { userName } from '../../features/session/use-session.ts';
import '../../ui/dialog/with-dialogs.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';

/** Stands over a page with input whose session has ended. Where sign-in leaves the page, it opens in another tab. */
export function SignedOutDialog() {
  const t = useTranslations('session');
  const common = useTranslations('common');
  const { deploy_type } = useSite();
  const { ask, isOpen: isSigningIn } = useSignIn();
  const [isClosed, setIsClosed] = useState(false);
  return (
    <ConfirmDialog
      open={!isClosed && !isSigningIn}
      title={t('signed_out')}
      confirmLabel={t('sign_in')}
      cancelLabel={common('close')}
      onConfirm={() => (isPrivate(deploy_type) ? signInElsewhere() : ask())}
      onClose={() => setIsClosed(true)}
    >
      <p>{t('signed_out_text')}</p>
    </ConfirmDialog>
  );
}

type OtherUserProps = {
  /** Who is signed in now. */
  user: UserInfo;
  /** Whose input it is. */
  owner: UserInfo | undefined;
  onStartOver: () => void;
};

/** Stands over a page with input of one user after another one has signed in. */
export function OtherUserDialog({ user, owner, onStartOver }: OtherUserProps) {
  const t = useTranslations('session');
  const common = useTranslations('common');
  const [isClosed, setIsClosed] = useState(false);
  if (!owner) return null;
  const name = userName(user);
  return (
    <ConfirmDialog
      open={!isClosed}
      title={t('other_user', { name })}
      confirmLabel={t('start_over')}
      cancelLabel={common('close')}
      onConfirm={onStartOver}
      onClose={() => setIsClosed(true)}
    >
      <p>{t('other_user_text', { name, before: userName(owner) })}</p>
    </ConfirmDialog>
  );
}
