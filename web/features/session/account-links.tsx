import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, ROLE_USER } from '../../../shared/constants.ts';
import { opensElsewhere } from '../../api/latest-location.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { PackageIcon, ShieldCheckIcon, UploadIcon, UserIcon } from '../../ui/icon/account-icons.tsx';
import { KeyIcon } from '../../ui/icon/work-icons.tsx';
import type { MenuItem } from '../../ui/menu/menu-item.ts';
import { useSession } from './use-session.ts';

export const MY_PLUGINS = `${BASE_PATH}my-plugins`;
const ACCOUNT = `${BASE_PATH}account`;
const BACKSTAGE = `${BASE_PATH}backstage-index/audit-list`;

/**
 * Where the account's menu leads: to the viewer's page of the community, which is no page of this site, to their plugins,
 * whoever may publish to publishing, administrators to the review list in a window of its own (specification
 * section 6), and to their account where it is kept here. Who may is asked for when the menu is first reached for; administrators always may.
 */
export function useAccountLinks(personalHome: string | undefined): {
  links: MenuItem[];
  prepare: () => void;
} {
  const t = useTranslations('session');
  const navigate = useNavigate();
  const { own_accounts } = useSite();
  const { status, role } = useSession();
  const [isWanted, setWanted] = useState(false);
  const isAdmin = role !== undefined && role !== ROLE_USER;
  const enabled = isWanted && status === 'signed-in' && !isAdmin;
  const viewer = useQuery({ ...queryOptionsOf('verifyUser', {}), enabled });
  const link = (key: string, path: string, label: string, icon: MenuItem['icon']): MenuItem => ({
    key,
    label,
    icon,
    href: path,
    onSelect: (event) => {
      if (opensElsewhere(event)) return;
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
  if (own_accounts) links.push(link('account', ACCOUNT, t('account'), <KeyIcon />));
  return { links, prepare: () => setWanted(true) };
}
