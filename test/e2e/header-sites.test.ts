import t from 'tap';
import { until } from '../support/until.ts';
import { addAccount, signInByCalls } from './support/account.ts';
import { expect } from './support/expect.ts';
import { hrefs, panel, shownWords, withHeader, word } from './support/header.ts';
import { sharedOverseasSite } from './support/overseas-site.ts';
import { openPage } from './support/page.ts';
import { PRIVATE, steadyProduct } from './support/product.ts';

const SITE = 'https://site.example';

t.test('the header of an overseas site', async (t) => {
  const product = await sharedOverseasSite();
  const { origin } = product;

  t.test('links use the overseas paths and languages', async (t) => {
    const japanese = await withHeader(t, origin, { language: 'ja-JP' });
    await word(japanese, 'help').click();
    const center = panel(japanese, 'help').locator('a').first();
    await expect(center).toHaveAttribute('href', `${SITE}/help/jp/`);
    await expect(center).toHaveAttribute('target', '_blank');
    await expect(center).toHaveAttribute('rel', 'noopener');
    const page = await withHeader(t, origin);
    await word(page, 'enterprise').click();
    await panel(page, 'enterprise').waitFor();
    t.strictSame(
      await hrefs(panel(page, 'enterprise')),
      ['/pixso-enterprise/', '/private-deployment/', '/customer-cases/'].map((path) => SITE + path),
    );
    await page.getByRole('button', { name: /^Language:/ }).click();
    await page.getByRole('menu').waitFor();
    const languages = await page.getByRole('menuitemcheckbox').allInnerTexts();
    t.strictSame(languages, ['English', '日本語', '한국어', 'Русский', 'Español']);
  });

  t.test('inside a workplace chat links are hidden and rewritten for the whole tab', async (t) => {
    const page = await withHeader(t, origin, { path: '/plugins/?embed=chat' });
    const [inFooter] = await hrefs(page.locator('footer nav'));
    t.equal(inFooter, `${SITE}/app?embed=chat`);
    const inChat = async (about: string) => {
      // What the tab has stored is known once the header is hydrated.
      await t.resolves(
        until(async () => (await shownWords(page)).join() === 'product,community,help,support'),
        about,
      );
      await expect(page.locator('header nav [data-section=product] > a'), about).toHaveAttribute(
        'href',
        `${SITE}/?embed=chat`,
      );
      await word(page, 'help').click();
      const center = panel(page, 'help').locator('a').first();
      await expect(center, about).toHaveAttribute('href', `${SITE}/help/en/?embed=chat`);
      await expect(center, `${about}: opens in the same window`).not.toHaveAttribute('target');
    };
    await inChat('with the parameter');
    await word(page, 'community').click();
    await panel(page, 'community').waitFor();
    const [, libraries] = await hrefs(panel(page, 'community'));
    t.equal(libraries, `${SITE}/community/home?classify=library&embed=chat`);
    await openPage(page, `${origin}/plugins/`);
    await inChat('on the next page');
    await signInByCalls(page, origin, await addAccount(product));
    await openPage(page, `${origin}/plugins/`);
    const account = page.locator('header a[href="/plugins/my-plugins"]');
    await expect(account, 'the avatar is a link').toHaveAttribute('aria-label', 'My plugins');
    await expect(page.getByRole('button', { name: /account menu/ })).toHaveCount(0);
    const workbench = page.getByRole('link', { name: 'Open workbench' });
    await expect(workbench).toHaveAttribute('href', `${SITE}/app?embed=chat`);
  });

  t.test('a workplace chat is recognized by its user agent', async (t) => {
    const userAgent = 'Mozilla/5.0 (Linux) AppleWebKit/537.36 Chrome/140.0 Mobile Lark/7.5';
    const page = await withHeader(t, origin, { userAgent });
    t.strictSame(await shownWords(page), ['product', 'community', 'help', 'support']);
  });
});

t.test('the header of a private deployment', async (t) => {
  const { origin } = await steadyProduct(PRIVATE);
  const page = await withHeader(t, origin);
  const words = ['product', 'community', 'membership', 'download', 'help', 'enterprise', 'support'];
  t.strictSame(await shownWords(page), words, 'all menus (R 11.4)');
  await expect(page.locator('header a[href*="page=sign_up"]'), 'no offer').toHaveText('Sign up', {
    useInnerText: true,
  });
  await expect(page.getByRole('button', { name: /^Language:/ }), 'one language, no selector').toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Theme:/ })).toHaveCount(1);
  await word(page, 'community').click();
  await panel(page, 'community').waitFor();
  t.strictSame((await hrefs(panel(page, 'community'))).slice(0, 4), [
    `${SITE}/community/home`,
    `${SITE}/community/home?classify=library`,
    '/plugins/',
    `${SITE}/community/activity`,
  ]);
});
