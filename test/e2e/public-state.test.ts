import type { Page } from 'playwright-core';
import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { field, openForm, submit } from './support/publish-form.ts';

const DAY = 24 * 60 * 60 * 1000;
const cards = (page: Page) => page.locator('section[aria-labelledby=results] article');
const cardLink = (page: Page) => cards(page).first().getByRole('link').first();
/** Holds the requests of a route until the test releases them. */
async function hold(page: Page, pattern: string) {
  const { promise, resolve } = Promise.withResolvers<'continue' | 'abort'>();
  await page.route(pattern, async (route) => {
    const how = await promise;
    await route[how]();
  });
  return resolve;
}

t.test('public pages show the current state', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;
  const home = async (page: Page): Promise<void> => {
    await openPage(page, `${origin}/plugins/`);
  };

  t.test('a like and an unlike that both fail leave the state unchanged', async (t) => {
    const page = await memberPage(t, product, 'Mei Lin', { expected: /ERR_FAILED/ });
    await home(page);
    const like = cards(page).first().getByRole('button', { name: /^Like/ });
    // innerText is empty for elements outside the window.
    const count = await like.textContent();
    const release = await hold(page, '**/api/cmt/plugin/user/praise');
    await like.click();
    await like.and(page.locator('[aria-pressed=true]')).waitFor();
    await like.click();
    await like.and(page.locator('[aria-pressed=false]')).waitFor();
    release('abort');
    await page.getByText(/^Unlike failed/).waitFor();
    await expect(like).toHaveAttribute('aria-pressed', 'false');
    await expect(like).toHaveText(count ?? '');
  });

  t.test('"All plugins" leads from a related plugin to the list', async (t) => {
    const page = await newPage(t);
    await home(page);
    await cardLink(page).click();
    const related = page
      .locator('section[aria-labelledby=related] article')
      .first()
      .getByRole('link')
      .first();
    const path = await related.getAttribute('href');
    const name = (await related.textContent()) ?? '';
    // By keyboard: cards are laid out when they come into view, which may move them away from a pointer.
    await related.press('Enter');
    await page.waitForURL(`${origin}${path}`);
    // Until the new page is drawn, "All plugins" is that of the previous one, with fewer steps back.
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.getByRole('link', { name: 'All plugins' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await cards(page).first().waitFor();
  });

  t.test('late tags can be scrolled to', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/publishing`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const tag_list = Array.from({ length: 40 }, (_, id) => ({
      id: id + 1,
      name: `Tag number ${id}`,
      code: `t${id}`,
    }));
    await page.route('**/api/cmt/plugin/tag/list**', async (route) => {
      await promise;
      await route.fulfill({ json: { code: 0, message: '', data: { tag_list } } });
    });
    await page.locator('header').first().getByRole('link', { name: 'Plugin Square' }).click();
    const tags = page.getByRole('navigation', { name: 'Filter by tag' });
    await tags.waitFor();
    await expect(tags, 'nothing to scroll to yet').toHaveAttribute('data-at-end', 'true');
    resolve();
    await tags.getByRole('link', { name: 'Tag number 39' }).waitFor({ state: 'attached' });
    await page.locator('nav[aria-label="Filter by tag"][data-at-end=false]').waitFor();
  });

  t.test('relative times are updated in an open page', async (t) => {
    const page = await newPage(t);
    await home(page);
    await cardLink(page).click();
    const time = page.locator('aside time');
    const before = await time.innerText();
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await waitForHydration(page);
    await expect(time).toHaveText(before, { useInnerText: true });
    await page.clock.fastForward(400 * DAY);
    await time.and(page.locator(`:not(:text-is("${before}"))`)).waitFor();
    await expect(time).toContainText(/^1[3-9] months ago$/);
  });

  t.test('moving the focus to the content of a new page draws no outline', async (t) => {
    const page = await newPage(t);
    await home(page);
    await cardLink(page).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN');
    t.equal(await page.locator('main').evaluate((main) => getComputedStyle(main).outlineStyle), 'none');
  });

  t.test('an empty form in another tab does not overwrite the draft', async (t) => {
    const page = await memberPage(t, product);
    const other = await page.context().newPage();
    await openForm(other, origin);
    await openForm(page, origin);
    await field(page, 'Name').fill('Kept in mind');
    const isStored = () =>
      page.evaluate(() =>
        Object.entries(localStorage).some(
          ([key, text]) => key.includes('draft') && text.includes('Kept in mind'),
        ),
      );
    await page.waitForFunction(() =>
      Object.entries(localStorage).some(
        ([key, text]) => key.includes('draft') && text.includes('Kept in mind'),
      ),
    );
    const closed = other.waitForEvent('close').catch(() => undefined);
    await other.close({ runBeforeUnload: true });
    await closed;
    t.ok(await isStored(), 'the draft stays after the second tab is closed');
    const third = await page.context().newPage();
    await openForm(third, origin);
    await expect(field(third, 'Name')).toHaveValue('Kept in mind');
    await field(page, 'Name').fill('Written later');
    await page.waitForFunction(() =>
      Object.entries(localStorage).some(
        ([key, text]) => key.includes('draft') && text.includes('Written later'),
      ),
    );
    await third.goto(`${origin}/plugins/`);
    await submit(page).waitFor();
    t.ok(
      await page.evaluate(() => Object.values(localStorage).some((text) => text.includes('Written later'))),
      'an unchanged tab writes nothing',
    );
  });
});
