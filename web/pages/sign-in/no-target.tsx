import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import styles from './sign-in-page.module.css';

/** The page was opened by itself, so it has nowhere to return to: the two ways on. */
export function NoTarget() {
  const t = useTranslations();
  return (
    <>
      <h1 className={styles.title}>{t('signIn.no_target_title')}</h1>
      <p className={styles.text}>{t('signIn.no_target_text')}</p>
      <div className={styles.actions}>
        <a className={buttonClass({ variant: 'primary' })} href={signInUrl(BASE_PATH)}>
          {t('signIn.no_target_start')}
        </a>
        <a className={buttonClass({ variant: 'outline' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
