import { randomBytes, randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Pool } from '../../../server/database/pool.ts';
import { createPasswordHasher } from '../../../server/identity/accounts/passwords.ts';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER, ROLE_USER } from '../../../shared/constants.ts';
import { newPage, openPage, type PageOptions, waitForHydration } from './page.ts';

export type Account = { email: string; name: string; password: string };

/** One password for all accounts, so that its hash is computed once. */
export const PASSWORD = randomBytes(12).toString('base64url');
let hashed: Promise<string> | undefined;

function passwordHash(): Promise<string> {
  hashed ??= createPasswordHasher(randomBytes).then((hasher) => hasher.hash(PASSWORD));
  return hashed;
}

/** A super administrator that every product has. */
export const ADMIN: Account = { email: 'admin@example.com', name: 'Admin', password: PASSWORD };

/** Fills in the password that a dialog asks for. */
export function proveIn(dialog: Locator): Promise<void> {
  return dialog.getByLabel('Password of your account here').fill(PASSWORD);
}

/** Data of a new account. */
export function newAccount(name = 'Mei Lin'): Account {
  return { email: `${randomUUID()}@example.com`, name, password: PASSWORD };
}

/** Creates an account in the database of a product. */
export async function addAccount(
  { pool }: { pool: Pool },
  account: Account = newAccount(),
  { role = ROLE_USER, isConfirmed = true } = {},
): Promise<Account> {
  const { email, name } = account;
  await pool.query(
    `insert into identity.account (user_name, user_name_key, email, email_key, email_verified_at, nick_name, nick_name_key,
        password_hash, role, created_at)
      values ($1, $1, $2, $2, case when $3 then now() end, $4, lower($4), $5, $6, now())`,
    [`user_${randomBytes(4).toString('hex')}`, email, isConfirmed, name, await passwordHash(), role],
  );
  return account;
}

/** Signs a page in by the calls that the sign-in page makes. */
export async function signInByCalls(page: Page, origin: string, account: Account): Promise<void> {
  const { request } = page.context();
  // A kept connection may be closed just when it is used again: browsers repeat such a request too.
  const maxRetries = 1;
  const visit = { maxRedirects: 0, maxRetries, headers: { accept: 'text/html' } };
  const begun = await request.get(`${origin}/api/auth/login?return_to=%2Fplugins%2F`, visit);
  const { searchParams } = new URL(begun.headers().location ?? '', origin);
  const answer = await request.post(`${origin}/user/page/sign_in`, {
    maxRetries,
    headers: { [REQUESTED_WITH_HEADER]: REQUESTED_WITH },
    data: { account: account.email, password: account.password, ...Object.fromEntries(searchParams) },
  });
  if (!answer.ok()) throw new Error(`${account.email} cannot sign in: ${await answer.text()}`);
  const { data }: { data: { continue_to: string } } = await answer.json();
  await request.get(data.continue_to, visit);
}

type Site = { origin: string };
type Options = PageOptions & {
  /** Opens this path of the site; without it the page is empty. */
  path?: string;
};

/** A page of a signed-in user. */
export async function signedInPage(
  t: Test,
  { origin }: Site,
  account: Account,
  { path, ...options }: Options = {},
): Promise<Page> {
  const page = await newPage(t, { baseURL: origin, ...options });
  await signInByCalls(page, origin, account);
  if (path !== undefined) await openPage(page, origin + path);
  return page;
}

/** A page of a new, signed-in user. */
export async function memberPage(
  t: Test,
  product: Site & { pool: Pool },
  name?: string,
  options: Options = {},
): Promise<Page> {
  return signedInPage(t, product, await addAccount(product, newAccount(name)), options);
}

/** A page of the administrator. */
export function adminPage(t: Test, site: Site, options: Options = {}): Promise<Page> {
  return signedInPage(t, site, ADMIN, options);
}

/** Fills in the sign-up form, once it handles keys. */
export async function fillSignUp(form: Pick<Page, 'locator'>, account: Account): Promise<void> {
  await form.locator('input[name=email]').waitFor();
  await form.locator('button[type=submit]:enabled').waitFor();
  await form.locator('input[name=email]').fill(account.email);
  await form.locator('input[name=nick_name]').fill(account.name);
  await form.locator('input[name=password]').fill(account.password);
}

/** Signs up from any page of the site and returns to it, where buttons work. */
export async function signUp(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href*="page=sign_up"]').click();
  await fillSignUp(page, account);
  await page.keyboard.press('Enter');
  await isBack(page);
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
  await isBack(page);
}

/** Fills in the sign-in page and submits it. */
export async function submitSignIn(page: Page, account: Account): Promise<void> {
  await page.locator('input[name=account]').waitFor();
  await waitForHydration(page);
  await page.locator('input[name=account]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
}

/** Signs in from any page of the site and returns to it, where buttons work. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href^="/api/auth/login"]').first().click();
  await submitSignIn(page, account);
  await isBack(page);
}

/** Waits until the sign-in page has led back to the site. @throws Error with the message that it shows instead */
async function isBack(page: Page): Promise<void> {
  const refusal = await page.waitForFunction(() => {
    if (location.pathname.startsWith('/plugins/')) return { message: undefined };
    const message = document.querySelector('[role=alert]')?.textContent;
    return message ? { message } : undefined;
  });
  const { message } = (await refusal.jsonValue()) ?? {};
  if (message !== undefined) throw new Error(message);
  await waitForHydration(page);
}
