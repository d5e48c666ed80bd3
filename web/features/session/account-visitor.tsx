import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button/button-class.ts';
import styles from './account-menu.module.css';
import { useSignInLink } from './ask-sign-in.ts';

type Props = {
  /** What signing up is called on this site; absent where it is not open. */
  signUpLabel?: string | undefined;
  className: string | undefined;
};

/** Sign-in and, where visitors may make accounts, sign-up, which lead back to the page on screen. */
export function AccountVisitor({ signUpLabel, className }: Props) {
  const t = useTranslations('session');
  const link = useSignInLink();
  return (
    <div className={className}>
      <a
        className={buttonClass({ variant: signUpLabel === undefined ? 'primary' : 'quiet' }, styles.signIn)}
        {...link()}
      >
        {t('sign_in')}
      </a>
      {signUpLabel !== undefined && (
        <a className={buttonClass({ variant: 'primary' }, styles.signUp)} {...link({ signUp: true })}>
          {signUpLabel}
        </a>
      )}
    </div>
  );
}
