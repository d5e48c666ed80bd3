import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hydrated } from './page.ts';

export type Account = { email: string; name: string; password: string };

/** An account nobody has yet; how strong a longer password is would be reckoned for half a second. */
export function newAccount(name = 'Mei Lin'): Account {
  return { email: `${randomUUID()}@example.com`, name, password: randomBytes(12).toString('base64url') };
}

/** From any page of the site: signs up and comes back to it. */
export async function signUp(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href*="page=sign_up"]').click();
  await page.locator('input[name=email]').waitFor();
  await hydrated(page);
  await page.locator('input[name=email]').fill(account.email);
  await page.locator('input[name=nick_name]').fill(account.name);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
}

/** The same where a link is mailed: asks for it, and opens it with name and password. */
export async function signUpByMail(
  page: Page,
  account: Account,
  linkOf: () => Promise<string>,
): Promise<void> {
  await page.locator('header a[href*="page=sign_up"]').click();
  await page.locator('input[name=email]').waitFor();
  await hydrated(page);
  await page.locator('input[name=email]').fill(account.email);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: account.email }).waitFor();
  await page.goto(await linkOf());
  await page.locator('input[name=nick_name]').waitFor();
  await hydrated(page);
  await page.locator('input[name=nick_name]').fill(account.name);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Your account is ready.' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('input[name=account]').waitFor();
  await hydrated(page);
  await page.locator('input[name=account]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
}

/** From any page of the site: signs in and comes back to it. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href^="/api/auth/login"]').first().click();
  await page.locator('input[name=account]').waitFor();
  await hydrated(page);
  await page.locator('input[name=account]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/plugins/'));
}

/** Signs in once; what is answered opens other contexts as the same person. */
export async function signedIn(
  browser: Browser,
  origin: string,
  account: Account,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/plugins/`);
  await hydrated(page);
  await signIn(page, account);
  const state = await context.storageState();
  await context.close();
  return state;
}
