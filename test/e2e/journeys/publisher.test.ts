/** What publishers do most: publish a plugin, follow its review, manage its versions. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from '../access/check-screen.ts';
import { memberPage } from '../support/account.ts';
import { publish } from '../support/api.ts';
import { expect } from '../support/expect.ts';
import { openPage } from '../support/page.ts';
import { sharedProduct } from '../support/product.ts';
import { dropOrPaste, packageFile, pictureFile, pluginPackage } from '../support/publish-files.ts';
import { field, fileInput, fillTexts, openForm, submit } from '../support/publish-form.ts';

const PAGE = '/plugins/my-plugins';
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

async function open(page: Page, origin: string): Promise<void> {
  await openPage(page, `${origin}${PAGE}`);
  await page.getByRole('tablist').waitFor();
}

t.test('a publisher', async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer } = product;

  t.test('a plugin is published with its package, pictures and texts', async (t) => {
    const page = await memberPage(t, product, 'Mei Lin', { reducedMotion: 'reduce' });
    await openForm(page, origin);
    t.strictSame(await axeFindings(page), []);
    await dropOrPaste(fileInput(page, 'code'), 'drop', [
      packageFile({ name: { 'en-US': 'Frame Tally' }, intro: { 'en-US': 'Tallies.' }, version: '2.1.0' }),
    ]);
    await expect(page.getByText('Filled in from the package')).toContainText(
      'name, intro, and version number',
    );
    await expect(field(page, 'Name')).toHaveValue('Frame Tally');
    await expect(field(page, 'Version number')).toHaveValue('2.1.0');
    await dropOrPaste(fileInput(page, 'icon'), 'drop', [await pictureFile('icon.png', 64, 64)]);
    await dropOrPaste(fileInput(page, 'cover'), 'paste', [await pictureFile('cover.png', 640, 360)]);
    await dropOrPaste(fileInput(page, 'media'), 'drop', [
      await pictureFile('one.png', 320, 180),
      await pictureFile('two.png', 480, 270),
    ]);
    await page.getByRole('img', { name: 'Image 2' }).waitFor();

    await submit(page).click();
    await expect(page.getByRole('alert')).toContainText('3 things need your attention');
    t.equal(
      await page.evaluate(() => document.activeElement?.tagName),
      'TEXTAREA',
      'the first invalid field has the focus',
    );
    await page.getByText('Enter a description.').waitFor();

    await fillTexts(page, 'Frame Tally');
    await page.getByRole('button', { name: 'Color' }).click();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    await expect(page.getByText('It’s waiting for review.')).toBeVisible();
    await expect(page.getByText('Unreviewed')).toBeVisible();
    await expect(page.locator('dl')).toContainText('2.1.0');
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.includes(':draft:')));
    // By keyboard: the place in the queue arrives late and moves the link away from a pointer.
    await page.getByRole('main').getByRole('link', { name: 'My plugins' }).press('Enter');
    await page.getByText('Frame Tally').first().waitFor();
  });

  t.test('a plugin from review to version history', async (t) => {
    const page = await memberPage(t, product, 'Publisher', {
      reducedMotion: 'reduce',
      expected: /status of 409/,
    });
    const key = await publish(page, pluginPackage('Follow me', { main: 'eval("1");' }));
    await open(page, origin);
    const own = card(page, 'Follow me');
    await own.getByText('Unreviewed').waitFor();
    await expect(own).toContainText(/waiting for review\. Others see it once it’s approved/);
    await own.getByRole('button', { name: /^Review findings/ }).click();
    await own.getByText(/Uses dynamic code execution/).waitFor();
    t.strictSame(await axeFindings(page), []);

    await reviewer.refuse(key, 'Please leave eval out.');
    await open(page, origin);
    await own.getByText('Unapproved').first().waitFor();
    await own.getByText('Please leave eval out.').waitFor();
    await expect(own).toContainText(/Fix it and submit it again/);

    await publish(page, pluginPackage('Follow me', { version: '1.1.0' }), { plugin_key: key });
    await reviewer.pass(key);
    await publish(page, pluginPackage('Follow me', { version: '1.2.0', main: 'b();' }), { plugin_key: key });
    await open(page, origin);
    await own.getByText('1.1.0 live').waitFor();
    await expect(own).toContainText(
      /Version 1\.2\.0 is waiting for review\. Until then, others stay on 1\.1\.0/,
    );
    await reviewer.pass(key);

    await open(page, origin);
    await own.getByText('1.2.0 live').waitFor();
    await own.getByRole('button', { name: 'Version history' }).click();
    const version = (number: string) => own.getByRole('listitem').filter({ hasText: number });
    await expect(version('1.0.0')).toContainText(/Unapproved/);
    await expect(version('1.0.0').getByRole('button'), 'a rejected version has no buttons').toHaveCount(0);
    await version('1.1.0').getByRole('button', { name: 'Make current: 1.1.0' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make current' }).click();
    await toast(page, '1.1.0 is the current version').waitFor();
    await own.getByText('1.1.0 live').waitFor();
    await expect(version('1.1.0')).toContainText(/Current/);
    await version('1.2.0').getByRole('button', { name: 'Hide 1.2.0' }).click();
    await toast(page, '1.2.0 is hidden').waitFor();
    await page.getByText('1.2.0 approved').waitFor();
    await t.resolves(page.getByText('1.2.0 submitted').waitFor({ state: 'detached' }));
    await version('1.1.0').getByRole('button', { name: 'Hide 1.1.0' }).click();
    await toast(page, 'The last visible version can’t be hidden.').waitFor();
    await expect(version('1.1.0').getByText('Hidden', { exact: true }), 'undone').toHaveCount(0);
    await version('1.2.0').getByRole('button', { name: 'Unhide 1.2.0' }).click();
    await toast(page, '1.2.0 is shown again').waitFor();

    await openPage(page, `${origin}/plugins/plugin/${key}`);
    await page.getByRole('link', { name: 'Manage versions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Versions of Follow me' }).waitFor();
    await page.getByRole('button', { name: 'Make current: 1.2.0' }).waitFor();
  });
});
