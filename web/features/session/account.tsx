import type { ComponentProps } from 'react';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './account-menu.module.css';
import type { AccountMenu } from './account-menu.tsx';
import { useAccountMenu } from './account-menu-part.ts';
import { AccountVisitor } from './account-visitor.tsx';
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
