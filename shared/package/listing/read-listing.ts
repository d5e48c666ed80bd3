import { FALLBACK_LANGUAGE, isLanguage, type Language, type Texts } from '../../languages.ts';
import { isObject } from '../manifest/checks.ts';
import type { JsonObject, JsonValue, PackageListing } from '../package.ts';

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
