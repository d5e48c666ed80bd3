import { DATA_KINDS, DESCRIPTION_FORMATS, TEXT_LIMITS } from '../constants.ts';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language, type Texts } from '../languages.ts';
import { secureLink } from '../site-link.ts';
import { icon } from './icon.ts';
import {
  type Check,
  isListAt,
  isObject,
  isOtherType,
  isTextAt,
  listOf,
  oneOf,
  shape,
  text,
} from './manifest/checks.ts';
import type { JsonObject, JsonValue, PackageListing } from './package.ts';
import { isVersion } from './version.ts';

/** Characters without width, or that change the text direction: they can make one name look like another. */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]|(?![\n\r\t])\p{Cc}/u;

/** A text that is shown to users. */
function shown(limit: number): Check {
  const isText = text({ limit });
  return (value, path, context) => {
    isText(value, path, context);
    const hidden = typeof value === 'string' ? INVISIBLE.exec(value)?.[0] : undefined;
    if (hidden === undefined) return;
    const found = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    context.report.value(path, 'TEXT_INVISIBLE', { found });
  };
}

/** One text, or one per language. */
function texts(limit: number): Check {
  const isShown = shown(limit);
  return (value, path, context) => {
    if (isOtherType(value, ['string', 'object'], path, context)) return;
    if (!isObject(value)) isShown(value, path, context);
    else {
      for (const [language, entry] of Object.entries(value)) {
        if (isLanguage(language)) isShown(entry, [...path, language], context);
        else context.report.key([...path, language], 'LANGUAGE_UNKNOWN', { language });
      }
    }
  };
}

const tags: Check = (value, path, context) => {
  const { report, limits } = context;
  if (!isListAt(value, path, context)) return;
  if (value.length > limits.tags) {
    report.value([...path, limits.tags], 'TOO_MANY_TAGS', { limit: String(limits.tags) });
  }
  const isTag = text({ limit: 64, isFilled: true });
  for (const [index, tag] of value.slice(0, limits.tags).entries()) {
    isTag(tag, [...path, index], context);
    if (typeof tag === 'string' && value.indexOf(tag) < index) {
      report.value([...path, index], 'VALUE_DUPLICATE', { value: tag });
    }
  }
};

/** An address of https, or nothing. */
const link: Check = (value, path, context) => {
  shown(TEXT_LIMITS.link)(value, path, context);
  if (typeof value !== 'string' || value.trim() === '' || secureLink(value) !== null) return;
  context.report.value(path, 'LINK_NOT_SECURE');
};

/** One of the texts, and no other. */
function onlyOf(allowed: readonly string[]): Check {
  return (value, path, context) => {
    if (isTextAt(value, path, context) && !allowed.includes(value)) {
      context.report.value(path, 'FIELD_VALUE', { value });
    }
  };
}

const version: Check = (value, path, context) => {
  if (!isTextAt(value, path, context)) return;
  if (!isVersion(value)) context.report.value(path, 'VERSION_INVALID', { version: value });
};

/** Checks the `listing` of a package (R 6.2). */
export const checkListing: Check = shape({
  defaultLanguage: oneOf(LANGUAGES),
  name: texts(TEXT_LIMITS.name),
  intro: texts(TEXT_LIMITS.intro),
  description: texts(TEXT_LIMITS.description),
  descriptionFormat: onlyOf(DESCRIPTION_FORMATS),
  license: shown(TEXT_LIMITS.license),
  homePage: link,
  source: link,
  issues: link,
  dataCollected: shape({
    kinds: listOf(onlyOf(DATA_KINDS), { isDistinct: true }),
    other: texts(TEXT_LIMITS.data_collected),
  }),
  tags,
  contact: shown(TEXT_LIMITS.contact),
  support: texts(TEXT_LIMITS.support),
  copyright: shown(TEXT_LIMITS.contact),
  version,
  versionNote: texts(TEXT_LIMITS.version_note),
  icon,
});

/** Fields with a text per language: their keys in a package, and their columns. */
const TEXTS: readonly [key: string, field: 'name' | 'intro' | 'description' | 'version_note'][] = [
  ['name', 'name'],
  ['intro', 'intro'],
  ['description', 'description'],
  ['versionNote', 'version_note'],
];

/** Fields with one text, in the same way. */
const PLAIN = [
  ['license', 'license'],
  ['homePage', 'home_page'],
  ['source', 'source_url'],
  ['issues', 'issues_url'],
] as const;

/**
 * Reads the `listing` of a package; invalid values are left out. A text without a language belongs to the default
 * language: the declared one, else the first language of any text, else the one detected from the script.
 */
export function readListing(listing: JsonObject, manifestName: string): PackageListing {
  const read: PackageListing = {};
  const language = defaultLanguage(listing, manifestName);
  if (language !== undefined) read.default_lang = language;
  for (const [key, field] of TEXTS) {
    const texts = textsOf(listing[key], language);
    if (texts !== undefined) read[field] = texts;
  }
  const { tags, contact, copyright } = listing;
  // It is often an address alone, which tells no language.
  const support = textsOf(listing.support, language);
  if (support !== undefined) read.support = support;
  if (Array.isArray(tags)) read.tags = [...new Set(tags.filter((tag) => typeof tag === 'string'))];
  if (typeof contact === 'string') read.contact = contact;
  const format = DESCRIPTION_FORMATS.find((one) => one === listing.descriptionFormat);
  if (format !== undefined) read.description_format = format;
  for (const [key, field] of PLAIN) {
    const value = listing[key];
    if (typeof value === 'string') read[field] = value;
  }
  const collected = listing.dataCollected;
  if (isObject(collected)) {
    const named = Array.isArray(collected.kinds) ? collected.kinds : [];
    read.data_collected = {
      kinds: DATA_KINDS.filter((kind) => named.includes(kind)),
      other: textsOf(collected.other, language) ?? {},
    };
  }
  if (typeof copyright === 'string' && copyright.trim() !== '') {
    read.copyright =
      copyright === 'author' ? { kind: 'author', holder: '' } : { kind: 'custom', holder: copyright };
  }
  return read;
}

function defaultLanguage(listing: JsonObject, manifestName: string): Language | undefined {
  const { defaultLanguage: named } = listing;
  if (typeof named === 'string' && isLanguage(named)) return named;
  const values = TEXTS.map(([key]) => listing[key]);
  const first = values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])).find(isLanguage);
  if (first !== undefined) return first;
  const sample = values.find((value) => typeof value === 'string') ?? manifestName;
  return sample === '' ? undefined : languageOf(String(sample));
}

function textsOf(value: JsonValue | undefined, language: Language | undefined): Texts | undefined {
  if (typeof value === 'string') return language === undefined ? undefined : { [language]: value };
  if (!isObject(value)) return undefined;
  const texts: Texts = {};
  for (const [key, text] of Object.entries(value)) {
    if (isLanguage(key) && typeof text === 'string') texts[key] = text;
  }
  return texts;
}

/** Scripts that identify a language; kana before Han, because Japanese uses both. */
const BY_SCRIPT: readonly [script: RegExp, language: Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja-JP'],
  [/\p{Script=Hangul}/u, 'ko-KR'],
  [/\p{Script=Han}/u, 'zh-CN'],
  [/\p{Script=Cyrillic}/u, 'ru-RU'],
];

/** The most likely language of a text, by its script. */
function languageOf(text: string): Language {
  return BY_SCRIPT.find(([script]) => script.test(text))?.[1] ?? FALLBACK_LANGUAGE;
}
