import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { until } from '../support/until.ts';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { holdHydration, isUnhydrated, newPage, releaseHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';
import { dialog } from './support/sign-in-dialog.ts';

const HOME = '/plugins/';

const results = (page: Page) => page.locator('section[aria-labelledby=results]');
const recommended = (page: Page) => page.locator('section[aria-labelledby=recommended]');
const installOf = (page: Page, name: string) =>
  page.locator('article', { has: page.getByRole('link', { name, exact: true }) }).getByRole('button', {
    name: /install/i,
  });

/** Opens a page without hydration. A busy gateway may send it without its lists; then it is requested again. */
async function openUnhydrated(page: Page, url: string): Promise<void> {
  await holdHydration(page);
  await until(async () => {
    await page.goto(url);
    await until(async () => !(await isUnhydrated(page.locator('#root > *').first())));
    const isWhole = (await page.locator('main [aria-busy=true]').count()) === 0;
    return isWhole && (await results(page).locator('article').count()) > 0;
  });
}

/** Marks an element, so that a replacement can be recognized. */
async function mark(element: Locator): Promise<void> {
  await element.evaluate((node) => node.setAttribute('data-mark', ''));
}

t.test('a page whose boundaries are not hydrated', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('a click on like works', async (t) => {
    const page = await newPage(t);
    await openUnhydrated(page, `${origin}${HOME}`);
    // Not by role: the dialog hides what is below it as soon as it opens.
    const like = results(page).locator('button[aria-pressed]').first();
    t.ok(await isUnhydrated(like));
    await like.click();
    t.notOk(await isUnhydrated(like));
    await releaseHydration(page);
    await dialog(page).waitFor();
  });

  t.test('typing searches', async (t) => {
    const page = await newPage(t);
    await openUnhydrated(page, `${origin}${HOME}`);
    const field = page.getByRole('combobox', { name: 'Search plugins' });
    t.ok(await isUnhydrated(field));
    await field.pressSequentially('contrast');
    await releaseHydration(page);
    await page.waitForURL((url) => url.search === '?keyword=contrast');
    await page.getByRole('heading', { name: 'Results for “contrast”' }).waitFor();
    await expect(field).toHaveValue('contrast');
  });

  t.test('Enter follows a link without loading a document', async (t) => {
    const page = await newPage(t);
    await openUnhydrated(page, `${origin}${HOME}`);
    const began = await page.evaluate(() => performance.timeOrigin);
    const link = results(page).locator('article a').nth(2);
    t.ok(await isUnhydrated(link));
    const path = await link.getAttribute('href');
    await link.focus();
    await page.keyboard.press('Enter');
    await releaseHydration(page);
    await page.waitForURL(`${origin}${path}`);
    t.equal(await page.evaluate(() => performance.timeOrigin), began);
  });

  t.test('a change is shown before full hydration, without rendering again', async (t) => {
    const page = await memberPage(t, product, 'Kim');
    await openUnhydrated(page, `${origin}${HOME}`);
    const [name = ''] = await recommended(page).locator('h3').allTextContents();
    const buttons = installOf(page, name);
    await expect(buttons, `${name} is on the page once`).toHaveCount(1);
    const card = results(page).locator('article').first();
    await mark(card);
    await buttons.first().click();
    t.notOk(await isUnhydrated(buttons.first()));
    t.ok(await isUnhydrated(card.getByRole('button', { name: /install/i })));
    await page.waitForLoadState('networkidle');
    await releaseHydration(page);
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    t.match(await buttons.allTextContents(), [/Installed/]);
    t.not(await card.getAttribute('data-mark'), null, 'the cards are the server-rendered ones');
  });

  t.test('the server-rendered list stays while it is refreshed', async (t) => {
    const page = await memberPage(t, product, 'Kim');
    await page.route('**/api/cmt/plugin/user/new/silent', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json();
      await route.fulfill({ json: { ...envelope, data: { ...data, plugin_keys: ['any'] } } });
    });
    await page.route('**/api/cmt/plugin/tag/list*', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json();
      const tag_list = data.tag_list.map((tag: { name: string }) => ({ ...tag, name: `New ${tag.name}` }));
      await route.fulfill({ json: { ...envelope, data: { tag_list } } });
    });
    await openUnhydrated(page, `${origin}${HOME}?tag_id=2`);
    const card = results(page).locator('article').first();
    await mark(card);
    const title = results(page).locator('h2');
    const before = await title.innerText();
    const installed = page.waitForResponse('**/api/cmt/plugin/user/new/silent');
    await page.getByRole('combobox', { name: 'Search plugins' }).click();
    await installed;
    await page.waitForLoadState('networkidle');
    t.ok(await isUnhydrated(card));
    await releaseHydration(page);
    await page.getByRole('heading', { name: `New ${before}` }).waitFor();
    t.not(await card.getAttribute('data-mark'), null, 'the cards are the server-rendered ones');
  });
});
