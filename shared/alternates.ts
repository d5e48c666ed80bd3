import { LANGUAGE_COOKIE_VALUES, LANGUAGE_PARAMETER, type Language } from './languages.ts';

/** One address of a page for one audience, as `hreflang` has it. */
export type Alternate = { hreflang: string; href: string };

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
