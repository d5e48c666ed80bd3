import type { Page } from 'playwright-core';
import t from 'tap';
import { newAccount, signIn, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { dialog, form, liked, likes } from './support/like.ts';
import { startLoginHost } from './support/login-host.ts';
import { ADMIN } from './support/own-product.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const SETTINGS = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

async function open(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/plugins/`);
  await hydrated(page);
}

/** Likes sent from now on. */
function praisesOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/plugin/user/praise')) sent.push(request.postData() ?? '');
  });
  return sent;
}

t.test('what was meant is done after sign-in', async (t) => {
  const origin = await runningProduct(t, SETTINGS);
  const browser = await openBrowser(t);
  const account = newAccount('Kim');

  t.test('with a session that has ended elsewhere', async () => {
    const { page } = await watchedPage(browser, { expected: /status of 401/ });
    await open(page, origin);
    await signUp(page, account);
    await page.getByRole('button', { name: 'Kim’s account menu' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page
      .locator('main')
      .getByRole('button', { name: /^Install/ })
      .first()
      .click();
    await form(page).locator('input[name=account]').fill(account.email);
    await form(page).locator('input[name=password]').fill(account.password);
    await form(page).getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Kim’s account menu' }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  t.test('and stays done where it was done already', async (t) => {
    const { page } = await watchedPage(browser, {});
    await open(page, origin);
    await signIn(page, account);
    await page.getByRole('button', { name: 'Kim’s account menu' }).waitFor();
    await page.waitForLoadState('networkidle');
    await likes(page).nth(2).click();
    await liked(page).waitFor();
    const before = await likes(page).nth(2).innerText();
    await page.context().clearCookies();
    await open(page, origin);
    await likes(page).nth(2).click();
    await form(page).locator('input[name=account]').fill(account.email);
    await form(page).locator('input[name=password]').fill(account.password);
    await form(page).getByRole('button', { name: 'Sign in' }).click();
    await liked(page).waitFor();
    await page.waitForLoadState('networkidle');
    t.equal(await likes(page).nth(2).getAttribute('aria-pressed'), 'true');
    t.equal(await likes(page).nth(2).innerText(), before, 'and counts once');
    await page.context().close();
  });

  t.test('but not when it is long ago, or in words that nobody wrote', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await open(page, origin);
    const key = await page
      .locator('main a[href^="/plugins/plugin/"]')
      .first()
      .evaluate((link) => link.getAttribute('href')?.split('/').at(-1) ?? '');
    const what = `like ${key}`;
    const sent = praisesOf(page);
    await signUp(page, newAccount('Lea'));
    const now = Date.now();
    for (const kept of [
      JSON.stringify({ what, until: now - 1 }),
      JSON.stringify({ what, until: now + 86_400_000 }),
      JSON.stringify({ what: `constructor ${key}`, until: now + 60_000 }),
      JSON.stringify({ what: 7, until: now + 60_000 }),
      'null',
      '{',
    ]) {
      await page.evaluate((text) => sessionStorage.setItem('unfinished', text), kept);
      await open(page, origin);
      await page.getByRole('button', { name: 'Lea’s account menu' }).waitFor();
      await page.waitForFunction(() => sessionStorage.getItem('unfinished') === null);
    }
    await page.waitForLoadState('networkidle');
    t.strictSame(sent, []);
    t.strictSame(complaints, []);
    await page.context().close();
  });
});

t.test(
  'a login host that forbids framing is gone to, and what was meant is done on the way back',
  async (t) => {
    const host = await startLoginHost(t, { frameOptions: 'DENY' });
    const origin = await runningProduct(t, { ...SETTINGS, LOGIN_URL: host.url });
    host.serve(origin, ADMIN);
    const { page, complaints } = await watchedPage(await openBrowser(t), {});
    await open(page, origin);
    const sent = praisesOf(page);
    await likes(page).nth(1).click();
    await dialog(page).getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Let me in' }).click();
    await liked(page).waitFor();
    t.equal(page.url(), `${origin}/plugins/`);
    t.equal((await page.locator('main [aria-pressed=true]').count()) >= 1, true);
    await page.reload();
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    t.equal(sent.length, 1, 'once');
    t.strictSame(complaints, []);
  },
);
