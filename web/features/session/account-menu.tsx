import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { SignOutIcon } from '../../ui/icon/site-icons.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { useAccountLinks } from './account-links.tsx';
import styles from './account-menu.module.css';
import { signInUrl } from './sign-in-url.ts';
import { useSession } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';
import { userName } from './user-name.ts';

/** Sign-in and sign-up for a visitor; the avatar and its menu for who is signed in. */
export function AccountMenu() {
  const t = useTranslations('session');
  const { pathname, search } = useLocation();
  const { status, user } = useSession();
  const signOut = useSignOut();
  const toast = useToast();
  const { links, prepare } = useAccountLinks();
  if (status === 'unknown') return <Skeleton shape="circle" className={styles.unknown} />;
  if (status === 'anonymous') {
    const here = `${pathname}${search}`;
    return (
      <div className={styles.visitor}>
        <a className={buttonClass({ variant: 'quiet' }, styles.signIn)} href={signInUrl(here)}>
          {t('sign_in')}
        </a>
        <a
          className={buttonClass({ variant: 'primary' }, styles.signUp)}
          href={signInUrl(here, { signUp: true })}
        >
          {t('sign_up')}
        </a>
      </div>
    );
  }
  const name = userName(user);
  const leave = (): void =>
    signOut.mutate(undefined, { onError: () => toast({ kind: 'failure', text: t('sign_out_failed') }) });
  return (
    <span role="none" onPointerEnter={prepare} onFocus={prepare}>
      <Menu
        label={t('account_menu', { name })}
        variant="quiet"
        square
        className={styles.account}
        heading={
          <>
            <p className={styles.name}>{name}</p>
            <p className={styles.email}>{user.email}</p>
          </>
        }
        items={[...links, { key: 'sign-out', label: t('sign_out'), icon: <SignOutIcon />, onSelect: leave }]}
      >
        <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />
      </Menu>
    </span>
  );
}
