import type { Finding } from '../../../shared/entities/finding.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import type { FilesOf } from '../forms/rules.ts';
import type { PreparedPicture } from '../media/prepare-picture.ts';
import type { PreparedFile } from '../media/stored-files.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import type { Db, StoredListing } from '../schema.ts';
import { checkCode, checkVersion } from './check-code.ts';
import { checkListing } from './check-listing.ts';
import { checkPictures } from './check-pictures.ts';
import { checkMark, checkTags } from './check-tags.ts';
import type { MediaParts } from './check-uploads.ts';
import type { PLUGIN_FILES } from './form.ts';
import { type ListingChange, mediaFindings, mergeListing, type PluginFields } from './merge-listing.ts';
import { refuse } from './refusal.ts';
import { similarNames } from './similar/similar-names.ts';
import type { Standing } from './standing.ts';
import type { Submission } from './submission.ts';

export type CheckParts = MediaParts & { db: Db; packages: PackageCheck };

export type PluginFormCall = {
  caller: Caller;
  /** The plugin as it stands; null for a new one. */
  standing: Standing | null;
  /** A version must come with it. */
  needsPackage: boolean;
  fields: PluginFields;
  files: FilesOf<typeof PLUGIN_FILES>;
  language: Language;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
};

/** What has passed all checks, and the files that are to be stored before it is handed in. */
export type CheckedSubmission = {
  submission: Submission;
  pictures: PreparedPicture[];
  files: PreparedFile[];
};

/**
 * Checks everything that was handed in, so that one answer tells all that is wrong; nothing is stored.
 * @throws AppError with all faults
 */
export async function checkSubmission(parts: CheckParts, call: PluginFormCall): Promise<CheckedSubmission> {
  const { caller, standing, fields } = call;
  const turn = { userId: caller.user_id, signal: call.gone };
  const code = await checkCode(parts.packages, call.files.code[0], turn);
  const read = code?.package ?? null;
  const media = await checkPictures(parts, { ...call, packageIcon: read?.icon ?? null, turn });
  const tags = await checkTags(parts.db, fields.tags ?? read?.listing.tags);
  const version = checkVersion(code, call);
  const change: ListingChange = {
    fields,
    packaged: read?.listing ?? {},
    packagedName: read?.name ?? '',
    tags: tags.tags,
    pictures: media.keys,
    media: media.media,
    mark: isAdmin(caller) ? await checkMark(parts.db, fields.plugin_mark, standing) : undefined,
    language: call.language,
  };
  const last = standing?.listing ?? null;
  const listing = mergeListing(last, change);
  const texts = checkListing(change, {
    listing,
    versionNote: version.version?.note ?? fields.version_note ?? standing?.noteUnderReview,
    bringsVersion: call.needsPackage || code !== null || standing?.noteUnderReview !== undefined,
    isWhole: code === null || read !== null,
  });
  const packaged = code?.findings ?? [];
  refuse([
    { findings: packaged, refusedAs: 'PACKAGE_INVALID' },
    { findings: [...texts, ...tags.findings, ...version.findings], refusedAs: 'LISTING_INVALID' },
    { findings: media.findings, refusedAs: 'IMAGE_FORMAT' },
    { findings: mediaFindings(last, change), refusedAs: 'LISTING_INVALID' },
  ]);
  const alike = await alikeNames(parts.db, call, listing);
  const files = [...(code ? [code.file] : []), ...media.videos];
  return {
    pictures: media.pictures,
    files,
    submission: {
      caller,
      pluginKey: standing?.pluginKey ?? null,
      listing: (newest) => mergedOrRefused(newest, change),
      version: version.version,
      versionText: { kind: fields.version_kind, note: fields.version_note },
      externalId: read?.external_id ?? null,
      pictures: media.pictures.map(({ picture }) => picture),
      files: files.map(({ file }) => file),
      findings: [...packaged, ...tags.findings, ...version.findings, ...media.findings, ...alike],
      basedOn: fields.based_on,
    },
  };
}

/** What was handed in meanwhile may have taken away a picture that this change names. */
function mergedOrRefused(newest: StoredListing | null, change: ListingChange): StoredListing {
  refuse([{ findings: mediaFindings(newest, change), refusedAs: 'LISTING_INVALID' }]);
  return mergeListing(newest, change);
}

/** A name that stays is not warned of again. */
function alikeNames(
  db: Db,
  { caller, standing }: PluginFormCall,
  { name }: StoredListing,
): Promise<Finding[]> {
  const names = Object.entries(name).filter(([language, text]) => {
    const before: Record<string, string> = standing?.listing.name ?? {};
    return before[language] !== text;
  });
  const changed: Texts = Object.fromEntries(names);
  return similarNames(db, changed, standing?.publisherId ?? caller.user_id);
}
