import ExternalLinkIcon from 'lucide-react/icons/external-link';
import LogOutIcon from 'lucide-react/icons/log-out';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { useFailureText } from '../../api/error-text.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { userName, useSession } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';

/** Who is signed in inside a design tool: only what a session there can do. */
export function ToolAccount() {
  const t = useTranslations('session');
  const { pathname } = useLocation();
  const { user } = useSession();
  const signOut = useSignOut();
  const toast = useToast();
  const failureText = useFailureText();
  if (!user) return null;
  const name = userName(user);
  const leave = (): void =>
    signOut.mutate(undefined, {
      onError: (error) => toast({ kind: 'failure', text: failureText(t('sign_out_failed'), error) }),
    });
  return (
    <Menu
      label={t('account_menu', { name })}
      variant="quiet"
      square
      heading={name}
      items={[
        { key: 'site', label: t('new_tab'), icon: <ExternalLinkIcon />, href: pathname, newWindow: true },
        { key: 'sign-out', label: t('sign_out'), icon: <LogOutIcon />, onSelect: leave },
      ]}
    >
      <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />
    </Menu>
  );
}
