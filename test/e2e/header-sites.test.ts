import t from 'tap';
import { until } from '../support/until.ts';
import { newAccount, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { hrefs, panel, shownWords, withHeader, word } from './support/header.ts';
import { openPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const SITE = 'https://site.example';

t.test('the header of an overseas site', async (t) => {
  const origin = await runningProduct(t, { DEPLOY_TYPE: 'overseas', SITE_URL: SITE });
  const browser = await openBrowser(t);

  t.test('links use the overseas paths, and help depends on the language', async (t) => {
    const help = { 'en-US': 'en', 'ja-JP': 'jp', 'ko-KR': 'kr', 'es-ES': 'es', 'ru-RU': 'en' } as const;
    for (const language of ['en-US', 'ja-JP', 'ko-KR', 'es-ES', 'ru-RU'] as const) {
      const { page, complaints } = await withHeader(browser, origin, { language });
      await word(page, 'help').click();
      const center = panel(page, 'help').locator('a').first();
      t.equal(await center.getAttribute('href'), `${SITE}/help/${help[language]}/`, language);
      t.equal(await center.getAttribute('target'), '_blank');
      t.equal(await center.getAttribute('rel'), 'noopener');
      t.strictSame(complaints, [], language);
      await page.context().close();
    }
    const { page } = await withHeader(browser, origin);
    await word(page, 'enterprise').click();
    await panel(page, 'enterprise').waitFor();
    t.strictSame(
      await hrefs(panel(page, 'enterprise')),
      ['/pixso-enterprise/', '/private-deployment/', '/customer-cases/'].map((path) => SITE + path),
    );
    await word(page, 'community').click();
    await panel(page, 'community').waitFor();
    t.strictSame((await hrefs(panel(page, 'community'))).slice(0, 4), [
      `${SITE}/community/home`,
      `${SITE}/community/home?classify=library`,
      '/plugins/',
      `${SITE}/community/activity`,
    ]);
    await page.getByRole('button', { name: /^Language:/ }).click();
    await page.getByRole('menu').waitFor();
    const languages = await page.getByRole('menuitemcheckbox').allInnerTexts();
    t.strictSame(languages, ['English', '日本語', '한국어', 'Русский', 'Español']);
    await page.context().close();
  });

  t.test('inside a workplace chat links are hidden and rewritten for the whole tab', async (t) => {
    const { page, complaints } = await withHeader(browser, origin, { path: '/plugins/?embed=chat' });
    const inChat = async (about: string) => {
      // What the tab has stored is known once the header is hydrated.
      await t.resolves(
        until(async () => (await shownWords(page)).join() === 'product,community,help,support'),
        about,
      );
      await word(page, 'product').click();
      await panel(page, 'product').waitFor();
      t.strictSame(await hrefs(panel(page, 'product')), [`${SITE}/?embed=chat`], about);
      await word(page, 'help').click();
      const center = panel(page, 'help').locator('a').first();
      t.equal(await center.getAttribute('href'), `${SITE}/help/en/?embed=chat`, about);
      t.equal(await center.getAttribute('target'), null, `${about}: opens in the same window`);
    };
    await inChat('with the parameter');
    await word(page, 'community').click();
    await panel(page, 'community').waitFor();
    const [, libraries] = await hrefs(panel(page, 'community'));
    t.equal(libraries, `${SITE}/community/home?classify=library&embed=chat`);
    await openPage(page, `${origin}/plugins/`);
    await inChat('on the next page');
    await signUp(page, newAccount());
    const account = page.locator('header a[href="/plugins/my-plugins"]');
    t.equal(await account.getAttribute('aria-label'), 'My plugins', 'the avatar is a link');
    t.equal(await page.getByRole('button', { name: /account menu/ }).count(), 0);
    const workbench = page.getByRole('link', { name: 'Open workbench' });
    t.equal(await workbench.getAttribute('href'), `${SITE}/app?embed=chat`);
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('a workplace chat is recognized by its user agent', async (t) => {
    const userAgent = 'Mozilla/5.0 (Linux) AppleWebKit/537.36 Chrome/140.0 Mobile Lark/7.5';
    const { page } = await withHeader(browser, origin, { userAgent });
    t.strictSame(await shownWords(page), ['product', 'community', 'help', 'support']);
    await page.context().close();
  });
});

t.test('the header of a private deployment', async (t) => {
  const settings = { DEPLOY_TYPE: 'pri', LANGUAGES: 'en-US', SITE_URL: SITE };
  const origin = await runningProduct(t, settings);
  const browser = await openBrowser(t);
  const { page, complaints } = await withHeader(browser, origin);
  const words = ['product', 'community', 'membership', 'download', 'help', 'enterprise', 'support'];
  t.strictSame(await shownWords(page), words, 'all menus (R 11.4)');
  t.equal(await page.locator('header a[href*="page=sign_up"]').innerText(), 'Sign up', 'no offer');
  t.equal(await page.getByRole('button', { name: /^Language:/ }).count(), 0, 'one language, no selector');
  t.equal(await page.getByRole('button', { name: /^Theme:/ }).count(), 1);
  await word(page, 'community').click();
  await panel(page, 'community').waitFor();
  t.strictSame((await hrefs(panel(page, 'community'))).slice(0, 4), [
    `${SITE}/community/home`,
    `${SITE}/community/home?classify=library`,
    '/plugins/',
    `${SITE}/community/activity`,
  ]);
  await word(page, 'enterprise').click();
  await panel(page, 'enterprise').waitFor();
  t.strictSame(
    await hrefs(panel(page, 'enterprise')),
    ['/teamversion/', '/privatedeploy/', '/customer-cases/'].map((path) => SITE + path),
  );
  t.strictSame(complaints, []);
});
