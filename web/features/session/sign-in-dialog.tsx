import { type ReactNode, useCallback, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { useSite } from '../../api/site-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { AskSignInContext } from './ask-sign-in.ts';
import styles from './sign-in-dialog.module.css';
import { signInUrl } from './sign-in-url.ts';
import { useLoginError } from './use-login-error.ts';

type Reason = 'ask' | 'failed';

/** Provides useAskSignIn to what is inside, and shows its dialog; also after a sign-in that did not work. */
export function SignInDialog({ children }: { children: ReactNode }) {
  const t = useTranslations('session');
  const { deploy_type } = useSite();
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState<Reason>('ask');
  const here = `${pathname}${search}`;
  const ask = useCallback(() => {
    if (isPrivate(deploy_type)) return location.assign(signInUrl(here));
    setReason('ask');
    setOpen(true);
  }, [deploy_type, here]);
  useLoginError(() => {
    setReason('failed');
    setOpen(true);
  });
  return (
    <AskSignInContext value={ask}>
      {children}
      <Dialog open={open} onClose={() => setOpen(false)} title={t(`${reason}_title`)} closeLabel={t('close')}>
        <p className={styles.text}>{t(`${reason}_text`)}</p>
        <div className={styles.actions}>
          <a className={buttonClass({ variant: 'primary', size: 'l' })} href={signInUrl(here)}>
            {t('sign_in')}
          </a>
          <a
            className={buttonClass({ variant: 'outline', size: 'l' })}
            href={signInUrl(here, { signUp: true })}
          >
            {t('sign_up')}
          </a>
        </div>
      </Dialog>
    </AskSignInContext>
  );
}
