/** What visitors do most: find a plugin, sign up on the way to liking it, install it, sign out and in. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from '../access/check-screen.ts';
import { fillSignUp, memberPage, newAccount, signIn, signUp } from '../support/account.ts';
import { expect } from '../support/expect.ts';
import { choose, newPage, openPage, waitForHydration } from '../support/page.ts';
import { sharedProduct } from '../support/product.ts';
import { dialog, form, isSamePage, likes, openMarkedHome } from '../support/sign-in-dialog.ts';

const FIRST = 'section[aria-labelledby=results] article';
const cards = (page: Page) => page.locator(FIRST);
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const at = (query: string) => (url: URL) => url.search.includes(query);
const names = async (page: Page): Promise<string[]> => {
  const headings = cards(page).locator('h3');
  await headings.first().waitFor();
  // innerText is empty for elements outside the window.
  return headings.allTextContents();
};

async function openFirst(page: Page, origin: string): Promise<string> {
  await openPage(page, `${origin}/plugins/`);
  const name = (await page.locator(`${FIRST} h3`).first().textContent()) ?? '';
  await page.locator(`${FIRST} h3 a`).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return name;
}

t.test('a visitor', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;

  t.test('searching while typing stores the keyword in the address and shows the number', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    await openPage(page, `${origin}/plugins/`);
    await cards(page).first().waitFor();
    t.strictSame(await axeFindings(page), []);
    await page.getByRole('combobox', { name: 'Search plugins' }).pressSequentially('contrast', { delay: 20 });
    await page.waitForURL(at('keyword=contrast'));
    await page.getByRole('heading', { name: 'Results for “contrast”' }).waitFor();
    t.match((await names(page)).join(), /contrast/i);
    await expect(
      page.getByRole('link', { name: 'Relevance' }),
      'the best match is first by default',
    ).toHaveAttribute('aria-current', 'true');
    const shown = await cards(page).count();
    await expect(page.locator('section[aria-labelledby=results] [role=status]').first()).toHaveText(
      `${shown} ${shown === 1 ? 'plugin' : 'plugins'}`,
      { useInnerText: true },
    );
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    t.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'the field keeps the focus');
  });

  t.test('it shows description and permissions, and links back to the list', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    const name = await openFirst(page, origin);
    await t.resolves(
      page.waitForFunction((part) => document.title.includes(part), name),
      'the title',
    );
    for (const heading of ['About', 'Version history', 'Details']) {
      await expect(page.getByRole('heading', { name: heading }), heading).toBeVisible();
    }
    await expect(page.locator('#access')).toContainText(/network access|domain|any website/i);
    t.strictSame(await axeFindings(page), []);
    await page.getByRole('link', { name: 'All plugins' }).first().click();
    await page.waitForURL(`${origin}/plugins/`);
  });

  t.test('a visitor signs up inside the dialog: it closes, and the pending action is done', async (t) => {
    const page = await newPage(t);
    const account = newAccount('Noor');
    await openMarkedHome(page, origin);
    const like = likes(page).nth(3);
    const name = (await like.innerText()).trim();
    await like.click();
    await dialog(page).getByRole('link', { name: 'Open the sign-in page' }).waitFor();
    const inside = form(page);
    await inside.getByRole('link', { name: 'Create an account' }).waitFor();
    await expect(inside.locator('header, aside'), 'only the form').toHaveCount(0);
    await inside.getByRole('link', { name: 'Create an account' }).click();
    await fillSignUp(inside, account);
    await inside.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Liked', { exact: true }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Noor’s account menu' }).waitFor();
    t.equal(await isSamePage(page), true, 'without a reload');
    await page.waitForFunction(
      (key) => [...document.querySelectorAll('main [aria-pressed=true]')].length >= 1 && key !== '',
      name,
    );
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await expect(like, 'the focus returns').toBeFocused();
    t.equal(await page.evaluate(() => sessionStorage.getItem('unfinished')), null);
    await page.reload();
    // A document that the server has waited too long for gets its lists later.
    await t.resolves(
      page.locator('main [aria-pressed=true]').first().waitFor({ state: 'attached' }),
      'the like stays after a reload',
    );
  });

  t.test(
    'likes and installs show immediately with a message, survive a reload, and are rolled back on failure',
    async (t) => {
      const page = await memberPage(t, product, 'Mei Lin', { expected: /ERR_FAILED/ });
      const name = await openFirst(page, origin);
      const actions = page.locator('article header');
      const like = actions.getByRole('button', { name: /^Like / });
      const install = actions.getByRole('button', { name: /^(?:Install|Uninstall|Installed)\b/ });

      await like.click();
      await toast(page, 'Liked').waitFor();
      await install.click();
      await toast(page, 'Plugin installed').waitFor();
      await page.reload();
      await waitForHydration(page);
      await expect(like).toHaveAttribute('aria-pressed', 'true');
      await expect(install).toContainText(/Installed/);

      await page.getByRole('link', { name: 'All plugins' }).first().click();
      const card = page.locator(FIRST).first();
      // The list leaves out the recommended plugins, which may arrive after it.
      await card.getByRole('heading', { name, exact: true }).waitFor();
      // innerText is empty for elements outside the window.
      await expect(card, 'the list shows it too').toContainText(/Installed/);
      await card.getByRole('button', { name: /^Like / }).click();
      await toast(page, 'Unliked').waitFor();
      await card.getByRole('button').last().click();
      await toast(page, 'Plugin uninstalled').waitFor();
      await page.reload();
      await waitForHydration(page);
      await expect(card.getByRole('button', { name: /^Like / })).toHaveAttribute('aria-pressed', 'false');
      await expect(card).not.toContainText(/Installed/);

      await page.route('**/api/cmt/plugin/user/praise', async (route) => {
        await card.locator('[aria-pressed=true]').waitFor();
        await route.abort();
      });
      await card.getByRole('button', { name: /^Like / }).click();
      await toast(page, 'Like failed. Network error').waitFor();
      // The toast may be drawn before the button.
      await t.resolves(
        card
          .getByRole('button', { name: /^Like / })
          .and(page.locator('[aria-pressed=false]'))
          .waitFor(),
        'rolled back',
      );
    },
  );

  t.test('a visitor signs up, returns to the same page, signs out and in again', async (t) => {
    const page = await newPage(t);
    const account = newAccount();
    await openPage(page, `${origin}/plugins/?sort=1`);
    await signUp(page, account);
    await t.resolves(page.waitForURL(`${origin}/plugins/?sort=1`));
    const menu = page.getByRole('button', { name: `${account.name}’s account menu` });
    await menu.waitFor();

    const cookies = await page.context().cookies();
    const session = cookies.find(({ name }) => name === 'session');
    t.hasStrict(session, { httpOnly: true, sameSite: 'Strict', path: '/' });
    t.notMatch(
      await page.content(),
      /eyJ[\w-]+\.[\w-]+\.|access_token|refresh_token/,
      'no token in the page',
    );
    t.strictSame(
      await page.evaluate(() => [
        // Stores the announced language, and may not exist yet.
        Object.keys(localStorage).filter((name) => name !== 'mail-language'),
        document.cookie,
      ]),
      [[], ''],
      'no token readable by scripts',
    );

    await page.waitForLoadState('networkidle');
    await menu.click();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    t.equal(page.url(), `${origin}/plugins/?sort=1`, 'still on the same page');
    await page.reload();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();

    await signIn(page, account);
    await menu.waitFor();
    await page.reload();
    await menu.waitFor();
  });
});
