import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import LogOutIcon from 'lucide-react/icons/log-out';
import MenuIcon from 'lucide-react/icons/menu';
import XIcon from 'lucide-react/icons/x';
import { Link, useMatch } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PATH, BASE_PATH, ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import { PreferenceMenus } from '../../../features/preferences/preference-menus.tsx';
import { userName, useSession } from '../../../features/session/use-session.ts';
import { useSignOut } from '../../../features/session/use-sign-out.ts';
import { BrandMark } from '../../../layout/brand-mark.tsx';
import { Avatar } from '../../../ui/avatar/avatar.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { type Screen, screenPath } from './screens.ts';
import styles from './top-bar.module.css';

type Props = {
  screen: Screen | undefined;
  navId: string;
  navOpen: boolean;
  onNavToggle: () => void;
};

/** Link back to the site, breadcrumb and account. */
export function TopBar({ screen, navId, navOpen, onNavToggle }: Props) {
  const t = useTranslations('backstage');
  const site = useTranslations('site');
  const isInside = useMatch(screenPath(screen?.path ?? '')) === null;
  return (
    <header className={styles.bar}>
      <IconButton
        className={styles.toggle}
        label={t(navOpen ? 'navigation_close' : 'navigation_open')}
        icon={navOpen ? <XIcon size={18} /> : <MenuIcon size={18} />}
        aria-expanded={navOpen}
        aria-controls={navId}
        onClick={onNavToggle}
      />
      <Link className={styles.brand} to={BASE_PATH} title={t('to_site')}>
        <BrandMark />
        <span className={styles.siteName}>{site('name')}</span>
      </Link>
      <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
        <ol>
          <li>
            <Link to={BACKSTAGE_PATH}>{t('name')}</Link>
          </li>
          {screen && (
            <li>
              <ChevronRightIcon size={14} />
              {isInside ? (
                <Link to={screenPath(screen.path)}>{t(screen.title)}</Link>
              ) : (
                <span aria-current="page">{t(screen.title)}</span>
              )}
            </li>
          )}
          {screen && isInside && (
            <li>
              <ChevronRightIcon size={14} />
              <span aria-current="page">{t('detail')}</span>
            </li>
          )}
        </ol>
      </nav>
      <div className={styles.tools}>
        <PreferenceMenus />
        <AdminMenu />
      </div>
    </header>
  );
}

/** Avatar, name and role of the administrator, and sign-out. */
function AdminMenu() {
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
        { key: 'sign-out', label: session('sign_out'), icon: <LogOutIcon />, onSelect: leave },
      ]}
    >
      <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} size={30} />
      <span className={styles.person}>
        <span className={styles.name}>{name}</span> <span className={styles.role}>{roleName}</span>
      </span>
    </Menu>
  );
}
