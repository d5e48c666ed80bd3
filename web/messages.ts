import type { Messages } from 'use-intl';
import type { Language } from '../shared/languages.ts';

/** Every text as its own type where web/message-types.ts has written it, so that arguments are checked. */
type Pack = typeof import('../locales/en-US.json');

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Pack;
  }
}

/** Texts that are on every page; those of a folder of pages are fetched with its pages (web/build/texts.ts). */
const PACKS: Readonly<Record<Language, () => Promise<typeof import('virtual:texts/*')>>> = {
  'zh-CN': () => import('virtual:texts/zh-CN'),
  'en-US': () => import('virtual:texts/en-US'),
  'ja-JP': () => import('virtual:texts/ja-JP'),
  'ko-KR': () => import('virtual:texts/ko-KR'),
  'ru-RU': () => import('virtual:texts/ru-RU'),
  'es-ES': () => import('virtual:texts/es-ES'),
};

/** The texts of a language that every page shows. */
export async function loadMessages(language: Language): Promise<Messages> {
  return (await PACKS[language]()).default;
}

/** The texts of a page by its source file, to be put beside those of every page. */
export async function loadPageTexts(language: Language, source: string): Promise<Partial<Messages>> {
  const { folders } = await PACKS[language]();
  const own = await folders[textFolderOf(source) ?? '']?.();
  return own?.default ?? {};
}

/** The folder of pages whose texts a page shows; none for a page that lies in no folder. */
export function textFolderOf(source: string): string | undefined {
  return /^web\/pages\/([^/]+)\//.exec(source)?.[1];
}
