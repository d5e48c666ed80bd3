import { TAGS_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { writeHostRanges } from '../../../../shared/package/hosts.ts';
import { nameFindings, textFindings } from '../../../../shared/package/listing-rules.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import { codeOfTag } from '../../../../shared/tags.ts';
import { readMarks } from '../../catalogue/marks/store.ts';
import { readNamedTags } from '../../catalogue/tags/store.ts';
import type { PreparedFile } from '../../files/media/stored-files.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canMark } from '../../people/policy.ts';
import { refusedAt, trimmedTexts } from '../../plain-text.ts';
import type { Db, StoredListing } from '../../schema.ts';
import type { Descriptions, ReadTexts } from '../descriptions/descriptions.ts';
import { checkPictures, type MediaDependencies, type PictureFiles } from './check-media.ts';
import { type ListingChange, mediaFindings, mergeListing, type PluginFields } from './listing.ts';
import { chooseVersion, type PluginSnapshot, refuse, type Submission } from './submission.ts';

/** A readable package, ready to be stored. */
type Packaged = {
  read: ReadPackage;
  file: PreparedFile;
  /** JSON pointer for errors of its icon. */
  iconAt: string;
};

/** What was sent for a plugin: by the form, by a program with a publish token, or as one of many packages. */
export type Draft = {
  caller: Caller;
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
  /** Null for a change of the listing only. */
  packaged: Packaged | null;
  fields: PluginFields;
  files: PictureFiles;
  language: Language;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
};

type CheckedDraft = {
  /** What its parts have wrong; whoever asked orders and reports them. */
  found: Readonly<Record<'texts' | 'version' | 'tags' | 'media' | 'order', readonly Finding[]>>;
  /** The listing that results, and the note of the new version. */
  listing: StoredListing;
  note: Texts | undefined;
  /**
   * The submission of a draft without errors.
   * @param findings for its publisher and reviewer
   * @param ofVersion those that stay with the version; all by default
   */
  toSubmission(findings: readonly Finding[], ofVersion?: readonly Finding[]): Submission;
};

export type DraftDependencies = MediaDependencies & { db: Db; descriptions: Descriptions };

/**
 * Checks all parts of a draft; nothing is stored.
 * @throws VALIDATION_FAILED for an unknown mark, and the errors of `checkPictures`
 */
export async function checkDraft(
  { db, descriptions, ...media }: DraftDependencies,
  { caller, snapshot, packaged, fields, files: given, language, signal }: Draft,
): Promise<CheckedDraft> {
  const { read, file, iconAt } = packaged ?? {};
  const { keys, pictures, videos, ...checked } = await checkPictures(media, {
    fields,
    files: given,
    packageIcon: read?.icon && iconAt ? { content: read.icon, pointer: iconAt } : null,
    turn: { userId: caller.user_id, signal },
  });
  const texts = textFindings({ ...fields, plugin_mark: undefined });
  const markdown = await readMarkdown(descriptions, { fields, packaged: read?.listing ?? {}, texts });
  const { tags, findings: ofTags } = await checkTags(db, fields.tags ?? read?.listing.tags);
  const change: ListingChange = {
    fields,
    packaged: read?.listing ?? {},
    packagedName: read?.name ?? '',
    markdown: markdown?.read,
    tags,
    pictures: keys,
    media: checked.media,
    mark: await checkMark(db, fields.plugin_mark, { caller, snapshot }),
    language,
  };
  const last = snapshot?.last.listing ?? null;
  const listing = mergeListing(last, change);
  const version = read &&
    file && {
      ...chooseVersion({ form: fields.version, packaged: read.version, packageKey: file.file.key, snapshot }),
      kind: fields.version_kind ?? ('new' as const),
      note: trimmedTexts(fields.version_note ?? read.listing.version_note ?? {}),
      packageKey: file.file.key,
      packageBytes: file.file.bytes,
      manifest: read.manifest,
      allowedDomains: read.allowed_domains,
      hostRange: writeHostRanges(read.hosts),
    };
  return {
    found: {
      texts: [...texts, ...nameFindings(listing.name, last?.name), ...(markdown?.findings ?? [])],
      version: version?.findings ?? [],
      tags: ofTags,
      media: checked.findings,
      order: mediaFindings(last, change),
    },
    listing,
    note: version?.note,
    toSubmission: (findings, ofVersion = findings) => ({
      caller,
      snapshot,
      listing: (newest) => mergedOrRefused(newest, change),
      version: version ? { ...version, findings: ofVersion } : null,
      externalId: read?.external_id ?? null,
      pictures,
      files: [...(file ? [file] : []), ...videos],
      findings,
      basedOn: fields.based_on,
    }),
  };
}

type Written = Pick<ListingChange, 'fields' | 'packaged'> & { texts: readonly Finding[] };

/** Reads a description in Markdown; undefined for a plain one, and for one that is refused anyway. */
async function readMarkdown(
  descriptions: Descriptions,
  { fields, packaged, texts }: Written,
): Promise<ReadTexts | undefined> {
  const source = fields.description ? fields : packaged;
  const isTooLong = texts.some(({ pointer }) => pointer.startsWith('/description/'));
  if (!source.description || source.description_format !== 'markdown' || isTooLong) return undefined;
  return descriptions.read(trimmedTexts(source.description));
}

/** A newer submission may have removed a picture that this change names. */
function mergedOrRefused(newest: StoredListing | null, change: ListingChange): StoredListing {
  refuse([{ findings: mediaFindings(newest, change), refusedAs: 'LISTING_INVALID' }]);
  return mergeListing(newest, change);
}

/**
 * Codes of the named tags, each once, with an error for each unknown tag.
 * @param named codes, or names in any language; undefined leaves the tags unchanged
 */
async function checkTags(
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
async function checkMark(
  db: Db,
  named: string | undefined,
  { caller, snapshot }: Pick<Draft, 'caller' | 'snapshot'>,
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
