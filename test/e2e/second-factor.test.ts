import { TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import {
  type Account,
  ADMIN,
  addAccount,
  newAccount,
  signedInPage,
  submitSignIn,
} from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';

const STEP = 30_000;

/** Code of the authenticator app; `ahead` gives the next one, which is valid early, after this one was used. */
const codeOf = (secret: string, { ahead = 0 } = {}): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * STEP });

const pasted = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

const codeField = (page: Page | Locator) => page.locator('input[name=code]');
/** Waits until it has the focus, which it takes after it is drawn. */
const hasFocus = (page: Page) => page.waitForFunction(() => document.activeElement?.matches('[name=code]'));

/** The secret next to the QR code. */
async function shownSecret(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const key = page.locator('code', { hasText: /^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/ });
  return (await key.innerText()).replaceAll(' ', '');
}

async function shownRecoveryCodes(page: Page): Promise<string[]> {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  return page.locator('li > code').allInnerTexts();
}

/** Signs in up to the second factor. */
async function enterPassword(page: Page, account: Account): Promise<void> {
  await page.locator('header a[href^="/api/auth/login"]').first().click();
  await submitSignIn(page, account);
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
}

async function signOut(page: Page, account: Account): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: `${account.name}’s account menu` }).click();
  await choose(page.getByRole('menuitem', { name: 'Sign out' }));
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
}

const backHome = (page: Page) => page.waitForURL((url) => url.pathname.startsWith('/plugins/'));

t.test('the second factor', async (t) => {
  const product = await ownProduct(t, { SECOND_FACTOR: 'administrators' });
  const { origin, pool } = product;
  const member = await addAccount(product, newAccount('Lin Mei'));

  t.test('a member turns it on, signs in with a code and with a recovery code', async (t) => {
    const page = await signedInPage(t, product, member, { expected: /status of 422/ });
    await openPage(page, `${origin}/plugins/account`);
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    await pool.query(`update identity.session set authenticated_at = now() - interval '6 minutes'`);
    await page.reload();
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const section = page.getByRole('region', { name: 'Two-step verification' });
    const password = section.locator('input[name=current_password]');
    await password.waitFor();
    await expect(password).toBeFocused();
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('Enter your current password.').waitFor();
    await password.fill('not this one');
    await page.keyboard.press('Enter');
    await section.getByText('Incorrect current password.').waitFor();
    await password.fill(member.password);
    await page.keyboard.press('Enter');
    const secret = await shownSecret(page);
    await t.resolves(hasFocus(page));
    await codeField(page).fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the 6 digits that the app shows.').waitFor();
    await codeField(page).fill(pasted(codeOf(secret)));
    await page.keyboard.press('Enter');
    const recoveryCodes = await shownRecoveryCodes(page);
    t.equal(recoveryCodes.length, 10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    t.equal((await download).suggestedFilename(), 'recovery-codes.txt');
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    t.notMatch(await page.content(), secret, 'the secret is no longer shown');

    await page.goto(`${origin}/plugins/`);
    await signOut(page, member);
    await enterPassword(page, member);
    t.hasStrict(
      await codeField(page).evaluate((field: HTMLInputElement) => [field.inputMode, field.autocomplete]),
      ['numeric', 'one-time-code'],
    );
    await t.resolves(hasFocus(page));
    await codeField(page).fill('000 000');
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong or was already used.').waitFor();
    await codeField(page).fill(pasted(codeOf(secret, { ahead: 1 })));
    await page.keyboard.press('Enter');
    await backHome(page);

    await signOut(page, member);
    await enterPassword(page, member);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await codeField(page).fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await backHome(page);
    await page.getByRole('button', { name: `${member.name}’s account menu` }).waitFor();
  });

  t.test('an administrator sets it up to sign in, and removes that of a member', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    await enterPassword(page, ADMIN);
    const secret = await shownSecret(page);
    await codeField(page).fill(codeOf(secret));
    await page.keyboard.press('Enter');
    const recoveryCodes = await shownRecoveryCodes(page);
    t.equal(recoveryCodes.length, 10);
    await page.getByRole('button', { name: 'I’ve saved them, continue' }).click();
    await backHome(page);

    await page.goto(`${origin}/plugins/account`);
    await page.getByText('Administrators need it here').waitFor();
    await expect(page.getByRole('button', { name: 'Turn off' })).toHaveCount(0);

    await page.goto(`${origin}/plugins/backstage-index/members`);
    const row = page.getByRole('row', { name: member.email });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await choose(page.getByRole('menuitem', { name: 'Remove two-step verification' }));
    const dialog = page.getByRole('dialog');
    await codeField(dialog).fill(recoveryCodes[0] ?? '');
    await dialog.getByRole('button', { name: 'Remove two-step verification' }).click();
    await page.getByText('Removed two-step verification').waitFor();
    await row.getByText('Two-step verification').waitFor({ state: 'detached' });
  });
});
