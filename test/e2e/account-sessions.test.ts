import type { Locator } from 'playwright-core';
import t from 'tap';
import { addAccount, newAccount, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, waitForHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';

t.test('a user signs out other browsers', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const account = await addAccount(product, newAccount('Ines'));
  const here = await signedInPage(t, product, account, { path: '/plugins/' });

  const signedInThere = async () => {
    const page = await signedInPage(t, product, account, { userAgent: FIREFOX, expected: /status of 401/ });
    await page.goto(`${origin}/plugins/my-plugins`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const section = here.getByRole('region', { name: 'Where you’re signed in' });
  const others = section.getByRole('listitem').filter({ hasText: 'Firefox · Linux' });
  /** By keyboard: the sections above load on their own, and one that arrives moves the button away from a pointer. */
  const press = (button: Locator) => button.press('Enter');
  /** In a new tab: the page itself may just be leaving for the login, and a navigation ends one that has begun. */
  const isOut = async (page: typeof here) => {
    const tab = await page.context().newPage();
    await tab.goto(`${origin}/plugins/my-plugins`, { waitUntil: 'commit' });
    await tab.locator('input[name=account]').waitFor();
    t.match(tab.url(), '/user/login');
    await page.context().close();
  };

  t.test('one of them, after a confirmation', async () => {
    const there = await signedInThere();
    await here.getByRole('button', { name: 'Ines’s account menu' }).click();
    await choose(here.getByRole('menuitem', { name: 'Account' }));
    await section.getByText('This device').waitFor();
    await expect(section.getByRole('listitem')).toHaveCount(2);
    await expect(section.getByRole('listitem').first()).toContainText(/This device[\s\S]*Active now/, {
      useInnerText: true,
    });
    const button = others.getByRole('button', { name: 'Sign out Firefox · Linux' });
    await press(button);
    const dialog = here.getByRole('dialog', { name: 'Sign out Firefox · Linux?' });
    await dialog.getByText('Cancel').click();
    await dialog.waitFor({ state: 'detached' });
    await expect(others).toHaveCount(1);
    await press(button);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await here.getByText('Signed out.').waitFor();
    await others.waitFor({ state: 'detached' });
    await expect(section.getByRole('button'), 'no other session is listed').toHaveCount(0);
    await isOut(there);
  });

  t.test('all of them', async () => {
    const there = [await signedInThere(), await signedInThere()];
    await here.reload();
    await others.nth(1).waitFor();
    await waitForHydration(here);
    await press(section.getByRole('button', { name: 'Sign out everywhere else' }));
    const dialog = here.getByRole('dialog', { name: 'Sign out everywhere else?' });
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await here.getByText('Signed out 2 devices.').waitFor();
    await others.first().waitFor({ state: 'detached' });
    for (const page of there) await isOut(page);
  });

  t.test('how long ago is kept up to date', async (t) => {
    await signedInThere();
    const page = await signedInPage(t, product, account);
    await page.clock.install();
    await page.goto(`${origin}/plugins/account`);
    const there = page
      .getByRole('region', { name: 'Where you’re signed in' })
      .getByRole('listitem')
      .filter({ hasText: 'Firefox · Linux' });
    await there.getByText('Active 1 minute ago').waitFor();
    await page.clock.runFor(5 * 60_000);
    await there.getByText(/Active [56] minutes ago/).waitFor();
  });
});
