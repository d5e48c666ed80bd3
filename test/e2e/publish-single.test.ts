import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { memberPage } from './support/account.ts';
import { packageAsking, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import {
  dropOrPaste,
  jsonFile,
  packageFile,
  pictureFile,
  pluginPackage,
  type TestFile,
  textFile,
} from './support/publish-files.ts';
import {
  field,
  fileInput,
  fillTexts,
  openForm,
  partsOf,
  submit,
  submittedKey,
} from './support/publish-form.ts';

t.test('publishing one plugin', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;

  t.test('files that no longer exist on submission are named', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    const folder = t.testdir({});
    const onDisk = async ({ name, buffer }: TestFile): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, buffer);
      return path;
    };
    const code = await onDisk(packageFile({ name: { 'en-US': 'Frame Tally' } }));
    const cover = await onDisk(await pictureFile('cover.png', 640, 360));
    await fileInput(page, 'code').setInputFiles(code);
    await page.getByText('Filled in from the package').waitFor();
    await fileInput(page, 'cover').setInputFiles(cover);
    await page.getByRole('img', { name: 'Preview: Cover image' }).waitFor();
    await fillTexts(page, 'Frame Tally');
    await rm(cover);
    await submit(page).click();
    await page
      .getByRole('alert')
      .getByText('Some entries weren’t accepted. See the marked fields.')
      .waitFor();
    const missingFile = page.getByText('This file has changed or been moved. Choose it again.');
    await expect(page.locator('[data-field=cover]').filter({ has: missingFile })).toHaveCount(1);
    await expect(missingFile, 'the package is still readable').toHaveCount(1);
    await fileInput(page, 'cover').setInputFiles(await onDisk(await pictureFile('cover.png', 640, 360)));
    await missingFile.waitFor({ state: 'detached' });
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  });

  t.test('another package keeps nothing of the previous one', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(
      packageFile({
        name: { 'en-US': 'Frame Tally' },
        intro: { 'en-US': 'Tallies.' },
        description: { 'en-US': 'It tallies.' },
        tags: ['data'],
        contact: 'tally@example.com',
      }),
    );
    await page.getByText('Filled in from the package').waitFor();
    await field(page, 'Intro').fill('Written by hand.');
    await fileInput(page, 'code').setInputFiles(
      packageFile({ name: { 'en-US': 'Grid Ruler' }, intro: { 'en-US': 'Rules.' } }),
    );
    const differences = page.getByRole('region', { name: '1 of your fields differs from the package' });
    await differences.waitFor();
    await expect(field(page, 'Name')).toHaveValue('Grid Ruler');
    await expect(field(page, 'Intro')).toHaveValue('Written by hand.');
    await expect(field(page, 'Description')).toHaveValue('');
    await expect(field(page, 'Contact')).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Data', pressed: true })).toHaveCount(0);
    await expect(differences).toContainText(/Written by hand\.[\s\S]*Rules\./, { useInnerText: true });
    await differences.getByRole('button', { name: 'Use the package’s' }).click();
    await differences.waitFor({ state: 'detached' });
    t.not(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'the focus is kept');
    await expect(field(page, 'Intro')).toHaveValue('Rules.');

    const broken = packageFile({ name: { 'en-US': 'Broken' } });
    const text = broken.buffer.toString().replace('"main"', '"no_main"');
    await fileInput(page, 'code').setInputFiles(textFile('broken.json', text));
    await page.getByText('broken.json').first().waitFor();
    await page.getByText('Filled in from the package').waitFor({ state: 'detached' });
    await expect(field(page, 'Name'), 'a package with errors fills nothing').toHaveValue('');

    await submit(page).click();
    const alert = page.getByText(/things? needs? your attention/);
    await alert.waitFor();
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Grid Ruler' } }));
    await fillTexts(page, 'Grid Ruler');
    await alert.waitFor({ state: 'detached' });
  });

  t.test('technical support is written in several languages and read in one’s own', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(
      packageFile({ name: { 'en-US': 'Ruler of Help' }, support: 'https://example.com/help' }),
    );
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Ruler of Help');
    await expect(field(page, 'Technical support')).toHaveValue('https://example.com/help');
    const languages = page.getByRole('tablist', { name: 'Languages' }).first();
    await languages.getByRole('tab', { name: /^日本語/ }).click();
    await expect(field(page, 'Technical support')).toHaveValue('');
    await field(page, 'Technical support').fill('平日にお答えします。');
    await expect(languages.getByRole('tab', { name: /^日本語/ })).toHaveAccessibleName(/partly filled/);
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    const key = await submittedKey(page);

    const readIn = async (cookie: string): Promise<void> => {
      await page.context().addCookies([{ name: 'lang', value: cookie, url: origin }]);
      await openPage(page, `${origin}/plugins/plugin/${key}`);
    };
    await readIn('jp');
    await expect(page.getByRole('definition').getByText('平日にお答えします。')).toBeVisible();
    await readIn('ru');
    const inEnglish = page.getByRole('definition').locator('[lang="en-US"]');
    await expect(inEnglish.getByRole('link', { name: 'example.com' })).toBeVisible();

    await readIn('en');
    await openForm(page, origin, `?plugin_key=${key}`);
    await expect(field(page, 'Technical support')).toHaveValue('https://example.com/help');
    await languages.getByRole('tab', { name: /^日本語/ }).click();
    await expect(field(page, 'Technical support')).toHaveValue('平日にお答えします。');
  });

  t.test('invalid input is marked at its field before submission', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await dropOrPaste(fileInput(page, 'code'), 'drop', [textFile('code.json', 'hello')]);
    await page.getByText('Only Json files are supported').waitFor();
    await dropOrPaste(fileInput(page, 'icon'), 'drop', [textFile('icon.png', 'no picture')]);
    await page.locator('[data-field=icon]').getByText('Incorrect image format!').waitFor();
    const pictures = [await pictureFile('one.png', 32, 32), await pictureFile('two.png', 33, 32)];
    await dropOrPaste(fileInput(page, 'media'), 'drop', [...pictures, ...pictures]);
    await page.getByText('At most 3 images and videos.').waitFor();
    await expect(page.locator('[data-field=media] li')).toHaveCount(3);

    await fileInput(page, 'code').setInputFiles(
      textFile('broken.json', '{ "manifest": {\n "name": "x", } }'),
    );
    await page.getByText('Line 2, column').first().waitFor();
    const [docs] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /^How to fix it.*JSON_TRAILING_COMMA$/ }).click(),
    ]);
    await docs.getByRole('heading', { name: 'JSON_TRAILING_COMMA' }).waitFor();
    t.equal(new URL(docs.url()).hash, '#finding-JSON_TRAILING_COMMA');
    await docs.waitForFunction(() => scrollY > 0);
    await docs.close();
    await field(page, 'Name').fill('n'.repeat(65));
    await page.getByText('Over 64 words').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await submit(page).click();
    await page
      .locator('[data-field=code]')
      .getByText(/^Plugin parsing failed\. Remove the comma before/)
      .waitFor();
    await fileInput(page, 'code').setInputFiles(textFile('app.json', '{"name":"App","start_url":"/"}'));
    const reason = 'Plugin parsing failed. It’s neither a plugin package nor a manifest.';
    await page.getByText(reason, { exact: true }).first().waitFor();
    t.strictSame(
      sent.filter((url) => url.endsWith('/api/cmt/plugin')),
      [],
    );
  });

  t.test('files that do not fit are named', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    const picture = (name: string, width: number) => pictureFile(name, width, 180);
    const tiles = page.locator('[data-field=media] li');
    const problem = page.locator('[data-field=media]').getByText('At most 3 images and videos.');
    const notAdded = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
    // The second drop comes while the first is still checked.
    await dropOrPaste(fileInput(page, 'media'), 'drop', [
      await picture('a.png', 320),
      await picture('b.png', 321),
    ]);
    await dropOrPaste(fileInput(page, 'media'), 'drop', [
      await picture('c.png', 322),
      await picture('d.png', 323),
    ]);
    await notAdded('Not added: d.png');
    await problem.waitFor();
    await expect(tiles).toHaveCount(3);
    await page.getByRole('button', { name: 'Remove Image 3' }).click();
    await problem.waitFor({ state: 'detached' });
    await dropOrPaste(fileInput(page, 'media'), 'paste', [
      textFile('e.png', 'no picture'),
      ...(await Promise.all([picture('f.png', 325), picture('g.png', 326), picture('h.png', 327)])),
    ]);
    await notAdded('Not added: g.png and 1 more file');
    await page.locator('[data-field=media]').getByText('Incorrect image format!').waitFor();
    await dropOrPaste(fileInput(page, 'media'), 'drop', [await picture('i.png', 328)]);
    await notAdded('Not added: i.png');
    await problem.waitFor();
    await dropOrPaste(fileInput(page, 'icon'), 'drop', [
      await pictureFile('one.png', 32, 32),
      await pictureFile('two.png', 33, 33),
    ]);
    await notAdded('Not added: two.png');
    await page.getByRole('img', { name: 'Preview: Icon' }).waitFor();
    const packages = ['First', 'Second', 'Third'].map((name) => ({
      ...packageFile({ name: { 'en-US': name } }),
      name: `${name}.json`,
    }));
    await dropOrPaste(page.locator('body'), 'paste', packages);
    await notAdded('Not added: Second.json and 1 more file');
    await expect(field(page, 'Name')).toHaveValue('First');
    t.equal(await tiles.count(), 3);
  });

  t.test('after submission the page is linked as others will see it, and notes need no fix', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(
      jsonFile('peek.json', packageAsking('Page Peek', '1.0.0', { allowedDomains: ['a.example'] })),
    );
    await page.getByText('Filled in from the package').waitFor();
    const note = page.getByRole('listitem').filter({ hasText: 'Can access: a.example' });
    await note.waitFor();
    await expect(note.getByRole('link', { name: /^How to fix it/ })).toHaveCount(0);
    await fillTexts(page, 'Page Peek');
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    await page.getByRole('link', { name: 'See its page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Page Peek' }).waitFor();
    t.match(new URL(page.url()).pathname, /^\/plugins\/plugin\/[\w-]{16}$/);
  });

  t.test('pictures are ordered and removed by keyboard', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await dropOrPaste(fileInput(page, 'media'), 'drop', [
      await pictureFile('one.png', 320, 180),
      await pictureFile('two.png', 480, 270),
    ]);
    const tiles = page.locator('[data-field=media] li img');
    await tiles.nth(1).waitFor();
    const [first, second] = await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('src')));
    await page.getByRole('button', { name: 'Move Image 1 later' }).focus();
    await page.keyboard.press('Enter');
    t.strictSame(await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('src'))), [
      second,
      first,
    ]);
    await page.getByRole('button', { name: 'Remove Image 1' }).focus();
    await page.keyboard.press('Space');
    t.strictSame(await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('src'))), [first]);
  });

  t.test('an edit sends only the changes', async (t) => {
    const page = await memberPage(t, product);
    const key = await publish(page, pluginPackage('Edited One'));
    await openForm(page, origin, `?plugin_key=${key}`);
    await submit(page).click();
    await page.getByText('You haven’t changed anything yet.').waitFor();
    await field(page, 'Contact').fill('other@example.com');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PUT'),
      submit(page).click(),
    ]);
    t.strictSame(partsOf(request.postData()), ['based_on', 'contact', 'plugin_key']);
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    await openForm(page, origin, `?plugin_key=${key}&version=new`);
    await expect(field(page, 'Contact')).toHaveValue('other@example.com');
    await expect(field(page, 'Version number'), 'the next minor version for a feature').toHaveValue('1.1.0');
    await page.getByLabel('Fixed version').check();
    await expect(field(page, 'Version number'), 'the next patch version for a fix').toHaveValue('1.0.1');
  });

  t.test('an upload can be cancelled', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Cancelled' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Cancelled');
    await page.route('**/api/cmt/plugin', () => undefined);
    await submit(page).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Upload canceled. Nothing was submitted.').waitFor();
    await t.resolves(
      page.waitForFunction(() => document.activeElement?.textContent === 'Submit for review'),
      'the submit button has the focus',
    );
    await page.unroute('**/api/cmt/plugin');
    await expect(field(page, 'Name'), 'the form keeps its content').toHaveValue('Cancelled');
  });
});
