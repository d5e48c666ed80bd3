import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { FormAlert } from './form-alert.tsx';
import styles from './sign-in-page.module.css';

/** The link names a document service that this site does not know. */
export function UnknownSource() {
  const t = useTranslations();
  return (
    <>
      <h1 className={styles.title}>{t('signIn.title')}</h1>
      <FormAlert text={t('signIn.source_unknown')} />
      <div className={styles.actions}>
        <a className={buttonClass({ variant: 'outline' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
