import type { Page } from 'playwright-core';
import { type Account, signUp } from './account.ts';
import { hydrated } from './page.ts';
import { packageFile } from './publish-files.ts';

export const PUBLISH_PAGE = '/plugins/publish-plugin/single';
/** The field that takes files. */
export const zone = (page: Page, name: string) => page.locator(`[data-field=${name}] input[type=file]`);
/** The field of a label. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
/** The button that sends the form. */
export const submit = (page: Page) => page.locator('form button[type=submit]');

/** Writes what must be written, in the language on screen. */
export async function fillTexts(page: Page, name: string): Promise<void> {
  await field(page, 'Name').fill(name);
  await field(page, 'Intro').fill('Counts the frames of a page.');
  await field(page, 'Description').fill('It counts.\n\nAnd it tells.');
  await field(page, 'Contact').fill('help@example.com');
  await field(page, 'Version description').fill('The first one.');
}

export async function openForm(page: Page, origin: string, query = ''): Promise<void> {
  await page.goto(`${origin}${PUBLISH_PAGE}${query}`);
  await hydrated(page);
  await submit(page).waitFor();
}

/** Publishes a plugin and answers its key. */
export async function publish(page: Page, origin: string, name: string): Promise<string> {
  await openForm(page, origin);
  await zone(page, 'code').setInputFiles(packageFile({ name: { 'en-US': name } }));
  await page.getByText('Filled in from the package').waitFor();
  await fillTexts(page, name);
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  return page.locator('dd code').innerText();
}

export async function signedUp(page: Page, origin: string, account: Account): Promise<void> {
  await page.goto(`${origin}/plugins/`);
  await hydrated(page);
  await signUp(page, account);
}

/** Names of the parts of a multipart body. */
export function partsOf(body: string | null): string[] {
  return [...(body ?? '').matchAll(/form-data; name="(\w+)"/g)].map((match) => match[1] ?? '').sort();
}
