import type { Page } from 'playwright-core';
import t from 'tap';
import { freePort } from '../support/port.ts';
import { adminPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { loadUntil, moveByKeyboard, newPage } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { pictureFile, pluginPackage } from './support/publish-files.ts';

const BACKSTAGE = '/plugins/backstage-index';
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const checklist = (page: Page) => page.getByRole('region', { name: 'Set up this site' });
const opener = (page: Page) => page.locator('header [data-section=community] button').first();

t.test('an administrator fills a site without the demo', async (t) => {
  // The community menu is part of a wider site.
  const port = await freePort();
  const product = await ownProduct(t, { SITE_URL: `http://localhost:${port}` }, { port });
  const { origin, reviewer } = product;
  const page = await adminPage(t, product, { expected: /status of 404/ });
  for (const name of ['Compass Rose', 'Ruler Mate'])
    await reviewer.pass(await publish(page, pluginPackage(name)));
  const openScreen = async (path: string, heading: string) => {
    await page.goto(`${origin}${BACKSTAGE}/${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  const empty = async () => {
    await openScreen('', 'Plugin review');
    await checklist(page).waitFor();
    const items = await checklist(page).getByRole('listitem').allInnerTexts();
    // Another file on this site may have members.
    return items.map((text) => text.split('\n')[0]).filter((name) => name !== 'Members');
  };

  t.test('the backstage opens with a checklist of empty areas, which can be hidden', async (t) => {
    t.strictSame(await empty(), [
      'Name, color and logo',
      'Mail',
      'Recommended plugins',
      'Banners',
      'Protocol texts',
      'Featured works',
      'Feedback group QR code',
      'Activity card',
    ]);
    await expect(checklist(page)).toContainText(/[89] things aren’t set up yet/);
    await expect(row(page, 'Mail').last()).toContainText('Setting SMTP_URL');
    await checklist(page).getByRole('button', { name: 'Hide for now' }).click();
    await checklist(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Plugin review' }).waitFor();
    await page.getByRole('tab', { name: /^Unreviewed/ }).waitFor();
    await expect(checklist(page)).toHaveCount(0);
    await page.evaluate(() => sessionStorage.removeItem('backstage-checklist'));
  });

  t.test('finished or a week old it is one line', async () => {
    const path = '**/api/cmt/manager/checklist';
    const filled = await send(page, 'GET', 'manager/checklist');
    const answerWith = (changes: Record<string, boolean>) =>
      page.route(path, (route) =>
        route.fulfill({ json: { code: 0, message: '', data: { ...filled, ...changes } } }),
      );
    await answerWith({ is_new: false, members: true });
    await openScreen('', 'Plugin review');
    const summary = checklist(page).locator('summary');
    await expect(summary).toContainText('8 things aren’t set up yet');
    await expect(checklist(page).getByRole('listitem')).toHaveCount(0);
    await summary.click();
    await expect(checklist(page).getByRole('listitem')).toHaveCount(8);
    await page.unroute(path);
    await answerWith(Object.fromEntries(Object.keys(filled).map((name) => [name, true])));
    await openScreen('', 'Plugin review');
    await checklist(page).getByText('Everything is set up.').waitFor();
    await page.unroute(path);
  });

  t.test('featured works are added, moved by keyboard, hidden and deleted', async (t) => {
    await empty();
    await checklist(page).getByRole('link', { name: 'Featured works' }).click();
    await page.getByRole('heading', { level: 1, name: 'Community panel' }).waitFor();
    await page.getByText('No featured works yet').waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a work' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const text of ['choose a picture', 'Enter a title', 'enter the author', 'Wrong url'])
      await dialog.getByText(text).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const name of ['Poster', 'Icon set', 'Sketch']) {
      await page.getByRole('button', { name: 'Add a work' }).click();
      await dialog.locator('input[type=file]').setInputFiles(await pictureFile(`${name}.png`, 800, 600));
      await dialog.getByRole('textbox', { name: 'Title' }).fill(name);
      await dialog.getByLabel('Author').fill('Ada');
      await dialog.getByRole('textbox', { name: 'Link' }).fill('https://site.example/community/work/1');
      await dialog.getByLabel('Likes').fill('many');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Enter a whole number').waitFor();
      await dialog.getByLabel('Likes').fill('12');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row(page, name).getByText('In the header').waitFor();
    }
    await moveByKeyboard(page, 'Sketch', 'ArrowUp', ['3 of 3', '2 of 3']);
    await page.getByText('The order is saved.').waitFor();
    await page.getByRole('switch', { name: 'Show “Icon set”' }).click();
    await row(page, 'Icon set').getByText('Hidden').waitFor();
    await page.getByRole('button', { name: 'Delete “Icon set”' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await t.resolves(row(page, 'Icon set').waitFor({ state: 'detached' }));
  });

  t.test('the activity card is created and changed', async (t) => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create the card' }).click();
    await dialog.getByLabel('Participants').fill('10500');
    await dialog.getByLabel('Link to how it works').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Wrong url').waitFor();
    await dialog.getByLabel('Link to how it works').fill('/designskills/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('10,500 participants · 0 views').waitFor();
    await page.getByRole('button', { name: 'Edit the activity card' }).click();
    await dialog.getByLabel('Views').fill('77');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('10,500 participants · 77 views').waitFor();
    t.pass('the change is shown');
  });

  t.test('plugins are recommended and ordered', async (t) => {
    await openScreen('plugin-list', 'Plugins');
    for (const name of ['Compass Rose', 'Ruler Mate']) {
      const recommend = page.getByRole('switch', { name: `Recommend “${name}”` });
      const saved = page.waitForResponse('**/api/cmt/plugin/recommendation/publish');
      await recommend.click();
      await saved;
      await page.getByText('Recommended', { exact: true }).first().waitFor();
    }
    await openScreen('plugin-list?view=recommended', 'Plugins');
    await page.getByRole('button', { name: 'choose another place for “Ruler Mate”' }).click();
    await page.getByRole('dialog').getByRole('spinbutton', { name: 'Place' }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('The order is saved.').waitFor();
    t.strictSame(await empty(), [
      'Name, color and logo',
      'Mail',
      'Banners',
      'Protocol texts',
      'Feedback group QR code',
    ]);
    await openScreen('audit-trail', 'Audit log');
    for (const text of ['Added a featured work', 'Changed the order of featured works'])
      await page.getByText(text).first().waitFor();
    await page.getByText('Created the activity card').waitFor();
  });

  t.test('a visitor sees all of it on the home page', async (t) => {
    const visitor = await newPage(t);
    const recommended = visitor.locator('section[aria-labelledby=recommended] h3');
    await loadUntil(visitor, `${origin}/plugins/`, async () => {
      return (await recommended.allInnerTexts()).join() === 'Ruler Mate,Compass Rose';
    });
    await opener(visitor).focus();
    await visitor.keyboard.press('Enter');
    const carousel = visitor.getByRole('region', { name: 'Featured works' });
    await carousel.waitFor();
    await expect(carousel.locator('button[aria-label^=Work]')).toHaveCount(2);
    await expect(carousel.getByRole('link')).toContainText(/Poster\s+Ada\s+.*12/s, { useInnerText: true });
    await expect(carousel.getByRole('link')).toHaveAttribute('href', 'https://site.example/community/work/1');
    await carousel.getByRole('button', { name: 'Work 2 of 2' }).click();
    await expect(carousel.getByRole('link')).toContainText(/Sketch/);
    const card = visitor.locator('header section', { hasText: 'Community activity' });
    await card.waitFor();
    await expect(card.locator('dd')).toHaveText(['9999+', '77'], { useInnerText: true });
  });
});
