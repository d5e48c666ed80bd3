import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, LOGIN_PATH } from '../../../../shared/constants.ts';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import styles from './reset-page.module.css';

/** The sign-in that the person came from, or one that leads home. */
export function BackToSignIn({ primary = false }: { primary?: boolean }) {
  const t = useTranslations('signIn');
  const [query] = useSearchParams();
  const href = query.has('redirect_uri') ? `${LOGIN_PATH}?${query}` : signInUrl(BASE_PATH);
  return (
    <div className={styles.actions}>
      <a className={buttonClass({ variant: primary ? 'primary' : 'outline', size: 'l' })} href={href}>
        {t(primary ? 'submit' : 'reset_back')}
      </a>
    </div>
  );
}
