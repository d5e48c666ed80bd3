import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import type { Language } from '../../shared/languages.ts';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { focused, hrefs, panel, shownWords, withHeader, word } from './support/header.ts';
import { choose } from './support/page.ts';
import { sharedWiderSite } from './support/product.ts';

const middle = async (page: Page, name: string): Promise<{ x: number; y: number }> => {
  const box = await word(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

t.test('the header of the domestic site', async (t) => {
  const product = await sharedWiderSite();
  const { origin } = product;

  t.test('a panel opens on hover, survives a diagonal path into it, and closes afterwards', async (t) => {
    const page = await withHeader(t, origin);
    await word(page, 'product').hover();
    await panel(page, 'product').waitFor();
    await expect(word(page, 'product')).toHaveAttribute('aria-expanded', 'true');
    const controlled = await word(page, 'product').getAttribute('aria-controls');
    await expect(panel(page, 'product')).toHaveAttribute('id', controlled ?? '');
    t.strictSame(await hrefs(panel(page, 'product')), ['/', '/pixsoboard/', '/prototype-design/']);

    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const over = await middle(page, 'community');
    await page.mouse.move(over.x, over.y);
    await page.clock.runFor(100);
    await expect(panel(page, 'product'), 'the pointer only crosses another entry').toBeVisible();
    await panel(page, 'product').locator('a').last().hover();
    await page.clock.runFor(2000);
    await expect(panel(page, 'product'), 'the pointer is inside the panel').toBeVisible();
    await page.mouse.move(over.x, over.y);
    await page.clock.runFor(200);
    await panel(page, 'community').waitFor();
    await expect(panel(page, 'product'), 'staying on another entry opens its panel instead').toHaveCount(0);
    await page.mouse.move(5, 890);
    await page.clock.runFor(100);
    await expect(panel(page, 'community')).toHaveCount(1);
    await page.clock.runFor(300);
    await panel(page, 'community').waitFor({ state: 'detached' });
  });

  t.test('a click keeps a hovered panel open, a second click closes it', async (t) => {
    const page = await withHeader(t, origin);
    await word(page, 'enterprise').hover();
    await panel(page, 'enterprise').waitFor();
    await word(page, 'enterprise').click();
    await page.mouse.move(5, 890);
    await word(page, 'support').focus();
    await panel(page, 'enterprise').waitFor({ state: 'detached' });
    await word(page, 'enterprise').click();
    await panel(page, 'enterprise').waitFor();
    await word(page, 'enterprise').click();
    await panel(page, 'enterprise').waitFor({ state: 'detached' });
  });

  t.test('panels work by keyboard', async (t) => {
    const page = await withHeader(t, origin);
    const keys = page.keyboard;
    await page.locator('header a').first().focus();
    await keys.press('Tab');
    t.equal(await focused(page), 'Product');
    await keys.press('Enter');
    await panel(page, 'product').waitFor();
    await keys.press('Tab');
    t.match(await focused(page), /^Design tool/);
    await keys.press('Escape');
    await panel(page, 'product').waitFor({ state: 'detached' });
    t.equal(await focused(page), 'Product', 'the focus returns to its opener');
    await keys.press('Space');
    await panel(page, 'product').waitFor();
    await keys.press('Space');
    await panel(page, 'product').waitFor({ state: 'detached' });
    await keys.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.getAttribute('href') === '/');
    for (const expected of [/^Whiteboard/, /^Prototyping/, /^Community/]) {
      await keys.press('Tab');
      t.match(await focused(page), expected);
    }
    await panel(page, 'product').waitFor({ state: 'detached' });
    t.pass('a panel closes when it loses the focus');
    await word(page, 'community').press('ArrowDown');
    await panel(page, 'community')
      .getByRole('link', { name: /^Plugins/ })
      .press('Enter');
    await panel(page, 'community').waitFor({ state: 'detached' });
    await t.resolves(page.waitForURL((url) => url.pathname === '/plugins/'));
  });

  t.test('a touch opens a panel; a touch on its entry or outside closes it', async (t) => {
    const page = await withHeader(t, origin, { hasTouch: true });
    await word(page, 'help').tap();
    await panel(page, 'help').waitFor();
    await word(page, 'help').tap();
    await panel(page, 'help').waitFor({ state: 'detached' });
    await word(page, 'support').tap();
    await panel(page, 'support').waitFor();
    await page.locator('h1').tap();
    await panel(page, 'support').waitFor({ state: 'detached' });
  });

  t.test('columns of the support menu fit their language', async (t) => {
    const widths: readonly [Language, number][] = [
      ['ja-JP', 195],
      ['ru-RU', 222],
      ['es-ES', 182],
      ['zh-CN', 182],
    ];
    for (const [language, width] of widths) {
      const page = await withHeader(t, origin, { language });
      await word(page, 'support').click();
      await panel(page, 'support').waitFor();
      const found = await panel(page, 'support')
        .locator('li')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().width));
      t.strictSame(found, [width, width, width, width], language);
    }
  });

  t.test('entries that do not fit move under "More", also in the longest language', async (t) => {
    for (const language of ['ru-RU', 'es-ES', 'zh-CN'] as const) {
      const page = await withHeader(t, origin, { language });
      const crowdedAt: string[] = [];
      for (const width of [900, 1024, 1160, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const about = `${language} at ${width}`;
        const crowded = await page.evaluate(() => {
          const row = [...document.querySelectorAll('header > div > :not(nav), header nav > ul > li')];
          const ends = row.map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
          const isWide = document.documentElement.scrollWidth > innerWidth;
          return isWide || ends.some((end, place) => (ends[place + 1]?.left ?? innerWidth) < end.right);
        });
        if (crowded) crowdedAt.push(about);
        const shown = await shownWords(page);
        if (shown.includes('more')) {
          await word(page, 'more').click();
          await panel(page, 'more').waitFor();
          const links = await hrefs(panel(page, 'more'));
          t.ok(links.includes('/contact-us/') && links.includes('/teamversion/'), `${about}: moved entries`);
          t.equal(links.includes('/download/'), !shown.includes('download'), `${about}: only those`);
          await page.keyboard.press('Escape');
          await panel(page, 'more').waitFor({ state: 'detached' });
        } else t.equal(shown.length, 7, about);
      }
      t.strictSame(crowdedAt, []);
    }
  });

  t.test('open panels are accessible in both colour schemes', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await withHeader(t, origin, { colorScheme, reducedMotion: 'reduce' });
      for (const name of ['community', 'help', 'support']) {
        await word(page, name).click();
        await panel(page, name).waitFor();
        const { violations } = await new AxeBuilder({ page }).include('header').analyze();
        t.strictSame(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
          [],
          `${name} ${colorScheme}`,
        );
      }
    }
  });

  t.test('the header follows the scroll position', async (t) => {
    const page = await withHeader(t, origin);
    const flags = async (top: number): Promise<(string | null)[]> => {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const header = page.locator('header').first();
      return [await header.getAttribute('data-scrolled'), await header.getAttribute('data-banner')];
    };
    const banner = await page.locator('[data-banner-area]').evaluate((area) => Math.ceil(area.clientHeight));
    t.strictSame(await flags(19), [null, null]);
    t.strictSame(await flags(20), ['true', null]);
    t.strictSame(await flags(banner - 42), ['true', null]);
    t.strictSame(await flags(banner - 40), ['true', 'true'], '40 px before the end of the banner');
    t.strictSame(await flags(0), [null, null]);
  });

  t.test('visitors see the sign-up, users see the workbench and their own pages', async (t) => {
    const visitor = await withHeader(t, origin);
    await expect(visitor.locator('header a[href*="page=sign_up"]')).toHaveText('Start for free', {
      useInnerText: true,
    });
    const viewport = { width: 1440, height: 900 };
    const page = await memberPage(t, product, 'Mei Lin', { viewport, path: '/plugins/' });
    const workbench = page.getByRole('link', { name: 'Open workbench' });
    await expect(workbench).toHaveAttribute('href', '/app');
    await expect(page.locator('header a[href^="/api/auth/login"]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Mei Lin’s account menu' }).click();
    const home = page.getByRole('menuitem', { name: 'Personal home' });
    await expect(home).toHaveAttribute('href', /^\/community\/home\?user_id=\d+$/);
    await page.getByRole('menuitem', { name: 'My plugins' }).waitFor();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
    await page.locator('header a[href*="page=sign_up"]').waitFor();
  });
});
