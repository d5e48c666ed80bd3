import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button/button-class.ts';
import { AlertIcon } from '../../ui/icon/state-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { failureText } from './failure-text.ts';
import styles from './sign-in-stopped.module.css';
import { signInUrl } from './sign-in-url.ts';

type Props = {
  /** Why the sign-in did not work. */
  code: string;
  /** The page that it was for. */
  here: string;
};

/** Stands in for a page that needs a sign-in which has just failed. */
export function SignInStopped({ code, here }: Props) {
  const t = useTranslations('session');
  return (
    <div className={styles.place}>
      <Notice
        as="h1"
        icon={<AlertIcon size={22} />}
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
