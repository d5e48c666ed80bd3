import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import plain from '../sign-in/plain-page.module.css';
import styles from './bind-page.module.css';

/** The address does not say which account to bind. */
export function NothingToBind() {
  const t = useTranslations();
  return (
    <>
      <h1 className={plain.title}>{t('bind.nothing_title')}</h1>
      <p className={plain.text}>{t('bind.nothing_text')}</p>
      <div className={styles.actions}>
        <a className={buttonClass({ variant: 'primary', size: 'l' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
