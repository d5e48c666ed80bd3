import type { Messages } from 'use-intl';
import type { Language } from '../shared/languages.ts';

/** The literal type of every text, if web/message-types.ts has generated it, so that arguments are checked. */
type Pack = typeof import('../locales/en-US.json');

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Pack;
  }
}

/** The messages of every page; each page folder has its own message chunk (web/build/texts.ts). */
const PACKS: Readonly<Record<Language, () => Promise<typeof import('virtual:texts/*')>>> = {
  'zh-CN': () => import('virtual:texts/zh-CN'),
  'en-US': () => import('virtual:texts/en-US'),
  'ja-JP': () => import('virtual:texts/ja-JP'),
  'ko-KR': () => import('virtual:texts/ko-KR'),
  'ru-RU': () => import('virtual:texts/ru-RU'),
  'es-ES': () => import('virtual:texts/es-ES'),
};

/** The messages of a language that every page shows. */
export async function loadMessages(language: Language): Promise<Messages> {
  return (await PACKS[language]()).default;
}

/** The message chunk of a page by its folder, to be added to those of every page. */
export async function loadPageTexts(language: Language, folder: string): Promise<Partial<Messages>> {
  const { folders } = await PACKS[language]();
  const own = await folders[textFolderOf(folder)]?.();
  return own?.default ?? {};
}

/** The folder of `web/pages` whose messages a page shows. */
export function textFolderOf(folder: string): string {
  return folder.replace(/\/.*/, '');
}
