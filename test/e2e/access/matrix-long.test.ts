import t from 'tap';
import { checkScreens, MAIN_SCREENS, PERMITTED_TIME, USUAL_LOOKS } from './looks.ts';

const TURNS = USUAL_LOOKS.map(({ language }) => language);

t.setTimeout(PERMITTED_TIME);

t.test('every page is accessible', { timeout: PERMITTED_TIME }, (t) =>
  checkScreens(
    t,
    USUAL_LOOKS,
    ({ name }, place, language) => !MAIN_SCREENS.has(name) && TURNS[place % TURNS.length] === language,
  ),
);
