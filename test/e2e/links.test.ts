import type { Browser, Page } from 'playwright-core';
import t from 'tap';
import { newAccount, signedIn, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { hrefs, panel, shownWords, withHeader, word } from './support/header.ts';
import { ADMIN } from './support/own-product.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

/** Every link address of header, menus and footer. */
async function allLinks(page: Page): Promise<string[]> {
  const found = await hrefs(page.locator('footer'));
  for (const name of (await shownWords(page)).flatMap((shown) => shown ?? [])) {
    if ((await word(page, name).count()) === 0) continue;
    await word(page, name).click();
    await panel(page, name).waitFor();
    // Featured works are loaded after the links.
    if (name === 'community') await page.getByRole('region', { name: /works|作品/ }).waitFor();
    found.push(...(await hrefs(panel(page, name))));
    await page.keyboard.press('Escape');
  }
  const account = page.locator('header button[aria-haspopup=menu]').last();
  if ((await page.locator('header a[href^="/api/auth/login"]').count()) === 0) {
    await account.click();
    await page.getByRole('menu').waitFor();
    found.push(...(await hrefs(page.getByRole('menu'))));
    await page.keyboard.press('Escape');
  }
  found.push(...(await hrefs(page.locator('header'))));
  await page.setViewportSize({ width: 375, height: 760 });
  await page.locator('header button[aria-haspopup=dialog]').last().click();
  const drawer = page.getByRole('dialog');
  await drawer.waitFor();
  found.push(...(await hrefs(drawer)));
  await page.keyboard.press('Escape');
  return [...new Set(found.flatMap((href) => href ?? []))].filter((href) => !href.startsWith('#'));
}

async function member(browser: Browser, origin: string) {
  const { page } = await withHeader(browser, origin);
  await signUp(page, newAccount());
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

t.test('a standalone site has no broken link in header, footer and menus', async (t) => {
  const origin = await runningProduct(t, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const browser = await openBrowser(t);
  const visitors = {
    'signed out': undefined,
    'signed in': await member(browser, origin),
    administrator: await signedIn(browser, origin, ADMIN),
  };
  for (const [who, storageState] of Object.entries(visitors)) {
    for (const language of ['en-US', 'zh-CN'] as const) {
      const { page } = await withHeader(browser, origin, { language, ...(storageState && { storageState }) });
      const links = await allLinks(page);
      const broken: string[] = [];
      for (const link of links) {
        const answer = await page.request.get(new URL(link, origin).href, {
          headers: { accept: 'text/html' },
        });
        if (answer.status() >= 400) broken.push(`${link} ${answer.status()}`);
      }
      t.strictSame(broken, [], `${who}, ${language}`);
      const paths = links.map((link) => new URL(link, origin).pathname);
      t.ok(
        paths.includes('/plugins/') && paths.includes('/help/'),
        `${who}, ${language}: ${paths.join(' ')}`,
      );
      t.equal(paths.includes('/plugins/backstage-index/audit-list'), who === 'administrator', who);
      await page.context().close();
    }
  }
});

t.test('the workbench link is shown if APP_URL is set', async (t) => {
  const APP = 'https://app.example/files';
  const origin = await runningProduct(t, { APP_URL: APP, HELPCENTER_URL: 'http://127.0.0.1:9/help' });
  const browser = await openBrowser(t);
  const { page } = await withHeader(browser, origin);
  t.strictSame(await shownWords(page), ['product', 'community'], 'an external help center has no link');
  await word(page, 'product').click();
  await panel(page, 'product').waitFor();
  t.strictSame(await hrefs(panel(page, 'product')), [APP]);
  t.strictSame(await hrefs(page.locator('footer nav')), [APP]);
  await signUp(page, newAccount());
  t.equal(await page.getByRole('link', { name: 'Open workbench' }).getAttribute('href'), APP);
  await page.context().close();
});

t.test('a private standalone site shows only the existing parts of the community', async (t) => {
  const local = [{ method: 'local', sign_up: false }];
  const origin = await runningProduct(t, { DEPLOY_TYPE: 'pri', IDENTITY_METHODS: JSON.stringify(local) });
  const browser = await openBrowser(t);
  const { page } = await withHeader(browser, origin);
  await word(page, 'community').click();
  // Works and activity are loaded and hidden. The element around this one is empty before they are loaded.
  await page.locator('[data-panel=community] > div > div > div > div:empty').waitFor({ state: 'attached' });
  t.strictSame(await hrefs(panel(page, 'community')), ['/plugins/']);
  t.equal(await page.locator('header a[href*="page=sign_up"]').count(), 0, 'sign-up is closed');
  t.equal(await page.locator('header a[href^="/api/auth/login"]').first().innerText(), 'Sign in');
  await page.context().close();
});

t.test('"Start for free" is shown only if sign-up is open', async (t) => {
  const local = [{ method: 'local', sign_up: false }];
  const origin = await runningProduct(t, { IDENTITY_METHODS: JSON.stringify(local) });
  const browser = await openBrowser(t);
  const { page } = await watchedPage(browser, {});
  await openPage(page, `${origin}/plugins/`);
  t.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 1);
  t.equal(await page.locator('a[href*="page=sign_up"]').count(), 0);
  t.equal(await page.getByText('Start for free').count(), 0);
  await page.context().close();
});

t.test('inside a workplace chat the footer hides what the header hides', async (t) => {
  const SITE = 'https://site.example';
  const origin = await runningProduct(t, { SITE_URL: SITE });
  const browser = await openBrowser(t);
  const { page } = await withHeader(browser, origin, { path: '/plugins/?embed=chat' });
  const shown = await hrefs(page.locator('footer nav'));
  t.strictSame(
    shown.map((href) => href?.replace(SITE, '')),
    [
      '/app?embed=chat',
      '/community/home?embed=chat',
      '/community/home?classify=library&embed=chat',
      '/community/activity?embed=chat',
      '/designskills/?embed=chat',
      '/help/?embed=chat',
      '/education-version/?embed=chat',
      '/contact-us/?embed=chat',
    ],
  );
  await page.context().close();
});
