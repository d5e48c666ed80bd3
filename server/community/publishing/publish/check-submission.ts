import { AUDIT_PASSED, TAGS_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { missingFindings, textFindings } from '../../../../shared/package/listing-rules.ts';
import type { PackageReading } from '../../../../shared/package/package.ts';
import { codeOfTag } from '../../../../shared/tags.ts';
import { readMarks } from '../../catalogue/marks/store.ts';
import { readNamedTags } from '../../catalogue/tags/store.ts';
import type { FilesOf } from '../../files/forms/uploads.ts';
import { type PreparedFile, packageFile } from '../../files/media/stored-files.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canMark } from '../../people/policy.ts';
import { refusedAt } from '../../plain-text.ts';
import type { Db, StoredListing } from '../../schema.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import { checkPictures, type MediaDependencies, type PLUGIN_FILES } from './check-media.ts';
import {
  type ListingChange,
  mediaFindings,
  mergeListing,
  type PluginFields,
  trimmedTexts,
} from './listing.ts';
import { similarNames } from './similar-names.ts';
import type { NewVersion } from './store.ts';
import { type CheckedSubmission, chooseVersion, type PluginSnapshot, refuse } from './submission.ts';

export type CheckDependencies = MediaDependencies & { db: Db; packages: PackageCheck };

type PluginFormCall = {
  caller: Caller;
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
  /** Whether a package is required. */
  needsPackage: boolean;
  fields: PluginFields;
  files: FilesOf<typeof PLUGIN_FILES>;
  language: Language;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
};

/** Lengths of texts and lists are checked with the rest of the listing, so that one response lists all errors. */
export const CHECKED_WITH_LISTING = ['maxLength', 'maxItems'] as const;

/**
 * Checks everything that was submitted, so that one response lists all errors; nothing is stored.
 * @throws AppError with all errors
 */
export async function checkSubmission(
  dependencies: CheckDependencies,
  call: PluginFormCall,
): Promise<CheckedSubmission> {
  const { caller, snapshot, fields } = call;
  const turn = { userId: caller.user_id, signal: call.signal };
  const [upload] = call.files.code;
  const code = upload ? await dependencies.packages.check(upload.path, turn) : null;
  const file = code && upload ? packageFile(code.sha256, upload.bytes, upload.path) : null;
  const read = code?.package ?? null;
  const media = await checkPictures(dependencies, { ...call, packageIcon: read?.icon ?? null, turn });
  const tags = await checkTags(dependencies.db, fields.tags ?? read?.listing.tags);
  const version = checkVersion(code && file ? { ...code, file } : null, call);
  const change: ListingChange = {
    fields,
    packaged: read?.listing ?? {},
    packagedName: read?.name ?? '',
    tags: tags.tags,
    pictures: media.keys,
    media: media.media,
    mark: await checkMark(dependencies.db, fields.plugin_mark, call),
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
        // An unreadable package may contain the missing fields.
        ...(code === null || read !== null ? missingOf(listing, version.version?.note, call) : []),
        ...tags.findings,
        ...version.findings,
      ],
      refusedAs: 'LISTING_INVALID',
    },
    { findings: media.findings, refusedAs: 'IMAGE_FORMAT' },
    { findings: mediaFindings(last, change), refusedAs: 'LISTING_INVALID' },
  ]);
  const similar = await newSimilarNames(dependencies.db, call, listing);
  const files = [...(file ? [file] : []), ...media.videos];
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
      findings: [...packaged, ...tags.findings, ...version.findings, ...media.findings, ...similar],
      basedOn: fields.based_on,
    },
  };
}

/** What listing and version lack; each change submits a version under review again. */
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

/** A newer submission may have removed a picture that this change names. */
function mergedOrRefused(newest: StoredListing | null, change: ListingChange): StoredListing {
  refuse([{ findings: mediaFindings(newest, change), refusedAs: 'LISTING_INVALID' }]);
  return mergeListing(newest, change);
}

/** Unchanged names are not warned about again. */
function newSimilarNames(
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
 * Codes of the named tags, each once, with an error for each unknown tag.
 * @param named codes, or names in any language; undefined leaves the tags unchanged
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
  const existing = wanted.length === 0 ? [] : await readNamedTags(db);
  const found = wanted.map((tag) => ({ tag, code: codeOfTag(existing, tag) }));
  return {
    tags: [...new Set(found.flatMap(({ code }) => code ?? []))],
    findings: found
      .filter(({ code }) => code === undefined)
      .map(({ tag }) => finding('TAG_UNKNOWN', { pointer: `/tags/${named.indexOf(tag)}` }, { tag })),
  };
}

/**
 * Code of the mark that an administrator chose by its code or a name in any language. Undefined leaves the mark unchanged, as
 * always for other callers.
 * @throws VALIDATION_FAILED for an unknown mark
 */
export async function checkMark(
  db: Db,
  named: string | undefined,
  { caller, snapshot }: Pick<PluginFormCall, 'caller' | 'snapshot'>,
): Promise<string | undefined> {
  if (!canMark(caller)) return undefined;
  const wanted = named?.trim();
  if (wanted === undefined || wanted === snapshot?.last.listing.plugin_mark) return undefined;
  if (wanted === '') return wanted;
  const marks = await readMarks(db);
  const code = codeOfTag(
    marks.map((mark) => ({ code: mark.code, names: Object.values(mark.name) })),
    wanted,
  );
  if (code === undefined) throw refusedAt('/plugin_mark', 'must be the code or name of a mark');
  return code;
}

/** The version of a package, null without one, and the errors of its number. */
function checkVersion(
  code: (PackageReading & { file: PreparedFile }) | null,
  { fields, snapshot, needsPackage }: Pick<PluginFormCall, 'fields' | 'snapshot' | 'needsPackage'>,
): { version: NewVersion | null; findings: Finding[] } {
  if (!code) {
    const isOther = fields.version !== undefined && fields.version !== snapshot?.target.version;
    const isMissing = needsPackage || isOther;
    return { version: null, findings: isMissing ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : [] };
  }
  const { package: read, file, findings: found } = code;
  if (!read) return { version: null, findings: [] };
  const { version, findings } = chooseVersion({
    form: fields.version,
    packaged: read.version,
    packageKey: file.file.key,
    known: snapshot?.versions,
  });
  return {
    version: {
      version,
      kind: fields.version_kind ?? 'new',
      note: trimmedTexts(fields.version_note ?? read.listing.version_note ?? {}),
      packageKey: file.file.key,
      packageBytes: file.file.bytes,
      manifest: read.manifest,
      allowedDomains: read.allowed_domains,
      findings: found,
    },
    findings,
  };
}
