import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import {
  type MediaChoice,
  NO_FILES,
  NO_PICTURE,
  PICTURES,
  type PictureChoice,
  type PictureName,
  type PublishFiles,
  storedFiles,
} from '../form/files.ts';
import { packagedFields, withPackage } from '../form/package-values.ts';
import { wireValues } from '../form/sending/publish-payload.ts';
import {
  changedNames,
  editableValues,
  emptyValues,
  isSame,
  type PublishValues,
  pick,
  type ValueName,
} from '../form/values.ts';

/** The user's edits of a row, which override its package and its plugin. */
export type RowEdits = {
  /** In wire format. The version's number is the row's own. */
  values: Partial<PublishValues>;
  pictures: Partial<Record<PictureName, PictureChoice>>;
  /** The whole gallery; undefined if unchanged. */
  media?: MediaChoice[] | undefined;
};

export const NO_EDITS: RowEdits = { values: {}, pictures: {} };

type RowContent = { values: PublishValues; files: PublishFiles };

type Options = {
  /** The plugin that the row becomes a version of, as far as known. */
  plugin: EditablePlugin | undefined;
  language: Language;
  knownTags: readonly NamedTag[];
  urlOf: (file: File) => string;
};

/** Content of a row without edits: its package over the plugin that it becomes a version of. */
export function packagedContent(
  read: ReadPackage,
  { plugin, language, knownTags, urlOf }: Options,
): RowContent {
  const { listing, icon } = read;
  const own = listing.default_lang ?? plugin?.listing.default_lang ?? language;
  const facts = { knownTags, suggestedVersion: '' };
  const empty = { ...emptyValues(own), version: '' };
  const { values: packageValues } = withPackage({ values: empty, filled: [] }, read, facts);
  const stored = plugin ? storedFiles(plugin.listing) : NO_FILES;
  const file = icon && new File([new Uint8Array(icon)], 'icon');
  const files = file ? { ...stored, icon: { state: 'chosen' as const, file, url: urlOf(file) } } : stored;
  if (!plugin) return { values: packageValues, files };
  const packageFields: ValueName[] = [...packagedFields(read), 'version', 'version_note'];
  const values = { ...editableValues(plugin, true), ...pick(packageValues, packageFields) };
  return { values, files };
}

export function editedContent(
  { values, files }: RowContent,
  { values: written, pictures, media }: RowEdits,
  { name, version }: { name: string | undefined; version: string },
): RowContent {
  const named = name === undefined ? values.name : { ...values.name, [values.default_lang]: name };
  return {
    values: { ...values, name: named, ...written, ...formatOf(written, values), version },
    files: { ...files, ...pictures, ...(media && { media }) },
  };
}

/** A description that was edited brings its format, which plain text does not name. */
function formatOf(
  { description, description_format = 'plain' }: Partial<PublishValues>,
  before: PublishValues,
) {
  return { description_format: description === undefined ? before.description_format : description_format };
}

/** The edits: differences between a form's content and the content without edits. */
export function editsOf(now: RowContent, before: RowContent): RowEdits {
  const written = wireValues(now.values);
  const packaged = wireValues(before.values);
  const changed = changedNames(written, packaged).filter((name) => name !== 'version');
  const pictures = PICTURES.filter((name) => now.files[name] !== before.files[name]);
  const ids = ({ files }: RowContent) => files.media.map(({ id, isBefore = false }) => [id, isBefore]);
  return {
    // Adding a translation doesn't change the text in the plugin's own language.
    values: changed.length > 0 ? pick(written, [...changed, 'default_lang']) : {},
    pictures: Object.fromEntries(pictures.map((name) => [name, now.files[name] ?? NO_PICTURE])),
    ...(isSame(ids(now), ids(before)) ? {} : { media: now.files.media }),
  };
}

/** Edits that fit another plugin: pictures of the previous one are removed. */
export function editsForOtherPlugin(edits: RowEdits): RowEdits {
  const chosen = edits.media?.filter((choice) => 'file' in choice) ?? [];
  return { ...edits, media: chosen.length > 0 ? chosen : undefined };
}

export function filesOfEdits({ pictures, media = [] }: RowEdits): File[] {
  const chosen = Object.values(pictures).flatMap((choice) =>
    choice.state === 'chosen' ? [choice.file] : [],
  );
  return [...chosen, ...media.flatMap((choice) => ('file' in choice ? [choice.file] : []))];
}

/** Edits and choices for a package that was replaced by one of another plugin. */
export type StashedEdits = {
  /** Name of the plugin they belong to. */
  name: string;
  fields: readonly (ValueName | PictureName | 'media')[];
  /** Identity of a plugin: name and id in its package. */
  plugin: string;
  edits: RowEdits;
  /** Undefined unless the user changed the package's version. */
  newName: string | undefined;
  version: string | undefined;
  chosen: string | null | undefined;
};
