import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './account-menu.module.css';
import type { AccountMenu } from './account-menu.tsx';
import { useAccountMenu } from './account-menu-part.ts';
import { useSignInLink } from './ask-sign-in.ts';
import { useSession } from './use-session.ts';

/** Sign-in and sign-up for a visitor; the avatar and its menu for who is signed in. */
export function Account(props: ComponentProps<typeof AccountMenu>) {
  const { status } = useSession();
  const Menu = useAccountMenu(status === 'signed-in');
  if (status === 'anonymous')
    return <AccountVisitor signUpLabel={props.signUpLabel} className={styles.visitor} />;
  return status === 'signed-in' && Menu ? (
    <Menu {...props} />
  ) : (
    <Skeleton shape="circle" className={styles.unknown} />
  );
}

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
