import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose } from './support/page.ts';
import { steadyProduct } from './support/product.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { field, fileInput, openForm } from './support/publish-form.ts';

t.test('input during the reading of a package is kept', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const page = await memberPage(t, product);
  const { buffer } = await pictureFile('icon.png', 40, 40);
  const icon = `data:image/png;base64,${buffer.toString('base64')}`;
  const preview = page.getByRole('img', { name: 'Preview: Icon' });
  const differences = page.getByRole('region', { name: /differs? from the package/ });
  const mine = await pictureFile('mine.png', 64, 64);
  const language = page.getByRole('combobox', { name: 'Default language' });
  const reading = () => page.getByText('Checking…').first();
  /** Holds the code of the package worker, so that reading starts but does not end. */
  const holdReading = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/package-worker*', async (route) => {
      await promise;
      await route.continue();
    });
    return async () => {
      resolve();
      await reading().waitFor({ state: 'detached' });
    };
  };

  t.test('an icon, texts and the version', async () => {
    await openForm(page, origin);
    const release = await holdReading();
    await fileInput(page, 'code').setInputFiles(
      packageFile({ icon, name: { 'en-US': 'Theirs' }, contact: 'them@example.com', version: '3.0.0' }),
    );
    await reading().waitFor();
    await fileInput(page, 'icon').setInputFiles([mine]);
    await preview.waitFor();
    const src = await preview.getAttribute('src');
    await field(page, 'Name').fill('Mine');
    await field(page, 'Contact').fill('me@example.com');
    await release();
    await differences.getByRole('listitem', { name: 'icon' }).waitFor();
    await expect(preview, 'the icon').toHaveAttribute('src', src ?? '');
    await expect(field(page, 'Name')).toHaveValue('Mine');
    await expect(field(page, 'Contact')).toHaveValue('me@example.com');
    await expect(field(page, 'Version number'), 'empty fields are filled').toHaveValue('3.0.0');
    await expect(differences.getByRole('listitem')).toHaveCount(3);
  });

  t.test('a removed icon, and the language', async () => {
    await openForm(page, origin);
    await fileInput(page, 'icon').setInputFiles([mine]);
    await preview.waitFor();
    const release = await holdReading();
    await fileInput(page, 'code').setInputFiles(
      packageFile({ icon, default_lang: 'ja-JP', name: { 'ja-JP': '枠' } }, 'second.json'),
    );
    await reading().waitFor();
    await page.getByRole('button', { name: 'Remove Icon' }).click();
    await language.click();
    await choose(page.getByRole('option', { name: '한국어' }));
    await release();
    await differences.getByRole('listitem', { name: 'icon' }).waitFor();
    await expect(preview, 'the icon').toHaveCount(0);
    await expect(differences.getByRole('listitem', { name: 'icon' })).toContainText(/Yours\s+Empty/, {
      useInnerText: true,
    });
    await expect(language).toContainText(/한국어/);
    await expect(page.getByRole('tab', { name: /^한국어/ }).first()).toHaveAttribute('aria-selected', 'true');
  });

  t.test('a removed package stays removed', async () => {
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({}, 'first.json'));
    await page.getByText('first.json').first().waitFor();
    const remove = page.getByRole('button', { name: 'Remove first.json' });
    await remove.waitFor();
    const release = await holdReading();
    await fileInput(page, 'code').setInputFiles(packageFile({}, 'late.json'));
    await reading().waitFor();
    await remove.click();
    await release();
    await expect(page.getByText('late.json')).toHaveCount(0);
  });
});
