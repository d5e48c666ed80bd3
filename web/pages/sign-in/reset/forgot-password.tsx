import { useLocation, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, LOGIN_PATH, RESET_PATH } from '../../../../shared/constants.ts';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { classNames } from '../../../ui/class-names.ts';
import resetPageStyles from './reset-page.module.css';

type Props = {
  /** How a forgotten password is reset; null where accounts have no local password. */
  reset: 'mail' | 'administrator' | null;
  /** Inside a frame, which is too small for another page. */
  inFrame: boolean;
};

/** Link below the form to set a new password. */
export function ForgotPassword({ reset, inFrame }: Props) {
  const t = useTranslations('signIn');
  const { search } = useLocation();
  if (reset === null) return null;
  const className = classNames(resetPageStyles.forgot, inFrame && resetPageStyles.framed);
  if (reset === 'administrator') return <p className={className}>{t('reset_by_administrator')}</p>;
  return (
    <p className={className}>
      <a
        className={resetPageStyles.link}
        {...(inFrame
          ? { href: RESET_PATH, target: '_blank', rel: 'noopener' }
          : { href: RESET_PATH + search })}
      >
        {t('reset_forgot')}
      </a>
    </p>
  );
}

/** The sign-in to return to, or one that leads home. */
export function BackToSignIn({ primary = false }: { primary?: boolean }) {
  const t = useTranslations('signIn');
  const [query] = useSearchParams();
  const href = query.has('redirect_uri') ? `${LOGIN_PATH}?${query}` : signInUrl(BASE_PATH);
  return (
    <div className={resetPageStyles.actions}>
      <a className={buttonClass({ variant: primary ? 'primary' : 'outline', size: 'l' })} href={href}>
        {t(primary ? 'submit' : 'reset_back')}
      </a>
    </div>
  );
}
