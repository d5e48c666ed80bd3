import type { SiteVariant } from '../../../../shared/deploy-types.ts';
import { domestic } from './domestic.ts';
import { overseas } from './overseas.ts';
import type { Path, Section, SiteTargets } from './target.ts';

/** A private deployment has all menus too, under the names of the China site, whose language it speaks. */
const TARGETS: Readonly<Record<SiteVariant, SiteTargets>> = { domestic, overseas, private: domestic };

/** So many words fit into any window that shows words at all. */
const FEW = 3;

type Where = {
  /** Inside a workplace chat, where some are hidden (specification section 2). */
  embedded: boolean;
  /** Whether there is such a page. */
  leads?: (path: Path) => boolean;
};

/** Where the header of a site leads: without what is hidden in a chat, and what leads nowhere. */
export function targetsOf(variant: SiteVariant, { embedded, leads = () => true }: Where): SiteTargets {
  const { sections, ...targets } = TARGETS[variant];
  const isShown = ({ notInChat }: { notInChat?: true }) => !(embedded && notInChat);
  const shown = sections.filter(isShown).flatMap((section): Section[] => {
    if (!('places' in section)) return leads(section.path) ? [section] : [];
    const places = section.places.filter((place) => isShown(place) && leads(place.path));
    return places.length > 0 ? [{ ...section, places }] : [];
  });
  return {
    ...targets,
    sections: shown.length > FEW ? shown : shown.map(({ fold: _, ...section }) => section),
  };
}

/** Every path that the menus of a site lead to. */
export function pathsOf({ sections }: Pick<SiteTargets, 'sections'>): Set<string> {
  const paths = sections.flatMap((section) =>
    'places' in section ? section.places.map(({ path }) => path) : [section.path],
  );
  return new Set(paths.flatMap((path) => (typeof path === 'string' ? [path] : Object.values(path))));
}
