import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
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
import { OpenReportsCount } from '../reports/open-reports-count.tsx';
import { WaitingCount } from '../review/waiting-count.tsx';

/** What a screen is told: the rest of the path behind its own name. */
export type ScreenProps = { rest: string };

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
  Content: LazyExoticComponent<ComponentType<ScreenProps>>;
};

/** Every screen of the backstage, in the order of its navigation; the first one is where it begins. */
export const SCREENS: readonly Screen[] = [
  {
    path: 'audit-list',
    title: 'review',
    group: 'work',
    icon: ReviewIcon,
    Count: WaitingCount,
    Content: lazy(async () => ({ default: (await import('../review/review-screen.tsx')).ReviewScreen })),
  },
  {
    path: 'plugin-list',
    title: 'plugins',
    group: 'work',
    icon: GridIcon,
    Content: lazy(async () => ({ default: (await import('../manage/manage-screen.tsx')).ManageScreen })),
  },
  {
    path: 'reports',
    title: 'reports',
    group: 'work',
    icon: FlagIcon,
    Count: OpenReportsCount,
    Content: lazy(async () => ({ default: (await import('../reports/reports-screen.tsx')).ReportsScreen })),
  },
  {
    path: 'tags',
    title: 'tags',
    group: 'curation',
    icon: TagIcon,
    Content: lazy(async () => ({ default: (await import('../tags/tags-screen.tsx')).TagsScreen })),
  },
  {
    path: 'marks',
    title: 'marks',
    group: 'curation',
    icon: MarkIcon,
    Content: lazy(async () => ({ default: (await import('../marks/marks-screen.tsx')).MarksScreen })),
  },
  {
    path: 'resource-state-list',
    title: 'slots',
    group: 'curation',
    icon: CalendarIcon,
    Content: lazy(async () => ({ default: (await import('../slots/slots-screen.tsx')).SlotsScreen })),
  },
  {
    path: 'banner-config',
    title: 'banners',
    group: 'curation',
    icon: BannerIcon,
    Content: lazy(async () => ({ default: (await import('../banners/banners-screen.tsx')).BannersScreen })),
  },
  {
    path: 'qr-codes',
    title: 'qr_codes',
    group: 'curation',
    icon: QrIcon,
    Content: lazy(async () => ({ default: (await import('../qr-codes/qr-codes-screen.tsx')).QrCodesScreen })),
  },
  {
    path: 'community',
    title: 'community',
    group: 'curation',
    icon: LayersIcon,
    Content: lazy(async () => ({
      default: (await import('../community/community-screen.tsx')).CommunityScreen,
    })),
  },
  {
    path: 'help',
    title: 'help',
    group: 'curation',
    icon: SupportIcon,
    Content: lazy(async () => ({ default: (await import('../help/help-screen.tsx')).HelpScreen })),
  },
  {
    path: 'overview',
    title: 'overview',
    group: 'insight',
    icon: ChartIcon,
    Content: lazy(async () => ({
      default: (await import('../overview/overview-screen.tsx')).OverviewScreen,
    })),
  },
  {
    path: 'audit-trail',
    title: 'trail',
    group: 'insight',
    icon: HistoryIcon,
    Content: lazy(async () => ({ default: (await import('../trail/trail-screen.tsx')).TrailScreen })),
  },
  {
    path: 'iconfont',
    title: 'icon_font',
    group: 'settings',
    icon: KeyIcon,
    Content: lazy(async () => ({
      default: (await import('../accounts/icon-font-screen.tsx')).IconFontScreen,
    })),
  },
  {
    path: 'pexels',
    title: 'stock_photo',
    group: 'settings',
    icon: ImageIcon,
    Content: lazy(async () => ({
      default: (await import('../accounts/stock-photo-screen.tsx')).StockPhotoScreen,
    })),
  },
  {
    path: 'members',
    title: 'members',
    group: 'settings',
    icon: PeopleIcon,
    isFor: (role) => role === ROLE_SUPER_ADMIN,
    Content: lazy(async () => ({ default: (await import('../members/members-screen.tsx')).MembersScreen })),
  },
];

export const BACKSTAGE_PATH = '/plugins/backstage-index';

/** Address of a screen, or of something inside it. */
export function screenPath(path: string, rest = ''): string {
  return `${BACKSTAGE_PATH}/${path}${rest === '' ? '' : `/${rest}`}`;
}
