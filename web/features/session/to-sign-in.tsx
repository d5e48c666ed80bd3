import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { failureText, useSignIn } from './ask-sign-in.ts';
import styles from './sign-in-stopped.module.css';
import { signInUrl } from './sign-in-url.ts';

/**
 * Leaves for sign-in, in place of this page in the browser's history, and comes back to it. After a sign-in that did not
 * work it stays and says so: whoever needs no typing would go in circles.
 */
export function ToSignIn({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const { failure } = useSignIn();
  const query = new URLSearchParams(search);
  const failed = failure ?? query.get(LOGIN_ERROR_PARAMETER);
  query.delete(LOGIN_ERROR_PARAMETER);
  const here = `${pathname}${query.size > 0 ? `?${query}` : ''}${hash}`;
  useEffect(() => {
    if (failed === null) location.replace(signInUrl(here));
  }, [failed, here]);
  return failed === null ? children : <SignInStopped code={failed} here={here} />;
}

type Props = {
  /** Why the sign-in did not work. */
  code: string;
  /** The page that it was for. */
  here: string;
};

/** Stands in for a page that needs a sign-in which has just failed. */
function SignInStopped({ code, here }: Props) {
  const t = useTranslations('session');
  return (
    <div className={styles.place}>
      <Notice
        as="h1"
        icon={<CircleAlertIcon size={22} />}
        title={t('failed_title')}
        text={t(failureText(code))}
        action={
          <a className={buttonClass({ variant: 'primary' })} href={signInUrl(here)}>
            {t('sign_in')}
          </a>
        }
      />
    </div>
  );
}
