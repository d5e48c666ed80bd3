import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { sharedProduct } from './support/product.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { field, fileInput, fillTexts, openForm, submit } from './support/publish-form.ts';

t.test('the own icon and the one of the package are shown side by side', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;
  const page = await memberPage(t, product);
  await openForm(page, origin);
  const packaged = async (side: number, name: string) => {
    const { buffer } = await pictureFile('icon.png', side, side);
    const icon = `data:image/png;base64,${buffer.toString('base64')}`;
    return packageFile({ name: { 'en-US': 'Frame Tally' }, icon }, name);
  };
  const differences = page.getByRole('region', { name: /differs? from the package/ });
  const preview = page.getByRole('img', { name: 'Preview: Icon' });

  await fileInput(page, 'code').setInputFiles(await packaged(40, 'first.json'));
  await preview.waitFor();
  await expect(differences, 'a package fills empty fields').toHaveCount(0);
  const first = await preview.getAttribute('src');
  await fileInput(page, 'icon').setInputFiles([await pictureFile('mine.png', 64, 64)]);
  await preview.and(page.locator(`:not([src="${first}"])`)).waitFor();
  const mine = await preview.getAttribute('src');
  await fileInput(page, 'code').setInputFiles(await packaged(48, 'second.json'));
  await differences.waitFor();
  const icon = differences.getByRole('listitem', { name: 'icon' });
  await expect(icon).toContainText(/Yours\s+mine\.png\s+In the package\s+From second\.json/, {
    useInnerText: true,
  });
  await expect(icon.locator('img')).toHaveCount(2);
  await expect(preview, 'the own icon stays until the choice').toHaveAttribute('src', mine ?? '');

  await icon.getByRole('button', { name: 'Use the package’s' }).click();
  await differences.waitFor({ state: 'detached' });
  t.not(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'the focus is kept');
  const packageIcon = preview.and(page.locator(`:not([src="${mine}"])`));
  await packageIcon.waitFor();

  await fileInput(page, 'code').setInputFiles(await packaged(56, 'third.json'));
  await page.getByText('third.json').first().waitFor();
  await page.locator(`[data-field=icon] img[src="${mine}"]`).waitFor();
  await differences.getByRole('button', { name: 'Keep yours' }).click();
  await differences.waitFor({ state: 'detached' });
  await fillTexts(page, 'Frame Tally');
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  const answerOf = (path: string) =>
    page.evaluate(async (path) => {
      const answer = await fetch(`/api/cmt/${path}`, { headers: { 'x-requested-with': 'plugin-square' } });
      return (await answer.json()).data;
    }, path);
  const [{ plugin }] = (await answerOf('plugin/audit')).plugin_list;
  const key = plugin.plugin_key;

  await openForm(page, origin, `?plugin_key=${key}&version=new`);
  await fileInput(page, 'code').setInputFiles(await packaged(72, 'fourth.json'));
  await differences.waitFor();
  await expect(icon).toContainText(/The plugin’s current icon/);
  await icon.getByRole('button', { name: 'Keep yours' }).click();
  await field(page, 'Version description').fill('The second one.');
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  const { listing } = await answerOf(`plugin/edit?plugin_key=${key}`);
  t.equal(listing.icon.width, 64, 'the chosen icon is published');
});
