import type { Page } from 'playwright-core';
import t from 'tap';
import { ADMIN, addAccount, memberPage, newAccount, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { startLoginHost } from './support/login-host.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { ownDemo, steadyProduct } from './support/product.ts';
import { dialog, form, liked, likes } from './support/sign-in-dialog.ts';

const open = (page: Page, origin: string) => openPage(page, `${origin}/plugins/`);

/** Bodies of later like requests. */
function watchLikes(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/plugin/user/praise')) sent.push(request.postData() ?? '');
  });
  return sent;
}

t.test('a pending like is sent after sign-in', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const account = await addAccount(product, newAccount('Kim'));

  t.test('with a session revoked on another device', async (t) => {
    const page = await signedInPage(t, product, account, {
      path: '/plugins/',
      expected: /status of 401/,
    });
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
  });

  t.test('a plugin that is already liked stays liked', async (t) => {
    const page = await signedInPage(t, product, account, { path: '/plugins/' });
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
    // The toast may be drawn before the button.
    await t.resolves(likes(page).nth(2).and(page.locator('[aria-pressed=true]')).waitFor());
    await expect(likes(page).nth(2), 'it counts once').toHaveText(before, { useInnerText: true });
  });

  t.test('not when the pending action is old or invalid', async (t) => {
    const page = await memberPage(t, product, 'Lea', { path: '/plugins/' });
    const key = await page
      .locator('main a[href^="/plugins/plugin/"]')
      .first()
      .evaluate((link) => link.getAttribute('href')?.split('/').at(-1) ?? '');
    const action = `like ${key}`;
    const mark = '#signed-in-1-2-3-4';
    const sent = watchLikes(page);
    const now = Date.now();
    for (const kept of [
      JSON.stringify({ action, mark, expiresAt: now - 1 }),
      JSON.stringify({ action, mark, expiresAt: now + 86_400_000 }),
      JSON.stringify({ action: `constructor ${key}`, mark, expiresAt: now + 60_000 }),
      JSON.stringify({ action: 7, mark, expiresAt: now + 60_000 }),
      JSON.stringify({ action, expiresAt: now + 60_000 }),
      'null',
      '{',
    ]) {
      await page.evaluate((text) => sessionStorage.setItem('unfinished', text), kept);
      // A change of the fragment alone would load nothing.
      await page.goto('about:blank');
      await openPage(page, `${origin}/plugins/${mark}`);
      await page.getByRole('button', { name: 'Lea’s account menu' }).waitFor();
      await page.waitForFunction(() => sessionStorage.getItem('unfinished') === null);
      await t.resolves(page.waitForURL(`${origin}/plugins/`));
    }
    await page.waitForLoadState('networkidle');
    t.strictSame(sent, []);
  });

  t.test('not after a reload while the question is open, whoever is signed in by then', async (t) => {
    const page = await newPage(t);
    await open(page, origin);
    const sent = watchLikes(page);
    await likes(page).nth(1).click();
    await dialog(page).waitFor();
    const other = await memberPage(t, product, 'Ida', { path: '/plugins/' });
    await page.context().addCookies(await other.context().cookies());
    await page.reload();
    await page.getByRole('button', { name: 'Ida’s account menu' }).waitFor();
    await waitForHydration(page);
    await page.waitForLoadState('networkidle');
    t.strictSame(sent, []);
  });
});

t.test('a login host that forbids framing is opened as a page, and the like is sent on return', async (t) => {
  const host = await startLoginHost(t, { frameOptions: 'DENY' });
  const { origin } = await ownDemo(t, { LOGIN_URL: host.url });
  host.serve(origin, ADMIN);
  const page = await newPage(t);
  await open(page, origin);
  const sent = watchLikes(page);
  await likes(page).nth(1).click();
  await dialog(page).getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Let me in' }).click();
  await liked(page).waitFor();
  await t.resolves(page.waitForURL(`${origin}/plugins/`));
  // The toast may be drawn before the button.
  await t.resolves(page.locator('main [aria-pressed=true]').first().waitFor({ state: 'attached' }));
  await page.reload();
  await waitForHydration(page);
  await page.waitForLoadState('networkidle');
  t.equal(sent.length, 1, 'once');
});
