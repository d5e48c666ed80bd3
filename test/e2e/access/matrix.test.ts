import t from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGES, type Language } from '../../../shared/languages.ts';
import { CHIEF_SETTINGS } from '../support/administrators.ts';
import { openBrowser } from '../support/browser.ts';
import { LOOKS, LOOKS_ARE_ALL } from '../support/looks.ts';
import { watchedPage } from '../support/page.ts';
import { runningProduct } from '../support/product.ts';
import { followRequests } from '../support/quiet.ts';
import { administratorScreens } from './administrator-screens.ts';
import { lookAt } from './look-at.ts';
import { memberScreens } from './member-screens.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';
import { visitorScreens } from './visitor-screens.ts';

const MAIN_PAGES: ReadonlySet<string> = new Set(['home', 'plugin']);

/**
 * The pages that a language is looked at with. In the short form the main pages are seen in every look, all others in
 * one, taken in turn.
 */
function inTurn(screens: readonly Screen[], language: Language): Screen[] {
  const turns = LOOKS.map((look) => look.language);
  return screens.filter(
    ({ name }, place) => LOOKS_ARE_ALL || MAIN_PAGES.has(name) || turns[place % turns.length] === language,
  );
}

const PERMITTED_TIME = 30 * 60 * 1000;
/** Pages that say that something is not there, or not for the one who asks, answer so. */
const STATUS_OF_PAGES = /status of 40[34]/;

t.setTimeout(PERMITTED_TIME);

t.test('every page can be used by everybody', { timeout: PERMITTED_TIME }, async (t) => {
  const origin = await runningProduct(t, { ...CHIEF_SETTINGS, PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const { facts, states } = await setStage(browser, origin);
  const screens = [...visitorScreens(facts), ...memberScreens(facts), ...administratorScreens(facts)];
  let total = 0;

  for (const language of LANGUAGES) {
    const schemes = LOOKS.filter((look) => look.language === language).map((look) => look.colorScheme);
    if (schemes.length === 0) continue;
    for (const who of ['visitor', 'member', 'administrator'] as const) {
      t.test(`${language}, as ${who}`, { timeout: PERMITTED_TIME }, async (t) => {
        const options = {
          storageState: states[who],
          reducedMotion: 'reduce',
          expected: STATUS_OF_PAGES,
        } as const;
        const { page } = await watchedPage(browser, options);
        const quiet = followRequests(page);
        const value = LANGUAGE_COOKIE_VALUES[language];
        await page.context().addCookies([{ name: 'lang', value, url: origin }]);
        for (const screen of inTurn(screens, language).filter((one) => one.who === who)) {
          const { findings, checks } = await lookAt(page, {
            url: origin + screen.path,
            ...screen,
            schemes,
            quiet,
          });
          t.strictSame(findings, [], screen.name);
          t.equal(await page.getAttribute('html', 'lang'), language, `${screen.name} speaks ${language}`);
          total += checks;
        }
        await page.context().close();
      });
    }
  }

  t.test('all of them were looked at', async (t) => {
    const looks = LOOKS.flatMap(({ language }) => inTurn(screens, language)).reduce(
      (sum, { states = {}, narrowStates = {} }) =>
        sum + 2 + 2 * Object.keys(states).length + Object.keys(narrowStates).length,
      0,
    );
    t.equal(total, looks);
    process.stderr.write(`        ${total} checks by axe of ${screens.length} pages\n`);
  });
});
