import type { Language } from '../../../../shared/languages.ts';

/** Names of places, texts of the namespace `headerLinks`; each has a line about it, `<name>_about`. */
export type PlaceName =
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
  | 'support';

/** A path of the wider site, or one for each language. */
export type Path = string | Readonly<Record<Language, string>>;

/** Hidden inside a workplace chat (specification section 2). */
type Hidden = { notInChat?: true };

/** A place a menu leads to. */
export type Place = Hidden & {
  name: PlaceName;
  path: Path;
  /** Read beside the work, which stays where it is. */
  newWindow?: true;
};

/** A word of the header: a link, or a menu of places. */
export type Section = Hidden & {
  name: SectionName;
  /** Narrow windows move it into the menu "More": 1 first, 3 last. */
  fold?: 1 | 2 | 3;
} & ({ path: Path } | { places: readonly Place[] });

/** Where the header of one kind of site leads. */
export type SiteTargets = {
  sections: readonly Section[];
  /** The workbench of who is signed in. */
  workbench: string;
  /** Where people show works of their own. */
  personalHome: (userId: number) => string;
};
