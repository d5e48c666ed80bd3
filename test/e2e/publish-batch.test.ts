import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, memberPage, newAccount, signedInPage, signInByCalls } from './support/account.ts';
import { send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { choose, openPage, type PageOptions } from './support/page.ts';
import { sharedEmptySite } from './support/product.ts';
import { dropOrPaste, jsonFile, pluginPackage, type TestFile } from './support/publish-files.ts';

const PAGE = '/plugins/publish-plugin/batch';
const chooser = (page: Page) => page.getByLabel('Package files');
const rows = (page: Page) => page.locator('tbody');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const submitButton = (page: Page) => page.getByRole('button', { name: /^(Submit|Nothing)/ });

async function read(page: Page, files: TestFile[], count: number): Promise<void> {
  await chooser(page).setInputFiles(files);
  await rows(page)
    .nth(count - 1)
    .waitFor();
}

/** Status of a row. */
const state = (of: Locator) => of.locator('td').nth(2);

/** Names and versions of the importer's plugins. */
async function ownPlugins(page: Page): Promise<string[]> {
  const { plugin_list } = await send(page, 'GET', 'plugin/audit?limit=100');
  return plugin_list
    .map((item: { plugin: { name: string }; version: string }) => `${item.plugin.name} ${item.version}`)
    .sort();
}

t.test('importing many packages', async (t) => {
  const product = await sharedEmptySite();
  const { origin } = product;
  const account = await addAccount(product, newAccount('Importer'), { role: ROLE_ADMIN });
  const open = (t: Test, options: PageOptions = {}) =>
    signedInPage(t, product, account, { path: PAGE, ...options });

  t.test(
    'packages are shown before submission; valid ones are submitted, invalid ones corrected',
    async (t) => {
      const page = await open(t);
      const sent: number[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/plugins/upload')) sent.push(Date.now());
      });
      await read(
        page,
        [
          jsonFile('palette.json', pluginPackage('Palette', { id: '11' })),
          jsonFile('list.json', [
            pluginPackage('Grid', { id: '12' }),
            pluginPackage('', { id: '13' }),
            pluginPackage('Table', { main: 'const = 1;' }),
          ]),
          jsonFile('cut.json', '{\n  "format": "plugin-package",\n  oops'),
          jsonFile('app.json', { name: 'App', start_url: '/' }),
        ],
        6,
      );
      await expect(rows(page)).toHaveCount(6);
      t.strictSame(sent, [], 'nothing was sent');
      await row(page, 'list.json, no. 1').getByText('New plugin').waitFor();
      await expect(row(page, 'cut.json')).toContainText(/Line 3, column 3/);
      await expect(row(page, 'app.json')).toContainText(/Plugin parsing failed\./);
      const table = row(page, 'list.json, no. 3');
      await expect(table).toContainText(/main\.js\s+Line 1, column 7\s+\/2\/files\/main\.js/, {
        useInnerText: true,
      });
      await expect(page.locator('main')).toContainText(/6 packages\s+2 new plugins\s+4 to fix/, {
        useInnerText: true,
      });

      await submitButton(page).click();
      await page.getByText('2 packages submitted. They’re waiting for review.').waitFor();
      t.strictSame(await ownPlugins(page), ['Grid 1.0.0', 'Palette 1.0.0']);
      await expect(submitButton(page), 'invalid packages cannot be submitted').toBeDisabled();

      const unnamed = row(page, 'list.json, no. 2');
      await unnamed.getByLabel(/^Name of the plugin/).fill('Lattice');
      await state(unnamed).getByText('Ready').waitFor();
      await table.locator('input[type=file]').setInputFiles([jsonFile('table.json', pluginPackage('Table'))]);
      await state(row(page, 'table.json')).getByText('Ready').waitFor();
      await submitButton(page).click();
      await page.getByText('4 packages submitted. They’re waiting for review.').waitFor();
      t.strictSame(await ownPlugins(page), ['Grid 1.0.0', 'Lattice 1.0.0', 'Palette 1.0.0', 'Table 1.0.0']);
      t.equal(sent.length, 2, 'submitted packages are not sent again');

      await page.getByRole('button', { name: 'Remove submitted' }).click();
      await expect(rows(page)).toHaveCount(2);
      for (const name of ['cut.json', 'app.json']) {
        await page.getByRole('button', { name: `Remove ${name}` }).click();
      }
      await expect(rows(page)).toHaveCount(0);
    },
  );

  t.test('versions are assigned to their plugins; refused ones are corrected and sent again', async (t) => {
    const page = await open(t, { expected: /status of 503/ });
    await page.route('**/plugins/upload?dry_run=1', (route) => route.fulfill({ status: 503 }));
    await read(
      page,
      [
        jsonFile('palette.json', pluginPackage('Palette', { id: '11', main: 'other();' })),
        jsonFile('grid.json', pluginPackage('Grid', { id: '12', version: '0.9.0' })),
      ],
      2,
    );
    const palette = row(page, 'palette.json');
    await palette.getByText('Version of Palette (last 1.0.0)').first().waitFor();
    const grid = row(page, 'grid.json');
    await grid.getByText('The version must be greater than 1.0.0.').waitFor();
    await grid.getByLabel('Version of Grid', { exact: true }).fill('1.1.0');
    await submitButton(page).click();
    await page.getByText('1 submitted, 1 rejected. Fix those and submit them again.').waitFor();
    await expect(palette).toContainText(/Version 1\.0\.0 already exists with different content\./);
    await palette.getByLabel('Version of Palette', { exact: true }).fill('2.0.0');
    await submitButton(page).click();
    await page.getByText('2 packages submitted. They’re waiting for review.').waitFor();
    const own = await ownPlugins(page);
    t.ok(own.includes('Palette 2.0.0') && own.includes('Grid 1.1.0'));
    t.equal(own.length, 4, 'no plugin was added');
  });

  t.test('a package can become a new plugin although a similar one exists', async (t) => {
    const page = await open(t);
    await read(page, [jsonFile('grid.json', pluginPackage('Grid', { id: '12', version: '5.0.0' }))], 1);
    // Before the answer about similar ones the choices are others, and an open list would change under the pointer.
    await page.getByText('Version of Grid (last 1.1.0)').first().waitFor();
    await page.getByRole('combobox', { name: 'What Grid becomes' }).click();
    await choose(page.getByRole('option', { name: 'New plugin' }));
    await submitButton(page).click();
    await page.getByText('1 package submitted. It’s waiting for review.').waitFor();
    t.equal((await ownPlugins(page)).length, 5);
  });

  t.test('after a stop, submitted packages stay and continuing creates no duplicates', async (t) => {
    const page = await open(t);
    const before = (await ownPlugins(page)).length;
    const many = Array.from({ length: 24 }, (_, place) =>
      pluginPackage(`Stopped ${place}`, { id: `s${place}` }),
    );
    await read(page, [jsonFile('many.json', many)], 24);
    let uploads = 0;
    const arrived = Promise.withResolvers<boolean>();
    await page.route('**/plugins/upload', async (route) => {
      uploads += 1;
      if (uploads === 1) await route.continue();
      if (uploads === 2) arrived.resolve((await route.fetch()).ok());
    });
    await submitButton(page).click();
    await page.getByRole('progressbar', { name: 'Submitting' }).waitFor();
    await page.getByText('10 of 24 processed').waitFor();
    t.ok(await arrived.promise, 'the service has the second ten, but the page has no answer');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped. 10 packages were submitted and stay; the rest is still here.').waitFor();
    t.equal((await ownPlugins(page)).length, before + 20);
    await expect(
      rows(page).filter({ hasText: 'Unconfirmed' }),
      'running submissions are unconfirmed',
    ).toHaveCount(10);
    await page.unroute('**/plugins/upload');
    await submitButton(page).click();
    await page.getByText('24 packages submitted. They’re waiting for review.').waitFor();
    t.equal((await ownPlugins(page)).length, before + 24);
  });

  t.test('files and text can be dropped and pasted', async (t) => {
    const page = await open(t);
    await dropOrPaste(chooser(page), 'drop', [jsonFile('dropped.json', pluginPackage('Dropped'))]);
    await row(page, 'dropped.json').waitFor();
    await dropOrPaste(page.locator('body'), 'paste', [jsonFile('stray.json', pluginPackage('Stray'))]);
    await row(page, 'stray.json').waitFor();
    await page.locator('body').evaluate(
      (body, text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        body.dispatchEvent(
          new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
        );
      },
      JSON.stringify(pluginPackage('Pasted')),
    );
    await row(page, 'pasted.json').waitFor();
    await expect(rows(page)).toHaveCount(3);
  });

  t.test('limits are checked before submission', async (t) => {
    const page = await open(t);
    await expect(page.locator('main')).toContainText(/Up to 50 packages and 100 MB at once/);
    const many = Array.from({ length: 60 }, (_, place) =>
      jsonFile(`${place}.json`, pluginPackage(`P ${place}`)),
    );
    await chooser(page).setInputFiles(many);
    await page.getByText('A batch can hold up to 50 packages. The rest were left out.').waitFor();
    await expect(rows(page)).toHaveCount(50);
  });

  t.test('leaving with unsubmitted packages needs a confirmation', async (t) => {
    const page = await open(t);
    await read(page, [jsonFile('x.json', pluginPackage('Unsent'))], 1);
    await page.getByRole('link', { name: 'My plugins' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).last().click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('link', { name: 'My plugins' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${origin}/plugins/my-plugins`);
  });

  t.test('signing out in another tab leaves the packages, for the same person only', async (t) => {
    const page = await open(t, { expected: /status of 401/ });
    await read(page, [jsonFile('kept.json', pluginPackage('Kept', { id: '91' }))], 1);
    await row(page, 'Kept').getByRole('textbox', { name: 'Name' }).fill('Kept and edited');
    // By label: a dialog hides what is below it from roles.
    const name = rows(page).getByLabel(/^Name of the plugin/);
    const other = await page.context().newPage();
    await openPage(other, `${origin}/plugins/`);
    const signedOut = page.getByRole('dialog', { name: 'You’re signed out' });
    await other.getByRole('button', { name: /account menu$/ }).click();
    await choose(other.getByRole('menuitem', { name: 'Sign out' }));
    await signedOut.waitFor();
    await expect(name).toHaveValue('Kept and edited');
    await signInByCalls(other, origin, account);
    await other.reload();
    await signedOut.waitFor({ state: 'detached' });
    await expect(name).toHaveValue('Kept and edited');

    const stranger = await addAccount(product, newAccount('Stranger'), { role: ROLE_ADMIN });
    await signInByCalls(other, origin, stranger);
    await other.reload();
    const question = page.getByRole('dialog', { name: 'Now signed in as Stranger' });
    await question.getByText('What’s entered on this page is from Importer.').waitFor();
    await expect(name).toHaveValue('Kept and edited');
    await question.getByRole('button', { name: 'Start over' }).click();
    await chooser(page).waitFor();
    await expect(rows(page)).toHaveCount(0);
  });

  t.test('reading can be cancelled, and large files do not block the page', async (t) => {
    const page = await open(t);
    const heavy = Array.from({ length: 12 }, (_, place) =>
      jsonFile(`heavy-${place}.json`, pluginPackage(`Heavy ${place}`, { weight: 2_000_000 })),
    );
    await chooser(page).setInputFiles(heavy);
    await page.getByRole('progressbar', { name: 'Reading packages' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await expect(rows(page)).toHaveCount(0);
  });

  t.test('members import packages where they may publish', async (t) => {
    const page = await memberPage(t, product, 'Member', { path: '/plugins/my-plugins' });
    await page.getByRole('link', { name: 'Batch import' }).click();
    await read(
      page,
      [jsonFile('cut.json', '{"format": oops'), jsonFile('member.json', pluginPackage('Member grid'))],
      2,
    );
    await expect(row(page, 'cut.json')).toContainText(/Plugin parsing failed\. \S+/);
    await submitButton(page).click();
    await state(row(page, 'member.json')).getByText('Submitted').waitFor();
    t.strictSame(await ownPlugins(page), ['Member grid 1.0.0']);
  });
});
