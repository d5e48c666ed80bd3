import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { ADMIN, adminPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const HOME = '/plugins/';
const HISTORY = 'desktop_history';

const button = (page: Page, name: 'Back' | 'Forward' | 'Plugin home') =>
  page.locator('header').getByRole('button', { name, exact: true });
/** Waits until the button is enabled, or disabled. */
const can = (page: Page, name: 'Back' | 'Forward', able = true) =>
  page
    .locator(`header button[aria-label=${name}][aria-disabled=${!able}]`)
    .waitFor()
    .then(
      () => able,
      () => !able,
    );
const pathOf = (page: Page) => new URL(page.url()).pathname;
const cards = (page: Page) => page.locator('main article a[href^="/plugins/plugin/"]');

/** Opens a plugin of the list; returns its path. */
async function openPlugin(page: Page, place: number): Promise<string> {
  // The address changes before the page: until the home page is shown, the cards belong to a plugin page.
  await page.locator('header [aria-current=page]').waitFor();
  const path = (await cards(page).nth(place).getAttribute('href')) ?? '';
  // By path, because a refreshed list may have another order.
  await page.locator(`main a[href="${path}"]`).first().click();
  await page.waitForURL(`**${path}`);
  return path;
}

/** Waits for a navigation; the new page takes the focus after the address has changed. */
async function shown(page: Page, url: string): Promise<void> {
  await page.waitForURL(url);
  await page.locator('main:focus').waitFor();
}

async function openHome(page: Page, origin: string): Promise<void> {
  await openPage(page, `${origin}${HOME}?client=desktop`);
  await button(page, 'Back').waitFor();
}

t.test('the desktop client', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('it has its own small header, also after a reload and on other pages', async (t) => {
    const page = await newPage(t);
    await openHome(page, origin);
    await expect(page.locator('header')).toHaveCount(1);
    await expect(page.locator('header [data-section]'), 'no site header').toHaveCount(0);
    await expect(page.locator('header a')).toHaveCount(1);
    await expect(page.locator('header a')).toHaveText('Sign in', { useInnerText: true });
    t.notOk(await can(page, 'Back', false));
    t.notOk(await can(page, 'Forward', false));
    await expect(button(page, 'Plugin home')).toHaveAttribute('aria-current', 'page');
    const { violations } = await new AxeBuilder({ page }).include('header').analyze();
    t.strictSame(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
    const path = await openPlugin(page, 0);
    t.ok(await can(page, 'Back'), path);
    await page.goto(`${origin}${path}`);
    await button(page, 'Back').waitFor();
    t.ok(await can(page, 'Back'), 'the history is kept for the tab');
    await expect(page.locator('header [data-section]')).toHaveCount(0);
  });

  t.test('its buttons go back, forward and home', async (t) => {
    const page = await newPage(t);
    await openHome(page, origin);
    const first = await openPlugin(page, 0);
    await button(page, 'Back').click();
    await page.waitForURL(`${origin}${HOME}`);
    t.notOk(await can(page, 'Back', false));
    t.ok(await can(page, 'Forward'));
    await button(page, 'Forward').click();
    await page.waitForURL(`**${first}`);
    t.notOk(await can(page, 'Forward', false));
    await button(page, 'Plugin home').click();
    await page.waitForURL(`${origin}${HOME}`);
    t.ok(await can(page, 'Back'));
    const second = await openPlugin(page, 1);
    await button(page, 'Back').click();
    await page.waitForURL(`${origin}${HOME}`);
    await button(page, 'Back').click();
    await page.waitForURL(`**${first}`);
    t.equal(pathOf(page), first);
    await button(page, 'Plugin home').click();
    await page.waitForURL(`${origin}${HOME}`);
    t.ok(await can(page, 'Forward'), 'home was the next entry, so later entries are kept');
    await button(page, 'Forward').click();
    await page.waitForURL(`**${second}`);
    await button(page, 'Back').click();
    await page.waitForURL(`${origin}${HOME}`);
    await openPlugin(page, 2);
    t.notOk(await can(page, 'Forward', false), 'a link removes later entries');
    const kept = await page.evaluate((key) => sessionStorage.getItem(key), HISTORY);
    t.match(JSON.parse(kept ?? ''), { list: [HOME, first, HOME, pathOf(page)], index: 3 });
  });

  t.test('it follows the browser history', async (t) => {
    const page = await newPage(t);
    await openHome(page, origin);
    const path = await openPlugin(page, 0);
    await page.goBack();
    await page.locator('header [aria-current=page]').waitFor();
    t.notOk(await can(page, 'Back', false));
    t.ok(await can(page, 'Forward'));
    await page.goForward();
    await page.waitForURL(`**${path}`);
    t.ok(await can(page, 'Back'));
    t.notOk(await can(page, 'Forward', false));
  });

  t.test('it works by keyboard and restores the scroll position', async (t) => {
    const page = await newPage(t);
    await openHome(page, origin);
    await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }));
    await cards(page).nth(2).focus();
    const place = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await shown(page, '**/plugins/plugin/*');
    await page.waitForFunction(() => scrollY === 0);
    await button(page, 'Back').focus();
    await page.keyboard.press('Enter');
    await shown(page, `${origin}${HOME}`);
    await page.waitForFunction((top) => top > 0 && Math.abs(scrollY - top) < 2, place);
    await button(page, 'Back').focus();
    await page.keyboard.press('Enter');
    t.equal(pathOf(page), HOME, 'Back is disabled');
    await button(page, 'Forward').focus();
    await page.keyboard.press(' ');
    await shown(page, '**/plugins/plugin/*');
    await button(page, 'Plugin home').focus();
    await page.keyboard.press('Enter');
    await shown(page, `${origin}${HOME}`);
    t.ok(await can(page, 'Back'));
  });

  t.test('it works without session storage', async (t) => {
    const page = await newPage(t, { expected: /scroll positions/ });
    await page.addInitScript(() => {
      const denied = {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      };
      Object.defineProperty(window, 'sessionStorage', denied);
    });
    await openHome(page, origin);
    await openPlugin(page, 0);
    t.ok(await can(page, 'Back'));
    await button(page, 'Back').click();
    await page.waitForURL(`${origin}${HOME}`);
    t.ok(await can(page, 'Forward'));
  });

  t.test('it shows users by picture or initial', async (t) => {
    const page = await adminPage(t, product, { expected: /status of 404/ });
    await openHome(page, origin);
    const menu = page.locator('header').getByRole('button', { name: `${ADMIN.name}’s account menu` });
    await menu.waitFor();
    await expect(menu).toHaveText('A', { useInnerText: true });
    await page.locator('header a[href^="/api/auth/login"]').first().waitFor({ state: 'detached' });
    let avatar_url = '/plugins/nothing.webp';
    await page.route('**/api/cmt/plugin?*', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json();
      const publisher = { user_id: 7, nick_name: 'élodie', avatar_url };
      await route.fulfill({ json: { ...envelope, data: { ...data, publisher } } });
    });
    await openPlugin(page, 0);
    const publisher = page.locator('main li', { hasText: 'by élodie' });
    await publisher.getByText('É', { exact: true }).waitFor();
    await expect(publisher.locator('img'), 'instead of a picture that fails to load').toHaveCount(0);
    await button(page, 'Back').click();
    await page.waitForURL(`${origin}${HOME}`);
    avatar_url = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await openPlugin(page, 1);
    await publisher.locator('img').waitFor();
  });

  t.test('all its texts fit a small window', async (t) => {
    const page = await newPage(t, { viewport: { width: 320, height: 640 }, hasTouch: true });
    for (const lang of ['ru', 'jp', 'es']) {
      await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
      await page.goto(`${origin}${HOME}?client=desktop`);
      await page.locator('header nav').waitFor();
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), lang);
    }
  });
});
