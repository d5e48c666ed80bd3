import { TEXT_LIMITS } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import type { Texts } from '../languages.ts';
import { finding } from './finding-codes.ts';

/** Fields of a listing that hold a text per language, with their limits in code points (design section 5). */
const TEXT_FIELDS = {
  name: TEXT_LIMITS.name,
  intro: TEXT_LIMITS.intro,
  description: TEXT_LIMITS.description,
  version_note: TEXT_LIMITS.version_note,
} as const;

/** Fields of one text, with their limits in code points. */
const PLAIN_FIELDS = {
  contact: TEXT_LIMITS.contact,
  support: TEXT_LIMITS.description,
  copyright_holder: TEXT_LIMITS.contact,
  plugin_mark: TEXT_LIMITS.name,
} as const;

/** What a plugin cannot be published without (specification section 5). */
const REQUIRED_FIELDS = ['name', 'intro', 'description', 'contact', 'version_note'] as const;

/** The fields of a listing that these rules judge; one that is left out is not there. */
type ListingTexts = {
  [Field in keyof typeof TEXT_FIELDS]?: Texts | undefined;
} & { [Field in keyof typeof PLAIN_FIELDS]?: string | undefined };

/** Where a package says what the fields of a form say in its place. */
const PACKAGE_PLACES = {
  name: ['/manifest/name', '/listing/name'],
  version: ['/manifest/version', '/listing/version'],
  intro: ['/listing/intro'],
  description: ['/listing/description'],
  version_note: ['/listing/versionNote'],
  tags: ['/listing/tags'],
  contact: ['/listing/contact'],
  support: ['/listing/support'],
  copyright_kind: ['/listing/copyright'],
  default_lang: ['/listing/defaultLang'],
  icon: ['/listing/icon'],
} as const;

export type PackagedField = keyof typeof PACKAGE_PLACES;

/**
 * True for a fault of a package in something that is said in its place.
 * @param origin pointer of the package in its file
 */
export function isOverruled(
  { pointer, severity }: Finding,
  origin: string,
  isSaid: (field: PackagedField) => boolean,
): boolean {
  if (severity !== 'error' || !pointer.startsWith(origin)) return false;
  const within = pointer.slice(origin.length);
  const isAt = (place: string): boolean => within === place || within.startsWith(`${place}/`);
  return keysOf(PACKAGE_PLACES).some((field) => isSaid(field) && PACKAGE_PLACES[field].some(isAt));
}

/** Length as people count it: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** True when a text, or one of a text's languages, says something. */
export function isFilled(value: string | Texts | undefined): boolean {
  if (value === undefined) return false;
  const texts = typeof value === 'string' ? [value] : Object.values(value);
  return texts.some((text) => text.trim() !== '');
}

/** The finding of a text over its limit, or undefined. */
export function tooLong(text: string, limit: number, pointer: string): Finding | undefined {
  // A text of n code points has at most 2n UTF-16 units, so long ones need no counting.
  const isOver = text.length > limit * 2 || (text.length > limit && lengthOf(text) > limit);
  return isOver ? finding('TEXT_TOO_LONG', { pointer }, { limit: String(limit) }) : undefined;
}

/** Findings of every text over its limit; pointers such as `/name/en-US` and `/contact`. */
export function textFindings(listing: ListingTexts): Finding[] {
  const perLanguage = keysOf(TEXT_FIELDS).flatMap((field) =>
    Object.entries(listing[field] ?? {}).map(([language, text]) =>
      tooLong(text, TEXT_FIELDS[field], `/${field}/${language}`),
    ),
  );
  const plain = keysOf(PLAIN_FIELDS).map((field) =>
    tooLong(listing[field] ?? '', PLAIN_FIELDS[field], `/${field}`),
  );
  return [...perLanguage, ...plain].filter((found) => found !== undefined);
}

/** What says whether a listing is complete, in a form or as it is stored. */
type Completable = Pick<ListingTexts, (typeof REQUIRED_FIELDS)[number]> & {
  copyright: { kind: 'author' | 'custom'; holder: string };
};

/**
 * A FIELD_REQUIRED finding, pointer `/name` and so on, for everything that a listing lacks to be submitted, approved or
 * changed.
 * @param bringsVersion a version comes with it, or waits with it, and needs its description
 */
export function missingFindings(
  listing: Completable,
  { bringsVersion }: { bringsVersion: boolean },
): Finding[] {
  const { copyright } = listing;
  const asked = REQUIRED_FIELDS.filter((field) => field !== 'version_note' || bringsVersion);
  const missing: string[] = asked.filter((field) => !isFilled(listing[field]));
  if (copyright.kind === 'custom' && !isFilled(copyright.holder)) missing.push('copyright_holder');
  return missing.map((field) => finding('FIELD_REQUIRED', { pointer: `/${field}` }));
}

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table);
}
