import type { SiteVariant } from '../../../../shared/deploy-types.ts';
import { domestic } from './domestic.ts';
import { overseas } from './overseas.ts';
import { privateSite } from './private.ts';
import type { Section, SiteTargets } from './target.ts';

const TARGETS: Readonly<Record<SiteVariant, SiteTargets>> = { domestic, overseas, private: privateSite };

/** Where the header of a site leads; inside a workplace chat without what is hidden there (specification section 2). */
export function targetsOf(variant: SiteVariant, embedded: boolean): SiteTargets {
  const targets = TARGETS[variant];
  return embedded ? { ...targets, sections: targets.sections.flatMap(shownInChat) } : targets;
}

function shownInChat(section: Section): Section[] {
  if (section.notInChat) return [];
  if (!('places' in section)) return [section];
  const places = section.places.filter(({ notInChat }) => !notInChat);
  return places.length > 0 ? [{ ...section, places }] : [];
}
