import { LISTING_LINKS, TEXT_LIMITS } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import type { Texts } from '../languages.ts';
import { markLookalikeIn } from '../mark-lookalikes.ts';
import { secureLink } from '../site-link.ts';
import { isVisible } from '../visible-text.ts';
import { finding } from './finding-codes.ts';
import type { PackageReading } from './package.ts';

/** Fields with a text per language, and their limits in code points (R 5.10). */
const TEXT_FIELDS = {
  name: TEXT_LIMITS.name,
  intro: TEXT_LIMITS.intro,
  description: TEXT_LIMITS.description,
  support: TEXT_LIMITS.support,
  version_note: TEXT_LIMITS.version_note,
} as const;

/** Fields with one text, and their limits in code points. */
const PLAIN_FIELDS = {
  contact: TEXT_LIMITS.contact,
  copyright_holder: TEXT_LIMITS.contact,
  plugin_mark: TEXT_LIMITS.name,
  license: TEXT_LIMITS.license,
  home_page: TEXT_LIMITS.link,
  source_url: TEXT_LIMITS.link,
  issues_url: TEXT_LIMITS.link,
} as const;

/** Fields that are required for publishing (R 5.3). */
const REQUIRED_FIELDS = ['name', 'intro', 'description', 'contact', 'version_note'] as const;

/** The texts of a listing that are checked here. */
type ListingTexts = {
  [Field in keyof typeof TEXT_FIELDS]?: Texts | undefined;
} & { [Field in keyof typeof PLAIN_FIELDS]?: string | undefined } & {
  data_collected?: { other: Texts } | null | undefined;
};

/** Pointers in a package to the values that the fields of a form override. */
const PACKAGE_POINTERS = {
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
  license: ['/listing/license'],
  home_page: ['/listing/homePage'],
  source_url: ['/listing/source'],
  issues_url: ['/listing/issues'],
  data_collected: ['/listing/dataCollected'],
  icon: ['/listing/icon'],
} as const;

export type PackagedField = keyof typeof PACKAGE_POINTERS;

/**
 * Whether an error of a package concerns a value that a form field overrides.
 * @param origin pointer of the package in its file
 */
export function isOverruled(
  { pointer, severity }: Finding,
  origin: string,
  isGiven: (field: PackagedField) => boolean,
): boolean {
  if (severity !== 'error' || !pointer.startsWith(origin)) return false;
  const within = pointer.slice(origin.length);
  const isAt = (place: string): boolean => within === place || within.startsWith(`${place}/`);
  return keysOf(PACKAGE_POINTERS).some((field) => isGiven(field) && PACKAGE_POINTERS[field].some(isAt));
}

/** Length in code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether something of a text, or of its text in any language, can be seen. */
export function isFilled(value: string | Texts | undefined): boolean {
  if (value === undefined) return false;
  const texts = typeof value === 'string' ? [value] : Object.values(value);
  return texts.some(isVisible);
}

/** The finding of a text above its limit, or undefined. */
export function tooLong(text: string, limit: number, pointer: string): Finding | undefined {
  // A text of n code points has at most 2n UTF-16 units, so long ones need no counting.
  const isOver = text.length > limit * 2 || (text.length > limit && lengthOf(text) > limit);
  return isOver ? finding('TEXT_TOO_LONG', { pointer }, { limit: String(limit) }) : undefined;
}

/** Findings of all texts above their limits; pointers such as `/name/en-US` and `/contact`. */
export function textFindings(listing: ListingTexts): Finding[] {
  const perLanguage = keysOf(TEXT_FIELDS).flatMap((field) =>
    Object.entries(listing[field] ?? {}).map(([language, text]) =>
      tooLong(text, TEXT_FIELDS[field], `/${field}/${language}`),
    ),
  );
  const plain = keysOf(PLAIN_FIELDS).map((field) =>
    tooLong(listing[field] ?? '', PLAIN_FIELDS[field], `/${field}`),
  );
  const other = Object.entries(listing.data_collected?.other ?? {}).map(([language, text]) =>
    tooLong(text, TEXT_LIMITS.data_collected, `/data_collected/${language}`),
  );
  return [
    ...perLanguage,
    ...plain,
    ...other,
    ...LISTING_LINKS.map((field) => badLink(listing[field], field)),
  ].filter((found) => found !== undefined);
}

function badLink(text: string | undefined, field: (typeof LISTING_LINKS)[number]): Finding | undefined {
  const isGood = !text?.trim() || secureLink(text) !== null;
  return isGood ? undefined : finding('LINK_NOT_SECURE', { pointer: `/${field}` });
}

/**
 * Findings of names that pass for those of verified publishers, each at its language.
 * @param before the names so far: unchanged ones are let be
 */
export function nameFindings(names: Texts, before: Readonly<Record<string, string>> = {}): Finding[] {
  return Object.entries(names).flatMap(([language, name]) => {
    const found = before[language] === name ? undefined : markLookalikeIn(name);
    return found === undefined ? [] : [finding('NAME_MARK', { pointer: `/name/${language}` }, { found })];
  });
}

/**
 * Findings of a package without those of names that its plugin has already.
 * @param before the names of the plugin so far
 */
export function withoutKnownNames(
  { findings, package: read }: PackageReading,
  before: readonly string[],
): Finding[] {
  const named = Object.values(read?.listing.name ?? { '': read?.name ?? '' });
  const isKnown = named.every((name) => markLookalikeIn(name) === undefined || before.includes(name));
  return isKnown ? findings.filter(({ code }) => code !== 'NAME_MARK') : findings;
}

/** The fields that decide whether a listing is complete, in a form or in the database. */
type Completable = Pick<ListingTexts, (typeof REQUIRED_FIELDS)[number]> & {
  copyright: { kind: 'author' | 'custom'; holder: string };
};

/**
 * FIELD_REQUIRED findings, with pointers such as `/name`, for all fields that a listing lacks to be submitted, approved or
 * changed.
 * @param includesVersion the submission has a new version, whose description is required too
 */
export function missingFindings(
  listing: Completable,
  { includesVersion }: { includesVersion: boolean },
): Finding[] {
  const { copyright } = listing;
  const asked = REQUIRED_FIELDS.filter((field) => field !== 'version_note' || includesVersion);
  const missing: string[] = asked.filter((field) => !isFilled(listing[field]));
  if (copyright.kind === 'custom' && !isFilled(copyright.holder)) missing.push('copyright_holder');
  return missing.map((field) => finding('FIELD_REQUIRED', { pointer: `/${field}` }));
}

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table);
}
