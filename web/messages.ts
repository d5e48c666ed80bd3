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

/** One chunk per language with what every page may show, and one per group of texts (web/build/messages-plugin.ts). */
const PACKS: Readonly<Record<Language, () => Promise<typeof import('virtual:texts/*')>>> = {
  'zh-CN': () => import('virtual:texts/zh-CN'),
  'en-US': () => import('virtual:texts/en-US'),
  'ja-JP': () => import('virtual:texts/ja-JP'),
  'ko-KR': () => import('virtual:texts/ko-KR'),
  'ru-RU': () => import('virtual:texts/ru-RU'),
  'es-ES': () => import('virtual:texts/es-ES'),
};

/** The texts of a language that every page may show, and those of a page's group; each fetched once. */
export async function loadMessages(language: Language, group?: TextGroup): Promise<Messages> {
  const [pack, own] = await Promise.all([PACKS[language](), group && loadGroup(language, group)]);
  return { ...pack.default, ...own };
}

/** The texts of a group alone, to be put beside those that are there. */
export async function loadGroup(language: Language, group: TextGroup): Promise<Partial<Messages>> {
  const { groups } = await PACKS[language]();
  return (await groups[group]()).default;
}
