import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { RESET_PATH } from '../../../../shared/constants.ts';
import styles from './forgot-password.module.css';

type Props = {
  /** How a forgotten password is reset; null where nobody has one here. */
  reset: 'mail' | 'administrator' | null;
  /** Inside a frame, which is too small for another page. */
  inFrame: boolean;
};

/** Below the form: the way to a new password. */
export function ForgotPassword({ reset, inFrame }: Props) {
  const t = useTranslations('signIn');
  const { search } = useLocation();
  if (reset === null) return null;
  if (reset === 'administrator') return <p className={styles.forgot}>{t('reset_by_administrator')}</p>;
  return (
    <p className={styles.forgot}>
      <a
        className={styles.link}
        {...(inFrame
          ? { href: RESET_PATH, target: '_blank', rel: 'noopener' }
          : { href: RESET_PATH + search })}
      >
        {t('reset_forgot')}
      </a>
    </p>
  );
}
