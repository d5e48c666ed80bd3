import t from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGES, type Language } from '../../../shared/languages.ts';
import { CHIEF_SETTINGS } from '../support/administrators.ts';
import { openBrowser } from '../support/browser.ts';
import { followRequests, watchedPage } from '../support/page.ts';
import { runningProduct } from '../support/product.ts';
import { checkScreen } from './check-screen.ts';
import { type Screen, screensOf } from './screens.ts';
import { prepareScreens } from './setup.ts';

/** `npm run test:looks` checks every page in every look; otherwise one look of each script. */
const LOOKS_ARE_ALL = process.env.LOOKS === 'all';
const LOOKS: readonly { language: Language; colorScheme: 'light' | 'dark' }[] = LOOKS_ARE_ALL
  ? LANGUAGES.flatMap((language) => [
      { language, colorScheme: 'light' },
      { language, colorScheme: 'dark' },
    ])
  : [
      { language: 'zh-CN', colorScheme: 'dark' },
      { language: 'en-US', colorScheme: 'light' },
      { language: 'ru-RU', colorScheme: 'dark' },
    ];
const MAIN_PAGES: ReadonlySet<string> = new Set(['home', 'plugin']);

/** Screens to check in a language. The short form checks the main pages in every look, each other page in one of them. */
function screensFor(screens: readonly Screen[], language: Language): Screen[] {
  const turns = LOOKS.map((look) => look.language);
  return screens.filter(
    ({ name }, place) => LOOKS_ARE_ALL || MAIN_PAGES.has(name) || turns[place % turns.length] === language,
  );
}

const PERMITTED_TIME = 30 * 60 * 1000;
/** Expected of the pages for unknown addresses and missing permissions. */
const EXPECTED_STATUS = /status of 40[34]/;

t.setTimeout(PERMITTED_TIME);

t.test('every page is accessible', { timeout: PERMITTED_TIME }, async (t) => {
  const origin = await runningProduct(t, { ...CHIEF_SETTINGS, PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const { data, sessions } = await prepareScreens(browser, origin);
  const screens = screensOf(data);
  let total = 0;

  for (const language of LANGUAGES) {
    const schemes = LOOKS.filter((look) => look.language === language).map((look) => look.colorScheme);
    if (schemes.length === 0) continue;
    for (const role of ['visitor', 'member', 'administrator'] as const) {
      t.test(`${language}, as ${role}`, { timeout: PERMITTED_TIME }, async (t) => {
        const options = {
          storageState: sessions[role],
          reducedMotion: 'reduce',
          expected: EXPECTED_STATUS,
        } as const;
        const { page } = await watchedPage(browser, options);
        const waitForIdle = followRequests(page);
        const value = LANGUAGE_COOKIE_VALUES[language];
        await page.context().addCookies([{ name: 'lang', value, url: origin }]);
        for (const screen of screensFor(screens, language).filter((one) => one.role === role)) {
          const { findings, checks } = await checkScreen(page, {
            url: origin + screen.path,
            ...screen,
            schemes,
            waitForIdle,
          });
          t.strictSame(findings, [], screen.name);
          t.equal(await page.getAttribute('html', 'lang'), language, `${screen.name} is in ${language}`);
          total += checks;
        }
        await page.context().close();
      });
    }
  }

  t.test('every screen was checked', async (t) => {
    const looks = LOOKS.flatMap(({ language }) => screensFor(screens, language)).reduce(
      (sum, { states = {}, narrowStates = {} }) =>
        sum + 2 + 2 * Object.keys(states).length + Object.keys(narrowStates).length,
      0,
    );
    t.equal(total, looks);
    process.stderr.write(`        ${total} axe checks of ${screens.length} pages\n`);
  });
});
