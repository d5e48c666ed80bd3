import t from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGE_NAMES, LANGUAGES } from '../../shared/languages.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const MAIN_PAGES = ['/plugins/', '/user/login'];
const OTHER_PAGES = ['/plugins/403', '/plugins/nowhere', '/user/login?redirect_uri=/'];
const ERRORS_OF_PAGES = /status of 40[34]/;

t.test('the layout of every page', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('every page hydrates without differences, the main ones in every language', async (t) => {
    for (const language of LANGUAGES) {
      const page = await newPage(t, { expected: ERRORS_OF_PAGES });
      await page
        .context()
        .addCookies([{ name: 'lang', value: LANGUAGE_COOKIE_VALUES[language], url: origin }]);
      for (const path of language === 'ru-RU' ? [...MAIN_PAGES, ...OTHER_PAGES] : MAIN_PAGES) {
        await openPage(page, origin + path);
        const { lang, isWide } = await page.evaluate(() => {
          const { lang, scrollWidth } = document.documentElement;
          return { lang, isWide: scrollWidth > innerWidth };
        });
        t.strictSame({ lang, isWide }, { lang: language, isWide: false }, `${language} ${path}`);
      }
    }
  });

  t.test('a chosen language is stored in the cookie and reloads the page', async (t) => {
    const page = await newPage(t, { expected: ERRORS_OF_PAGES });
    await openPage(page, `${origin}/plugins/`);
    await page.getByRole('button', { name: /^Language:/ }).click();
    await page.getByText(LANGUAGE_NAMES['ja-JP'], { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.lang === 'ja-JP');
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'lang');
    t.hasStrict(cookie, { value: 'jp', path: '/', sameSite: 'Lax', httpOnly: false });
    t.ok((cookie?.expires ?? 0) > Date.now() / 1000 + 360 * 86_400, 'for about a year');
    await page.goto(`${origin}/plugins/403`);
    await expect(page.locator('html'), 'also on the next page').toHaveAttribute('lang', 'ja-JP');
  });

  t.test('a chosen colour scheme is applied immediately and stored', async (t) => {
    const page = await newPage(t, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await openPage(page, `${origin}/plugins/`);
    const light = await background();
    await page.getByRole('button', { name: /^Theme:/ }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    const dark = await background();
    t.not(dark, light);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('header');
    t.equal(await background(), dark, 'in the first frame of the next page');
  });

  t.test('a new page gets focus and scroll position at its start; going back restores them', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    // A busy product sends the page without the list, which is loaded later.
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
    await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
    await page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/plugins/plugin/"]')];
      links.find((link) => link.getBoundingClientRect().top > 100)?.click();
    });
    await page.waitForURL('**/plugins/plugin/*');
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    t.equal(await page.evaluate(() => scrollY), 0);
    await page.goBack();
    await page.waitForURL(`${origin}/plugins/`);
    await page.waitForFunction(() => Math.abs(scrollY - 900) < 2);
  });

  t.test('the first Tab stop skips to the content', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await t.resolves(page.waitForFunction(() => document.activeElement?.id === 'main'));
  });
});
