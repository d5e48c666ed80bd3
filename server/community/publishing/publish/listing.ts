import { MEDIA_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { PackageListing } from '../../../../shared/package/package.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { publishRoutes } from '../../../../shared/routes/publish.ts';
import { type ReadDescription, storedDescription } from '../../descriptions.ts';
import { trimmedTexts } from '../../plain-text.ts';
import type { StoredListing } from '../../schema.ts';
import { storedSupport, supportOf } from '../../support-texts.ts';
import { mergeFacts } from './facts.ts';

export type PluginFields = BodyOf<(typeof publishRoutes)['publishPlugin']>;

/** A change of a listing; missing fields keep their value. */
export type ListingChange = {
  /** Fields of the form, which take precedence. */
  fields: PluginFields;
  /** The listing in the package, and the name in its manifest. */
  packaged: PackageListing;
  packagedName: string;
  /** What was read of a description in Markdown; undefined if none came, or a plain one. */
  markdown: Partial<Record<Language, ReadDescription>> | undefined;
  /** Codes of existing tags; undefined leaves them unchanged. */
  tags: string[] | undefined;
  /** New pictures; null removes one, undefined leaves it unchanged. */
  pictures: Partial<Record<'icon_key' | 'cover_key' | 'panel_key', string | null>>;
  media: MediaChange;
  /** Code of the mark, which only administrators choose; undefined leaves it unchanged. */
  mark: string | undefined;
  /** Language of the request. */
  language: Language;
};

const EMPTY: Omit<StoredListing, 'default_lang'> = {
  name: {},
  intro: {},
  description: {},
  tags: [],
  contact: '',
  support: '',
  copyright: { kind: 'author', holder: '' },
  plugin_mark: '',
  icon_key: null,
  cover_key: null,
  panel_key: null,
  media: [],
};

/** Applies a change to the listing of the last submission: form over package over last listing. */
export function mergeListing(last: StoredListing | null, change: ListingChange): StoredListing {
  const { fields, packaged, pictures } = change;
  const before = last ?? EMPTY;
  const texts = (field: 'name' | 'intro'): Texts =>
    trimmedTexts(fields[field] ?? packaged[field] ?? before[field]);
  const support = trimmedTexts(fields.support ?? packaged.support ?? (last ? supportOf(last) : {}));
  const named = texts('name');
  const defaultLang = defaultLanguage(last, named, change);
  const name = Object.keys(named).length > 0 ? named : trimmedTexts({ [defaultLang]: change.packagedName });
  return {
    default_lang: defaultLang,
    name,
    intro: texts('intro'),
    ...descriptionOf(before, change),
    ...mergeFacts({ fields, packaged, before }),
    tags: change.tags ?? before.tags,
    contact: (fields.contact ?? packaged.contact ?? before.contact).trim(),
    ...storedSupport(support, defaultLang),
    copyright: copyrightOf(fields, packaged.copyright ?? before.copyright),
    plugin_mark: change.mark ?? before.plugin_mark,
    icon_key: pictures.icon_key === undefined ? before.icon_key : pictures.icon_key,
    cover_key: pictures.cover_key === undefined ? before.cover_key : pictures.cover_key,
    panel_key: pictures.panel_key === undefined ? before.panel_key : pictures.panel_key,
    media: orderMedia(before.media, change.media).media,
  };
}

/** A description replaces all of the last one, with the way in which it was written. */
function descriptionOf(
  { description, description_markdown }: Omit<StoredListing, 'default_lang'>,
  { fields, packaged, markdown }: ListingChange,
): Pick<StoredListing, 'description' | 'description_markdown'> {
  if (markdown) return storedDescription(markdown);
  const given = fields.description ?? packaged.description;
  if (given) return { description: trimmedTexts(given) };
  return { description, ...(description_markdown && { description_markdown }) };
}

/** Errors of the pictures and videos of a merged listing. */
export function mediaFindings(last: StoredListing | null, { media }: ListingChange): Finding[] {
  return orderMedia(last?.media ?? [], media).findings;
}

/**
 * That of the form; that of the package, when the name is from the package too; that of the last listing. Otherwise the
 * request's language when there is a name in it, or the first language with a name.
 */
function defaultLanguage(last: StoredListing | null, name: Texts, change: ListingChange): Language {
  const { fields, packaged, language } = change;
  if (fields.default_lang) return fields.default_lang;
  if (packaged.default_lang && packaged.name && !fields.name) return packaged.default_lang;
  if (last) return last.default_lang;
  if (name[language]) return language;
  return LANGUAGES.find((other) => name[other]) ?? packaged.default_lang ?? language;
}

function copyrightOf(
  { copyright_kind, copyright_holder }: PluginFields,
  before: StoredListing['copyright'],
): StoredListing['copyright'] {
  const kind = copyright_kind ?? before.kind;
  return { kind, holder: kind === 'author' ? '' : (copyright_holder ?? before.holder).trim() };
}

type Media = StoredListing['media'];

/** Changes of a form to the pictures and videos of a listing. */
type MediaChange = {
  /** All pictures and videos in order; without it, uploads follow the existing ones. */
  order?: readonly (({ key: string } | { upload: number }) & { is_before?: boolean })[] | undefined;
  /** Uploads by their index among the `media` parts; a refused part is undefined. */
  uploads: readonly (Media[number] | undefined)[];
};

function keyOf(item: Media[number]): string {
  return 'picture_key' in item ? item.picture_key : item.file_key;
}

/** The pictures and videos of a listing after a change: those in `order`, then the other uploads, without duplicates. */
function orderMedia(last: Media, { order, uploads }: MediaChange): { media: Media; findings: Finding[] } {
  const findings: Finding[] = [];
  const ordered = order?.map((choice, index) => {
    const found = 'key' in choice ? last.find((item) => keyOf(item) === choice.key) : uploads[choice.upload];
    if (!found && 'key' in choice) {
      findings.push(finding('MEDIA_UNKNOWN', { pointer: `/media_order/${index}/key` }));
    } else if ('upload' in choice && choice.upload >= uploads.length) {
      findings.push(finding('UPLOAD_MISSING', { pointer: `/media_order/${index}/upload` }));
    }
    return found && withBefore(found, choice.is_before);
  });
  if (ordered?.every((item) => item !== undefined)) findings.push(...comparisonFindings(order, ordered));
  const media: Media = [];
  for (const item of [...(ordered ?? last), ...uploads]) {
    if (item && !media.some((other) => keyOf(other) === keyOf(item))) media.push(item);
  }
  if (media.length > MEDIA_MAX) {
    findings.push(finding('TOO_MANY_MEDIA', { pointer: '/media' }, { limit: String(MEDIA_MAX) }));
  }
  return { media, findings };
}

function withBefore(item: Media[number], isBefore: boolean | undefined): Media[number] {
  if (!('picture_key' in item)) return item;
  return { picture_key: item.picture_key, ...(isBefore && { is_before: true }) };
}

/** A *before* needs a picture right before it, which is none itself. */
function comparisonFindings(order: MediaChange['order'] = [], ordered: Media): Finding[] {
  return order.flatMap(({ is_before: isBefore }, index) => {
    const [item, after] = [ordered[index], ordered[index - 1]];
    const isPair = item && after && 'picture_key' in item && 'picture_key' in after && !after.is_before;
    if (!isBefore || isPair) return [];
    return [finding('COMPARISON_INCOMPLETE', { pointer: `/media_order/${index}/is_before` })];
  });
}
