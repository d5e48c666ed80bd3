import type { Finding } from '../../../shared/entities/finding.ts';
import type { Language } from '../../../shared/languages.ts';
import { isUsable } from '../../../shared/package/finding-codes.ts';
import { requiredFindings } from '../../../shared/package/listing-rules.ts';
import type { PackageBytes } from '../../../shared/package/split/splitter.ts';
import type { Caller } from '../auth/caller.ts';
import type { Turn } from '../media/limiter.ts';
import type { Pictures } from '../media/pictures.ts';
import { preparePackage } from '../media/stored-files.ts';
import type { CheckedSubmission } from '../publish/check-submission.ts';
import { checkTags } from '../publish/check-tags.ts';
import { type CheckedUpload, checkPicture } from '../publish/check-uploads.ts';
import { chooseVersion } from '../publish/choose-version.ts';
import { type ListingChange, mergeListing } from '../publish/merge-listing.ts';
import { similarNames } from '../publish/similar/similar-names.ts';
import type { Standing } from '../publish/standing.ts';
import type { Submission } from '../publish/submission.ts';
import type { Db } from '../schema.ts';
import type { ReadItem } from './read-item.ts';

/** A package on its way in: what it says, and the plugin it becomes a version of, null for a new one. */
export type Work = { item: PackageBytes; read: ReadItem; standing: Standing | null };

/** Checks a package by what is there already; nothing is stored. */
export async function prepareItem(
  { db, pictures }: { db: Db; pictures: Pictures },
  { item, read, standing }: Work,
  { caller, language, gone }: { caller: Caller; language: Language; gone: AbortSignal },
): Promise<CheckedSubmission | { refused: Finding[] }> {
  const { package: packaged } = read;
  const code = preparePackage(item.bytes);
  const chosen = chooseVersion({
    form: read.version,
    packaged: packaged.version,
    packageKey: code.file.key,
    known: standing?.versions,
  });
  const tags = await checkTags(db, packaged.listing.tags);
  const { picture: icon, findings: ofIcon } = await checkIcon(pictures, item, packaged.icon, {
    userId: caller.user_id,
    signal: gone,
  });
  const change: ListingChange = {
    fields: fieldsOf(read, standing, language),
    packaged: packaged.listing,
    packagedName: packaged.name,
    tags: tags.tags,
    pictures: icon ? { icon_key: icon.picture.key } : {},
    media: { uploads: [] },
    language,
    mark: undefined,
  };
  const listing = mergeListing(standing?.listing ?? null, change);
  const note = packaged.listing.version_note ?? {};
  const findings = [
    ...read.findings,
    ...chosen.findings,
    ...tags.findings,
    ...ofIcon,
    ...requiredFindings({ ...listing, version_note: note }).map(asWarning),
    ...(await similarNames(db, listing.name, standing?.publisherId ?? caller.user_id)),
  ];
  if (!isUsable(findings)) return { refused: findings };
  const submission: Submission = {
    caller,
    pluginKey: standing?.pluginKey ?? null,
    externalId: packaged.external_id,
    listing: (last) => mergeListing(last, change),
    version: {
      version: chosen.version,
      kind: 'new',
      note,
      findings,
      packageKey: code.file.key,
      packageBytes: code.file.bytes,
      manifest: packaged.manifest,
      allowedDomains: packaged.allowed_domains,
    },
    pictures: icon ? [icon.picture] : [],
    files: [code.file],
    findings,
  };
  return { submission, pictures: icon ? [icon] : [], files: [code] };
}

/** A name given by hand takes the place of the one in the plugin's own language. */
function fieldsOf(
  { name: given, package: { listing: packaged } }: ReadItem,
  standing: Standing | null,
  language: Language,
): ListingChange['fields'] {
  if (given === undefined) return {};
  const last = standing?.listing;
  const own = packaged.default_lang ?? last?.default_lang ?? language;
  return { name: { ...(packaged.name ?? last?.name), [own]: given } };
}

async function checkIcon(
  pictures: Pictures,
  { pointer }: PackageBytes,
  icon: Uint8Array | null,
  turn: Turn,
): Promise<CheckedUpload> {
  if (!icon) return { findings: [] };
  return checkPicture(pictures, { ...turn, content: icon, role: 'icon', pointer: `${pointer}/listing/icon` });
}

/** A batch asks for less than the form: what is missing can be added before the review. */
function asWarning(found: Finding): Finding {
  return { ...found, severity: 'warning' };
}
