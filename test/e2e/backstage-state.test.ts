import type { Page } from 'playwright-core';
import t from 'tap';
import { CONTROLS_IN_LIVE_REGIONS } from './access/check-screen.ts';
import { adminPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { openPage, waitForFrames } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { jsonFile, pictureFile, pluginPackage } from './support/publish-files.ts';
import { addSubmission } from './support/submissions.ts';

const screenLink = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Admin navigation' }).getByRole('link', { name });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
t.test('the backstage shows the current state', async (t) => {
  const product = await sharedBackstage();
  const { origin, db } = product;
  const first = await addSubmission(db, { plugin: 18, name: 'Wombat One', version: '90.0.0', hours: 700 });
  await addSubmission(db, { plugin: 19, name: 'Wombat Two', hours: 699 });
  const page = await adminPage(t, product, { expected: /status of 4(15|22)/ });

  t.test('the navigation shows the number of open submissions', async (t) => {
    await openScreen(page, origin, 'tags');
    const link = screenLink(page, /^Plugin review/);
    await link.getByText('waiting').waitFor({ state: 'attached' });
    t.match(await link.ariaSnapshot(), /link "Plugin review \d+ waiting for review"/);
  });

  t.test('a filter field is cleared when the address loses the filter', async () => {
    await openScreen(page, origin, 'plugin-list');
    const keyword = page.getByRole('searchbox', { name: 'Search plugins' });
    await keyword.fill('icon');
    await page.waitForURL(/keyword=icon/);
    await screenLink(page, /^Plugins/).click();
    await page.waitForURL((url) => url.search === '');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main input[type=search]')?.value === '',
    );
    await expect(keyword).toHaveValue('');
  });

  t.test('going back to a submission restores its title', async (t) => {
    await openScreen(page, origin, `audit-list/${first}`);
    await page.getByRole('heading', { level: 1, name: 'Wombat One' }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Wombat One'));
    await screenLink(page, /^Reports/).click();
    await page.waitForFunction(() => document.title.startsWith('Reports'));
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Wombat One' }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Wombat One'));
    t.match(await page.title(), /^Wombat One/);
  });

  t.test('tab panels have names, and live regions contain no controls', async (t) => {
    for (const [path, name] of [
      ['audit-list', 'Unreviewed'],
      [`audit-list/${first}`, 'Check'],
      ['plugin-list', 'All'],
      ['reports', 'Open'],
    ] as const) {
      await openScreen(page, origin, path);
      await page.getByRole('tabpanel').waitFor();
      t.match(await page.getByRole('tabpanel').ariaSnapshot(), new RegExp(`^- tabpanel "${name}`), path);
    }
    await openScreen(page, origin, 'audit-list');
    await row(page, 'Wombat One').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Wombat One' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await row(page, 'Wombat One').getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    await expect(page.locator(CONTROLS_IN_LIVE_REGIONS)).toHaveText([], { useInnerText: true });
    await expect(
      page.getByRole('status').filter({ hasText: '1 selected' }),
      'the number is announced',
    ).toHaveCount(1);
  });

  t.test('choosing another picture clears the error', async (t) => {
    await openScreen(page, origin, 'banner-config');
    await page.getByRole('button', { name: 'Add a banner' }).click();
    const dialog = page.getByRole('dialog');
    const choose = dialog.locator('input[type=file]');
    await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await dialog.getByLabel('Link').fill('/plugins/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Incorrect image format!').waitFor();
    await choose.setInputFiles([await pictureFile('b.png', 1280, 400)]);
    await dialog.locator('img').waitFor();
    await t.resolves(dialog.getByText('Incorrect image format!').waitFor({ state: 'detached' }));
    await dialog.getByText('Cancel').click();
    await dialog.waitFor({ state: 'detached' });
  });

  t.test('a QR code is validated, then saved', async () => {
    await openScreen(page, origin, 'qr-codes');
    await page.getByRole('button', { name: 'Add a QR code' }).first().click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await save.click();
    await dialog.getByText('Please enter a name.').waitFor();
    await dialog.getByText('Please choose a picture.').waitFor();
    await dialog.getByLabel('Name').fill('Readers');
    await dialog.locator('input[type=file]').setInputFiles([await pictureFile('code.png', 300, 300)]);
    await dialog.locator('img').waitFor();
    await dialog.getByRole('checkbox', { name: 'Use it for the feedback group' }).check();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'Readers' }).getByText('Feedback group').waitFor();
  });

  t.test('interrupted default installs are requested again', async (t) => {
    await openScreen(page, origin, 'tags');
    await page.evaluate(() => sessionStorage.removeItem('default_installs'));
    let requestCount = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/cmt/plugin/user/new/silent', async (route) => {
      requestCount += 1;
      if (requestCount === 1) await promise;
      await route.continue().catch(() => undefined);
    });
    const silent = () => page.waitForRequest('**/api/cmt/plugin/user/new/silent');
    const first = silent();
    await page.getByRole('banner').getByRole('link').first().click();
    await first;
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    const second = silent();
    await page.getByRole('banner').getByRole('link').first().click();
    t.equal((await (await second).response())?.status(), 200);
    resolve();
    await page.unroute('**/api/cmt/plugin/user/new/silent');
  });

  t.test('the home page shows an administrator’s change immediately', async (t) => {
    await openScreen(page, origin, 'banner-config');
    const toHome = page.getByRole('banner').getByRole('link').first();
    await toHome.click();
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
    await page.locator('section[aria-roledescription=carousel] li').first().waitFor();
    const before = await page.evaluate(
      () => document.querySelectorAll('section[aria-roledescription=carousel] li').length,
    );
    t.ok(before > 0);
    await page.goBack();
    await page
      .getByRole('button', { name: /^Delete “/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await toHome.click();
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
    await page.waitForFunction(
      (count) => document.querySelectorAll('section[aria-roledescription=carousel] li').length === count,
      before - 1,
    );
  });

  t.test('a late answer about removed rows does not affect new ones', async () => {
    await openPage(page, `${origin}/plugins/publish-plugin/batch`);
    const chooser = page.getByLabel('Package files');
    const rows = page.locator('tbody');
    const { promise, resolve } = Promise.withResolvers<void>();
    let requestCount = 0;
    await page.route('**/api/cmt/manager/plugins/match', async (route) => {
      requestCount += 1;
      if (requestCount > 1) return route.continue();
      const candidate = { plugin_key: 'abcdefghijklmnopqr', name: 'Wombat Three', last_version: '1.0.0' };
      const match = { plugin_key: candidate.plugin_key, candidates: [candidate] };
      await promise;
      await route.fulfill({ json: { code: 0, message: '', data: { matches: [match] } } });
    });
    const held = page.waitForRequest('**/api/cmt/manager/plugins/match');
    await chooser.setInputFiles([jsonFile('one.json', pluginPackage('First Package'))]);
    await held;
    await page.getByRole('button', { name: 'Remove all' }).click();
    await chooser.setInputFiles([jsonFile('two.json', pluginPackage('Second Package'))]);
    await rows.filter({ hasText: 'two.json' }).waitFor();
    await rows.filter({ hasText: 'New plugin' }).waitFor();
    const answered = page.waitForResponse('**/api/cmt/manager/plugins/match');
    resolve();
    await answered;
    await waitForFrames(page);
    await expect(rows).toContainText(/New plugin/);
    await expect(rows).not.toContainText(/Wombat Three/, { useInnerText: true });
  });
});
