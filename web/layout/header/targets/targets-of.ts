import { BASE_PATH, PUBLISHING_PATH } from '../../../../shared/constants.ts';
import type { SiteVariant } from '../../../../shared/deploy-types.ts';
import type { Path, Section, SiteTargets } from './target.ts';

/** The way in for publishers, the same on every site. */
const publishing: Section = { name: 'publishing', path: PUBLISHING_PATH, drawerOnly: true };

/** The China site: all pages of the wider site under their Chinese names. */
const domestic: SiteTargets = {
  sections: [
    {
      name: 'product',
      links: [
        { name: 'design', path: '/' },
        { name: 'whiteboard', path: '/pixsoboard/', notInChat: true },
        { name: 'prototype', path: '/prototype-design/', notInChat: true },
      ],
    },
    {
      name: 'community',
      links: [
        { name: 'works', path: '/community/home' },
        { name: 'libraries', path: '/community/home?classify=library' },
        { name: 'plugins', path: BASE_PATH },
        { name: 'activities', path: '/community/activity' },
      ],
    },
    { name: 'membership', path: '/price/', notInChat: true, fold: 3 },
    { name: 'download', path: '/download/', notInChat: true, fold: 2 },
    {
      name: 'help',
      fold: 2,
      links: [
        { name: 'help_center', path: '/help/', newWindow: true },
        { name: 'design_skills', path: '/designskills/', newWindow: true },
      ],
    },
    {
      name: 'enterprise',
      notInChat: true,
      fold: 1,
      links: [
        { name: 'team', path: '/teamversion/' },
        { name: 'private_deployment', path: '/privatedeploy/' },
        { name: 'customers', path: '/customer-cases/' },
      ],
    },
    {
      name: 'support',
      fold: 1,
      links: [
        { name: 'contact', path: '/contact-us/' },
        { name: 'recommend', path: '/recommend/' },
        { name: 'education', path: '/education-version/' },
        { name: 'organizations', path: '/organization-application/' },
      ],
    },
    publishing,
  ],
  workbench: '/app',
  personalHome,
};

/** Sites outside China: help by language, other pages for whiteboard and enterprises, no referral rewards. */
const overseas: SiteTargets = {
  sections: [
    {
      name: 'product',
      links: [
        { name: 'design', path: '/' },
        { name: 'whiteboard', path: '/pixso-whiteboard', notInChat: true },
        { name: 'prototype', path: '/prototype-design/', notInChat: true },
      ],
    },
    {
      name: 'community',
      links: [
        { name: 'works', path: '/community/home' },
        { name: 'libraries', path: '/community/home?classify=library' },
        { name: 'plugins', path: BASE_PATH },
        { name: 'activities', path: '/community/activity' },
      ],
    },
    { name: 'membership', path: '/price/', notInChat: true, fold: 3 },
    { name: 'download', path: '/download/', notInChat: true, fold: 2 },
    {
      name: 'help',
      fold: 2,
      links: [
        {
          name: 'help_center',
          newWindow: true,
          path: {
            'en-US': '/help/en/',
            'ja-JP': '/help/jp/',
            'ko-KR': '/help/kr/',
            'es-ES': '/help/es/',
            // Neither of the two languages: English.
            'ru-RU': '/help/en/',
            'zh-CN': '/help/en/',
          },
        },
        { name: 'design_skills', path: '/designskills/', newWindow: true },
      ],
    },
    {
      name: 'enterprise',
      notInChat: true,
      fold: 1,
      links: [
        { name: 'team', path: '/pixso-enterprise/' },
        { name: 'private_deployment', path: '/private-deployment/' },
        { name: 'customers', path: '/customer-cases/' },
      ],
    },
    {
      name: 'support',
      fold: 1,
      links: [
        { name: 'contact', path: '/contact-us/' },
        { name: 'education', path: '/education-version/' },
        { name: 'organizations', path: '/organization-application/' },
      ],
    },
    publishing,
  ],
  workbench: '/app',
  personalHome,
};

/** The community page with a user's works. */
function personalHome(userId: number): string {
  return `/community/home?user_id=${userId}`;
}

/** A private deployment has all menus too, with the names of the China site, whose language it uses. */
const TARGETS: Readonly<Record<SiteVariant, SiteTargets>> = { domestic, overseas, private: domestic };

/** Number of items that fit into every window with a navigation row. */
const FEW_ITEMS = 3;

type Where = {
  /** Inside a workplace chat, where some items are hidden (R 11.15). */
  embedded: boolean;
  /** Whether there is such a page. */
  exists?: (path: Path) => boolean;
};

/** The navigation of a site, without items that are hidden in a chat or have no page. A menu of one link is that link. */
export function targetsOf(variant: SiteVariant, { embedded, exists = () => true }: Where): SiteTargets {
  const { sections, ...targets } = TARGETS[variant];
  const isShown = ({ notInChat }: { notInChat?: true }) => !(embedded && notInChat);
  const shown = sections.filter(isShown).flatMap((section): Section[] => {
    if (!('links' in section)) return exists(section.path) ? [section] : [];
    const links = section.links.filter((link) => isShown(link) && exists(link.path));
    const [only, ...others] = links;
    if (!only) return [];
    if (others.length > 0) return [{ ...section, links }];
    const { links: _, ...item } = section;
    return [{ ...item, path: only.path, link: only.name }];
  });
  const inRow = shown.length > FEW_ITEMS ? shown.filter(({ drawerOnly }) => !drawerOnly) : shown;
  return {
    ...targets,
    sections: shown.map(({ fold, drawerOnly, ...section }) => ({
      ...section,
      ...(inRow.length > FEW_ITEMS && fold && { fold }),
      ...(shown.length > inRow.length && drawerOnly && { drawerOnly }),
    })),
  };
}

/** All paths that the menus of a site link to. */
export function pathsOf({ sections }: Pick<SiteTargets, 'sections'>): Set<string> {
  const paths = sections.flatMap((section) =>
    'links' in section ? section.links.map(({ path }) => path) : [section.path],
  );
  return new Set(paths.flatMap((path) => (typeof path === 'string' ? [path] : Object.values(path))));
}
