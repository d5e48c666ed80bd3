import t from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGE_NAMES, LANGUAGES } from '../../shared/languages.ts';
import { openBrowser } from './support/browser.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const PAGES = ['/plugins/', '/plugins/403', '/plugins/nowhere', '/user/login', '/user/login?redirect_uri=/'];
const ERRORS_OF_PAGES = /status of 40[34]/;

t.test('the frame around every page', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('every page hydrates as it was sent, in every language', async (t) => {
    for (const language of LANGUAGES) {
      const { page, complaints } = await watchedPage(browser, { expected: ERRORS_OF_PAGES });
      await page
        .context()
        .addCookies([{ name: 'lang', value: LANGUAGE_COOKIE_VALUES[language], url: origin }]);
      for (const path of PAGES) {
        await page.goto(origin + path);
        await hydrated(page);
        t.equal(await page.getAttribute('html', 'lang'), language, `${language} ${path}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        t.ok(wider <= 0, `${language} ${path} is not wider than the window`);
      }
      t.strictSame(complaints, [], language);
      await page.context().close();
    }
  });

  t.test('a chosen language is kept in the cookie and the page loaded again', async (t) => {
    const { page, complaints } = await watchedPage(browser, { expected: ERRORS_OF_PAGES });
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await page.getByRole('button', { name: /^Language:/ }).click();
    await page.getByText(LANGUAGE_NAMES['ja-JP'], { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.lang === 'ja-JP');
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'lang');
    t.hasStrict(cookie, { value: 'jp', path: '/', sameSite: 'Lax', httpOnly: false });
    t.ok((cookie?.expires ?? 0) > Date.now() / 1000 + 360 * 86_400, 'for about a year');
    await page.goto(`${origin}/plugins/403`);
    t.equal(await page.getAttribute('html', 'lang'), 'ja-JP', 'also on the next page');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('a chosen colour scheme is applied at once and kept', async (t) => {
    const { page } = await watchedPage(browser, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    const light = await background();
    await page.getByRole('button', { name: /^Theme:/ }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    const dark = await background();
    t.not(dark, light);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('header');
    t.equal(await background(), dark, 'from the first moment of the next page');
    await page.context().close();
  });

  t.test(
    'going to another page brings focus and view to its beginning, going back to where one was',
    async (t) => {
      const { page, complaints } = await watchedPage(browser, {});
      await page.goto(`${origin}/plugins/`);
      await hydrated(page);
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
      t.strictSame(complaints, []);
      await page.context().close();
    },
  );

  t.test('the keyboard reaches the content first', async (t) => {
    const { page } = await watchedPage(browser, {});
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    t.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    await page.context().close();
  });
});
