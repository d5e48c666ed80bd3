import { AUDIT_PASSED, TAGS_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { missingFindings, textFindings } from '../../../shared/package/listing-rules.ts';
import { codeOfTag } from '../../../shared/tags.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import type { FilesOf } from '../forms/uploads.ts';
import { readManagedMarks } from '../marks/store.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db, StoredListing } from '../schema.ts';
import { readNamedTags } from '../tags/store.ts';
import { checkPictures, type MediaParts, type PLUGIN_FILES } from './check-media.ts';
import { type ListingChange, mediaFindings, mergeListing, type PluginFields } from './listing.ts';
import { similarNames } from './similar-names.ts';
import { type CheckedSubmission, type PluginSnapshot, refuse } from './submission.ts';
import { checkCode, checkVersion } from './version.ts';

export type CheckParts = MediaParts & { db: Db; packages: PackageCheck };

type PluginFormCall = {
  caller: Caller;
  /** The plugin as it is; null for a new one. */
  snapshot: PluginSnapshot | null;
  /** A version must come with it. */
  needsPackage: boolean;
  fields: PluginFields;
  files: FilesOf<typeof PLUGIN_FILES>;
  language: Language;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
};

/** How long texts and lists may be is judged with the rest of the listing, so that one answer tells all faults. */
export const CHECKED_WITH_LISTING = ['maxLength', 'maxItems'] as const;

/**
 * Checks everything that was submitted, so that one answer tells all that is wrong; nothing is stored.
 * @throws AppError with all faults
 */
export async function checkSubmission(parts: CheckParts, call: PluginFormCall): Promise<CheckedSubmission> {
  const { caller, snapshot, fields } = call;
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
    mark: isAdmin(caller) ? await checkMark(parts.db, fields.plugin_mark, snapshot) : undefined,
    language: call.language,
  };
  const last = snapshot?.last.listing ?? null;
  const listing = mergeListing(last, change);
  const packaged = code?.findings ?? [];
  refuse([
    { findings: packaged, refusedAs: 'PACKAGE_INVALID' },
    {
      findings: [
        ...textFindings({ ...fields, plugin_mark: undefined }),
        // A package that cannot be read may hold what is missing.
        ...(code === null || read !== null ? missingOf(listing, version.version?.note, call) : []),
        ...tags.findings,
        ...version.findings,
      ],
      refusedAs: 'LISTING_INVALID',
    },
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
      pluginKey: snapshot?.pluginKey ?? null,
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

/** What the listing and its version cannot be published without; each change submits a version under review again. */
function missingOf(
  listing: StoredListing,
  newNote: Texts | undefined,
  { snapshot, fields, files, needsPackage }: PluginFormCall,
): Finding[] {
  const isUnderReview = snapshot !== null && snapshot.target.audit_status !== AUDIT_PASSED;
  const noteUnderReview = isUnderReview ? snapshot.target.note : undefined;
  const note = newNote ?? fields.version_note ?? noteUnderReview;
  const bringsVersion = needsPackage || files.code.length > 0 || isUnderReview;
  return missingFindings({ ...listing, version_note: note }, { bringsVersion });
}

/** What was submitted meanwhile may have taken away a picture that this change names. */
function mergedOrRefused(newest: StoredListing | null, change: ListingChange): StoredListing {
  refuse([{ findings: mediaFindings(newest, change), refusedAs: 'LISTING_INVALID' }]);
  return mergeListing(newest, change);
}

/** A name that stays is not warned of again. */
function alikeNames(
  db: Db,
  { caller, snapshot }: PluginFormCall,
  { name }: StoredListing,
): Promise<Finding[]> {
  const before: Record<string, string> = snapshot?.last.listing.name ?? {};
  const changed: Texts = Object.fromEntries(
    Object.entries(name).filter(([language, text]) => before[language] !== text),
  );
  return similarNames(db, changed, snapshot?.plugin.publisher_id ?? caller.user_id);
}

/**
 * Codes of the tags that exist of those named, each once, and what is to be said of the others.
 * @param named by code or by a name in any language; undefined leaves the tags as they are
 */
export async function checkTags(
  db: Db,
  named: readonly string[] | undefined,
): Promise<{ tags: string[] | undefined; findings: Finding[] }> {
  if (!named) return { tags: undefined, findings: [] };
  const wanted = [...new Set(named)];
  if (wanted.length > TAGS_MAX) {
    const limit = String(TAGS_MAX);
    return { tags: [], findings: [finding('TOO_MANY_TAGS', { pointer: '/tags' }, { limit })] };
  }
  const there = wanted.length === 0 ? [] : await readNamedTags(db);
  const found = wanted.map((tag) => ({ tag, code: codeOfTag(there, tag) }));
  return {
    tags: [...new Set(found.flatMap(({ code }) => code ?? []))],
    findings: found
      .filter(({ code }) => code === undefined)
      .map(({ tag }) => finding('TAG_UNKNOWN', { pointer: `/tags/${named.indexOf(tag)}` }, { tag })),
  };
}

/**
 * Code of the mark that an administrator chose, by its code or a name in any language; undefined leaves the mark, and so
 * does the one that stands there.
 * @throws VALIDATION_FAILED when there is no such mark
 */
export async function checkMark(
  db: Db,
  named: string | undefined,
  snapshot: PluginSnapshot | null,
): Promise<string | undefined> {
  const wanted = named?.trim();
  if (wanted === undefined || wanted === snapshot?.last.listing.plugin_mark) return undefined;
  if (wanted === '') return wanted;
  const marks = await readManagedMarks(db);
  const code = codeOfTag(
    marks.map((mark) => ({ code: mark.code, names: Object.values(mark.name) })),
    wanted,
  );
  if (code === undefined) throw refusedAt('/plugin_mark', 'must be the code or name of a mark');
  return code;
}
