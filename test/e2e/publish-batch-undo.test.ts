import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, newAccount, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { sharedEmptySite } from './support/product.ts';
import { jsonFile, pictureFile, pluginPackage } from './support/publish-files.ts';
import { field, fileInput } from './support/publish-form.ts';

const row = (page: Page, text: string) => page.locator('tbody').filter({ hasText: text });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name: `Details of ${name}` });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const isOnUndo = (page: Page) => page.waitForFunction(() => document.activeElement?.textContent === 'Undo');

/** Waits until the closed dialog has returned the focus. */
async function waitForClosed(page: Page, name: string): Promise<void> {
  await dialog(page, name).waitFor({ state: 'detached' });
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute('aria-label') === label,
    `Edit the details of ${name}`,
  );
}

async function fillDetails(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Edit the details of ${name}` }).click();
  await field(page, 'Intro').fill('Written by hand.');
  await fileInput(page, 'icon').setInputFiles([await pictureFile('icon.png', 64, 64)]);
  await dialog(page, name).getByRole('img', { name: 'Preview: Icon' }).waitFor();
  await dialog(page, name).getByRole('button', { name: 'Done' }).click();
  await waitForClosed(page, name);
}

async function checkDetails(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Edit the details of ${name}` }).click();
  await dialog(page, name).getByRole('img', { name: 'Preview: Icon' }).waitFor();
  await expect(field(page, 'Intro')).toHaveValue('Written by hand.');
  await page.keyboard.press('Escape');
  await waitForClosed(page, name);
}

t.test('accidental changes of a batch can be undone', async (t) => {
  const product = await sharedEmptySite();
  const account = await addAccount(product, newAccount('Importer'), { role: ROLE_ADMIN });
  const open = (t: Test) => signedInPage(t, product, account, { path: '/plugins/publish-plugin/batch' });
  const file = (name: string) => jsonFile(`${name.toLowerCase()}.json`, pluginPackage(name, { id: name }));

  t.test('a removed row is restored unchanged by keyboard', async (t) => {
    const page = await open(t);
    await page.getByLabel('Package files').setInputFiles([file('Alpha'), file('Beta'), file('Gamma')]);
    await fillDetails(page, 'Beta');
    await page.getByLabel('Version of Beta', { exact: true }).fill('3.1.4');
    await page.getByRole('button', { name: 'Remove Beta' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('“Beta” was removed.', { exact: true }).waitFor();
    await isOnUndo(page);
    await expect(row(page, 'beta.json')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await row(page, 'beta.json').getByText('Ready').waitFor();
    t.equal(await focused(page), 'Edit the details of Beta');
    t.match(await page.locator('tbody').allTextContents(), [/alpha\.json/, /beta\.json/, /gamma\.json/]);
    await expect(page.getByLabel('Version of Beta', { exact: true })).toHaveValue('3.1.4');
    await checkDetails(page, 'Beta');
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

    await page.getByRole('button', { name: 'Remove Alpha' }).click();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('status').getByText('2 packages were removed.', { exact: true }).waitFor();
    await isOnUndo(page);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('“Alpha” was removed.', { exact: true }).waitFor();
    await isOnUndo(page);
    await page.keyboard.press('Enter');
    await row(page, 'alpha.json').getByText('Ready').waitFor();
    t.equal(await focused(page), 'Edit the details of Alpha');
    t.match(await page.locator('tbody').allTextContents(), [/alpha\.json/, /beta\.json/, /gamma\.json/]);
    await checkDetails(page, 'Beta');
  });

  t.test('texts of a replaced file are used or discarded by choice', async (t) => {
    const page = await open(t);
    for (const [choice, own, other] of [
      ['Use it here', 'Delta', 'Epsilon'],
      ['Discard', 'Zeta', 'Eta'],
    ] as const) {
      await page.getByLabel('Package files').setInputFiles([file(own)]);
      await fillDetails(page, own);
      await page
        .getByLabel(`Replace the file of ${own}`)
        .and(page.locator('input'))
        .setInputFiles([file(other)]);
      const replaced = row(page, `${other.toLowerCase()}.json`);
      await replaced
        .getByText(`These edits were made for “${own}” and aren’t applied to this file: Intro and Icon.`)
        .waitFor();
      await page.getByRole('button', { name: `Edit the details of ${other}` }).click();
      await expect(field(page, 'Intro'), 'its own text until the choice').toHaveValue('Does one thing well.');
      await page.keyboard.press('Escape');
      await waitForClosed(page, other);
      await replaced.getByRole('button', { name: choice }).focus();
      await page.keyboard.press('Enter');
      await replaced.getByText(/^These edits were made for/).waitFor({ state: 'detached' });
      t.equal(await focused(page), `Edit the details of ${other}`);
      if (choice === 'Use it here') await checkDetails(page, other);
    }
    await page.getByRole('button', { name: 'Edit the details of Eta' }).click();
    await expect(field(page, 'Intro')).toHaveValue('Does one thing well.');
    await expect(dialog(page, 'Eta').getByRole('img', { name: 'Preview: Icon' })).toHaveCount(0);
  });
});
