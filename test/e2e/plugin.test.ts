import type { Page } from 'playwright-core';
import t from 'tap';
import { TOAST_STEP, TOAST_TOP } from '../../shared/constants.ts';
import { newAccount, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const FIRST = 'section[aria-labelledby=results] article';
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

async function openFirst(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/plugins/`);
  await hydrated(page);
  const name = (await page.locator(`${FIRST} h3`).first().textContent()) ?? '';
  await page.locator(`${FIRST} h3 a`).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return name;
}

t.test('a plugin and what one does with it', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('its page says what it does and what it may reach, and leads back to where one was', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    const name = await openFirst(page, origin);
    t.match(await page.title(), name);
    for (const heading of ['About', 'Version history', 'Details']) {
      t.ok(await page.getByRole('heading', { name: heading }).isVisible(), heading);
    }
    t.match(await page.locator('#access').innerText(), /network access|domain|any website/i);
    await page.getByRole('link', { name: 'All plugins' }).first().click();
    await page.waitForURL(`${origin}/plugins/`);
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('its link is copied and opens the same page', async (t) => {
    const { page } = await watchedPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const name = await openFirst(page, origin);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await toast(page, 'Link copied').waitFor();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), name);
    await page.context().close();
  });

  t.test('whoever is not signed in is asked to, and nothing is changed', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openFirst(page, origin);
    await page
      .locator('header')
      .getByRole('button', { name: /^Install / })
      .click();
    await page.getByRole('dialog').waitFor();
    t.strictSame(complaints, [], 'no call was made in vain');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.ok(
      await page
        .locator('article header')
        .getByRole('button', { name: /^Install / })
        .isVisible(),
    );
    await page.context().close();
  });

  t.test(
    'liking and installing show at once, are told, survive a reload, and are undone when they fail',
    async (t) => {
      const { page, complaints } = await watchedPage(browser, { expected: /ERR_FAILED/ });
      await page.goto(`${origin}/plugins/`);
      await hydrated(page);
      await signUp(page, newAccount());
      await openFirst(page, origin);
      const actions = page.locator('article header');
      const like = actions.getByRole('button', { name: /^Like / });
      const install = actions.getByRole('button').first();

      await like.click();
      await toast(page, 'Liked').waitFor();
      await install.click();
      await toast(page, 'Plugin installed').waitFor();
      await page.reload();
      await hydrated(page);
      t.equal(await like.getAttribute('aria-pressed'), 'true');
      t.match(await install.innerText(), /Installed/);

      await page.getByRole('link', { name: 'All plugins' }).first().click();
      await page.locator(FIRST).first().waitFor();
      const card = page.locator(FIRST).first();
      // What is out of sight has no inner text.
      t.match(await card.textContent(), /Installed/, 'the list knows it too');
      await card.getByRole('button', { name: /^Like / }).click();
      await toast(page, 'Unliked').waitFor();
      await card.getByRole('button').last().click();
      await toast(page, 'Plugin uninstalled').waitFor();
      await page.reload();
      await hydrated(page);
      t.equal(await card.getByRole('button', { name: /^Like / }).getAttribute('aria-pressed'), 'false');
      t.notMatch(await card.textContent(), /Installed/);

      await page.route('**/api/cmt/plugin/user/praise', async (route) => {
        await card.locator('[aria-pressed=true]').waitFor();
        await route.abort();
      });
      await card.getByRole('button', { name: /^Like / }).click();
      await toast(page, 'Like failed').waitFor();
      t.equal(
        await card.getByRole('button', { name: /^Like / }).getAttribute('aria-pressed'),
        'false',
        'undone',
      );
      t.strictSame(complaints, []);
      await page.context().close();
    },
  );

  t.test('toasts stand 48 px from the top, 58 px apart, for a second and a half', async (t) => {
    const { page } = await watchedPage(browser, {
      permissions: ['clipboard-write'],
      reducedMotion: 'reduce',
    });
    await openFirst(page, origin);
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
    await shown.first().waitFor({ state: 'detached', timeout: 1900 });
    await page.context().close();
  });

  t.test('an unknown plugin is a page of status 404 with a way on', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 404/ });
    for (const key of ['nobody-has-this', 'x', '%E4%B8%8D']) {
      const answer = await page.goto(`${origin}/plugins/plugin/${key}`);
      t.equal(answer?.status(), 404, key);
      await hydrated(page);
      t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Plugin not found');
    }
    await page.context().close();
  });
});
