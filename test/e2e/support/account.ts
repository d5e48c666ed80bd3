import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openPage, TIMEOUT_MS, waitForHydration } from './page.ts';

export type Account = { email: string; name: string; password: string };

/** A new account. Checking the strength of a longer password takes half a second. */
export function newAccount(name = 'Mei Lin'): Account {
  return { email: `${randomUUID()}@example.com`, name, password: randomBytes(12).toString('base64url') };
}

/** Signs up from any page of the site and returns to it, where buttons work. */
export async function signUp(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href*="page=sign_up"]').click();
  await page.locator('input[name=email]').waitFor();
  await waitForHydration(page);
  await page.locator('input[name=email]').fill(account.email);
  await page.locator('input[name=nick_name]').fill(account.name);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
  await waitForHydration(page);
}

/** Signs up by an emailed link, then signs in. */
export async function signUpByMail(
  page: Page,
  account: Account,
  linkOf: () => Promise<string>,
): Promise<void> {
  await page.locator('header a[href*="page=sign_up"]').click();
  await page.locator('input[name=email]').waitFor();
  await waitForHydration(page);
  await page.locator('input[name=email]').fill(account.email);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: account.email }).waitFor();
  await page.goto(await linkOf());
  await page.locator('input[name=nick_name]').waitFor();
  await waitForHydration(page);
  await page.locator('input[name=nick_name]').fill(account.name);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Your account is ready.' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await submitSignIn(page, account);
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
  await waitForHydration(page);
}

/** Fills in the sign-in page and submits it. */
export async function submitSignIn(page: Page, account: Account): Promise<void> {
  await page.locator('input[name=account]').waitFor();
  await waitForHydration(page);
  await page.locator('input[name=account]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
}

/** Opens the home page and signs up there. */
export async function openSignedUp(page: Page, origin: string, account = newAccount()): Promise<void> {
  await openPage(page, `${origin}/plugins/`);
  await signUp(page, account);
}

/** Opens the home page and signs in there. */
export async function openSignedIn(page: Page, origin: string, account: Account): Promise<void> {
  await openPage(page, `${origin}/plugins/`);
  await signIn(page, account);
}

/** Signs in from any page of the site and returns to it, where buttons work. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href^="/api/auth/login"]').first().click();
  await submitSignIn(page, account);
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
  await waitForHydration(page);
}

/** Signs in once; returns the storage state for other contexts with the same session. */
export async function signedIn(
  browser: Browser,
  origin: string,
  account: Account,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await openPage(page, `${origin}/plugins/`);
  await signIn(page, account);
  const state = await context.storageState();
  await context.close();
  return state;
}
