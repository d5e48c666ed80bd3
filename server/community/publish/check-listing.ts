import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import { missingFindings, textFindings } from '../../../shared/package/listing-rules.ts';
import type { StoredListing } from '../schema.ts';
import type { ListingChange } from './merge-listing.ts';

type Judged = {
  /** As it would be handed in. */
  listing: StoredListing;
  /** Note of the version that comes with it, or waits with it. */
  versionNote: Texts | undefined;
  bringsVersion: boolean;
  /** False while a package that cannot be read may hold what is missing. */
  isWhole: boolean;
};

/**
 * Faults of a listing's texts: those of the form that are too long, and what a plugin cannot be published without. Texts
 * of a package are judged where they stand, in the package.
 */
export function checkListing(
  { fields }: Pick<ListingChange, 'fields'>,
  { listing, versionNote, bringsVersion, isWhole }: Judged,
): Finding[] {
  const tooLong = textFindings({ ...fields, plugin_mark: undefined });
  if (!isWhole) return tooLong;
  return [...tooLong, ...missingFindings({ ...listing, version_note: versionNote }, { bringsVersion })];
}
