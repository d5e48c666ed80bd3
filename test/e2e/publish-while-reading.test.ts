import t from 'tap';
import { newAccount } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { field, openForm, signedUp, zone } from './support/publish-form.ts';

t.test('what is chosen and typed while a package is being read stays', async (t) => {
  const origin = await runningProduct(t, { PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {});
  await signedUp(page, origin, newAccount());
  const { buffer } = await pictureFile('icon.png', 40, 40);
  const icon = `data:image/png;base64,${buffer.toString('base64')}`;
  const preview = page.getByRole('img', { name: 'Preview: Icon' });
  const differences = page.getByRole('region', { name: /differs? from the package/ });
  const mine = await pictureFile('mine.png', 64, 64);
  const language = page.getByRole('combobox', { name: 'Default language' });
  const reading = () => page.getByText('Checking…').first();
  /** Holds back the code that reads packages, so that reading begins and does not end. */
  const held = async () => {
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

  t.test('an icon, texts and the version', async (t) => {
    await openForm(page, origin);
    const release = await held();
    await zone(page, 'code').setInputFiles(
      packageFile({ icon, name: { 'en-US': 'Theirs' }, contact: 'them@example.com', version: '3.0.0' }),
    );
    await reading().waitFor();
    await zone(page, 'icon').setInputFiles([mine]);
    await preview.waitFor();
    const src = await preview.getAttribute('src');
    await field(page, 'Name').fill('Mine');
    await field(page, 'Contact').fill('me@example.com');
    await release();
    await differences.getByRole('listitem', { name: 'icon' }).waitFor();
    t.equal(await preview.getAttribute('src'), src, 'the icon');
    t.equal(await field(page, 'Name').inputValue(), 'Mine');
    t.equal(await field(page, 'Contact').inputValue(), 'me@example.com');
    t.equal(await field(page, 'Version number').inputValue(), '3.0.0', 'what nobody wrote is filled');
    t.equal(await differences.getByRole('listitem').count(), 3);
  });

  t.test('an icon that was taken away, and the language', async (t) => {
    await openForm(page, origin);
    await zone(page, 'icon').setInputFiles([mine]);
    await preview.waitFor();
    const release = await held();
    await zone(page, 'code').setInputFiles(
      packageFile({ icon, default_lang: 'ja-JP', name: { 'ja-JP': '枠' } }, 'second.json'),
    );
    await reading().waitFor();
    await page.getByRole('button', { name: 'Remove Icon' }).click();
    await language.click();
    await page.getByRole('option', { name: '한국어' }).click();
    await release();
    await differences.getByRole('listitem', { name: 'icon' }).waitFor();
    t.equal(await preview.count(), 0, 'the icon');
    t.match(await differences.getByRole('listitem', { name: 'icon' }).innerText(), /Yours\s+Empty/);
    t.match(await language.innerText(), /한국어/);
    t.equal(
      await page
        .getByRole('tab', { name: /^한국어/ })
        .first()
        .getAttribute('aria-selected'),
      'true',
    );
  });

  t.test('a package that was removed stays away', async (t) => {
    await openForm(page, origin);
    await zone(page, 'code').setInputFiles(packageFile({}, 'first.json'));
    await page.getByText('first.json').first().waitFor();
    const remove = page.getByRole('button', { name: 'Remove first.json' });
    await remove.waitFor();
    const release = await held();
    await zone(page, 'code').setInputFiles(packageFile({}, 'late.json'));
    await reading().waitFor();
    await remove.click();
    await release();
    t.equal(await page.getByText('late.json').count(), 0);
  });
  t.strictSame(complaints, []);
});
