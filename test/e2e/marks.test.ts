import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose, loadUntil, moveByKeyboard, newPage, openPage } from './support/page.ts';
import { sharedEmptySite } from './support/product.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { fileInput, fillTexts, openForm, submit, submittedKey } from './support/publish-form.ts';

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

/** Reloads the home page until the plugin is shown like this: public lists are cached for some seconds. */
async function homeUntil(page: Page, origin: string, isThere: (text: string) => boolean): Promise<void> {
  await loadUntil(page, `${origin}/plugins/`, async () => {
    const text = await page.locator('main').innerText();
    return text.includes('North Star') && isThere(text);
  });
}

/** Sets a mark in the plugin management. */
async function mark(page: Page, origin: string, name: string): Promise<void> {
  await openScreen(page, origin, 'plugin-list');
  await page.getByRole('button', { name: 'Actions for “North Star”' }).click();
  await choose(page.getByRole('menuitem', { name: 'Set mark…' }));
  const dialog = page.getByRole('dialog', { name: 'Mark of “North Star”' });
  await dialog.getByRole('radio', { name }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

t.test('marks and panel images of a product without the demo', async (t) => {
  const product = await sharedEmptySite();
  const { origin, reviewer } = product;
  const page = await adminPage(t, product, { expected: /status of 409/ });
  let path = '';

  t.test('a publisher adds a panel image, an administrator chooses a mark', async () => {
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'North Star' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'North Star');
    await fileInput(page, 'panel').setInputFiles(await pictureFile('panel.png', 900, 600));
    await page.getByRole('img', { name: 'Preview: Panel image' }).waitFor();
    await page.getByRole('combobox', { name: 'Plugin mark' }).click();
    await page.getByRole('option', { name: 'No mark' }).waitFor();
    await expect(page.getByRole('option')).toHaveText(['No mark', 'Official', 'Verified', 'New'], {
      useInnerText: true,
    });
    await choose(page.getByRole('option', { name: 'Official' }));
    await page.locator('article').getByText('Official').waitFor();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    const key = await submittedKey(page);
    path = `/plugins/plugin/${key}`;
    await reviewer.pass(key);
  });

  t.test('a visitor sees the mark on card and page, and the image of the editor', async (t) => {
    const visitor = await newPage(t);
    await homeUntil(visitor, origin, (text) => text.includes('Official'));
    await openPage(visitor, `${origin}${path}`);
    await visitor.locator('header').getByText('Official', { exact: true }).waitFor();
    const figure = visitor.getByRole('figure');
    await figure.getByText('What it looks like in the editor').waitFor();
    const picture = figure.getByRole('img', { name: 'North Star inside the editor' });
    await expect(picture).toHaveAttribute('srcset', /-320\.webp 320w, .*-640\.webp 640w/);
    await picture.scrollIntoViewIfNeeded();
    await visitor.waitForFunction(() => document.querySelector<HTMLImageElement>('figure img')?.naturalWidth);
    await visitor.getByRole('button', { name: 'View the editor image full size' }).press('Enter');
    const dialog = visitor.getByRole('dialog', { name: 'North Star' });
    await dialog.getByRole('img', { name: 'North Star inside the editor' }).waitFor();
    await visitor.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await visitor.context().addCookies([{ name: 'lang', value: 'zh-CN', url: origin }]);
    await visitor.goto(`${origin}${path}`);
    await visitor.locator('header').getByText('官方', { exact: true }).waitFor();
  });

  t.test('an administrator adds, assigns, hides, removes and deletes a mark', async (t) => {
    await openScreen(page, origin, 'marks');
    await page.getByRole('heading', { level: 1, name: 'Plugin marks' }).waitFor();
    await row(page, 'Official').getByText('official · 1 plugin').waitFor();
    await expect(page.getByRole('button', { name: 'Delete “Official”' }), 'a plugin has it').toHaveCount(0);
    await page.getByRole('button', { name: 'Add a mark' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('Best Of');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Use lowercase letters').waitFor();
    await dialog.getByText('Enter a name in at least one language.').waitFor();
    await dialog.getByLabel('Code').fill('best');
    await dialog.getByLabel('English').fill('Official');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another mark already uses this.').waitFor();
    await dialog.getByLabel('English').fill('Best of May');
    await dialog.getByRole('radio', { name: 'Amber' }).check();
    await dialog.getByRole('paragraph').getByText('Best of May').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Best of May').getByText('best · 0 plugins').waitFor();

    await moveByKeyboard(page, 'Best of May', 'ArrowUp', ['4 of 4', '3 of 4']);
    await page.getByText('The order is saved.').waitFor();

    await mark(page, origin, 'Best of May');
    await page.getByRole('row').filter({ hasText: 'North Star' }).getByText('Best of May').waitFor();
    const visitor = await newPage(t);
    await homeUntil(visitor, origin, (text) => text.includes('Best of May'));

    await openScreen(page, origin, 'marks');
    await page.getByRole('switch', { name: 'Show “Best of May”' }).click();
    await row(page, 'Best of May').getByText('Hidden').waitFor();
    await homeUntil(visitor, origin, (text) => !text.includes('Best of May'));

    await mark(page, origin, 'No mark');
    await openScreen(page, origin, 'marks');
    await page.getByRole('button', { name: 'Delete “Best of May”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await t.resolves(row(page, 'Best of May').waitFor({ state: 'detached' }));
    await openScreen(page, origin, 'audit-trail');
    await page.getByText('Deleted a mark').waitFor();
    await page.getByText('Removed the mark from a plugin').waitFor();
  });
});
