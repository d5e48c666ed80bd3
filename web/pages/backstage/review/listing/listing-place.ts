import type { Finding } from '../../../../../shared/entities/finding.ts';
import { isLanguage, type Language } from '../../../../../shared/languages.ts';
import type { PictureField, TextField } from './listing-fields.ts';

/** What of the listing a finding is about; `listing` is all of it. */
export type ListingPlace = {
  field: TextField['field'] | PictureField['field'] | 'media' | 'version_note' | 'listing';
  lang: Language | undefined;
};

/** Fields by the names that packages and forms have for them. */
const FIELDS: ReadonlyMap<string, ListingPlace['field']> = new Map([
  ['name', 'name'],
  ['intro', 'intro'],
  ['description', 'description'],
  ['tags', 'tags'],
  ['contact', 'contact'],
  ['support', 'support'],
  ['copyright', 'copyright'],
  ['copyright_kind', 'copyright'],
  ['copyright_holder', 'copyright'],
  ['plugin_mark', 'mark'],
  ['default_lang', 'default_lang'],
  ['defaultLanguage', 'default_lang'],
  ['icon', 'icon'],
  ['cover', 'cover'],
  ['panel', 'panel'],
  ['media', 'media'],
  ['media_order', 'media'],
  ['version', 'version_note'],
  ['version_kind', 'version_note'],
  ['version_note', 'version_note'],
  ['versionNote', 'version_note'],
]);
/** Items of a batch begin with their place in the file. */
const POINTER = /^(?:\/\d+)?(?<packaged>\/listing)?(?:\/(?<name>[^/]+)(?:\/(?<inside>[^/]+))?|$)/;

/** Where in the listing a finding stands; undefined where it is about something else. */
export function listingPlaceOf({ file, pointer }: Finding): ListingPlace | undefined {
  if (file !== undefined) return undefined;
  const { packaged, name = '', inside = '' } = POINTER.exec(pointer)?.groups ?? {};
  const field = FIELDS.get(name) ?? (packaged === undefined ? undefined : 'listing');
  return field && { field, lang: isLanguage(inside) ? inside : undefined };
}

/**
 * The row of a text that a finding is about: the one of its language, else the first that says something, else the one
 * of the default language.
 */
export function soughtText(
  rows: readonly TextField[],
  { field, lang }: ListingPlace,
  defaultLang: Language,
): TextField | undefined {
  const own = rows.filter((row) => row.field === field);
  const of = (wanted: Language) => own.find((row) => row.lang === wanted);
  if (lang) return of(lang);
  return own.find(({ after }) => after !== '') ?? of(defaultLang) ?? own[0];
}
