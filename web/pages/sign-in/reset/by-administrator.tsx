import { useTranslations } from 'use-intl';
import plain from '../plain-page.module.css';
import { BackToSignIn } from './back-to-sign-in.tsx';

/** Where no mail is sent: who can help instead. */
export function ByAdministrator() {
  const t = useTranslations('signIn');
  return (
    <>
      <p className={plain.text}>{t('reset_by_administrator')}</p>
      <BackToSignIn />
    </>
  );
}
