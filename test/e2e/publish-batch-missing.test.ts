import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, newAccount, signedInPage } from './support/account.ts';
import { send } from './support/api.ts';
import { expect } from './support/expect.ts';
import type { PageOptions } from './support/page.ts';
import { choose } from './support/page.ts';
import { sharedEmptySite } from './support/product.ts';
import { jsonFile, packageFile, pictureFile, pluginPackage } from './support/publish-files.ts';
import { field, fileInput } from './support/publish-form.ts';

const row = (page: Page, text: string) => page.locator('tbody').filter({ hasText: text });
const submitButton = (page: Page) => page.getByRole('button', { name: /^(Submit|Nothing)/ });
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Details of/ });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

t.test('a batch requires the same fields as the form', async (t) => {
  const product = await sharedEmptySite();
  const account = await addAccount(product, newAccount('Importer'), { role: ROLE_ADMIN });
  const open = (t: Test, options: PageOptions = {}) =>
    signedInPage(t, product, account, { path: '/plugins/publish-plugin/batch', ...options });
  const bare = { ...packageFile({ version: '1.0.0' }, 'bare.json') };

  t.test('a row without a listing is completed by keyboard and pictures', async (t) => {
    const page = await open(t);
    const whole = jsonFile('whole.json', pluginPackage('Whole', { id: '1' }));
    await page.getByLabel('Package files').setInputFiles([bare, whole]);
    const missing = row(page, 'bare.json');
    await missing.getByText('4 things are missing').waitFor();
    await expect(missing).toContainText(/intro, description, contact, and version description/);
    await row(page, 'whole.json').getByText('Ready').waitFor();
    await expect(page.locator('main')).toContainText(/1 to fix/);

    await missing.getByRole('button', { name: 'Fill in: Frame Counter' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await dialog(page).getByText('Enter an intro.').waitFor();
    await page.waitForFunction(() =>
      document.activeElement?.closest('[data-field]')?.matches('[data-field=intro]'),
    );
    await page.keyboard.type('Counts frames.');
    await field(page, 'Description').fill('It counts.');
    await fileInput(page, 'icon').setInputFiles([await pictureFile('icon.png', 64, 64)]);
    await dialog(page).getByRole('img', { name: 'Preview: Icon' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await missing.getByText('2 things are missing').waitFor();
    t.equal(await focused(page), 'Edit the details of Frame Counter', 'the focus is kept');

    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await expect(field(page, 'Intro'), 'the text is kept').toHaveValue('Counts frames.');
    await dialog(page).getByRole('img', { name: 'Preview: Icon' }).waitFor();
    await fileInput(page, 'cover').setInputFiles([await pictureFile('cover.png', 640, 360)]);
    await dialog(page).getByRole('img', { name: 'Preview: Cover image' }).waitFor();
    await fileInput(page, 'media').setInputFiles([await pictureFile('shot.png', 800, 450)]);
    await dialog(page).getByRole('img', { name: 'Image 1' }).waitFor();
    await field(page, 'Contact').fill('me@example.com');
    await field(page, 'Version description').fill('The first.');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await missing.getByText('Ready').waitFor();
    await submitButton(page).click();
    await page.getByText('2 packages submitted. They’re waiting for review.').waitFor();
    const key = (await missing.getByRole('link').getAttribute('href'))?.split('/').at(-1);
    const { listing } = await send(page, 'GET', `plugin/edit?plugin_key=${key}`);
    t.hasStrict(listing, {
      intro: { 'en-US': 'Counts frames.' },
      contact: 'me@example.com',
      icon: { width: 64 },
      cover: { width: 640 },
      media: [{ picture: { width: 800 } }],
    });
  });

  t.test('a row is ready only after a dry run of the service', async (t) => {
    const page = await open(t);
    const other = pluginPackage('Whole', { id: '1', main: 'other();' });
    await page.getByLabel('Package files').setInputFiles([jsonFile('other.json', other)]);
    const refused = row(page, 'other.json');
    await refused.getByText('Needs fixing').waitFor();
    await expect(refused).toContainText(/Version 1\.0\.0 already exists with different content\./);
    await expect(submitButton(page)).toBeDisabled();
    await refused.getByLabel('Version of Whole', { exact: true }).fill('1.1.0');
    await refused.getByText('Ready').waitFor();
    await submitButton(page).click();
    await page.getByText('1 package submitted. It’s waiting for review.').waitFor();
  });

  t.test('a version takes the listing of its plugin but needs its own description', async (t) => {
    const page = await open(t);
    const { name, ...next } = packageFile({ name: { 'en-US': 'Whole' }, version: '2.0.0' }, 'next.json');
    await page.getByLabel('Package files').setInputFiles([{ name, ...next }]);
    const version = row(page, 'next.json');
    await version.getByText('4 things are missing').waitFor();
    await version.getByRole('combobox', { name: 'What Whole becomes' }).click();
    await choose(page.getByRole('option', { name: /^Version of Whole/ }));
    await version.getByText('1 thing is missing').waitFor();
    await version.getByRole('button', { name: 'Fill in: Whole' }).click();
    await dialog(page).getByText('Enter a version description.').waitFor();
    await expect(field(page, 'Intro')).toHaveValue('Does one thing well.');
    await field(page, 'Version description').fill('Faster.');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await version.getByText('Ready').waitFor();
    await page.getByRole('link', { name: 'My plugins' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).last().click();
    await version.getByText('Ready').waitFor();
  });

  t.test('the message of another vendor’s service is shown', async (t) => {
    const page = await open(t, { expected: /status of 409/ });
    await page.route('**/plugins/upload**', (route) =>
      route.fulfill({ status: 409, json: { code: 7001, message: 'The shelf is full.', data: null } }),
    );
    await page.getByLabel('Package files').setInputFiles([jsonFile('own.json', pluginPackage('Own words'))]);
    await row(page, 'own.json').getByText(': The shelf is full.').waitFor();
    await submitButton(page).click();
    await page.getByRole('alert').getByText(': The shelf is full.').waitFor();
  });
});
