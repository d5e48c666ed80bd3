import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Language } from '../../../../shared/languages.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../../shared/package/listing-rules.ts';
import type { PackageBytes } from '../../../../shared/package/splitter.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import type { UploadedFile } from '../../files/forms/uploads.ts';
import { preparePackage } from '../../files/media/stored-files.ts';
import { checkDraft, type Draft, type DraftDependencies } from '../publish/check-draft.ts';
import type { PictureFiles } from '../publish/check-media.ts';
import type { PluginFields } from '../publish/listing.ts';
import { similarNames } from '../publish/similar-names.ts';
import type { PluginSnapshot, Submission } from '../publish/submission.ts';
import { verifiedNames } from '../publish/verified-names.ts';
import type { ReadItem } from './read-item.ts';

/** A package to import, its checked content, and the plugin of which it becomes a version; null for a new plugin. */
type Work = { item: PackageBytes; read: ReadItem; snapshot: PluginSnapshot | null };

type PrepareCall = Pick<Draft, 'caller' | 'language' | 'signal'> & {
  /** The `media` parts of the batch, to which items refer by index. */
  media: readonly UploadedFile[];
};

/** Checks a package against the stored plugins; nothing is stored. */
export async function prepareItem(
  dependencies: DraftDependencies,
  { item, read, snapshot }: Work,
  { caller, language, media, signal }: PrepareCall,
): Promise<Submission | { refused: Finding[] }> {
  const named = filesOf(read, media);
  const { found, listing, note, toSubmission } = await checkDraft(dependencies, {
    caller,
    snapshot,
    packaged: {
      read: read.package,
      file: preparePackage(item.bytes, read.release),
      iconAt: `${item.pointer}/listing/icon`,
    },
    fields: fieldsOf(read, snapshot, language),
    files: named.files,
    language,
    signal,
  });
  const publisherId = snapshot?.publisher_id ?? caller.user_id;
  const newBy = snapshot === null ? caller : null;
  const findings = [
    ...read.findings,
    ...found.texts,
    ...found.version,
    ...found.tags,
    ...named.findings,
    ...found.media,
    ...found.order,
    ...(await similarNames(dependencies.db, listing.name, publisherId)),
    ...(await verifiedNames(dependencies.db, { names: listing.name, publisherId, newBy })),
  ];
  if (isUsable(findings)) return toSubmission(findings);
  const missing = missingFindings({ ...listing, version_note: note }, { includesVersion: true });
  return { refused: [...findings, ...missing] };
}

/** A name given as plain text replaces that in the plugin's default language. */
function fieldsOf(
  { override, package: { listing: packaged } }: ReadItem,
  snapshot: PluginSnapshot | null,
  language: Language,
): PluginFields {
  const { version, name, listing = {} } = override ?? {};
  const fields = { ...listing, ...(version !== undefined && { version }) };
  const given = name?.trim();
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
