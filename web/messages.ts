import { textGroups } from 'virtual:text-groups';
import type { Messages } from 'use-intl';
import type { Language } from '../shared/languages.ts';
import type { TextGroup } from './text-groups.ts';

type Pack = typeof import('../locales/en-US.json');

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Pack;
  }
}

/**
 * One chunk per language with what every page may show, and one per group of texts; the build replaces each pack by
 * its compiled messages (web/build/messages-plugin.ts).
 */
const PACKS: Readonly<Record<Language, () => Promise<{ default: Pack }>>> = {
  'zh-CN': () => import('../locales/zh-CN.json'),
  'en-US': () => import('../locales/en-US.json'),
  'ja-JP': () => import('../locales/ja-JP.json'),
  'ko-KR': () => import('../locales/ko-KR.json'),
  'ru-RU': () => import('../locales/ru-RU.json'),
  'es-ES': () => import('../locales/es-ES.json'),
};

/** The texts of a language that every page may show, and those of a page's group; each fetched once. */
export async function loadMessages(language: Language, group?: TextGroup): Promise<Messages> {
  const [pack, own] = await Promise.all([PACKS[language](), group && loadGroup(language, group)]);
  return { ...pack.default, ...own };
}

/** The texts of a group alone, to be put beside those that are there. */
export async function loadGroup(language: Language, group: TextGroup): Promise<Partial<Messages>> {
  return (await textGroups[group][language]()).default;
}
