import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button/button-class.ts';
import styles from './account-menu.module.css';
import { useSignInLink } from './ask-sign-in.ts';

type Props = {
  /** What signing up is called on this site. */
  signUpLabel?: string | undefined;
  className: string | undefined;
};

/** Sign-in and sign-up, which lead back to the page on screen. */
export function AccountVisitor({ signUpLabel, className }: Props) {
  const t = useTranslations('session');
  const link = useSignInLink();
  return (
    <div className={className}>
      <a className={buttonClass({ variant: 'quiet' }, styles.signIn)} {...link()}>
        {t('sign_in')}
      </a>
      <a className={buttonClass({ variant: 'primary' }, styles.signUp)} {...link({ signUp: true })}>
        {signUpLabel ?? t('sign_up')}
      </a>
    </div>
  );
}
