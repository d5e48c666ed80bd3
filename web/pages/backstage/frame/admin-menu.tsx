import { useTranslations } from 'use-intl';
import { BASE_PATH, ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import { useSession } from '../../../features/session/use-session.ts';
import { useSignOut } from '../../../features/session/use-sign-out.ts';
import { userName } from '../../../features/session/user-name.ts';
import { Avatar } from '../../../ui/avatar/avatar.tsx';
import { SignOutIcon } from '../../../ui/icon/account-icons.tsx';
import { ArrowLeftIcon } from '../../../ui/icon/way-icons.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import styles from './admin-menu.module.css';

/** Who is at work here: avatar, name and role, and the way out. */
export function AdminMenu() {
  const t = useTranslations('backstage');
  const session = useTranslations('session');
  const { user, role } = useSession();
  const signOut = useSignOut();
  const toast = useToast();
  if (!user) return null;
  const name = userName(user);
  const roleName = t(role === ROLE_SUPER_ADMIN ? 'role_super' : 'role_admin');
  const leave = (): void =>
    signOut.mutate(undefined, {
      onSuccess: ({ redirect_url }) => {
        if (redirect_url === null) location.assign(BASE_PATH);
      },
      onError: () => toast({ kind: 'failure', text: session('sign_out_failed') }),
    });
  return (
    <Menu
      variant="quiet"
      className={styles.button}
      items={[
        { key: 'site', label: t('to_site'), icon: <ArrowLeftIcon />, href: BASE_PATH },
        { key: 'sign-out', label: session('sign_out'), icon: <SignOutIcon />, onSelect: leave },
      ]}
    >
      <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} size={30} />
      <span className={styles.person}>
        <span className={styles.name}>{name}</span> <span className={styles.role}>{roleName}</span>
      </span>
    </Menu>
  );
}
