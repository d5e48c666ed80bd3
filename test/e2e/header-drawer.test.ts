import AxeBuilder from '@axe-core/playwright';
import t from 'tap';
import { until } from '../support/until.ts';
import { expect } from './support/expect.ts';
import { focused, panel, withHeader, word } from './support/header.ts';
import { waitForFrames, waitForHydration } from './support/page.ts';
import { sharedWiderSite } from './support/product.ts';

const PHONE = { viewport: { width: 375, height: 760 }, hasTouch: true };

t.test('the header on a phone', async (t) => {
  const product = await sharedWiderSite();
  const { origin } = product;

  t.test('its entries are in a drawer with one open section at a time', async (t) => {
    const page = await withHeader(t, origin, PHONE);
    await expect(word(page, 'product')).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    const section = (name: string) => drawer.getByRole('button', { name, exact: true });
    const open = () =>
      drawer
        .locator('nav button[aria-expanded=true]')
        .evaluateAll((all) => all.map((one) => one.textContent));
    /** The browser sends the click of a touch after the touch itself. */
    const opens = (names: string) => t.resolves(until(async () => (await open()).join() === names));
    await section('Product').tap();
    await opens('Product');
    await expect(drawer.getByRole('link', { name: 'Whiteboard' })).toBeVisible();
    await section('Support').tap();
    await opens('Support');
    await expect(drawer.getByRole('link', { name: 'Whiteboard' })).toBeHidden();
    await section('Support').tap();
    await opens('');
    await expect(drawer.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/download/');
    await expect(drawer.locator('a[href*="page=sign_up"]')).toHaveText('Start for free', {
      useInnerText: true,
    });
    const small = await drawer
      .locator('a:visible, button:visible')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length);
    t.equal(small, 0, 'all touch targets are large enough');
    const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
    t.strictSame(
      violations.map(({ id }) => id),
      [],
      'the drawer is accessible',
    );
  });

  t.test('Escape closes only the topmost layer and returns the focus', async (t) => {
    const page = await withHeader(t, origin, PHONE);
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    const language = drawer.getByRole('button', { name: /^Language:/ });
    await language.press('Enter');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    await expect(menu.getByText('Español'), 'above the drawer').toBeVisible();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect(drawer, 'the drawer stays open').toHaveCount(1);
    t.match(await focused(page), /^Language:/);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    t.equal(await focused(page), 'Open menu');
  });

  t.test('Escape closes a panel before the menu below it', async (t) => {
    const page = await withHeader(t, origin);
    await page.getByRole('button', { name: /^Theme:/ }).click();
    await page.getByRole('menu').waitFor();
    await word(page, 'product').hover();
    await panel(page, 'product').waitFor();
    await page.keyboard.press('Escape');
    await panel(page, 'product').waitFor({ state: 'detached' });
    await expect(page.getByRole('menu')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  t.test('the drawer traps the focus, and closes after a link or when the window grows', async (t) => {
    const page = await withHeader(t, origin, {
      ...PHONE,
      path: '/plugins/403',
      expected: /403/,
    });
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    const open = () => page.getByRole('button', { name: 'Open menu' }).tap();
    await open();
    await drawer.waitFor();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('Tab');
    // At the ends of the drawer a frame passes before the focus is inside again.
    await t.resolves(page.waitForFunction(() => document.activeElement?.closest('[role=dialog]')));
    await drawer.getByRole('button', { name: 'Community' }).tap();
    await drawer.getByRole('link', { name: 'Plugins' }).tap();
    await drawer.waitFor({ state: 'detached' });
    // The address changes before the page, which closes what is open then.
    await page.getByRole('heading', { level: 1, name: 'The right plugin for every step' }).waitFor();
    t.equal(page.url(), `${origin}/plugins/`);
    await waitForFrames(page);
    await open();
    await drawer.waitFor();
    await page.setViewportSize({ width: 1024, height: 760 });
    await drawer.waitFor({ state: 'detached' });
  });

  t.test('a drawer that fails to load leaves the page unchanged and can be retried', async (t) => {
    const page = await withHeader(t, origin, { expected: /ERR_FAILED|Failed to (fetch|load)/ });
    const code = /nav-drawer-[^/]*\.js/;
    await page.setViewportSize(PHONE.viewport);
    await page.route(code, (route) => route.abort());
    const button = page.getByRole('button', { name: 'Open menu' });
    const reloaded = page.waitForEvent('domcontentloaded');
    await button.click();
    await reloaded;
    await waitForHydration(page);
    await button.click();
    await page
      .getByRole('status')
      .getByText(/Couldn’t load this/)
      .waitFor();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await expect(page.locator('h1'), 'the page is unchanged').toBeVisible();
    await page.unroute(code);
    await button.click();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  });
});
