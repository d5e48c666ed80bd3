import type { Finding } from '../../../shared/entities/finding.ts';
import { LANGUAGES, type Language, type Texts } from '../../../shared/languages.ts';
import type { PackageListing } from '../../../shared/package/package.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { publishRoutes } from '../../../shared/routes/publish.ts';
import type { StoredListing } from '../schema.ts';
import { type MediaChange, orderMedia } from './media-order.ts';
import { trimmedTexts } from './texts.ts';

export type PluginFields = BodyOf<(typeof publishRoutes)['publishPlugin']>;

/** Everything that says what a listing is to be; what leaves something out keeps its setting. */
export type ListingChange = {
  /** The form, which goes before all. */
  fields: PluginFields;
  /** What the package says of itself, and the name in its manifest. */
  packaged: PackageListing;
  packagedName: string;
  /** Tags as far as they exist; undefined to leave them. */
  tags: string[] | undefined;
  /** New pictures; null takes one away, undefined leaves it. */
  pictures: Partial<Record<'icon_key' | 'cover_key' | 'panel_key', string | null>>;
  media: MediaChange;
  /** Code of the mark, which administrators alone choose; undefined leaves it. */
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

/** The listing after a change of the one that was handed in last: form over package over what was there. */
export function mergeListing(last: StoredListing | null, change: ListingChange): StoredListing {
  const { fields, packaged, pictures } = change;
  const before = last ?? EMPTY;
  const texts = (field: 'name' | 'intro' | 'description'): Texts =>
    trimmedTexts(fields[field] ?? packaged[field] ?? before[field]);
  const named = texts('name');
  const defaultLang = defaultLanguage(last, named, change);
  const name = Object.keys(named).length > 0 ? named : trimmedTexts({ [defaultLang]: change.packagedName });
  return {
    default_lang: defaultLang,
    name,
    intro: texts('intro'),
    description: texts('description'),
    tags: change.tags ?? before.tags,
    contact: (fields.contact ?? packaged.contact ?? before.contact).trim(),
    support: (fields.support ?? packaged.support ?? before.support).trim(),
    copyright: copyrightOf(fields, packaged.copyright ?? before.copyright),
    plugin_mark: change.mark ?? before.plugin_mark,
    icon_key: keyOf(pictures.icon_key, before.icon_key),
    cover_key: keyOf(pictures.cover_key, before.cover_key),
    panel_key: keyOf(pictures.panel_key, before.panel_key),
    media: orderMedia(before.media, change.media).media,
  };
}

/** What is wrong with the pictures and videos of a merged listing. */
export function mediaFindings(last: StoredListing | null, { media }: ListingChange): Finding[] {
  return orderMedia(last?.media ?? [], media).findings;
}

/**
 * As the form says; as the package does when the name is its own; as it was. Else the request's language when the name
 * is in it, or the first that it is in.
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

function keyOf(given: string | null | undefined, before: string | null): string | null {
  return given === undefined ? before : given;
}
