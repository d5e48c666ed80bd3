import type { Language } from '../shared/languages.ts';

type Pack = typeof import('../locales/en-US.json');

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Pack;
  }
}

/** One chunk per language; the build replaces each pack by its compiled messages (web/build/messages-plugin.ts). */
const PACKS: Readonly<Record<Language, () => Promise<{ default: Pack }>>> = {
  'zh-CN': () => import('../locales/zh-CN.json'),
  'en-US': () => import('../locales/en-US.json'),
  'ja-JP': () => import('../locales/ja-JP.json'),
  'ko-KR': () => import('../locales/ko-KR.json'),
  'ru-RU': () => import('../locales/ru-RU.json'),
  'es-ES': () => import('../locales/es-ES.json'),
};

/** The texts of a language, fetched once. */
export async function loadMessages(language: Language): Promise<Pack> {
  return (await PACKS[language]()).default;
}
