import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { until } from '../support/until.ts';
import { newAccount, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { dialog } from './support/like.ts';
import { hydrated, type WatchedPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';
import { holdHydration, isUnhydrated, releaseHydration } from './support/unhydrated.ts';

const HOME = '/plugins/';

const results = (page: Page) => page.locator('section[aria-labelledby=results]');
const recommended = (page: Page) => page.locator('section[aria-labelledby=recommended]');
const installOf = (page: Page, name: string) =>
  page.locator('article', { has: page.getByRole('link', { name, exact: true }) }).getByRole('button', {
    name: /install/i,
  });

/** A busy gateway sends a document without the lists that it would have to wait for; then it is asked once more. */
async function openAsleep(page: Page, url: string): Promise<void> {
  await holdHydration(page);
  await until(async () => {
    await page.goto(url);
    await hydrated(page);
    return (await results(page).locator('article').count()) > 0;
  });
}

/** Marks an element; an element that took its place has no mark. */
async function mark(element: Locator): Promise<void> {
  await element.evaluate((node) => node.setAttribute('data-mark', ''));
}

t.test('a page whose boundaries are not hydrated', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  /** Signs up, and opens another tab of the same person. */
  const signedUp = async (): Promise<WatchedPage> => {
    const watched = await watchedPage(browser, {});
    await watched.page.goto(`${origin}${HOME}`);
    await hydrated(watched.page);
    await signUp(watched.page, newAccount('Kim'));
    const page = await watched.page.context().newPage();
    await watched.page.close();
    return { ...watched, page };
  };

  t.test('likes at a click', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openAsleep(page, `${origin}${HOME}`);
    const like = results(page).getByRole('button', { name: /^Like/ }).first();
    t.ok(await isUnhydrated(like));
    await like.click();
    t.notOk(await isUnhydrated(like));
    await releaseHydration(page);
    await dialog(page).waitFor();
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('searches for what is typed', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openAsleep(page, `${origin}${HOME}`);
    const field = page.getByRole('searchbox');
    t.ok(await isUnhydrated(field));
    await field.pressSequentially('contrast');
    await releaseHydration(page);
    await page.waitForURL((url) => url.search === '?keyword=contrast');
    await page.getByRole('heading', { name: 'Results for “contrast”' }).waitFor();
    t.equal(await field.inputValue(), 'contrast');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('follows a link at the press of a key, without another document', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openAsleep(page, `${origin}${HOME}`);
    const began = await page.evaluate(() => performance.timeOrigin);
    const link = results(page).locator('article a').nth(2);
    t.ok(await isUnhydrated(link));
    const path = await link.getAttribute('href');
    await link.focus();
    await page.keyboard.press('Enter');
    await releaseHydration(page);
    await page.waitForURL(`${origin}${path}`);
    t.equal(await page.evaluate(() => performance.timeOrigin), began);
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('shows a change before all of it is hydrated, and renders nothing again', async (t) => {
    const { page, complaints } = await signedUp();
    await openAsleep(page, `${origin}${HOME}`);
    const [name = ''] = await recommended(page).locator('h3').allTextContents();
    const buttons = installOf(page, name);
    t.equal(await buttons.count(), 1, `${name} stands on the page once`);
    const card = results(page).locator('article').first();
    await mark(card);
    await buttons.first().click();
    t.notOk(await isUnhydrated(buttons.first()));
    t.ok(await isUnhydrated(card.getByRole('button', { name: /install/i })));
    await page.waitForLoadState('networkidle');
    await releaseHydration(page);
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    t.match(await buttons.allTextContents(), [/Installed/]);
    t.not(await card.getAttribute('data-mark'), null, 'the cards are those of the document');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('keeps showing what came with it while a list is read again', async (t) => {
    const { page, complaints } = await signedUp();
    await page.route('**/api/cmt/plugin/user/new/silent', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json();
      await route.fulfill({ json: { ...envelope, data: { ...data, plugin_keys: ['any'] } } });
    });
    await page.route('**/api/cmt/plugin/tag/list*', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json();
      const tag_list = data.tag_list.map((tag: { name: string }) => ({ ...tag, name: `New ${tag.name}` }));
      await route.fulfill({ json: { ...envelope, data: { tag_list } } });
    });
    await openAsleep(page, `${origin}${HOME}?tag_id=2`);
    const card = results(page).locator('article').first();
    await mark(card);
    const title = results(page).locator('h2');
    const before = await title.innerText();
    const installed = page.waitForResponse('**/api/cmt/plugin/user/new/silent');
    await page.getByRole('searchbox').click();
    await installed;
    await page.waitForLoadState('networkidle');
    t.ok(await isUnhydrated(card));
    await releaseHydration(page);
    await page.getByRole('heading', { name: `New ${before}` }).waitFor();
    t.not(await card.getAttribute('data-mark'), null, 'the cards are those of the document');
    t.strictSame(complaints, []);
    await page.context().close();
  });
});
