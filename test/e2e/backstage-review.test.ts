import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { BACKSTAGE_PAGE_SIZE, ROLE_ADMIN } from '../../shared/constants.ts';
import { until } from '../support/until.ts';
import { addAccount, adminPage, newAccount, signedInPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { waitForFrames } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { addSubmission } from './support/submissions.ts';

const FINDING = {
  code: 'CODE_EVAL',
  severity: 'warning' as const,
  pointer: '',
  file: 'main.js',
  line: 12,
  column: 5,
  message: 'It runs code from text.',
};

const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: name });
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
/** The tab of a part that is ticked. */
const seenTab = (page: Page, part: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${part}.*, seen$`) });
const filter = (page: Page, words: string) =>
  page.getByRole('searchbox', { name: 'Search plugins' }).fill(words);

t.test('review by two administrators', async (t) => {
  const product = await sharedBackstage();
  const { origin, db } = product;
  const add = (plugin: number, name: string, more = {}) =>
    addSubmission(db, { plugin, name: `Zebra ${name}`, hours: 1000 - plugin, ...more });
  const ids = {
    first: await add(0, 'One', { version: '90.0.0', findings: [FINDING] }),
    second: await add(1, 'Two'),
    third: await add(2, 'Three', { version: '90.0.0' }),
    fourth: await add(3, 'Four'),
    fifth: await add(4, 'Five'),
    sixth: await add(5, 'Six'),
    seventh: await add(6, 'Seven'),
    eighth: await add(7, 'Eight'),
  };
  const submission = (id: number) =>
    db.selectFrom('submission').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const chief = await adminPage(t, product, { expected: /status of 409/ });
  const reviewer = await addAccount(product, newAccount('Second Admin'), { role: ROLE_ADMIN });
  const second = await signedInPage(t, product, reviewer, { expected: /status of 409/ });

  t.test('the oldest submission is first, with its details', async (t) => {
    const page = chief;
    await openScreen(page, origin, 'audit-list');
    await row(page, 'Zebra One').waitFor();
    const [, ...rows] = await page.getByRole('row').allTextContents();
    t.match(rows[0], /Zebra One.*90\.0\.0.*New version.*1 warning.*Unreviewed/);
    t.match(rows[1], /Zebra Two.*Listing change.*None.*Unreviewed/);
    t.match(await page.getByRole('tab').allTextContents(), [
      /^All/,
      /^Unreviewed\d+/,
      /^Approved/,
      /^Unapproved/,
    ]);
  });

  t.test('a claimed submission shows its reviewer and can be taken over after release', async (t) => {
    const decided = { audit_status: 3 as const, reason: 'Too early', decided_at: new Date() };
    await db.updateTable('submission').set(decided).where('id', 'in', [ids.first, ids.second]).execute();
    await openScreen(chief, origin, `audit-list/${ids.third}`);
    await heading(chief, 'Zebra Three').waitFor();
    const page = second;
    await openScreen(page, origin, 'audit-list');
    await row(page, 'Zebra Three').getByText('In review by').waitFor();
    await openScreen(page, origin, `audit-list/${ids.third}`);
    await page.getByText('Another administrator is reviewing this:').waitFor();
    await expect(page.getByRole('button', { name: 'Approve' })).toBeDisabled();
    await page.keyboard.press('a');
    await chief.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('button', { name: 'Take over' }).waitFor({ state: 'detached' });
    t.equal((await submission(ids.third)).audit_status, 1, 'no decision yet');
    await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled();
  });

  t.test('of two concurrent decisions one is accepted and the other gets its result', async (t) => {
    const page = second;
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Too late');
    await db.updateTable('submission').set({ claimed_by: null }).where('id', '=', ids.third).execute();
    await openScreen(chief, origin, `audit-list/${ids.third}`);
    await heading(chief, 'Zebra Three').waitFor();
    // The queue loads after the submission: only then a decision leads to the next one, which is claimed.
    await chief.getByRole('button', { name: 'Next', exact: true, disabled: false }).waitFor();
    await chief.getByRole('tab', { name: 'Code' }).click();
    await seenTab(chief, 'Code').waitFor();
    await chief.keyboard.press('a');
    await chief.getByText('“Zebra Three” is approved.').waitFor();
    await until(async () => (await submission(ids.fourth)).claimed_by !== null);
    // The refusal also asks for the queue again, which then has the claim.
    const queue = page.waitForResponse(new RegExp(`/audit/list\\?.*limit=${BACKSTAGE_PAGE_SIZE}\\b`));
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('Another administrator has decided this in the meantime.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('main').getByText('Admin', { exact: true }).waitFor();
    t.hasStrict(await submission(ids.third), { audit_status: 2, reason: null });
    await queue;
    await waitForFrames(page);
    await page.getByRole('button', { name: 'Next submission' }).click();
    await heading(page, 'Zebra Five').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await row(page, 'Zebra Five').getByText('Yours right now').waitFor({ state: 'detached' });
    await row(page, 'Zebra Five').waitFor();
    await until(async () => (await submission(ids.fifth)).claimed_by === null);
    t.pass('leaving releases the claim');
  });

  t.test('the list works with shortcuts', async () => {
    const page = chief;
    await openScreen(page, origin, 'audit-list');
    await row(page, 'Zebra Four').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next row').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const key of ['j', 'j', 'k', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Zebra Five').waitFor();
    await page.keyboard.press('j');
    await heading(page, 'Zebra Six').waitFor();
    await page.keyboard.press('k');
    await heading(page, 'Zebra Five').waitFor();
  });

  t.test('several are rejected with one reason, each with its result', async (t) => {
    const page = chief;
    await openScreen(page, origin, 'audit-list');
    await filter(page, 'zebra');
    await page.getByRole('tab', { name: /^Unreviewed\s*5$/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Select “Zebra Six”' }).check();
    await page.getByRole('checkbox', { name: 'Select “Zebra Seven”' }).check();
    await page.getByRole('checkbox', { name: 'Select “Zebra Eight”' }).check();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('One reason for all');
    await db
      .updateTable('submission')
      .set({ audit_status: 2, decided_by: 1, decided_at: new Date() })
      .where('id', '=', ids.seventh)
      .execute();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('3 of 3').waitFor();
    const outcomes = await dialog.getByRole('listitem').allTextContents();
    t.match(outcomes, [/Six.*Rejected/, /Seven.*Another administrator has decided/, /Eight.*Rejected/]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('tab', { name: /^Unreviewed\s*2$/ }).waitFor();
    t.hasStrict(await submission(ids.sixth), { audit_status: 3, reason: 'One reason for all' });
    t.hasStrict(await submission(ids.eighth), { audit_status: 3, reason: 'One reason for all' });
  });

  t.test('an approval is revoked with a reason and then granted again', async (t) => {
    const page = chief;
    await page.getByRole('tab', { name: /^Approved/ }).click();
    await row(page, 'Zebra Three').getByRole('link').click();
    await page.getByRole('button', { name: 'Revoke approval' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('A second thought');
    await dialog.getByRole('button', { name: 'Revoke approval' }).click();
    await page.getByRole('button', { name: 'Approve anyway' }).waitFor();
    await page.getByRole('main').getByText('A second thought').waitFor();
    t.hasStrict(await submission(ids.third), { audit_status: 3, reason: 'A second thought' });
    await page.getByRole('button', { name: 'Approve anyway' }).click();
    await page.getByRole('button', { name: 'Revoke approval' }).waitFor();
    t.hasStrict(await submission(ids.third), { audit_status: 2 });
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor();
    // Two of the demo's versions, and three here.
    await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(5);
  });

  t.test('the oldest submission is in the first view, also where parts of the site are empty', async (t) => {
    const page = chief;
    await page.setViewportSize({ width: 1440, height: 900 });
    await openScreen(page, origin, 'audit-list');
    const checklist = page.getByRole('region', { name: 'Set up this site' });
    await checklist.waitFor();
    const first = page.getByRole('row').nth(1);
    const top = async () => (await first.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
    t.ok((await top()) <= 400, `the first row begins at ${await top()}`);
    await page.setViewportSize({ width: 375, height: 812 });
    t.ok((await top()) <= 520, `on a phone it begins at ${await top()}`);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  t.test('a submission opens with its preview, and what was seen is ticked', async (t) => {
    const page = chief;
    const id = await add(8, 'Nine', { version: '90.0.0' });
    await openScreen(page, origin, `audit-list/${id}`);
    const panel = page.getByRole('tabpanel', { name: 'Check' });
    await panel.getByText('No issues found.').waitFor();
    await panel.getByRole('region', { name: 'Preview' }).getByText('Zebra Nine').first().waitFor();
    const tab = (name: string) => page.getByRole('tab', { name, exact: true });
    await seenTab(page, 'Check').waitFor();
    await tab('Listing').click();
    await seenTab(page, 'Listing').waitFor();
    await expect(tab('Code')).toHaveCount(1);

    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve code you haven’t looked at?' });
    await dialog.getByRole('button', { name: 'Look at the code' }).click();
    await dialog.waitFor({ state: 'detached' });
    await seenTab(page, 'Code').and(page.locator('[aria-selected=true]')).waitFor();
    t.equal((await submission(id)).audit_status, 1);
    await page.reload();
    await seenTab(page, 'Code').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('“Zebra Nine” is approved.').waitFor();
  });

  t.test('approving unseen code asks once', async (t) => {
    const page = await signedInPage(t, product, reviewer, { expected: /status of 422/ });
    const id = await add(9, 'Ten', { version: '90.0.0', listing: { contact: ' ' } });
    await openScreen(page, origin, `audit-list/${id}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    const refusal = page.getByText(/^The listing is incomplete: Contact\./);
    await refusal.waitFor();
    await expect(dialog).toHaveCount(0);
    const again = page.waitForResponse('**/plugin/audit/status');
    await page.keyboard.press('a');
    t.equal((await again).status(), 422, 'it was answered before');
    await expect(dialog).toHaveCount(0);

    const listing = await add(10, 'Eleven');
    await openScreen(page, origin, `audit-list/${listing}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('“Zebra Eleven” is approved.').waitFor();
  });
});
