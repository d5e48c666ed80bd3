import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { failureText, useSignIn } from './ask-sign-in.ts';
import styles from './sign-in-panel.module.css';
import { signInUrl } from './sign-in-url.ts';

/**
 * Navigates to sign-in, replacing this page in the browser's history, and returns to it. After a failed sign-in it
 * shows the error instead: a single sign-on without typing would redirect in a loop.
 */
export function RedirectToSignIn({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const { failure } = useSignIn();
  const query = new URLSearchParams(search);
  const failed = failure ?? query.get(LOGIN_ERROR_PARAMETER);
  query.delete(LOGIN_ERROR_PARAMETER);
  const here = `${pathname}${query.size > 0 ? `?${query}` : ''}${hash}`;
  const isInTool = useIsInTool();
  useEffect(() => {
    if (failed === null && !isInTool) location.replace(signInUrl(here));
  }, [failed, here, isInTool]);
  if (isInTool) return <NotInTool here={here} />;
  return failed === null ? children : <SignInStopped code={failed} here={here} />;
}

/** Inside a design tool, where such pages have no session. */
function NotInTool({ here }: Pick<Props, 'here'>) {
  const t = useTranslations();
  return (
    <div className={styles.place}>
      <Notice
        as="h1"
        icon={<CircleAlertIcon size={22} />}
        title={t('error.not_in_tool')}
        action={
          <a className={buttonClass({ variant: 'primary' })} href={here} target="_blank" rel="noopener">
            {t('session.new_tab')}
          </a>
        }
      />
    </div>
  );
}

type Props = {
  /** Why the sign-in failed. */
  code: string;
  /** The page to return to. */
  here: string;
};

/** Replaces a page that needs sign-in after a failed one. */
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
