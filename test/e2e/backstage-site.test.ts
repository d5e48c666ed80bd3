import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import t from 'tap';
import { ADMIN, adminPage, newAccount, proveIn, signUp } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, loadUntil, moveByKeyboard, newPage, openPage } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const open = (page: Page, origin: string, screen: string) =>
  page.goto(`${origin}/plugins/backstage-index/${screen}`);

/** Downloads the package of the first plugin. */
async function downloadOfFirst(page: Page): Promise<Download> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/download'));
  const fetched = page.waitForEvent('download').catch(() => undefined);
  await choose(page.getByRole('menuitem', { name: 'Download package' }));
  if ((await answered).status() !== 200) throw new Error(`answered ${(await answered).status()}`);
  const saved = await fetched;
  if (!saved) throw new Error('no file was downloaded');
  return saved;
}

t.test('the backstage', async (t) => {
  const product = await sharedBackstage();
  const { origin } = product;

  t.test('it opens the review first and has no site header', async (t) => {
    const page = await adminPage(t, product, { path: '/plugins/' });
    await page.getByRole('button', { name: 'Admin’s account menu' }).click();
    const opened = page.waitForEvent('popup');
    await choose(page.getByRole('menuitem', { name: 'Admin' }));
    const other = await opened;
    await other.waitForURL('**/backstage-index/audit-list');
    await other.close();
    await page.goto(`${origin}/plugins/backstage-index`);
    await page.waitForURL('**/backstage-index/audit-list');
    await page.getByRole('navigation', { name: 'Admin navigation' }).waitFor();
    await page.getByRole('navigation', { name: 'Where you are' }).getByText('Plugin review').waitFor();
    await expect(page.getByRole('button', { name: 'Admin Super administrator' })).toHaveCount(1);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Total installs').waitFor();
    // By keyboard: the charts above load late, and move it away from a pointer.
    await page.locator('summary').press('Enter');
    await expect(page.getByRole('rowheader')).toHaveCount(30);
  });

  t.test('a slot is checked, applied, shown on the home page, invalidated and restored', async (t) => {
    const page = await adminPage(t, product);
    await open(page, origin, 'resource-state-list');
    await page.getByRole('button', { name: 'Add a resource slot' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio').first().waitFor();
    await dialog.getByLabel('Link').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('Please choose a plugin.').waitFor();
    await dialog.getByText('Wrong url. Please try again.').waitFor();
    await dialog.getByText('Please set up a duration.').waitFor();

    await dialog.getByLabel('Search plugins').fill('Chart Kitchen');
    await dialog.getByRole('radio', { name: 'Chart Kitchen' }).check();
    await dialog.getByLabel('Link').fill('');
    const days = dialog.locator('.rdp-day:not(.rdp-disabled):not(.rdp-outside) button');
    await days.first().click();
    await dialog.getByLabel('End time').fill('00:00');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('The end date cannot earlier than the start date.').waitFor();
    await dialog.getByLabel('End time').fill('23:59');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied successfully.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Chart Kitchen' });
    await row.getByRole('cell', { name: 'Active' }).waitFor();

    const visitor = await newPage(t);
    const featured = visitor.getByRole('region', { name: 'Featured' }).getByText('Chart Kitchen');
    await loadUntil(visitor, `${origin}/plugins/`, async () => (await featured.count()) > 0);

    await row.getByRole('button', { name: /^Invalidate/ }).click();
    await row.getByRole('cell', { name: 'Invalid Turned off by an administrator.' }).waitFor();
    await row.getByRole('button', { name: /^Restore/ }).click();
    await row.getByRole('cell', { name: 'Active' }).waitFor();
  });

  t.test(
    'banners are moved by keyboard, added with a picture and deleted after a confirmation',
    async (t) => {
      const page = await adminPage(t, product, { expected: /status of 4(15|22)/ });
      await open(page, origin, 'banner-config');
      const rows = page.getByRole('list', { name: 'Banners' }).getByRole('listitem');
      await rows.first().waitFor();
      const before = await rows.locator('p:first-child').allTextContents();
      await moveByKeyboard(page, before[0] ?? '', 'ArrowDown', ['1 of', '2 of']);
      await page.getByText('The order is saved.').waitFor();
      await page.reload();
      await rows.first().waitFor();
      const after = await rows.locator('p:first-child').allTextContents();
      t.strictSame(after, [before[1], before[0], ...before.slice(2)]);

      await page.getByRole('button', { name: 'Add a banner' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'picture.png',
        mimeType: 'image/png',
        buffer: Buffer.from('not a picture'),
      });
      await dialog.getByLabel('Link').fill('/plugins/');
      await dialog.getByRole('textbox', { name: 'Title' }).fill('A new one');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Incorrect image format!').waitFor();
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: PIXEL });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('A new one').waitFor();
      await page.getByRole('button', { name: 'Delete “A new one”' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('A new one', { exact: true }).waitFor({ state: 'detached' });
    },
  );

  t.test('a secret is saved, shown masked and never returned', async (t) => {
    const page = await adminPage(t, product);
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('iconfont')) bodies.push(response.text());
    });
    await open(page, origin, 'iconfont');
    await page.getByLabel('Client ID').fill('client-1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Please enter the Client secret.').waitFor();
    await page.getByLabel('Client secret', { exact: true }).fill('a-very-long-secret-9876');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Save Successfully').waitFor();
    // The browser forgets the answers of a page that it leaves.
    await Promise.all(bodies);
    await page.reload();
    await page.getByText(/Saved: .*9876/).waitFor();
    await expect(page.getByLabel('Client secret', { exact: true })).toHaveValue('');
    t.notMatch((await Promise.all(bodies)).join('\n'), 'a-very-long-secret');
  });

  t.test('administrators get a report and the reporter gets the decision', async (t) => {
    const member = await newPage(t);
    await openPage(member, `${origin}/plugins/plugin/square-chart-kitchen`);
    await signUp(member, newAccount('Rita'));
    await member.getByRole('button', { name: 'Report' }).click();
    const form = member.getByRole('dialog');
    await form.getByRole('button', { name: 'Send report' }).click();
    await form.getByText('Describe the problem.').waitFor();
    await form.getByText('Choose what’s wrong.').waitFor();
    await expect(form.getByRole('radio', { checked: true }), 'nothing is preselected').toHaveCount(0);
    await form.getByRole('radio', { name: 'It doesn’t work' }).check();
    await form.getByLabel('Describe the problem').fill('It never opens.');
    await form.getByRole('button', { name: 'Send report' }).click();
    await member.getByText('Report sent. Thank you.').waitFor();

    const page = await adminPage(t, product, { expected: /status of 404/ });
    await open(page, origin, 'reports?plugin_key=square-palette');
    await page.getByText('No open reports').waitFor();
    await page.getByRole('link', { name: 'Show all reports' }).click();
    await page.getByText('It never opens.').waitFor();
    await open(page, origin, 'plugin-list');
    await page.getByRole('link', { name: '1 open', exact: true }).click();
    await page.getByText('Only reports about “Chart Kitchen”').waitFor();
    await page.getByText('It never opens.').waitFor();
    const reportsLink = page.getByRole('navigation').getByRole('link', { name: /^Reports/ });
    await t.resolves(reportsLink.filter({ hasText: '1' }).waitFor());
    await page.getByRole('button', { name: 'Decide' }).click();
    const decision = page.getByRole('dialog');
    await decision.getByRole('button', { name: 'Decide' }).click();
    await decision.getByText('Choose an outcome.').waitFor();
    await decision.getByRole('radio', { name: 'Uphold and hide the plugin' }).check();
    await decision.getByLabel('What the reporter is told').fill('We asked for a fix.');
    await decision.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('No open reports').waitFor();
    await page.waitForFunction(
      () => !/\d/.test(document.querySelector('nav a[href$="/reports"]')?.textContent ?? '1'),
    );
    const hidden = await member.request.get(`${origin}/plugins/plugin/square-chart-kitchen`);
    t.equal(hidden.status(), 404);
    await open(page, origin, 'plugin-list');
    await page
      .getByRole('row', { name: /Chart Kitchen/ })
      .getByText('Hidden')
      .waitFor();
    await open(page, origin, 'audit-trail');
    await page.getByRole('cell', { name: 'Upheld a report' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const auditLog = await saved;
    t.equal(auditLog.suggestedFilename(), 'audit-log.csv');
    t.match(readFileSync(await auditLog.path(), 'utf8'), 'report.accept');
    await open(page, origin, 'plugin-list');
    const plugin = await downloadOfFirst(page);
    t.match(plugin.suggestedFilename(), /^[\w-]{8,40}\.json$/);
    t.hasStrict(JSON.parse(readFileSync(await plugin.path(), 'utf8')), { format: 'plugin-package' });
    await member.goto(`${origin}/plugins/my-plugins?tab=reports`);
    await member.getByText('Administrators’ reply: We asked for a fix.').waitFor();
  });

  t.test(
    'a member gets a role, is disabled and enabled, each with a proof; nobody changes themselves',
    async (t) => {
      const page = await adminPage(t, product);
      await open(page, origin, 'members');
      await page.getByLabel('Search by name or email').fill('Rita');
      const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /Rita/ });
      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: 'General user' }).waitFor();
      await expect(page.getByRole('option')).toHaveText(
        ['General user', 'Administrator', 'Super administrator'],
        { useInnerText: true },
      );
      await choose(page.getByRole('option', { name: 'Super administrator' }));
      const roleDialog = page.getByRole('dialog', { name: 'Change the role of Rita?' });
      await expect(roleDialog).toContainText('from General user to Super administrator.');
      await roleDialog.getByRole('button', { name: 'Change role' }).click();
      await roleDialog.getByText('Enter your password.').waitFor();
      await roleDialog.getByText('Cancel', { exact: true }).click();
      await roleDialog.waitFor({ state: 'detached' });
      await expect(row.getByRole('combobox')).toContainText('General user');
      await row.getByRole('combobox').click();
      await choose(page.getByRole('option', { name: 'Administrator', exact: true }));
      await expect(roleDialog).toContainText('from General user to Administrator.');
      await proveIn(roleDialog);
      await roleDialog.getByRole('button', { name: 'Change role' }).click();
      await page.getByText('Changed', { exact: true }).first().waitFor();
      await row.getByRole('button', { name: 'Actions for “Rita”' }).click();
      await choose(page.getByRole('menuitem', { name: 'Disable' }));
      await proveIn(page.getByRole('dialog'));
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await row.getByText('Disabled', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Actions for “Rita”' }).click();
      await choose(page.getByRole('menuitem', { name: 'Enable' }));
      await proveIn(page.getByRole('dialog'));
      await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
      await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'Disabled the account' }).waitFor();

      await page.getByLabel('Search by name or email').fill(ADMIN.email);
      const own = page
        .getByRole('table', { name: 'Members' })
        .getByRole('row', { name: new RegExp(ADMIN.email) });
      await own.getByText('Super administrator').waitFor();
      await expect(own.getByRole('combobox')).toHaveCount(0);
      await expect(own.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
    },
  );
});
