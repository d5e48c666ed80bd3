import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { REQUIRED_FIELDS, requiredFindings, textFindings } from '../../../shared/package/listing-rules.ts';
import type { StoredListing } from '../schema.ts';
import type { ListingChange } from './merge-listing.ts';

type Judged = {
  /** As it would be handed in. */
  listing: StoredListing;
  /** Note of the version that comes with it. */
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
  const required = REQUIRED_FIELDS.filter((field) => field !== 'version_note' || bringsVersion);
  const { copyright } = listing;
  const holderIsMissing = copyright.kind === 'custom' && copyright.holder === '';
  return [
    ...tooLong,
    ...requiredFindings({ ...listing, version_note: versionNote }, required),
    ...(holderIsMissing ? [finding('FIELD_REQUIRED', { pointer: '/copyright_holder' })] : []),
  ];
}
