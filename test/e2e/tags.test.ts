import type { Page } from 'playwright-core';
import t from 'tap';
import { ADMIN, signIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, loadUntil, moveByKeyboard, newPage, openPage, waitForHydration } from './support/page.ts';
import { sharedEmptySite } from './support/product.ts';
import { packageFile } from './support/publish-files.ts';
import { fileInput, fillTexts, openForm, submit, submittedKey } from './support/publish-form.ts';

const SCREEN = '/plugins/backstage-index/tags';
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const names = (page: Page) => page.locator('ol > li p:first-child').allInnerTexts();
/** Reloads the home page until it has these tags: public lists are cached for some seconds. */
async function reloadUntil(page: Page, origin: string, isThere: (tags: string[]) => boolean) {
  const tags = page.getByRole('navigation', { name: 'Filter by tag' }).getByRole('link');
  await loadUntil(page, `${origin}/plugins/`, async () => {
    await tags.first().waitFor();
    return isThere(await tags.allInnerTexts());
  });
  return tags;
}

t.test('tags of a product without the demo', async (t) => {
  const product = await sharedEmptySite();
  const { origin, reviewer } = product;
  const page = await newPage(t, { expected: /status of 409/ });
  await page.goto(`${origin}/plugins/`);
  const tags = page.getByRole('navigation', { name: 'Filter by tag' }).getByRole('link');
  await tags.first().waitFor();
  await expect(tags, 'all, and the ten initial tags').toHaveCount(11);
  await waitForHydration(page);
  await signIn(page, ADMIN);

  let pluginKey = '';
  t.test('an administrator adds one with its names', async (t) => {
    await page.goto(`${origin}${SCREEN}`);
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    await row(page, 'Icons').waitFor();
    t.equal((await names(page)).length, 10);
    await page.getByRole('button', { name: 'Add a tag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('Maps');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Use lowercase letters').waitFor();
    await dialog.getByText('Enter a name in at least one language.').waitFor();
    await dialog.getByLabel('Code').fill('maps');
    await dialog.getByLabel('English', { exact: true }).fill('Icons');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another tag already uses this.').waitFor();
    await dialog.locator(':focus').fill('Maps');
    await expect(dialog.getByLabel('English', { exact: true }), 'the refused code has the focus').toHaveValue(
      'Maps',
    );
    await dialog.getByLabel('简体中文', { exact: true }).fill('地图');
    await dialog.getByLabel('简体中文', { exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Maps').getByText('maps · 0 plugins').waitFor();
  });

  t.test('a package with the Chinese tag name is published, and the home page shows the tag', async (t) => {
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(
      packageFile({ name: { 'en-US': 'Map Maker' }, tags: ['地图', 'no such tag'] }),
    );
    await page.getByRole('button', { name: 'Maps', pressed: true }).waitFor();
    await fillTexts(page, 'Map Maker');
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    pluginKey = await submittedKey(page);
    await reviewer.pass(pluginKey);
    const visitor = await newPage(t);
    const tags = await reloadUntil(visitor, origin, (shown) => shown.includes('Maps'));
    await tags.getByText('Maps').click();
    await visitor.getByRole('link', { name: 'Map Maker' }).first().waitFor();
  });

  t.test('a hidden tag of a plugin is shown in its form and can only be removed', async (t) => {
    await page.goto(`${origin}${SCREEN}`);
    await page.getByRole('switch', { name: 'Show “Maps”' }).click();
    await row(page, 'Maps').getByText('Hidden').waitFor();
    // It is shown before it is saved, and leaving the page would cancel that.
    await page.getByRole('switch', { name: 'Show “Maps”', disabled: false }).waitFor();
    await openPage(page, `${origin}/plugins/publish-plugin/single?plugin_key=${pluginKey}`);
    const tags = page.getByRole('group', { name: /^Tags/ });
    await tags.getByRole('button', { name: 'Icons' }).waitFor();
    const hidden = tags.getByRole('button', { name: 'Maps (hidden)', pressed: true });
    await hidden.waitFor();
    await tags.getByText('1/5').waitFor();
    await hidden.focus();
    await page.keyboard.press('Space');
    await tags.getByText('0/5').waitFor();
    await expect(tags.getByRole('button', { name: /Maps/ }), 'it is no longer offered').toHaveCount(0);
    t.ok(
      await tags.evaluate((group) => group.contains(document.activeElement)),
      'the focus stays in the group',
    );
    await tags.getByRole('button', { name: 'Icons' }).click();
    await tags.getByText('1/5').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${origin}${SCREEN}`);
    await page.getByRole('switch', { name: 'Show “Maps”' }).click();
    await row(page, 'Maps').getByText('Hidden').waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Show “Maps”', disabled: false }).waitFor();
  });

  t.test('tags are moved by keyboard, hidden, renamed, merged and deleted', async (t) => {
    await page.goto(`${origin}${SCREEN}`);
    await row(page, 'Maps').getByText('1 plugin', { exact: false }).waitFor();
    await waitForHydration(page);
    await moveByKeyboard(page, 'Maps', 'ArrowUp', ['11 of 11', '10 of 11']);
    await page.getByText('The order is saved.').waitFor();
    t.equal((await names(page)).at(-2)?.trim(), 'Maps');

    await page.getByRole('switch', { name: 'Show “Icons”' }).click();
    await row(page, 'Icons').getByText('Hidden').waitFor();

    await page.getByRole('button', { name: 'Edit “Color”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('English', { exact: true }).fill('Hues');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit “Hues”' }).click();
    await dialog.getByLabel('Introduction in English').fill('Palettes, contrast and gradients.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Merge “Maps” into another tag' }).click();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByText('Choose a tag.').last().waitFor();
    await dialog.getByRole('combobox', { name: 'Merge into' }).click();
    await choose(page.getByRole('option', { name: 'Hues' }));
    await dialog.getByText('1 plugin moves from “Maps” to “Hues”, and “Maps” is deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Hues').getByText('secai · 1 plugin').waitFor();
    await expect(page.getByRole('button', { name: 'Delete “Hues”' }), 'it has a plugin').toHaveCount(0);

    await page.getByRole('button', { name: 'Delete “Icons”' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Icons').waitFor({ state: 'detached' });
    t.notOk((await names(page)).includes('Icons'));

    const visitor = await newPage(t);
    const shown = await reloadUntil(visitor, origin, (tags) => tags.includes('Hues'));
    t.strictSame((await shown.allInnerTexts()).includes('Maps'), false);
    await shown.getByText('Hues').click();
    await visitor.getByText('Palettes, contrast and gradients.').waitFor();

    await page.goto(`${origin}/plugins/backstage-index/audit-trail`);
    await page.getByText('Merged a tag into another').waitFor();
  });
});
