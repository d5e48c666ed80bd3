import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Account, newAccount, openSignedIn, openSignedUp } from './account.ts';
import { type WatchedPage, watchedPage } from './page.ts';

export const CHIEF = { email: 'chief@example.com', name: 'Admin', password: 'seven tall lanterns 42' };

/** Settings of a product with this administrator. */
export const CHIEF_SETTINGS = { ADMIN_EMAIL: CHIEF.email, ADMIN_PASSWORD: CHIEF.password };

type Options = BrowserContextOptions & { expected?: RegExp };

/** A page with a signed-in user. */
export async function pageOf(
  browser: Browser,
  origin: string,
  account: Account,
  options: Options = {},
): Promise<WatchedPage> {
  const watched = await watchedPage(browser, options);
  await openSignedIn(watched.page, origin, account);
  return watched;
}

/** A second administrator, whose role is given by the first. */
export async function secondAdministrator(browser: Browser, origin: string, chief: Page): Promise<Account> {
  const account = newAccount('Second Admin');
  const { page } = await watchedPage(browser, {});
  await openSignedUp(page, origin, account);
  await page.context().close();
  await chief.goto(`${origin}/plugins/backstage-index/members`);
  await chief.getByRole('combobox', { name: `Role of ${account.name}` }).click();
  await chief.getByRole('option', { name: 'Administrator', exact: true }).click();
  await chief.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await chief.getByText('Changed', { exact: true }).waitFor();
  return account;
}

export const openScreen = (page: Page, origin: string, path: string) =>
  page.goto(`${origin}/plugins/backstage-index/${path}`);
