import type { Page } from 'playwright-core';
import t from 'tap';
import { SIGN_IN_CHANNEL, SIGNED_IN_MESSAGE } from '../../shared/constants.ts';
import { type Account, ADMIN, fillSignUp, newAccount, signUp, submitSignIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { startLoginHost } from './support/login-host.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { ownDemo, PRIVATE, steadyProduct } from './support/product.ts';
import { dialog, isSamePage, liked, likes, openMarkedHome } from './support/sign-in-dialog.ts';

const POPUP = { UX_MODE: 'popup' };
const headerLink = (page: Page) => page.locator('header').getByRole('link', { name: 'Sign in' });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search plugins' }).first();
const menuOf = (page: Page, { name }: Account) =>
  page.getByRole('button', { name: `${name}’s account menu` });

/** The window that `act` opens, after hydration. */
async function windowOf(page: Page, act: () => Promise<void>): Promise<Page> {
  const opening = page.waitForEvent('popup');
  await act();
  const popup = await opening;
  await popup.locator('input[name=account]').waitFor();
  await waitForHydration(popup);
  return popup;
}

t.test('UX_MODE=popup: signing in with a window', async (t) => {
  const { origin } = await ownDemo(t, POPUP);

  t.test("the header's link opens it; it closes, and the page keeps its input", async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    await search(page).fill('not sent yet');
    const popup = await windowOf(page, () => headerLink(page).click());
    t.match(new URL(popup.url()).searchParams.get('ux_mode'), 'popup');
    t.ok((popup.viewportSize()?.width ?? 0) <= 500, 'a window, not a tab');
    const waiting = dialog(page).getByRole('status');
    await expect(waiting).toContainText('Finish signing in in the new window.');
    const notification = page.evaluate(
      () =>
        new Promise<Record<string, unknown>>((resolve) =>
          addEventListener('message', ({ data }) => resolve(data)),
        ),
    );
    const closed = popup.waitForEvent('close');
    // Sought from the beginning, as it disappears by itself.
    const told = page.getByRole('status').getByText('Signed in', { exact: true }).waitFor();
    await submitSignIn(popup, ADMIN);
    await told;
    await closed;
    await menuOf(page, ADMIN).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    const { return_to, ...rest } = await notification;
    t.strictSame(rest, { type: SIGNED_IN_MESSAGE }, 'no token, no code');
    // On a busy machine what was typed is searched for before the click.
    t.match(return_to, /^\/plugins\/(?:\?keyword=not\+sent\+yet)?$/);
    t.equal(await isSamePage(page), true, 'without a reload');
    await expect(search(page)).toHaveValue('not sent yet');
  });

  t.test('the dialog opens it by keyboard, and the pending action is done', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    await likes(page).nth(3).click();
    await dialog(page).getByRole('link', { name: 'Sign in' }).waitFor();
    await expect(page.locator('iframe')).toHaveCount(0);
    const popup = await windowOf(page, async () => {
      await dialog(page).getByRole('link', { name: 'Sign in' }).press('Enter');
    });
    await dialog(page).getByRole('button', { name: 'Show the window' }).waitFor();
    await popup.getByRole('link', { name: 'Create an account' }).click();
    const account = newAccount('Popup');
    await fillSignUp(popup, account);
    const closed = popup.waitForEvent('close');
    // Several messages tell of one sign-in; some arrive while the dialog closes.
    await page.evaluate(
      ([name, type]) => {
        const channel = new BroadcastChannel(name);
        setInterval(() => channel.postMessage({ type, return_to: '/plugins/' }), 5);
      },
      [SIGN_IN_CHANNEL, SIGNED_IN_MESSAGE] as const,
    );
    await popup.keyboard.press('Enter');
    await liked(page).waitFor();
    await menuOf(page, account).waitFor();
    t.equal(await isSamePage(page), true, 'without a reload');
    await t.resolves(closed);
  });

  t.test('closed too early: the page shows a message, and another one can be opened', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    const popup = await windowOf(page, () => headerLink(page).click());
    await popup.close();
    await dialog(page).getByRole('alert').getByText('You’re not signed in yet.').waitFor();
    const again = dialog(page).getByRole('link', { name: 'Sign in', exact: true });
    await expect(again).toBeFocused();
    const next = await windowOf(page, () => again.click());
    await submitSignIn(next, ADMIN);
    await menuOf(page, ADMIN).waitFor();
    t.equal(await isSamePage(page), true);
  });

  t.test('blocked: the page shows a message and offers the sign-in page', async (t) => {
    const page = await newPage(t);
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.clock.install();
    await openMarkedHome(page, origin);
    await headerLink(page).click();
    const alert = dialog(page).getByRole('alert').getByText('Your browser blocked the sign-in window.');
    await alert.waitFor();
    await dialog(page).getByRole('button', { name: 'Stay on this page' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.clock.runFor(6000);
    t.equal(await isSamePage(page), true, 'stays');
    await headerLink(page).click();
    await alert.waitFor();
    await page.clock.runFor(6000);
    await page.waitForURL((url) => url.pathname === '/user/login');
    t.equal(new URL(page.url()).searchParams.get('ux_mode'), 'redirect');
    await submitSignIn(page, ADMIN);
    await menuOf(page, ADMIN).waitFor();
    t.match(page.url(), `${origin}/plugins/`);
  });

  t.test('a refused sign-in closes it and shows an error in the page', async (t) => {
    const page = await newPage(t, { expected: /status of 400/ });
    await openMarkedHome(page, origin);
    await page.context().route('**/api/auth/callback?*', (route) =>
      route.continue({
        url: `${route
          .request()
          .url()
          .replace(/&code=[^&]+/, '')}&error=access_denied`,
      }),
    );
    const popup = await windowOf(page, () => headerLink(page).click());
    const closed = popup.waitForEvent('close');
    await submitSignIn(popup, ADMIN);
    await closed;
    await dialog(page).getByRole('heading', { name: 'Couldn’t sign in' }).waitFor();
    await dialog(page).getByRole('alert').getByText('This sign-in attempt has expired').waitFor();
    await page.context().unroute('**/api/auth/callback?*');
    const next = await windowOf(page, () => dialog(page).getByRole('link', { name: 'Sign in' }).click());
    await submitSignIn(next, ADMIN);
    await menuOf(page, ADMIN).waitFor();
    t.equal(await isSamePage(page), true);
  });

  t.test('a tab that waits on the sign-in page goes on when another signs in', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    const popup = await windowOf(page, () => headerLink(page).click());
    const tab = await page.context().newPage();
    await openPage(tab, `${origin}/api/auth/login?return_to=/plugins/%3Fsort=1&ux_mode=redirect`);
    await submitSignIn(popup, ADMIN);
    await menuOf(page, ADMIN).waitFor();
    await menuOf(tab, ADMIN).waitFor();
    t.match(tab.url(), `${origin}/plugins/?sort=1`);
  });

  t.test('a page reloaded meanwhile is notified too', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    const popup = await windowOf(page, () => headerLink(page).click());
    await page.reload();
    await waitForHydration(page);
    await expect(dialog(page)).toHaveCount(0);
    await submitSignIn(popup, ADMIN);
    await menuOf(page, ADMIN).waitFor();
  });

  t.test('on a phone the drawer closes for it', async (t) => {
    const page = await newPage(t, {
      viewport: { width: 375, height: 667 },
      hasTouch: true,
    });
    await openMarkedHome(page, origin);
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    const popup = await windowOf(page, () => drawer.getByRole('link', { name: 'Sign in' }).tap());
    await drawer.waitFor({ state: 'detached' });
    await submitSignIn(popup, ADMIN);
    await menuOf(page, ADMIN).waitFor();
  });
});

t.test('a login host that separates the window from its opener', async (t) => {
  const host = await startLoginHost(t, { openerPolicy: 'same-origin' });
  const { origin } = await ownDemo(t, { ...POPUP, LOGIN_URL: host.url });
  host.serve(origin, ADMIN);
  const page = await newPage(t, { expected: /favicon/ });
  await openMarkedHome(page, origin);
  const opening = page.waitForEvent('popup');
  await headerLink(page).click();
  const popup = await opening;
  await popup.getByRole('button', { name: 'Let me in' }).waitFor();
  await dialog(page).getByRole('alert').getByText('continue there').waitFor();
  await popup.getByRole('button', { name: 'Let me in' }).click();
  await menuOf(page, ADMIN).waitFor();
  await dialog(page).waitFor({ state: 'detached' });
  t.equal(await isSamePage(page), true, 'without a reload');
  if (!popup.isClosed()) await popup.waitForEvent('close');
});

t.test('private sites open no window', async (t) => {
  const { origin } = await steadyProduct(PRIVATE);
  const page = await newPage(t);
  await openMarkedHome(page, origin);
  await signUp(page, newAccount('Priya'));
  await page.getByRole('button', { name: 'Priya’s account menu' }).waitFor();
  t.equal(page.context().pages().length, 1);
});
