import { useTranslations } from 'use-intl';
import { useLocation } from '../../routing/router-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import styles from './account-menu.module.css';
import { signInUrl } from './sign-in-url.ts';

type Props = {
  /** What signing up is called on this site. */
  signUpLabel?: string | undefined;
  className: string | undefined;
};

/** Sign-in and sign-up, which lead back to the page on screen. */
export function AccountVisitor({ signUpLabel, className }: Props) {
  const t = useTranslations('session');
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  return (
    <div className={className}>
      <a className={buttonClass({ variant: 'quiet' }, styles.signIn)} href={signInUrl(here)}>
        {t('sign_in')}
      </a>
      <a
        className={buttonClass({ variant: 'primary' }, styles.signUp)}
        href={signInUrl(here, { signUp: true })}
      >
        {signUpLabel ?? t('sign_up')}
      </a>
    </div>
  );
}
