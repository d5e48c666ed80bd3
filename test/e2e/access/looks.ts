import type { Test } from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGES, type Language } from '../../../shared/languages.ts';
import { expect } from '../support/expect.ts';
import { followRequests } from '../support/page.ts';
import { sharedWiderSite } from '../support/product.ts';
import { checkScreen } from './check-screen.ts';
import { hiddenTexts } from './measures.ts';
import { type Screen, screensOf } from './screens.ts';
import { pageAs, prepareScreens } from './setup.ts';

export type Look = { language: Language; colorScheme: 'light' | 'dark' };

/** One look of each script. */
export const USUAL_LOOKS: readonly Look[] = [
  { language: 'zh-CN', colorScheme: 'dark' },
  { language: 'en-US', colorScheme: 'light' },
  { language: 'ru-RU', colorScheme: 'dark' },
];
export const MAIN_SCREENS: ReadonlySet<string> = new Set(['home', 'plugin']);

/** Expected of the pages for unknown addresses and missing permissions. */
const EXPECTED_STATUS = /status of 40[34]/;

/** Checks screens of the product in each look, at two widths. @param isChecked chooses among the screens of a look */
export async function checkScreens(
  t: Test,
  looks: readonly Look[],
  isChecked: (screen: Screen, place: number, language: Language) => boolean,
): Promise<void> {
  const product = await sharedWiderSite();
  const { origin } = product;
  const { data, accounts } = await prepareScreens(t, product);
  const screens = screensOf(data);
  const screensFor = (language: Language) =>
    screens.filter((screen, place) => isChecked(screen, place, language));
  let total = 0;

  for (const language of LANGUAGES) {
    const schemes = looks.filter((look) => look.language === language).map((look) => look.colorScheme);
    if (schemes.length === 0) continue;
    for (const role of ['visitor', 'member', 'administrator'] as const) {
      const chosen = screensFor(language).filter((screen) => screen.role === role);
      if (chosen.length === 0) continue;
      await t.test(`${language}, as ${role}`, async (t) => {
        const page = await pageAs(t, product, accounts[role], {
          reducedMotion: 'reduce',
          expected: EXPECTED_STATUS,
        });
        const waitForIdle = followRequests(page);
        const value = LANGUAGE_COOKIE_VALUES[language];
        await page.context().addCookies([{ name: 'lang', value, url: origin }]);
        for (const screen of chosen) {
          const { findings, checks } = await checkScreen(page, {
            url: origin + screen.path,
            ...screen,
            schemes,
            waitForIdle,
          });
          t.strictSame(findings, [], screen.name);
          await expect(page.locator('html'), `${screen.name} is in ${language}`).toHaveAttribute(
            'lang',
            language,
          );
          total += checks;
        }
      });
    }
  }

  const expected = looks
    .flatMap(({ language }) => screensFor(language))
    .reduce(
      (sum, { states = {}, narrowStates = {} }) =>
        sum + 2 + 2 * Object.keys(states).length + Object.keys(narrowStates).length,
      0,
    );
  t.ok(total > 0);
  t.equal(total, expected, 'every screen was checked');
}

/** Opens all screens of administrators in Russian, which has the longest words, and those with tables in every language. */
export async function checkBackstageTexts(t: Test): Promise<void> {
  const product = await sharedWiderSite();
  const { origin } = product;
  const { data, accounts } = await prepareScreens(t, product);
  const page = await pageAs(t, product, accounts.administrator, { viewport: { width: 1440, height: 900 } });
  const waitForIdle = followRequests(page);
  const screens = screensOf(data).filter(({ role }) => role === 'administrator');
  let tables = 0;
  for (const language of LANGUAGES) {
    const value = LANGUAGE_COOKIE_VALUES[language];
    await page.context().addCookies([{ name: 'lang', value, url: origin }]);
    for (const { name, path, table } of screens) {
      if (!table && language !== 'ru-RU') continue;
      await page.goto(origin + path);
      await page.locator('h1').first().waitFor();
      await waitForIdle();
      await table?.(page);
      t.strictSame(await hiddenTexts(page), [], `${name}, ${language}`);
      tables += await page.locator('main table:visible').count();
    }
  }
  t.equal(tables, screens.filter(({ table }) => table).length * LANGUAGES.length, 'each table was there');
}
