import { DATA_KINDS, LISTING_LINKS } from '../../../../shared/constants.ts';
import type { PackageListing } from '../../../../shared/package/package.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { publishRoutes } from '../../../../shared/routes/publish.ts';
import { secureLink } from '../../../../shared/site-link.ts';
import { trimmedTexts } from '../../plain-text.ts';
import type { StoredListing } from '../../schema.ts';
import { licenseName } from '../../spdx.ts';

type Facts = Pick<StoredListing, 'license' | 'data_collected' | (typeof LISTING_LINKS)[number]>;

type Sources = {
  fields: BodyOf<(typeof publishRoutes)['publishPlugin']>;
  packaged: PackageListing;
  before: Facts;
};

/** Licence, links and what is collected after a change; an empty one is left out. Links that are wrong are refused before. */
export function mergeFacts({ fields, packaged, before }: Sources): Facts {
  const facts: Facts = {};
  const license = licenseName(fields.license ?? packaged.license ?? before.license ?? '');
  if (license !== '') facts.license = license;
  for (const name of LISTING_LINKS) {
    const link = secureLink(fields[name] ?? packaged[name] ?? before[name] ?? '');
    if (link !== null) facts[name] = link;
  }
  const collected = fields.data_collected ?? packaged.data_collected ?? before.data_collected;
  if (collected && !fields.remove?.includes('data_collected'))
    facts.data_collected = {
      kinds: DATA_KINDS.filter((kind) => collected.kinds.includes(kind)),
      other: trimmedTexts(collected.other),
    };
  return facts;
}
