import { LANGUAGES, type Language } from '../../../shared/languages.ts';

/** A language and a colour scheme in which a page is looked at. */
export type Look = { language: Language; colorScheme: 'light' | 'dark' };

const FEW: readonly Look[] = [
  { language: 'zh-CN', colorScheme: 'dark' },
  { language: 'en-US', colorScheme: 'light' },
  { language: 'ru-RU', colorScheme: 'dark' },
];

const ALL: readonly Look[] = LANGUAGES.flatMap((language) => [
  { language, colorScheme: 'light' },
  { language, colorScheme: 'dark' },
]);

/** Every page in every look is for `npm run test:looks`. */
export const LOOKS_ARE_ALL = process.env.LOOKS === 'all';

/** One look of each script, or with LOOKS=all every language in both schemes. */
export const LOOKS = LOOKS_ARE_ALL ? ALL : FEW;
