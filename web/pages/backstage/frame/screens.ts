import type { ComponentType } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import type { PlainKeys } from '../../../layout/plain-keys.ts';
import {
  BannerIcon,
  CalendarIcon,
  ChartIcon,
  FlagIcon,
  GridIcon,
  HistoryIcon,
  KeyIcon,
  MarkIcon,
  PeopleIcon,
  QrIcon,
  ReviewIcon,
  TagIcon,
} from '../../../ui/icon/backstage-icons.tsx';
import { SupportIcon } from '../../../ui/icon/fact-icons.tsx';
import { ImageIcon } from '../../../ui/icon/file-icons.tsx';
import type { IconProps } from '../../../ui/icon/glyph.tsx';
import { LayersIcon } from '../../../ui/icon/thing-icons.tsx';
import { OpenReportsCount, WaitingCount } from './nav-count.tsx';

export type Screen = {
  /** Last part of the path, below /plugins/backstage-index/. */
  path: string;
  /** Text of the namespace `backstage`. */
  title: PlainKeys<'backstage'>;
  group: 'work' | 'curation' | 'insight' | 'settings';
  icon: ComponentType<IconProps>;
  /** Who sees it, when not every administrator does. */
  isFor?: (role: Role) => boolean;
  /** Stands beside the title in the navigation. */
  Count?: ComponentType;
};

/** Every screen of the backstage, in the order of its navigation; their code is in web/routes.tsx. */
export const SCREENS: readonly Screen[] = [
  {
    path: 'audit-list',
    title: 'review',
    group: 'work',
    icon: ReviewIcon,
    Count: WaitingCount,
  },
  {
    path: 'plugin-list',
    title: 'plugins',
    group: 'work',
    icon: GridIcon,
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
    icon: MarkIcon,
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
    icon: BannerIcon,
  },
  {
    path: 'qr-codes',
    title: 'qr_codes',
    group: 'curation',
    icon: QrIcon,
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
    icon: SupportIcon,
  },
  {
    path: 'overview',
    title: 'overview',
    group: 'insight',
    icon: ChartIcon,
  },
  {
    path: 'audit-trail',
    title: 'trail',
    group: 'insight',
    icon: HistoryIcon,
  },
  {
    path: 'iconfont',
    title: 'icon_font',
    group: 'settings',
    icon: KeyIcon,
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
    icon: PeopleIcon,
    isFor: (role) => role === ROLE_SUPER_ADMIN,
  },
];

export const BACKSTAGE_PATH = '/plugins/backstage-index';

/** Address of a screen, or of something inside it. */
export function screenPath(path: string, rest = ''): string {
  return `${BACKSTAGE_PATH}/${path}${rest === '' ? '' : `/${rest}`}`;
}

/** The screen at the address, or that it lies inside of; undefined where there is none. */
export function useScreen(): Screen | undefined {
  const { pathname } = useLocation();
  return SCREENS.find(({ path }) => matchPath(`${screenPath(path)}/*`, pathname));
}
