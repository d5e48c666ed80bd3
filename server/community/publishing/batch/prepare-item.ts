import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Language } from '../../../../shared/languages.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import { missingFindings, textFindings } from '../../../../shared/package/listing-rules.ts';
import type { PackageBytes } from '../../../../shared/package/splitter.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import type { UploadedFile } from '../../files/forms/uploads.ts';
import { preparePackage } from '../../files/media/stored-files.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { checkPictures, type MediaDependencies, type PictureFiles } from '../publish/check-media.ts';
import { checkMark, checkTags } from '../publish/check-submission.ts';
import { type ListingChange, mediaFindings, mergeListing, trimmedTexts } from '../publish/listing.ts';
import { similarNames } from '../publish/similar-names.ts';
import {
  type CheckedSubmission,
  chooseVersion,
  type PluginSnapshot,
  type Submission,
} from '../publish/submission.ts';
import type { ReadItem } from './read-item.ts';

/** A package to import, its checked content, and the plugin of which it becomes a version; null for a new plugin. */
export type Work = { item: PackageBytes; read: ReadItem; snapshot: PluginSnapshot | null };

type PrepareCall = {
  caller: Caller;
  language: Language;
  /** The `media` parts of the batch, to which items refer by index. */
  media: readonly UploadedFile[];
  signal: AbortSignal;
};

/** Checks a package against the stored plugins; nothing is stored. */
export async function prepareItem(
  dependencies: MediaDependencies & { db: Db },
  { item, read, snapshot }: Work,
  { caller, language, media, signal }: PrepareCall,
): Promise<CheckedSubmission | { refused: Finding[] }> {
  const { package: packaged, override } = read;
  const { db } = dependencies;
  const code = preparePackage(item.bytes);
  const chosen = chooseVersion({
    form: override?.version?.trim(),
    packaged: packaged.version,
    packageKey: code.file.key,
    known: snapshot?.versions,
  });
  const fields = fieldsOf(read, snapshot, language);
  const tags = await checkTags(db, fields.tags ?? packaged.listing.tags);
  const named = filesOf(read, media);
  const pictures = await checkPictures(dependencies, {
    fields,
    files: named.files,
    packageIcon: packaged.icon,
    packageIconAt: `${item.pointer}/listing/icon`,
    turn: { userId: caller.user_id, signal },
  });
  const change: ListingChange = {
    fields,
    packaged: packaged.listing,
    packagedName: packaged.name,
    tags: tags.tags,
    pictures: pictures.keys,
    media: pictures.media,
    language,
    mark: await checkMark(db, fields.plugin_mark, { caller, snapshot }),
  };
  const last = snapshot?.last.listing ?? null;
  const listing = mergeListing(last, change);
  const note = trimmedTexts(fields.version_note ?? packaged.listing.version_note ?? {});
  const findings = [
    ...read.findings,
    ...textFindings({ ...fields, plugin_mark: undefined }),
    ...chosen.findings,
    ...tags.findings,
    ...named.findings,
    ...pictures.findings,
    ...mediaFindings(last, change),
    ...(await similarNames(db, listing.name, snapshot?.plugin.publisher_id ?? caller.user_id)),
  ];
  if (!isUsable(findings)) {
    const missing = missingFindings({ ...listing, version_note: note }, { bringsVersion: true });
    return { refused: [...findings, ...missing] };
  }
  const files = [code, ...pictures.videos];
  const submission: Submission = {
    caller,
    pluginKey: snapshot?.pluginKey ?? null,
    externalId: packaged.external_id,
    listing: (newest) => mergeListing(newest, change),
    version: {
      version: chosen.version,
      kind: fields.version_kind ?? 'new',
      note,
      findings,
      packageKey: code.file.key,
      packageBytes: code.file.bytes,
      manifest: packaged.manifest,
      allowedDomains: packaged.allowed_domains,
    },
    pictures: pictures.pictures.map(({ picture }) => picture),
    files: files.map(({ file }) => file),
    findings,
  };
  return { submission, pictures: pictures.pictures, files };
}

/** A name given as plain text replaces that in the plugin's default language. */
function fieldsOf(
  { override, package: { listing: packaged } }: ReadItem,
  snapshot: PluginSnapshot | null,
  language: Language,
): ListingChange['fields'] {
  const fields = override?.listing ?? {};
  const given = override?.name?.trim();
  if (!given || !isVisible(given) || fields.name) return fields;
  const last = snapshot?.last.listing;
  const own = fields.default_lang ?? packaged.default_lang ?? last?.default_lang ?? language;
  return { ...fields, name: { ...(packaged.name ?? last?.name), [own]: given } };
}

/** The pictures and videos to which an item refers. */
function filesOf(
  { override }: ReadItem,
  media: readonly UploadedFile[],
): { files: PictureFiles; findings: Finding[] } {
  const findings: Finding[] = [];
  const at = (pointer: string, places: readonly (number | undefined)[] = []): UploadedFile[] =>
    places.flatMap((place) => {
      if (place === undefined) return [];
      const file = media[place];
      if (!file) findings.push(finding('UPLOAD_MISSING', { pointer }));
      return file ?? [];
    });
  const { icon, cover, panel, media: places } = override ?? {};
  const files = {
    icon: at('/icon', [icon]),
    cover: at('/cover', [cover]),
    panel: at('/panel', [panel]),
    media: at('/media', places),
  };
  return { files, findings };
}
