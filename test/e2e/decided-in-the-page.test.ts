import t from 'tap';
import { newAccount, openSignedUp } from './support/account.ts';
import { CHIEF, CHIEF_SETTINGS, openScreen, pageOf } from './support/administrators.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';
import { addSubmission, productDatabase } from './support/submissions.ts';

/** Decisions of the page that no service can check. The long tests cover them in detail. */
t.test('decisions of the page', async (t) => {
  const { url, db } = await productDatabase(t);
  const origin = await runningProduct(t, {
    ...CHIEF_SETTINGS,
    DATABASE_URL: url,
    SEED: 'demo',
    DEPLOY_TYPE: 'overseas',
  });
  const browser = await openBrowser(t);
  const id = await addSubmission(db, { plugin: 0, name: 'Zebra One', hours: 1000, version: '90.0.0' });

  t.test('Reject All stores no consent to marketing', async (t) => {
    const { page } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/`);
    const banner = page.getByRole('region', { name: 'Your cookies, your choice' });
    await banner.getByRole('button', { name: 'Reject All' }).click();
    await banner.waitFor({ state: 'detached' });
    const cookies = await page.context().cookies();
    t.equal(cookies.find(({ name }) => name === 'consent')?.value, 'necessary');
    await page.context().close();
  });

  t.test('the backstage redirects visitors to sign in and refuses members', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 403/ });
    await openScreen(page, origin, 'audit-list');
    await page.locator('input[name=account]').waitFor();
    await t.resolves(page.waitForURL((url) => url.pathname === '/user/login'));

    await openSignedUp(page, origin, newAccount('Member'));
    await openScreen(page, origin, 'audit-list');
    await page.waitForURL(`${origin}/plugins/403`);
    await page.getByText('You do not have permission to access this page').waitFor();
    t.equal(await page.getByText('Zebra One').count(), 0);
    await page.context().close();
  });

  t.test('the reason of a rejection is stored', async (t) => {
    const { page } = await pageOf(browser, origin, CHIEF);
    await openScreen(page, origin, 'audit-list');
    await page.getByRole('row').filter({ hasText: 'Zebra One' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Zebra One' }).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('The icon is blurred.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('“Zebra One” is rejected.').waitFor();
    const row = await db.selectFrom('submission').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    t.hasStrict(row, { audit_status: 3, reason: 'The icon is blurred.' });
    await page.context().close();
  });
});
