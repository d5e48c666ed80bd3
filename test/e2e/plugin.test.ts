import type { Page } from 'playwright-core';
import t from 'tap';
import { TOAST_DURATION, TOAST_STEP, TOAST_TOP } from '../../shared/constants.ts';
import { expect } from './support/expect.ts';
import { stopClock } from './support/gallery/open-part.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const FIRST = 'section[aria-labelledby=results] article';
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

async function openFirst(page: Page, origin: string): Promise<string> {
  await openPage(page, `${origin}/plugins/`);
  const name = (await page.locator(`${FIRST} h3`).first().textContent()) ?? '';
  await page.locator(`${FIRST} h3 a`).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  // The heading is drawn from the list before the rest is there.
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  return name;
}

t.test('a plugin page', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('its copied link opens the same page', async (t) => {
    const page = await newPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    const name = await openFirst(page, origin);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await toast(page, 'Link copied').waitFor();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name, { useInnerText: true });
  });

  t.test('on a slow network a click shows what the list knows at once', async (t) => {
    const page = await newPage(t);
    const code = page.waitForResponse(/plugin-page-.*\.js$/);
    await openPage(page, `${origin}/plugins/`);
    await code;
    const card = page.locator(FIRST).first();
    // innerText is empty for elements outside the window.
    const name = (await card.getByRole('heading').textContent()) ?? '';
    const intro = (await card.locator('p[class*=intro]').textContent()) ?? '';
    const release = Promise.withResolvers<void>();
    await page.route('**/api/cmt/plugin?plugin_key=*', async (route) => {
      await release.promise;
      await route.continue();
    });
    await card.getByRole('link', { name }).click();
    const article = page.locator('article[aria-busy=true]');
    await article.getByRole('heading', { level: 1, name }).waitFor();
    await expect(article.locator('header')).toContainText(intro.slice(0, 40));
    await expect(article.getByRole('img', { name: /^Picture 1/ })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(name));
    await expect(page.getByRole('heading', { name: 'About' })).toHaveCount(0);
    const drawn = await article.getByRole('img', { name: /^Picture 1/ }).elementHandle();
    release.resolve();
    await page.getByRole('heading', { name: 'About' }).waitFor();
    t.ok(await drawn?.evaluate((picture) => picture.isConnected), 'the picture is not drawn anew');
  });

  t.test('visitors are asked to sign in, and nothing changes', async (t) => {
    const page = await newPage(t);
    await openFirst(page, origin);
    await page
      .locator('header')
      .getByRole('button', { name: /^Install / })
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(page.locator('article header').getByRole('button', { name: /^Install / })).toBeVisible();
  });

  t.test('toasts are shown 48 px from the top, 58 px apart, for 1.5 s', async (t) => {
    const page = await newPage(t, {
      permissions: ['clipboard-write'],
      reducedMotion: 'reduce',
    });
    await openFirst(page, origin);
    await stopClock(page);
    const copy = page.getByRole('button', { name: 'Copy link' });
    await copy.click();
    await copy.click();
    const shown = page.getByRole('status').getByText('Link copied');
    await shown.nth(1).waitFor();
    const offsets = await shown.evaluateAll((toasts) =>
      toasts.map((one) => (one instanceof HTMLElement ? one.offsetTop : Number.NaN)),
    );
    t.strictSame(offsets, [0, TOAST_STEP]);
    const stack = await page.evaluate(
      () => document.querySelector('#root > [role=status]')?.getBoundingClientRect().top,
    );
    t.equal(stack, TOAST_TOP);
    await page.clock.runFor(TOAST_DURATION - 1);
    await expect(shown).toHaveCount(2);
    await page.clock.runFor(1);
    await t.resolves(shown.first().waitFor({ state: 'detached' }));
  });

  t.test('an unknown plugin gives a page with status 404 and links', async (t) => {
    const page = await newPage(t, { expected: /status of 404/ });
    for (const key of ['nobody-has-this', 'x', '%E4%B8%8D']) {
      const answer = await page.goto(`${origin}/plugins/plugin/${key}`);
      t.equal(answer?.status(), 404, key);
      await waitForHydration(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plugin not found', {
        useInnerText: true,
      });
    }
  });
});
