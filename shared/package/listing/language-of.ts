import { FALLBACK_LANGUAGE, type Language } from '../../languages.ts';

/** Scripts that tell a language; kana before Han, which Japanese uses too. */
const BY_SCRIPT: readonly [script: RegExp, language: Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja-JP'],
  [/\p{Script=Hangul}/u, 'ko-KR'],
  [/\p{Script=Han}/u, 'zh-CN'],
  [/\p{Script=Cyrillic}/u, 'ru-RU'],
];

/** The language that a text without one is most likely in, by its script. */
export function languageOf(text: string): Language {
  return BY_SCRIPT.find(([script]) => script.test(text))?.[1] ?? FALLBACK_LANGUAGE;
}
