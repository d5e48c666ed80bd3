/** The six languages of the interface (R 12.1), in the order the selector shows them. */
export const LANGUAGES = ['zh-CN', 'en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Replaces a missing text or language (R 12.3). */
export const FALLBACK_LANGUAGE: Language = 'en-US';

/** Cookie of the chosen language (R 12.2). */
export const LANGUAGE_COOKIE = 'lang';

/** Query parameter of the language, with the values of the cookie, for clients without cookies such as crawlers. */
export const LANGUAGE_PARAMETER = 'lang';

/** Cookie values (R 12.2). Two of them are not BCP 47 tags, so they must not be used as such. */
export const LANGUAGE_COOKIE_VALUES: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-CN',
  'en-US': 'en',
  'ja-JP': 'jp',
  'ko-KR': 'kr',
  'ru-RU': 'ru',
  'es-ES': 'es',
};

/** Native names of the languages. They are not translated, so they are not in the language packs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': '简体中文',
  'en-US': 'English',
  'ja-JP': '日本語',
  'ko-KR': '한국어',
  'ru-RU': 'Русский',
  'es-ES': 'Español',
};

/** Texts of publishers by language, at least one. */
export type Texts = Partial<Record<Language, string>>;

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/** The language a cookie value stands for, or undefined for any other value. */
export function languageOfCookie(value: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => LANGUAGE_COOKIE_VALUES[language] === value);
}

/**
 * Best match of an Accept-Language header among the languages on offer (RFC 9110 section 12.5.4).
 * A range matches a language of the same primary subtag; equal weights keep the header's order.
 */
export function languageOfHeader(
  header: string | undefined,
  offered: readonly Language[],
): Language | undefined {
  const ranges = (header ?? '')
    .slice(0, 512)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(';');
      const weight = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
        .find(Boolean);
      return { range: range.trim().toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ range, weight }) => range !== '' && range !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { range } of ranges) {
    const primary = range.split('-')[0];
    const found =
      offered.find((language) => language.toLowerCase() === range) ??
      offered.find((language) => language.toLowerCase().split('-')[0] === primary);
    if (found) return found;
  }
  return undefined;
}

/** Languages in the order in which a text is looked for (R 12.3): the reader's, English, its own default, any. */
export function fallbackOrder(wanted: Language, ownDefault: Language): Language[] {
  return [...new Set([wanted, FALLBACK_LANGUAGE, ownDefault, ...LANGUAGES])];
}

/** The text for a reader, with its language; empty if there is none in any language. */
export function textIn(
  texts: Texts,
  wanted: Language,
  ownDefault: Language,
): { text: string; lang: Language } {
  for (const lang of fallbackOrder(wanted, ownDefault)) {
    const text = texts[lang];
    if (text !== undefined && text !== '') return { text, lang };
  }
  return { text: '', lang: wanted };
}

/** A stored text for a reader, of which translations are stored beside it (R 12.3). */
export function translated(stored: string, texts: Texts | null | undefined, wanted: Language): string {
  return texts?.[wanted] || texts?.[FALLBACK_LANGUAGE] || stored;
}

/** The languages in which every one of these texts is written that is written at all. */
export function completeLanguages(all: readonly Texts[]): Language[] {
  const written = all.filter((texts) => LANGUAGES.some((lang) => texts[lang]));
  return written.length === 0 ? [] : LANGUAGES.filter((lang) => written.every((texts) => texts[lang]));
}

/** Address of a page in one language, for `hreflang`. */
type Alternate = { hreflang: string; href: string };

/** Languages for search engines, without countries because the texts are for all readers of a language. */
const HREFLANGS: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-Hans',
  'en-US': 'en',
  'ja-JP': 'ja',
  'ko-KR': 'ko',
  'ru-RU': 'ru',
  'es-ES': 'es',
};

/** Address of a page in a fixed language. @param path without `?lang=` */
export function addressIn(path: string, language: Language, publicUrl: string): string {
  const address = new URL(path, publicUrl);
  address.searchParams.set(LANGUAGE_PARAMETER, LANGUAGE_COOKIE_VALUES[language]);
  return address.href;
}

/** Addresses of a page in all languages, and the one without a fixed language; empty if there is only one language. */
export function alternatesOf(path: string, languages: readonly Language[], publicUrl: string): Alternate[] {
  if (languages.length < 2) return [];
  return [
    ...languages.map((language) => ({
      hreflang: HREFLANGS[language],
      href: addressIn(path, language, publicUrl),
    })),
    { hreflang: 'x-default', href: new URL(path, publicUrl).href },
  ];
}
