import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, newAccount, signedInPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { followRequests, openPage } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { addSubmission } from './support/submissions.ts';

const finding = (code: string, severity: 'warning' | 'notice', params = {}) => ({
  code,
  severity,
  pointer: '',
  message: code,
  params,
});
const FINDINGS = [
  finding('DOMAINS_DECLARED', 'notice', { domains: 'a.example' }),
  finding('HOST_UNDECLARED', 'warning', { host: 'b.example' }),
  finding('EVAL_USED', 'warning', { found: 'eval' }),
  finding('CODE_MINIFIED', 'notice', { file: 'main.js' }),
];
const OWN =
  'You submitted this, so another administrator decides on it. On a site with a single administrator, set REVIEW_OWN_SUBMISSIONS=yes to allow this.';

const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
const entry = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('listitem').filter({ has: dialog.page().getByText(name, { exact: true }) });

const product = await sharedBackstage();
const { origin, db } = product;
// Which submissions an administrator has opened is their own.
const account = await addAccount(product, newAccount('Bulk Reviewer'), { role: ROLE_ADMIN });
const page = await signedInPage(t, product, account, { expected: /status of 422/ });
await openScreen(page, origin, 'audit-list');
await page.getByRole('tab', { name: /^Unreviewed\s*\d/ }).waitFor();
const me = await page.evaluate(async () => {
  const answer = await fetch('/api/auth/session', { headers: { 'x-requested-with': 'plugin-square' } });
  return Number((await answer.json()).data.user.user_id);
});
const add = (plugin: number, name: string, more = {}) =>
  addSubmission(db, { plugin: 8 + plugin, name: `Yak ${name}`, hours: 900 - plugin, ...more });
const ids = {
  opened: await add(0, 'Opened', { findings: FINDINGS }),
  unopened: await add(1, 'Unopened'),
  other: await add(2, 'Other'),
  own: await add(3, 'Own', { createdBy: me }),
};
const status = async (id: number) =>
  (await db.selectFrom('submission').select('audit_status').where('id', '=', id).executeTakeFirstOrThrow())
    .audit_status;
const openList = async () => {
  await openScreen(page, origin, 'audit-list');
  await row(page, 'Yak Own').waitFor();
};

t.test('reviewers cannot decide on their own submission', async (t) => {
  await openList();
  await row(page, 'Yak Own').getByText('Submitted by you. Another administrator decides.').waitFor();
  await expect(page.getByRole('checkbox', { name: 'Select “Yak Own”' })).toBeDisabled();
  await row(page, 'Yak Own').getByRole('link').click();
  await page.getByText(OWN).waitFor();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Reject' })).toBeDisabled();
  await page.keyboard.press('a');
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  t.equal(await status(ids.own), 1);
});

t.test('select all skips submissions that were never opened', async () => {
  await openList();
  await row(page, 'Yak Opened').getByRole('link').click();
  await page.getByRole('tab', { name: /^Check/ }).waitFor();
  await openList();
  await page.getByRole('checkbox', { name: 'Select all you’ve opened' }).click();
  await page.getByText('1 selected').waitFor();
  await page.getByText(/\d+ unopened submissions not included/).waitFor();
  await expect(page.getByRole('checkbox', { name: 'Select “Yak Unopened”' })).not.toBeChecked();
});

t.test('each row shows its findings, and skipped ones can be selected one by one', async (t) => {
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Approve 1 submission?' }).waitFor();
  t.strictSame(await entry(dialog, 'Yak Opened').getByRole('listitem').allTextContents(), [
    'The code mentions b.example, which is not declared.',
    'Uses dynamic code execution (eval).',
    'Can access: a.example',
    'and 1 more',
  ]);
  await entry(dialog, 'Yak Opened').getByText('2 warnings').waitFor();
  await entry(dialog, 'Yak Unopened').getByText('Not opened').waitFor();
  const link = entry(dialog, 'Yak Unopened').getByRole('link', { name: 'Open “Yak Unopened”' });
  await expect(link).toHaveAttribute('href', `/plugins/backstage-index/audit-list/${ids.unopened}`);
  const box = (name: string) => dialog.getByRole('checkbox', { name: `Select “${name}”` });
  t.strictSame(
    await Promise.all(['Yak Opened', 'Yak Unopened', 'Yak Other'].map((name) => box(name).isChecked())),
    [true, false, false],
  );
  await expect(box('Yak Own')).toBeDisabled();
  await entry(dialog, 'Yak Own').getByText('Another administrator decides').waitFor();
  await box('Yak Other').focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('heading', { name: 'Approve 2 submissions?' }).waitFor();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('2 of 2').waitFor();
  t.strictSame(
    await dialog
      .getByRole('listitem')
      .allTextContents()
      .then((all) => all.length),
    2,
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('tabpanel').locator(':focus')).toHaveCount(1);
  const decided = [ids.opened, ids.unopened, ids.other, ids.own].map(status);
  t.strictSame(await Promise.all(decided), [2, 1, 2, 1]);
});

t.test('incomplete submissions name the missing fields, alone and in bulk', async (t) => {
  const id = await add(4, 'Bare', { listing: { intro: {}, contact: ' ' } });
  const message =
    'The listing is incomplete: Intro and Contact. The publisher has to fill this in before it can be approved.';
  await openScreen(page, origin, `audit-list/${id}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
  await openScreen(page, origin, 'audit-list');
  await page.getByRole('checkbox', { name: 'Select “Yak Bare”' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await entry(dialog, 'Yak Bare').getByText(message, { exact: true }).waitFor();
  t.equal(await status(id), 1);
});

/** Goes to an address without loading a document. */
const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

t.test('a page that was read before shows what several decisions have changed', async () => {
  const id = await add(10, 'Renamed');
  const { plugin_key } = await db
    .selectFrom('submission')
    .innerJoin('plugin', 'plugin.id', 'submission.plugin_id')
    .select('plugin_key')
    .where('submission.id', '=', id)
    .executeTakeFirstOrThrow();
  await openPage(page, `${origin}/plugins/plugin/${plugin_key}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await goWithin(page, '/plugins/backstage-index/audit-list');
  await page.getByRole('checkbox', { name: 'Select “Yak Renamed”' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('1 of 1').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Yak Renamed' }).waitFor();
});

/** Holds the first response of a call until it is released. */
async function holdFirst(page: Page, path: string) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(`**${path}`, async (route) => {
    calls += 1;
    const answer = await route.fetch();
    arrived.resolve();
    await released.promise;
    await route.fulfill({ response: answer });
  });
  return { arrived: arrived.promise, release: released.resolve, calls: () => calls };
}

t.test('what follows a decision stays on the page that it was made on', async (t) => {
  const held = await add(11, 'Held');
  const later = await add(12, 'Later');

  t.test('several stop when the reviewer leaves', async (t) => {
    await openScreen(page, origin, 'audit-list');
    await page.getByRole('checkbox', { name: 'Select “Yak Held”' }).click();
    await page.getByRole('checkbox', { name: 'Select “Yak Later”' }).click();
    const decision = await holdFirst(page, '/plugin/audit/status');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await decision.arrived;
    await goWithin(page, '/plugins/backstage-index/tags');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const idle = followRequests(page);
    decision.release();
    await idle();
    t.equal(decision.calls(), 1);
    t.equal(await status(held), 2);
    t.equal(await status(later), 1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  t.test('one does not take the reviewer away from where they went', async () => {
    await add(13, 'Next');
    await openScreen(page, origin, `audit-list/${later}`);
    await page.getByRole('button', { name: 'Next', exact: true, disabled: false }).waitFor();
    const decision = await holdFirst(page, '/plugin/audit/status');
    await page.getByRole('button', { name: 'Approve' }).click();
    await decision.arrived;
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await row(page, 'Yak Next').waitFor();
    const idle = followRequests(page);
    decision.release();
    await idle();
    await row(page, 'Yak Next').waitFor();
    await expect(page).toHaveURL(/\/audit-list$/);
    await page.unrouteAll({ behavior: 'wait' });
  });
});
