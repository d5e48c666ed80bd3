import type { Page } from 'playwright-core';
import t from 'tap';
import { openSignedIn } from './support/account.ts';
import { openScreen } from './support/administrators.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { moveByKeyboard, openPage, watchedPage } from './support/page.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { fileInput, fillTexts, openForm, submit } from './support/publish-form.ts';

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

/** Reloads the home page until the plugin is shown like this: public lists are cached for some seconds. */
async function homeUntil(page: Page, origin: string, isThere: (text: string) => boolean): Promise<void> {
  let text = '';
  do {
    await page.goto(`${origin}/plugins/`);
    text = await page.locator('main').innerText();
  } while (!text.includes('Compass Rose') || !isThere(text));
}

/** Sets a mark in the plugin management. */
async function mark(page: Page, origin: string, name: string): Promise<void> {
  await openScreen(page, origin, 'plugin-list');
  await page.getByRole('button', { name: 'Actions for “Compass Rose”' }).click();
  await page.getByRole('menuitem', { name: 'Set mark…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark of “Compass Rose”' });
  await dialog.getByRole('radio', { name }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

t.test('marks and panel images of a product without the demo', async (t) => {
  const { origin, reviewer } = await ownProduct(t);
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, { expected: /status of 409/ });
  await openSignedIn(page, origin, ADMIN);
  let path = '';

  t.test('a publisher adds a panel image, an administrator chooses a mark', async (t) => {
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Compass Rose' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Compass Rose');
    await fileInput(page, 'panel').setInputFiles(await pictureFile('panel.png', 900, 600));
    await page.getByRole('img', { name: 'Preview: Panel image' }).waitFor();
    await page.getByRole('combobox', { name: 'Plugin mark' }).click();
    await page.getByRole('option', { name: 'No mark' }).waitFor();
    t.strictSame(await page.getByRole('option').allInnerTexts(), ['No mark', 'Official', 'Verified', 'New']);
    await page.getByRole('option', { name: 'Official' }).click();
    await page.locator('article').getByText('Official').waitFor();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    const key = await page.locator('dd code').innerText();
    path = `/plugins/plugin/${key}`;
    await reviewer.pass(key);
    t.strictSame(complaints, []);
  });

  t.test('a visitor sees the mark on card and page, and the image of the editor', async (t) => {
    const visitor = await watchedPage(browser, {});
    await homeUntil(visitor.page, origin, (text) => text.includes('Official'));
    await openPage(visitor.page, `${origin}${path}`);
    await visitor.page.locator('header').getByText('Official', { exact: true }).waitFor();
    const figure = visitor.page.getByRole('figure');
    await figure.getByText('What it looks like in the editor').waitFor();
    const picture = figure.getByRole('img', { name: 'Compass Rose inside the editor' });
    t.match(await picture.getAttribute('srcset'), /-320\.webp 320w, .*-640\.webp 640w/);
    await picture.scrollIntoViewIfNeeded();
    await visitor.page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('figure img')?.naturalWidth,
    );
    await visitor.page.getByRole('button', { name: 'View the editor image full size' }).press('Enter');
    const dialog = visitor.page.getByRole('dialog', { name: 'Compass Rose' });
    await dialog.getByRole('img', { name: 'Compass Rose inside the editor' }).waitFor();
    await visitor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await visitor.page.context().addCookies([{ name: 'lang', value: 'zh-CN', url: origin }]);
    await visitor.page.goto(`${origin}${path}`);
    await visitor.page.locator('header').getByText('官方', { exact: true }).waitFor();
    t.strictSame(visitor.complaints, []);
    await visitor.page.context().close();
  });

  t.test('an administrator adds, assigns, hides, removes and deletes a mark', async (t) => {
    await openScreen(page, origin, 'marks');
    await page.getByRole('heading', { level: 1, name: 'Plugin marks' }).waitFor();
    await row(page, 'Official').getByText('official · 1 plugin').waitFor();
    t.equal(await page.getByRole('button', { name: 'Delete “Official”' }).count(), 0, 'a plugin has it');
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
    await page.getByRole('row').filter({ hasText: 'Compass Rose' }).getByText('Best of May').waitFor();
    const visitor = await watchedPage(browser, {});
    await homeUntil(visitor.page, origin, (text) => text.includes('Best of May'));

    await openScreen(page, origin, 'marks');
    await page.getByRole('switch', { name: 'Show “Best of May”' }).click();
    await row(page, 'Best of May').getByText('Hidden').waitFor();
    await homeUntil(visitor.page, origin, (text) => !text.includes('Best of May'));
    t.strictSame(visitor.complaints, []);
    await visitor.page.context().close();

    await mark(page, origin, 'No mark');
    await openScreen(page, origin, 'marks');
    await page.getByRole('button', { name: 'Delete “Best of May”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await t.resolves(row(page, 'Best of May').waitFor({ state: 'detached' }));
    await openScreen(page, origin, 'audit-trail');
    await page.getByText('Deleted a mark').waitFor();
    await page.getByText('Took the mark off a plugin').waitFor();
    t.strictSame(complaints, []);
  });
});
