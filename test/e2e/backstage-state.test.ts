import type { Page } from 'playwright-core';
import t from 'tap';
import { PRESSED_ALOUD } from './access/rules.ts';
import { CHIEF, CHIEF_SETTINGS, openScreen, pageOf } from './support/administrators.ts';
import { jsonFile, pluginPackage } from './support/batch-files.ts';
import { openBrowser } from './support/browser.ts';
import { drawn, hydrated } from './support/page.ts';
import { runningProduct } from './support/product.ts';
import { pictureFile } from './support/publish-files.ts';
import { addSubmission, productDatabase } from './support/submissions.ts';

const screenLink = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Admin navigation' }).getByRole('link', { name });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
t.test('the backstage shows what is true by now', async (t) => {
  const { url, db } = await productDatabase(t);
  const origin = await runningProduct(t, { ...CHIEF_SETTINGS, DATABASE_URL: url, SEED: 'demo' });
  const browser = await openBrowser(t);
  const first = await addSubmission(db, { plugin: 0, name: 'Zebra One', version: '90.0.0', hours: 1000 });
  await addSubmission(db, { plugin: 1, name: 'Zebra Two', hours: 999 });
  const { page, complaints } = await pageOf(browser, origin, CHIEF, { expected: /status of 4(15|22)/ });

  t.test('the navigation says how much waits', async (t) => {
    await openScreen(page, origin, 'tags');
    const link = screenLink(page, /^Plugin review/);
    await link.getByText('waiting').waitFor({ state: 'attached' });
    t.match(await link.ariaSnapshot(), /link "Plugin review \d+ waiting for review"/);
  });

  t.test('a filter’s field is emptied when the address no longer has it', async (t) => {
    await openScreen(page, origin, 'plugin-list');
    const keyword = page.getByRole('searchbox', { name: 'Search plugins' });
    await keyword.fill('icon');
    await page.waitForURL(/keyword=icon/);
    await screenLink(page, /^Plugins/).click();
    await page.waitForURL((url) => url.search === '');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main input[type=search]')?.value === '',
    );
    t.equal(await keyword.inputValue(), '');
  });

  t.test('the title is the submission’s again after going back to it', async (t) => {
    await openScreen(page, origin, `audit-list/${first}`);
    await page.getByRole('heading', { level: 1, name: 'Zebra One' }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Zebra One'));
    await screenLink(page, /^Reports/).click();
    await page.waitForFunction(() => document.title.startsWith('Reports'));
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Zebra One' }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Zebra One'));
    t.match(await page.title(), /^Zebra One/);
  });

  t.test('tab panels have names, and what is read out has nothing to press', async (t) => {
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
    await row(page, 'Zebra One').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Zebra One' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await row(page, 'Zebra One').getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    t.strictSame(await page.locator(PRESSED_ALOUD).allInnerTexts(), []);
    t.equal(
      await page.getByRole('status').filter({ hasText: '1 selected' }).count(),
      1,
      'the count is read out',
    );
  });

  t.test('another picture takes the error of the one before with it', async (t) => {
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
    t.equal(await dialog.getByText('Incorrect image format!').count(), 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  t.test('a QR code says what it lacks, and is there once it is whole', async () => {
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

  t.test('default installs that were cut short are asked for again', async (t) => {
    await openScreen(page, origin, 'tags');
    await page.evaluate(() => sessionStorage.removeItem('default_installs'));
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/cmt/plugin/user/new/silent', async (route) => {
      asked += 1;
      if (asked === 1) await promise;
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

  t.test('home shows at once what an administrator has changed', async (t) => {
    await openScreen(page, origin, 'banner-config');
    const toHome = page.getByRole('banner').getByRole('link').first();
    await toHome.click();
    await page.locator('section[aria-labelledby=results] article').first().waitFor();
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

  t.test('a late answer about removed rows says nothing of new ones', async (t) => {
    await page.goto(`${origin}/plugins/publish-plugin/batch`);
    await hydrated(page);
    const chooser = page.getByLabel('Package files');
    const rows = page.locator('tbody');
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/api/cmt/manager/plugins/match', async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const candidate = { plugin_key: 'abcdefghijklmnopqr', name: 'Zebra Three', last_version: '1.0.0' };
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
    await drawn(page);
    t.match(await rows.innerText(), /New plugin/);
    t.notMatch(await rows.innerText(), /Zebra Three/);
  });

  t.strictSame(complaints, []);
});
