import { useTranslations } from 'use-intl';
import { Account } from '../../features/session/account.tsx';
import { useSignInLink } from '../../features/session/ask-sign-in.ts';
import { useSession } from '../../features/session/use-session.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { UserIcon } from '../../ui/icon/account-icons.tsx';
import styles from './desktop-bar.module.css';

/** The avatar with its menu, or the one way to sign in: an icon where there is no room for words. */
export function DesktopAccount() {
  const t = useTranslations('session');
  const link = useSignInLink();
  const { status } = useSession();
  if (status !== 'anonymous') return <Account />;
  return (
    <a className={buttonClass({ variant: 'primary', size: 's' }, styles.signIn)} {...link()}>
      <UserIcon className={styles.signInIcon} />
      <span className={styles.signInText}>{t('sign_in')}</span>
    </a>
  );
}
