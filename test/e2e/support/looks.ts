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

/** One look of each script, or with LOOKS=all (`npm run test:looks`) every language in both schemes. */
export const LOOKS = process.env.LOOKS === 'all' ? ALL : FEW;
