import AwardIcon from 'lucide-react/icons/award';
import CalendarIcon from 'lucide-react/icons/calendar';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import ClipboardCheckIcon from 'lucide-react/icons/clipboard-check';
import FlagIcon from 'lucide-react/icons/flag';
import FolderIcon from 'lucide-react/icons/folder';
import HistoryIcon from 'lucide-react/icons/history';
import ImageIcon from 'lucide-react/icons/image';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import LayersIcon from 'lucide-react/icons/layers';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import PackageOpenIcon from 'lucide-react/icons/package-open';
import PanelTopIcon from 'lucide-react/icons/panel-top';
import PlugIcon from 'lucide-react/icons/plug';
import QrCodeIcon from 'lucide-react/icons/qr-code';
import TagIcon from 'lucide-react/icons/tag';
import UsersIcon from 'lucide-react/icons/users';
import type { LucideIcon } from 'lucide-react/types';
import type { ComponentType } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { BACKSTAGE_PATH, ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import type { MessageKeys } from '../../../layout/message-keys.ts';
import { OpenReportsCount, PendingCount, ProposalsCount } from './nav-count.tsx';

export type Screen = {
  /** Last part of the path, below /plugins/backstage-index/. */
  path: string;
  /** Text of the namespace `backstage`. */
  title: MessageKeys<'backstage'>;
  group: 'work' | 'curation' | 'insight' | 'settings';
  icon: LucideIcon;
  /** Who sees it, if not every administrator of every site. */
  isFor?: (viewer: { role: Role; own_accounts: boolean }) => boolean;
  /** Beside the title in the navigation. */
  Count?: ComponentType;
};

/** Every screen of the backstage, in the order of its navigation; their code is in web/routes.tsx. */
export const SCREENS: readonly Screen[] = [
  {
    path: 'audit-list',
    title: 'review',
    group: 'work',
    icon: ClipboardCheckIcon,
    Count: PendingCount,
  },
  {
    path: 'plugin-list',
    title: 'plugins',
    group: 'work',
    icon: LayoutGridIcon,
    Count: ProposalsCount,
  },
  {
    path: 'kits',
    title: 'kits',
    group: 'work',
    icon: PackageOpenIcon,
  },
  {
    path: 'reports',
    title: 'reports',
    group: 'work',
    icon: FlagIcon,
    Count: OpenReportsCount,
  },
  {
    path: 'tags',
    title: 'tags',
    group: 'curation',
    icon: TagIcon,
  },
  {
    path: 'marks',
    title: 'marks',
    group: 'curation',
    icon: AwardIcon,
  },
  {
    path: 'resource-state-list',
    title: 'slots',
    group: 'curation',
    icon: CalendarIcon,
  },
  {
    path: 'banner-config',
    title: 'banners',
    group: 'curation',
    icon: PanelTopIcon,
  },
  {
    path: 'collections',
    title: 'collections',
    group: 'curation',
    icon: FolderIcon,
  },
  {
    path: 'qr-codes',
    title: 'qr_codes',
    group: 'curation',
    icon: QrCodeIcon,
  },
  {
    path: 'community',
    title: 'community',
    group: 'curation',
    icon: LayersIcon,
  },
  {
    path: 'help',
    title: 'help',
    group: 'curation',
    icon: LifeBuoyIcon,
  },
  {
    path: 'overview',
    title: 'overview',
    group: 'insight',
    icon: ChartColumnIcon,
  },
  {
    path: 'audit-trail',
    title: 'audit_log',
    group: 'insight',
    icon: HistoryIcon,
  },
  {
    path: 'iconfont',
    title: 'icon_font',
    group: 'settings',
    icon: KeyRoundIcon,
  },
  {
    path: 'pexels',
    title: 'stock_photo',
    group: 'settings',
    icon: ImageIcon,
  },
  {
    path: 'members',
    title: 'members',
    group: 'settings',
    icon: UsersIcon,
    isFor: ({ role }) => role === ROLE_SUPER_ADMIN,
  },
  {
    path: 'tools',
    title: 'tools',
    group: 'settings',
    icon: PlugIcon,
    isFor: ({ own_accounts }) => own_accounts,
  },
];

/** Path of a screen, or of a page inside it. */
export function screenPath(path: string, rest = ''): string {
  return `${BACKSTAGE_PATH}/${path}${rest === '' ? '' : `/${rest}`}`;
}

/** The screen at a path or around it; undefined without one. */
export function useScreen(): Screen | undefined {
  const { pathname } = useLocation();
  return SCREENS.find(({ path }) => matchPath(`${screenPath(path)}/*`, pathname));
}
