import { TAGS_MAX } from '../../../../shared/constants.ts';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import { isLanguage, type Language, type Texts } from '../../../../shared/languages.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import { isVersion } from '../../../../shared/package/version.ts';
import { codeOfTag, type NamedTag } from '../../../../shared/tags.ts';
import {
  collectedOf,
  isSame,
  LISTING_TEXTS,
  type PublishValues,
  type TextsName,
  type ValueName,
  withText,
} from './values.ts';

const TEXTS = [...LISTING_TEXTS, 'version_note'] as const;
const PLAIN = [
  'default_lang',
  'description_format',
  'tags',
  'contact',
  'license',
  'home_page',
  'source_url',
  'issues_url',
  'data_collected',
  'copyright_holder',
  'version',
] as const;

/** Fields that a person does not compare with those of a package: they follow other fields, or are no text. */
const FOLLOWING: readonly string[] = ['default_lang', 'description_format', 'data_collected'];

/** Path of a value in a package: a field, or a field in one language. */
export type ValuePath =
  | { field: TextsName; language: Language }
  | { field: (typeof PLAIN)[number]; language?: undefined };

/** A text, codes of tags, or what is collected as JSON. */
export type FieldValue = string | readonly string[];

/** A value of the current package, and the previous one in the form. */
export type Filled = ValuePath & { before: FieldValue; value: FieldValue };

/** The user's input differs from the package. */
export type Difference = ValuePath & { mine: FieldValue; packaged: FieldValue };

type PackageOptions = {
  /** Names and codes of existing tags. */
  knownTags: readonly NamedTag[];
  /** The version number that the form suggests; the package's replaces it. */
  suggestedVersion: string;
  /** Content of the form when reading began. */
  since?: PublishValues | undefined;
};

/** Tags with their names, in all languages if the service sends them. */
export function knownTagsOf(rules: PublishRules | undefined, tags: readonly Tag[]): readonly NamedTag[] {
  return rules?.tag_list ?? tags.map(({ code, name }) => ({ code, names: [name] }));
}

export type WithPackage = { values: PublishValues; filled: Filled[]; differences: Difference[] };

/**
 * Applies a package's values to the form. Unchanged values of the previous package are removed; the user's input stays,
 * and is a difference where the package has another value.
 * @param read the package; undefined without a usable one
 */
export function withPackage(
  { values, filled }: Pick<WithPackage, 'values' | 'filled'>,
  read: ReadPackage | undefined,
  facts: PackageOptions,
): WithPackage {
  const before = filled.reduce(
    (rest, one) => (isKept(rest, one) ? withValueAt(rest, one, one.before) : rest),
    values,
  );
  const taken: WithPackage = { values: before, filled: [], differences: [] };
  const isUndescribed = Object.keys(before.description).length === 0;
  const isUnwritten = LISTING_TEXTS.every((name) => Object.keys(before[name]).length === 0);
  for (const { value, ...path } of read ? packageValues(before, read, facts) : []) {
    const mine = valueAt(before, path);
    if (isSame(mine, value)) continue;
    const isTouched = facts.since !== undefined && !isSame(valueAt(values, path), valueAt(facts.since, path));
    const isFree =
      (path.field === 'version' && mine === facts.suggestedVersion) ||
      (!isTouched &&
        (mine.length === 0 ||
          (path.field === 'default_lang' && isUnwritten) ||
          (path.field === 'description_format' && isUndescribed)));
    if (isFree) {
      taken.values = withValueAt(taken.values, path, value);
      taken.filled.push({ ...path, before: mine, value });
    } else if (!FOLLOWING.includes(path.field)) taken.differences.push({ ...path, mine, packaged: value });
  }
  return taken;
}

/** Value of the form at a path. */
export function valueAt(values: PublishValues, { field, language }: ValuePath): FieldValue {
  if (language) return values[field][language] ?? '';
  if (field === 'data_collected') return values[field] === null ? '' : JSON.stringify(values[field]);
  return field === 'copyright_holder' && values.copyright_kind === 'author' ? '' : values[field];
}

/** The form with another value at a path. */
export function withValueAt(
  values: PublishValues,
  { field, language }: ValuePath,
  value: FieldValue,
): PublishValues {
  if (language) return { ...values, [field]: withText(values[field], language, String(value)) };
  if (field === 'data_collected')
    return { ...values, [field]: value === '' ? null : collectedOf(JSON.parse(String(value))) };
  const kind = value === '' ? 'author' : 'custom';
  return { ...values, [field]: value, ...(field === 'copyright_holder' ? { copyright_kind: kind } : {}) };
}

/** Fields that still have the package's value, without duplicates. */
export function filledFields(values: PublishValues, filled: readonly Filled[]): ValueName[] {
  return [...new Set(filled.filter((one) => isKept(values, one)).map(({ field }) => field))];
}

/** Parses the filled fields of a draft; invalid ones are left out. */
export function readFilled(stored: unknown): Filled[] {
  return Array.isArray(stored) ? stored.flatMap((one) => filledOf(one) ?? []) : [];
}

function filledOf(stored: Partial<Record<keyof Filled, unknown>> | null): Filled | undefined {
  const { field, language, before, value } = stored ?? {};
  if (!isFieldValue(before) || !isFieldValue(value)) return undefined;
  const texts = TEXTS.find((name) => name === field);
  if (texts && typeof language === 'string' && isLanguage(language))
    return { field: texts, language, before, value };
  const plain = PLAIN.find((name) => name === field);
  return plain && { field: plain, before, value };
}

function isFieldValue(value: unknown): value is FieldValue {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function isKept(values: PublishValues, one: Filled): boolean {
  return isSame(valueAt(values, one), one.value);
}

type PackageValue = ValuePath & { value: FieldValue };

/** The values of a package: none empty, tags by code. */
function packageValues(
  values: PublishValues,
  { name, version, listing }: ReadPackage,
  { knownTags }: PackageOptions,
): PackageValue[] {
  const language = listing.default_lang ?? values.default_lang;
  const names: Texts = listing.name ?? (name === '' ? {} : { [language]: name });
  const texts = { ...listing, name: names };
  const tags = (listing.tags ?? []).flatMap((named) => codeOfTag(knownTags, named) ?? []);
  const { default_lang = '', contact = '', copyright, data_collected: collected } = listing;
  const { license = '', home_page = '', source_url = '', issues_url = '' } = listing;
  const format = listing.description ? (listing.description_format ?? 'plain') : '';
  const plain: PackageValue[] = [
    { field: 'default_lang', value: default_lang },
    { field: 'tags', value: [...new Set(tags)].slice(0, TAGS_MAX) },
    { field: 'contact', value: contact },
    { field: 'description_format', value: format },
    { field: 'license', value: license },
    { field: 'home_page', value: home_page },
    { field: 'source_url', value: source_url },
    { field: 'issues_url', value: issues_url },
    { field: 'data_collected', value: collected ? JSON.stringify(collected) : '' },
    { field: 'copyright_holder', value: copyright?.kind === 'custom' ? copyright.holder : '' },
    { field: 'version', value: version !== null && isVersion(version) ? version : '' },
  ];
  const written = TEXTS.flatMap((field) =>
    Object.entries(texts[field] ?? {}).flatMap(([key, text]): PackageValue[] =>
      isLanguage(key) ? [{ field, language: key, value: text }] : [],
    ),
  );
  return [...written, ...plain].filter(({ value }) => value.length > 0 && String(value).trim() !== '');
}

/** Listing fields that a package has. */
export function packagedFields({ listing }: ReadPackage): ValueName[] {
  const { copyright, name, intro, description, tags, contact, support, default_lang } = listing;
  const { license, home_page, source_url, issues_url, data_collected } = listing;
  const packageFields = {
    name,
    intro,
    description,
    description_format: description && (listing.description_format ?? 'plain'),
    tags,
    contact,
    support,
    default_lang,
    license,
    home_page,
    source_url,
    issues_url,
    data_collected,
  };
  const names = Object.entries(packageFields).filter(([, value]) => value !== undefined);
  return [
    ...names
      .map(([field]) => field)
      .filter((field): field is keyof typeof packageFields => field in packageFields),
    ...(copyright ? (['copyright_kind', 'copyright_holder'] as const) : []),
  ];
}
