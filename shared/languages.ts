/** The six languages of the interface (specification section 1), in the order the selector shows them. */
export const LANGUAGES = ['zh-CN', 'en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Shown where a text or a language is missing (specification section 1). */
export const FALLBACK_LANGUAGE: Language = 'en-US';

/** Name of the cookie that keeps the chosen language (design section 5). */
export const LANGUAGE_COOKIE = 'lang';

/** Names a page's language in its address, with the values of the cookie; for those who keep none, such as crawlers. */
export const LANGUAGE_PARAMETER = 'lang';

/** Cookie values are the specification's own; two of them are no BCP 47 tags, so nothing else may read them. */
export const LANGUAGE_COOKIE_VALUES: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-CN',
  'en-US': 'en',
  'ja-JP': 'jp',
  'ko-KR': 'kr',
  'ru-RU': 'ru',
  'es-ES': 'es',
};

/** How each language calls itself: never translated, so no language pack holds it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': '简体中文',
  'en-US': 'English',
  'ja-JP': '日本語',
  'ko-KR': '한국어',
  'ru-RU': 'Русский',
  'es-ES': 'Español',
};

/** Texts by language, at least one present: what publishers write. */
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

/** Requested language, else the text's own default, else any: with the language that was found. */
export function textIn(
  texts: Texts,
  wanted: Language,
  ownDefault: Language,
): { text: string; lang: Language } {
  for (const lang of [wanted, ownDefault, FALLBACK_LANGUAGE, ...LANGUAGES]) {
    const text = texts[lang];
    if (text !== undefined && text !== '') return { text, lang };
  }
  return { text: '', lang: wanted };
}

/** One address of a page for one audience, as `hreflang` has it. */
type Alternate = { hreflang: string; href: string };

/** Languages as search engines know them: no country, as the texts are for whoever reads the language. */
const HREFLANGS: Readonly<Record<Language, string>> = {
  'zh-CN': 'zh-Hans',
  'en-US': 'en',
  'ja-JP': 'ja',
  'ko-KR': 'ko',
  'ru-RU': 'ru',
  'es-ES': 'es',
};

/** Address of a page in a language of its own, whatever the visitor's. @param path without `?lang=` */
export function addressIn(path: string, language: Language, publicUrl: string): string {
  const address = new URL(path, publicUrl);
  address.searchParams.set(LANGUAGE_PARAMETER, LANGUAGE_COOKIE_VALUES[language]);
  return address.href;
}

/** Every language's address of a page, and the one that chooses by the visitor; none where there is but one language. */
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
