import type { Page } from 'playwright-core';
import { openPage } from './page.ts';
import { packageFile } from './publish-files.ts';

export const PUBLISH_PAGE = '/plugins/publish-plugin/single';
/** File input of a field. */
export const fileInput = (page: Page, name: string) => page.locator(`[data-field=${name}] input[type=file]`);
/** Field with a label. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
/** Submit button. */
export const submit = (page: Page) => page.locator('form button[type=submit]');

/** Fills the required texts in the current language. */
export async function fillTexts(page: Page, name: string): Promise<void> {
  await field(page, 'Name').fill(name);
  await field(page, 'Intro').fill('Counts the frames of a page.');
  await field(page, 'Description').fill('It counts.\n\nAnd it tells.');
  await field(page, 'Contact').fill('help@example.com');
  await field(page, 'Version description').fill('The first one.');
}

export async function openForm(page: Page, origin: string, query = ''): Promise<void> {
  await openPage(page, `${origin}${PUBLISH_PAGE}${query}`);
  await submit(page).waitFor();
}

/** Submits a plugin with the form; returns its key. */
export async function publishByForm(page: Page, origin: string, name: string): Promise<string> {
  await openForm(page, origin);
  await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': name } }));
  await page.getByText('Filled in from the package').waitFor();
  await fillTexts(page, name);
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  return submittedKey(page);
}

/** Key of the plugin that was just submitted. */
export async function submittedKey(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: 'See its page' }).getAttribute('href');
  return href?.split('/').at(-1) ?? '';
}

/** Sorted names of the parts of a multipart body. */
export function partsOf(body: string | null): string[] {
  return [...(body ?? '').matchAll(/form-data; name="(\w+)"/g)].map((match) => match[1] ?? '').sort();
}
