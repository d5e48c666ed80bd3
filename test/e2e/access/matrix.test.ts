import t from 'tap';
import { LANGUAGES } from '../../../shared/languages.ts';
import { checkBackstageTexts, checkScreens, MAIN_SCREENS, USUAL_LOOKS } from './looks.ts';

/** `npm run test:looks` checks every page in every look, otherwise the main pages are in three looks and others in one. */
const LOOKS_ARE_ALL = process.env.LOOKS === 'all';
const LOOKS = LOOKS_ARE_ALL
  ? LANGUAGES.flatMap((language) => [
      { language, colorScheme: 'light' as const },
      { language, colorScheme: 'dark' as const },
    ])
  : USUAL_LOOKS;

t.test('every page is accessible', (t) =>
  checkScreens(
    t,
    LOOKS,
    ({ name }, place, language) =>
      LOOKS_ARE_ALL ||
      MAIN_SCREENS.has(name) ||
      USUAL_LOOKS[place % USUAL_LOOKS.length]?.language === language,
  ),
);

t.test('no text of the backstage is cut or covered', checkBackstageTexts);
