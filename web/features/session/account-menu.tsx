import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { SignOutIcon } from '../../ui/icon/account-icons.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { MY_PLUGINS, useAccountLinks } from './account-links.tsx';
import styles from './account-menu.module.css';
import { NoticesBell } from './notices-bell.tsx';
import { useKeptLanguage } from './notices-language.ts';
import { useSession } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';
import { userName } from './user-name.ts';

type Props = {
  /** What signing up is called on this site; absent where it is not open. */
  signUpLabel?: string | undefined;
  /** Address of the viewer's page in the community, where there is one. */
  personalHome?: string | undefined;
  /** Without the menu, the avatar leads to the viewer's plugins. */
  hasMenu?: boolean;
};

/** The avatar and its menu for who is signed in. */
export function AccountMenu({ personalHome, hasMenu = true }: Props) {
  const t = useTranslations('session');
  const { status, user } = useSession();
  const signOut = useSignOut();
  const toast = useToast();
  useKeptLanguage(user?.user_id);
  const { links, prepare } = useAccountLinks(personalHome);
  if (status !== 'signed-in') return null;
  const name = userName(user);
  const avatar = <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />;
  if (!hasMenu)
    return (
      <>
        <NoticesBell />
        <Link
          className={buttonClass({ variant: 'quiet', square: true }, styles.account)}
          to={MY_PLUGINS}
          aria-label={t('my_plugins')}
        >
          {avatar}
        </Link>
      </>
    );
  const leave = (): void =>
    signOut.mutate(undefined, { onError: () => toast({ kind: 'failure', text: t('sign_out_failed') }) });
  return (
    <>
      <NoticesBell />
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
          items={[
            ...links,
            { key: 'sign-out', label: t('sign_out'), icon: <SignOutIcon />, onSelect: leave },
          ]}
        >
          {avatar}
        </Menu>
      </span>
    </>
  );
}
