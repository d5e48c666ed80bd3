import type { Language } from '../../../../shared/languages.ts';

/** Names of links, texts of the namespace `headerLinks`; each has a description, `<name>_about`. */
export type LinkName =
  | 'design'
  | 'whiteboard'
  | 'prototype'
  | 'works'
  | 'libraries'
  | 'plugins'
  | 'activities'
  | 'help_center'
  | 'design_skills'
  | 'team'
  | 'private_deployment'
  | 'customers'
  | 'contact'
  | 'recommend'
  | 'education'
  | 'organizations';

/** Names of sections, texts of the namespace `header`. */
export type SectionName =
  | 'product'
  | 'community'
  | 'membership'
  | 'download'
  | 'help'
  | 'enterprise'
  | 'support'
  | 'publishing';

/** A path of the wider site, or one for each language. */
export type Path = string | Readonly<Record<Language, string>>;

/** Hidden inside a workplace chat (R 11.15). */
type Hidden = { notInChat?: true };

/** An item of a menu. */
export type MenuLink = Hidden & {
  name: LinkName;
  path: Path;
  /** Opens in a new tab, to be read beside the work. */
  newWindow?: true;
};

/** An item of the header: a link, or a menu of links. */
export type Section = Hidden & {
  name: SectionName;
  /** Order in which items move into the menu "More" in narrow windows: 1 first, 3 last. */
  fold?: 1 | 2 | 3;
  /** Only in the drawer: the row has no space for it. */
  drawerOnly?: true;
} & (
    | { path: Path /** The menu's only link, whose name it has. */; link?: LinkName }
    | { links: readonly MenuLink[] }
  );

/** The text of an item: its own name, or that of a menu's only link. */
export function sectionText(section: Section): `header.${SectionName}` | `headerLinks.${LinkName}` {
  return 'link' in section && section.link !== undefined
    ? `headerLinks.${section.link}`
    : `header.${section.name}`;
}

/** Navigation of one kind of site. */
export type SiteTargets = {
  sections: readonly Section[];
  /** The workbench of signed-in users. */
  workbench: string;
  /** Where users show their own works. */
  personalHome: (userId: number) => string;
};
