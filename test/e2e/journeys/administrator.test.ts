/** What administrators do most: open the backstage, read a submission, reject or approve it. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from '../access/check-screen.ts';
import { adminPage, memberPage } from '../support/account.ts';
import { publish } from '../support/api.ts';
import { openScreen } from '../support/backstage.ts';
import { expect } from '../support/expect.ts';
import { newPage } from '../support/page.ts';
import { sharedProduct } from '../support/product.ts';
import { pluginPackage } from '../support/publish-files.ts';

const PARTS = ['Check', 'Listing', 'Code', 'History'];

const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: name });
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

t.test('an administrator', async (t) => {
  const product = await sharedProduct();
  const { origin, db } = product;
  const publisher = await memberPage(t, product, 'Zoe', { expected: /status of 403/ });
  const add = async (name: string, hours: number, main = 'done();') => {
    const plugin_key = await publish(publisher, pluginPackage(name, { main }));
    const { id } = await db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', plugin_key)
      .executeTakeFirstOrThrow();
    const created_at = new Date(Date.now() - hours * 3_600_000);
    await db.updateTable('submission').set({ created_at }).where('plugin_id', '=', id).execute();
    return plugin_key;
  };
  const keys = {
    first: await add('Zebra One', 1003, 'eval("1");'),
    second: await add('Zebra Two', 1002),
    third: await add('Zebra Three', 1001),
  };
  const submission = (plugin_key: string) =>
    db
      .selectFrom('submission')
      .innerJoin('plugin', 'plugin.id', 'submission.plugin_id')
      .select(['submission.audit_status', 'submission.reason'])
      .where('plugin_key', '=', plugin_key)
      .executeTakeFirstOrThrow();
  const page = await adminPage(t, product, { reducedMotion: 'reduce' });

  t.test('visitors are redirected to sign in, and members are refused', async (t) => {
    const visitor = await newPage(t);
    await openScreen(visitor, origin, 'audit-list');
    await visitor.locator('input[name=account]').waitFor();
    await t.resolves(visitor.waitForURL((url) => url.pathname === '/user/login'));
    await openScreen(publisher, origin, 'audit-list');
    await publisher.waitForURL(`${origin}/plugins/403`);
    await publisher.getByText('You do not have permission to access this page').waitFor();
    await expect(publisher.getByText('Zebra One')).toHaveCount(0);
  });

  t.test('the list has the oldest submission first', async (t) => {
    await openScreen(page, origin, 'audit-list');
    await row(page, 'Zebra One').waitFor();
    const [, ...rows] = await page.getByRole('row').allTextContents();
    t.match(rows, [/Zebra One.*1\.0\.0.*1 warning.*Unreviewed/, /Zebra Two/, /Zebra Three/]);
    t.strictSame(await axeFindings(page), []);
  });

  t.test('every tab opens', async (t) => {
    await row(page, 'Zebra One').getByRole('link').click();
    await heading(page, 'Zebra One').waitFor();
    t.strictSame(await axeFindings(page), []);
    for (const part of PARTS) {
      await page.getByRole('tab', { name: part }).click();
      await t.resolves(page.getByRole('tabpanel', { name: part }).waitFor(), part);
    }
    await page.getByRole('tab', { name: 'Listing' }).click();
    await page.getByRole('tabpanel').getByText('Zebra One').first().waitFor();
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByText('main.js').first().waitFor();
  });

  t.test('a rejection needs a reason, and shortcuts do nothing in its field', async (t) => {
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('Please enter the reason of the rejection.').waitFor();
    t.equal((await submission(keys.first)).audit_status, 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('jar: x?');
    await dialog.getByText('7/500').waitFor();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await heading(page, 'Zebra Two').waitFor();
    await page.getByText('“Zebra One” is rejected.').waitFor();
    t.hasStrict(await submission(keys.first), { audit_status: 3, reason: 'jar: x?' });
  });

  t.test('the approval shortcut publishes the listing and opens the next submission', async (t) => {
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'Zebra Three').waitFor();
    await page.getByText('“Zebra Two” is approved.').waitFor();
    t.hasStrict(await submission(keys.second), { audit_status: 2 });
    const visitor = await newPage(t);
    await visitor.goto(`${origin}/plugins/plugin/${keys.second}`);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Zebra Two', { useInnerText: true });
  });
});
