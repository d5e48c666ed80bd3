import { useQuery } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import LogOutIcon from 'lucide-react/icons/log-out';
import PackageIcon from 'lucide-react/icons/package';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import UploadIcon from 'lucide-react/icons/upload';
import UserIcon from 'lucide-react/icons/user';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PATH, BADGE_MAX, BASE_PATH } from '../../../shared/constants.ts';
import { NOTICES_PATH } from '../../../shared/notice.ts';
import { call } from '../../api/client.ts';
import { useFailureText } from '../../api/error-text.ts';
import { isModifiedClick } from '../../api/latest-location.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Menu, type MenuItem } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './account-menu.module.css';
import { useUnreadNotices } from './notices-queries.ts';
import { useIsAdmin, userName, useSession } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';

type Props = {
  /** Label of the sign-up link; absent where sign-up is closed. */
  signUpLabel?: string | undefined;
  /** URL of the viewer's page in the community, if there is one. */
  personalHome?: string | undefined;
  /** Without the menu, the avatar links to the viewer's plugins. */
  hasMenu?: boolean;
};

/** The avatar and menu of a signed-in user. */
export function AccountMenu({ personalHome, hasMenu = true }: Props) {
  const t = useTranslations('session');
  const { status, user } = useSession();
  const signOut = useSignOut();
  const toast = useToast();
  const failureText = useFailureText();
  useMailLanguagePreference(user?.user_id);
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
    signOut.mutate(undefined, {
      onError: (error) => toast({ kind: 'failure', text: failureText(t('sign_out_failed'), error) }),
    });
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
          items={[...links, { key: 'sign-out', label: t('sign_out'), icon: <LogOutIcon />, onSelect: leave }]}
        >
          {avatar}
        </Menu>
      </span>
    </>
  );
}

const MAIL_LANGUAGE_KEY = 'mail-language';

/** Sets the language of mails to the one that the user reads the site in; once per browser and choice. */
function useMailLanguagePreference(userId: number | undefined): void {
  const { language, own_accounts } = useSite();
  useEffect(() => {
    if (userId === undefined || !own_accounts) return;
    const value = `${userId} ${language}`;
    try {
      if (localStorage.getItem(MAIL_LANGUAGE_KEY) === value) return;
      // Stored before the call: an unavailable service isn't called on every page.
      localStorage.setItem(MAIL_LANGUAGE_KEY, value);
    } catch {
      return;
    }
    call('changeMailPreferences', { language }).catch(() => undefined);
  }, [userId, language, own_accounts]);
}

/** Link to the notices with the unread count; new ones are announced politely. */
function NoticesBell() {
  const t = useTranslations('session');
  const { count = 0, isAvailable } = useUnreadNotices();
  const hasNewNotices = useHasGrown(isAvailable ? count : undefined);
  if (isAvailable === false) return null;
  if (isAvailable === undefined) return <span className={styles.place} />;
  const shown = count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
  return (
    <>
      <Link
        className={buttonClass({ variant: 'quiet', square: true }, styles.bell)}
        to={NOTICES_PATH}
        aria-label={count > 0 ? t('notices_unread', { count: shown }) : t('notices')}
      >
        <BellIcon size={20} />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {shown}
          </span>
        )}
      </Link>
      <span aria-live="polite">
        <VisuallyHidden>{hasNewNotices ? t('notices_unread', { count: shown }) : ''}</VisuallyHidden>
      </span>
    </>
  );
}

/** Whether the count has grown while the page is open. */
function useHasGrown(count: number | undefined): boolean {
  const before = useRef<number | undefined>(undefined);
  const [hasNews, setNews] = useState(false);
  useEffect(() => {
    if (count === undefined) return;
    if (before.current !== undefined && count !== before.current) setNews(count > before.current);
    before.current = count;
  }, [count]);
  return hasNews;
}

const MY_PLUGINS = `${BASE_PATH}my-plugins`;
const ACCOUNT = `${BASE_PATH}account`;
const BACKSTAGE = `${BACKSTAGE_PATH}/audit-list`;

/**
 * Items of the account menu: the viewer's community page (on another site), their plugins, publishing for publishers,
 * the review list for administrators in a new window (R 1.13), and account settings where accounts are
 * local. Permissions are loaded when the menu is first opened; administrators have all of them.
 */
function useAccountLinks(personalHome: string | undefined): {
  links: MenuItem[];
  prepare: () => void;
} {
  const t = useTranslations('session');
  const navigate = useNavigate();
  const { own_accounts } = useSite();
  const { status } = useSession();
  const [isRequested, setIsRequested] = useState(false);
  const isAdmin = useIsAdmin();
  const enabled = isRequested && status === 'signed-in' && !isAdmin;
  const viewer = useQuery({ ...queryOptionsOf('verifyUser', {}), enabled });
  const link = (key: string, path: string, label: string, icon: MenuItem['icon']): MenuItem => ({
    key,
    label,
    icon,
    href: path,
    onSelect: (event) => {
      if (isModifiedClick(event)) return;
      event.preventDefault();
      navigate(path);
    },
  });
  const links = [link('my-plugins', MY_PLUGINS, t('my_plugins'), <PackageIcon />)];
  if (personalHome !== undefined)
    links.unshift({ key: 'home', label: t('personal_home'), icon: <UserIcon />, href: personalHome });
  if (isAdmin || viewer.data?.may_publish)
    links.push(link('publish', `${BASE_PATH}publish-plugin/single`, t('publish'), <UploadIcon />));
  if (isAdmin) {
    const icon = <ShieldCheckIcon />;
    links.push({ key: 'backstage', label: t('backstage'), icon, href: BACKSTAGE, newWindow: true });
  }
  if (own_accounts) links.push(link('account', ACCOUNT, t('account'), <KeyRoundIcon />));
  return { links, prepare: () => setIsRequested(true) };
}
