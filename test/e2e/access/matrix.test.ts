import t from 'tap';
import { LANGUAGES } from '../../../shared/languages.ts';
import { checkScreens, MAIN_SCREENS, PERMITTED_TIME, USUAL_LOOKS } from './looks.ts';

/** `npm run test:looks` checks every page in every look; each page in one look is in `matrix-long`. */
const LOOKS_ARE_ALL = process.env.LOOKS === 'all';
const LOOKS = LOOKS_ARE_ALL
  ? LANGUAGES.flatMap((language) => [
      { language, colorScheme: 'light' as const },
      { language, colorScheme: 'dark' as const },
    ])
  : USUAL_LOOKS;

t.setTimeout(PERMITTED_TIME);

t.test('the main pages are accessible', { timeout: PERMITTED_TIME }, (t) =>
  checkScreens(t, LOOKS, ({ name }) => LOOKS_ARE_ALL || MAIN_SCREENS.has(name)),
);
