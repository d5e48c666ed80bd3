import type { Page, Request } from 'playwright-core';
import t from 'tap';
import { SEARCH_DELAY } from '../../shared/constants.ts';
import { until } from '../support/until.ts';
import { axeFindings } from './access/check-screen.ts';
import { expect } from './support/expect.ts';
import { isUnhydrated, newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search plugins' });
const listOf = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const optionsOf = (page: Page, group: string) =>
  listOf(page).getByRole('group', { name: group }).getByRole('option');
const at = (query: string) => (url: URL) => url.search.includes(query);
/** The suggestion that the keyboard has chosen. */
const chosen = (page: Page) => listOf(page).getByRole('option', { selected: true });

t.test('suggestions of the search field', async (t) => {
  const { origin } = await steadyProduct();

  async function open(t: Parameters<typeof newPage>[0], options: Parameters<typeof newPage>[1] = {}) {
    const page = await newPage(t, { reducedMotion: 'reduce', ...options });
    await openPage(page, `${origin}/plugins/`);
    await until(async () => !(await isUnhydrated(fieldOf(page))));
    return page;
  }

  t.test('are plugins and tags; the keyboard chooses one while the focus stays in the field', async (t) => {
    const page = await open(t);
    const field = fieldOf(page);
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    await field.pressSequentially('icon');
    await optionsOf(page, 'Plugins').first().waitFor();
    await optionsOf(page, 'Tags').first().waitFor();
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await expect(field, 'one ring, around the whole field').toHaveCSS('outline-style', 'none');
    t.strictSame(await axeFindings(page), []);
    const all = listOf(page).getByRole('option');
    const last = (await all.count()) - 1;
    for (const [key, index] of [
      ['ArrowDown', 0],
      ['End', last],
      ['ArrowUp', last - 1],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect(all.nth(index), key).toHaveAttribute('aria-selected', 'true');
    }
    const id = await all.first().getAttribute('id');
    await expect(field).toHaveAttribute('aria-activedescendant', id ?? 'none');
    await page.keyboard.press('ArrowUp');
    await expect(chosen(page)).toHaveCount(0);
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(field).toHaveValue('icon');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const name = await chosen(page).innerText();
    await page.keyboard.press('Enter');
    await t.resolves(page.getByRole('heading', { level: 1, name: name.trim() }).waitFor());
  });

  t.test('lead to a tag by a click', async (t) => {
    const page = await open(t);
    await fieldOf(page).pressSequentially('icon');
    const tag = optionsOf(page, 'Tags').first();
    const name = await tag.innerText();
    await tag.click();
    await page.waitForURL((url) => /^\?tag_id=\d+$/.test(url.search));
    await t.resolves(page.getByRole('heading', { level: 2, name: name.trim() }).waitFor());
    await expect(listOf(page)).toHaveCount(0);
  });

  t.test('of earlier searches are kept in this browser alone, until they are cleared', async (t) => {
    const page = await open(t);
    // A search counts before the code of suggestions is there.
    const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/suggestions-*.js', (route) => arrives.then(() => route.continue()));
    const field = fieldOf(page);
    await field.fill('contrast');
    await field.press('Enter');
    await page.waitForURL(at('keyword=contrast'));
    arrive();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await field.click();
    await expect(optionsOf(page, 'Recent searches')).toHaveText(['contrast', 'Clear recent searches'], {
      useInnerText: true,
    });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(at('keyword=contrast'));
    await expect(field).toHaveValue('contrast');
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await field.click();
    await listOf(page).getByRole('option', { name: 'Clear recent searches' }).click();
    t.equal(await page.evaluate(() => localStorage.getItem('recent-searches')), null);
  });

  t.test('an earlier search can be cleared before it is shown', async (t) => {
    const page = await open(t);
    await page.evaluate(() => localStorage.setItem('recent-searches', '["contrast"]'));
    const field = fieldOf(page);
    await field.click();
    const isSearch = (request: Request) => request.url().includes('keyword=contrast');
    const isOver = Promise.race([
      page.waitForEvent('requestfinished', isSearch),
      page.waitForEvent('requestfailed', isSearch),
    ]);
    await optionsOf(page, 'Recent searches').first().waitFor();
    await page.evaluate(async () => {
      document.querySelector<HTMLElement>('[role=option]')?.click();
      await new Promise(requestAnimationFrame);
      document.querySelector<HTMLElement>('[aria-label="Clear search"]')?.click();
    });
    await isOver;
    await expect(field).toHaveValue('');
    await t.resolves(expect(page).toHaveURL(`${origin}/plugins/`));
  });

  t.test('are not asked for, nor chosen, while an IME composes', async (t) => {
    const page = await open(t);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/suggestion/list')) asked.push(new URL(request.url()).search);
    });
    const field = fieldOf(page);
    await field.focus();
    const keyboard = await page.context().newCDPSession(page);
    for (const text of ['t', 'tu']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: 0 });
      await expect(field).toHaveValue(text);
    }
    await field.dispatchEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true });
    await keyboard.send('Input.insertText', { text: '图标' });
    await optionsOf(page, 'Plugins').first().waitFor();
    t.strictSame(asked, ['?keyword=%E5%9B%BE%E6%A0%87&language=en-US']);
  });

  t.test('leave the plain field where they fail', async (t) => {
    const page = await open(t, { expected: /ERR_FAILED/ });
    await page.route('**/api/cmt/plugin/suggestion/list*', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('suggestion'));
    await fieldOf(page).fill('contrast');
    await failed;
    await page.getByRole('heading', { name: 'Results for “contrast”' }).waitFor();
    await expect(listOf(page)).toHaveCount(0);
    await expect(fieldOf(page)).toHaveAttribute('aria-expanded', 'false');
    t.pass('the search works');
  });

  t.test('a search that waits for a pause holds nobody back who opens a plugin', async (t) => {
    const page = await open(t);
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/cmt/plugin?*', (route) => answer.promise.then(() => route.continue()));
    const card = page.getByRole('main').getByRole('article').first().getByRole('link').first();
    const path = await card.getAttribute('href');
    await page.clock.install();
    // Otherwise a slow machine would search before the click.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await fieldOf(page).pressSequentially('icon');
    await card.click();
    await page.clock.runFor(SEARCH_DELAY);
    await page.clock.resume();
    answer.resolve();
    await page.waitForURL((url) => url.pathname === path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    t.equal(new URL(page.url()).pathname, path);
  });

  t.test('fit a small window', async (t) => {
    const page = await open(t, { viewport: { width: 375, height: 700 } });
    await fieldOf(page).pressSequentially('icon');
    await optionsOf(page, 'Plugins').first().waitFor();
    const box = await listOf(page).boundingBox();
    t.ok(box && box.x >= 0 && box.x + box.width <= 375, JSON.stringify(box));
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  });
});

t.test('keys that lead to the search field', async (t) => {
  const { origin } = await steadyProduct();

  for (const key of ['/', 'Control+k', 'Meta+k']) {
    t.test(`${key} from home and from another page`, async (t) => {
      const page = await newPage(t, { reducedMotion: 'reduce' });
      await openPage(page, `${origin}/plugins/`);
      await until(async () => !(await isUnhydrated(fieldOf(page))));
      await page.keyboard.press(key);
      await expect(fieldOf(page)).toBeFocused();
      await expect(fieldOf(page)).toHaveValue('');
      await openPage(page, `${origin}/plugins/removed`);
      await page.keyboard.press(key);
      await page.waitForURL(`${origin}/plugins/`);
      await t.resolves(expect(fieldOf(page)).toBeFocused());
    });
  }

  t.test('/ can be turned off in the footer, and stays so', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    await openPage(page, `${origin}/plugins/removed`);
    const choice = page.getByRole('checkbox', { name: 'Press / to search' });
    await until(async () => !(await isUnhydrated(choice)));
    await choice.uncheck();
    await openPage(page, `${origin}/plugins/`);
    await until(async () => !(await isUnhydrated(fieldOf(page))));
    await page.keyboard.press('/');
    await expect(fieldOf(page)).not.toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(fieldOf(page)).toBeFocused();
    await openPage(page, `${origin}/plugins/removed`);
    await expect(choice).not.toBeChecked();
    await choice.check();
    await page.keyboard.press('/');
    await page.waitForURL(`${origin}/plugins/`);
    await t.resolves(expect(fieldOf(page)).toBeFocused());
  });

  t.test('are letters in a field, and nothing below a dialog', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    await openPage(page, `${origin}/plugins/`);
    await fieldOf(page).pressSequentially('a/b');
    await expect(fieldOf(page)).toHaveValue('a/b');
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
    await openPage(page, `${origin}/plugins/`);
    await page
      .getByRole('button', { name: /^Install / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('/');
    await t.resolves(dialog.waitFor());
    // The page below a dialog has no roles.
    await expect(page.locator('input[name=keyword]')).not.toBeFocused();
  });
});
