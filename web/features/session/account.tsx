import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { Lazy } from '../../loading/lazy.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './account-menu.module.css';
import type { AccountMenu } from './account-menu.tsx';
import { useSignInLink } from './ask-sign-in.ts';
import { accountMenu } from './lazy-account-menu.ts';
import { useSession } from './use-session.ts';

/** Sign-in and sign-up for a visitor; avatar and menu for a signed-in user. */
export function Account(props: ComponentProps<typeof AccountMenu>) {
  const { status } = useSession();
  const place = <Skeleton shape="circle" className={styles.unknown} />;
  if (status === 'anonymous')
    return <AccountVisitor signUpLabel={props.signUpLabel} className={styles.visitor} />;
  if (status !== 'signed-in') return place;
  return (
    <Lazy part={accountMenu} fallback={place}>
      {(Menu) => <Menu {...props} />}
    </Lazy>
  );
}

type Props = {
  /** Label of the sign-up link; absent where sign-up is closed. */
  signUpLabel?: string | undefined;
  className: string | undefined;
};

/** Links to sign-in and, if open, sign-up, which return to the current page. */
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
