import type { ReadPackage } from '../../../../shared/package/package.ts';
import type { ValueName } from './publish-values.ts';

/** Fields of the listing that a package speaks of. */
export function packagedFields({ listing }: ReadPackage): ValueName[] {
  const { copyright, name, intro, description, tags, contact, support, default_lang } = listing;
  const spoken = { name, intro, description, tags, contact, support, default_lang };
  const names = Object.entries(spoken).filter(([, value]) => value !== undefined);
  return [
    ...names.map(([field]) => field).filter((field): field is keyof typeof spoken => field in spoken),
    ...(copyright ? (['copyright_kind', 'copyright_holder'] as const) : []),
  ];
}
