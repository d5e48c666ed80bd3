import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Account, newAccount, signIn, signUp } from './account.ts';
import { hydrated, type WatchedPage, watchedPage } from './page.ts';

export const CHIEF = { email: 'chief@example.com', name: 'Admin', password: 'seven tall lanterns 42' };

/** Settings with which a product has that administrator. */
export const CHIEF_SETTINGS = { ADMIN_EMAIL: CHIEF.email, ADMIN_PASSWORD: CHIEF.password };

type Options = BrowserContextOptions & { expected?: RegExp };

/** A page of somebody who has signed in. */
export async function pageOf(
  browser: Browser,
  origin: string,
  account: Account,
  options: Options = {},
): Promise<WatchedPage> {
  const watched = await watchedPage(browser, options);
  await watched.page.goto(`${origin}/plugins/`);
  await hydrated(watched.page);
  await signIn(watched.page, account);
  return watched;
}

/** A second administrator, made one by the first. */
export async function secondAdministrator(browser: Browser, origin: string, chief: Page): Promise<Account> {
  const account = newAccount('Second Admin');
  const { page } = await watchedPage(browser, {});
  await page.goto(`${origin}/plugins/`);
  await hydrated(page);
  await signUp(page, account);
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
