import { useTranslations } from 'use-intl';
import { BackToSignIn } from './back-to-sign-in.tsx';
import styles from './reset-page.module.css';

/** Where no mail is sent: who can help instead. */
export function ByAdministrator() {
  const t = useTranslations('signIn');
  return (
    <>
      <p className={styles.text}>{t('reset_by_administrator')}</p>
      <BackToSignIn />
    </>
  );
}
