import { TEXT_LIMITS } from '../constants.ts';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language, type Texts } from '../languages.ts';
import { icon } from './icon.ts';
import { type Check, isObject, isOtherType, oneOf, shape, text } from './manifest/checks.ts';
import type { JsonObject, JsonValue, PackageListing } from './package.ts';
import { isVersion } from './version.ts';

/** Characters that turn a text's direction or have no width, by which one name is made to look like another. */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]|(?![\n\r\t])\p{Cc}/u;

/** A text that people read. */
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
  if (isOtherType(value, ['array'], path, context) || !Array.isArray(value)) return;
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

const version: Check = (value, path, context) => {
  if (isOtherType(value, ['string'], path, context) || typeof value !== 'string') return;
  if (!isVersion(value)) context.report.value(path, 'VERSION_INVALID', { version: value });
};

/** Judges what a package says of its plugin (design section 7). */
export const checkListing: Check = shape({
  defaultLanguage: oneOf(LANGUAGES),
  name: texts(TEXT_LIMITS.name),
  intro: texts(TEXT_LIMITS.intro),
  description: texts(TEXT_LIMITS.description),
  tags,
  contact: shown(TEXT_LIMITS.contact),
  support: shown(TEXT_LIMITS.description),
  copyright: shown(TEXT_LIMITS.contact),
  version,
  versionNote: texts(TEXT_LIMITS.version_note),
  icon,
});

/** Fields of a listing with a text per language: as the package calls them, and as rows do. */
const TEXTS: readonly [key: string, field: 'name' | 'intro' | 'description' | 'version_note'][] = [
  ['name', 'name'],
  ['intro', 'intro'],
  ['description', 'description'],
  ['versionNote', 'version_note'],
];

/**
 * What a package says of its plugin. A text without a language is in the listing's default one: the one it names,
 * else the first that a text has, else the one its script tells.
 */
export function readListing(listing: JsonObject, manifestName: string): PackageListing {
  const read: PackageListing = {};
  const language = defaultLanguage(listing, manifestName);
  if (language !== undefined) read.default_lang = language;
  for (const [key, field] of TEXTS) {
    const texts = textsOf(listing[key], language);
    if (texts !== undefined) read[field] = texts;
  }
  const { tags, contact, support, copyright } = listing;
  if (Array.isArray(tags)) read.tags = [...new Set(tags.filter((tag) => typeof tag === 'string'))];
  if (typeof contact === 'string') read.contact = contact;
  if (typeof support === 'string') read.support = support;
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
  const told = values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])).find(isLanguage);
  if (told !== undefined) return told;
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

/** Scripts that tell a language; kana before Han, which Japanese uses too. */
const BY_SCRIPT: readonly [script: RegExp, language: Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja-JP'],
  [/\p{Script=Hangul}/u, 'ko-KR'],
  [/\p{Script=Han}/u, 'zh-CN'],
  [/\p{Script=Cyrillic}/u, 'ru-RU'],
];

/** The language that a text without one is most likely in, by its script. */
function languageOf(text: string): Language {
  return BY_SCRIPT.find(([script]) => script.test(text))?.[1] ?? FALLBACK_LANGUAGE;
}
