import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { packageFile } from './support/publish-files.ts';
import { field, fileInput, fillTexts, openForm, submit, submittedKey } from './support/publish-form.ts';

t.test(
  'a description in Markdown is seen while it is written, and by visitors with licence and data',
  async (t) => {
    const product = await sharedProduct();
    const { origin } = product;
    const page = await memberPage(t, product, 'Writer');
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Compass Notes' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Compass Notes');
    await page.getByRole('radio', { name: 'Markdown' }).check();
    await field(page, 'Description').fill('## How\n\nRead [the guide](https://example.com/guide).');
    const preview = page.getByRole('region', { name: 'Description preview' });
    await preview.getByRole('heading', { name: 'How', level: 3 }).waitFor();
    await field(page, 'License').fill('mit');
    await page.getByRole('checkbox', { name: 'Nothing' }).check();
    await submit(page).click();
    const key = await submittedKey(page);

    await openPage(page, `${origin}/plugins/plugin/${key}`);
    const about = page.getByRole('region', { name: 'About' });
    await about.getByRole('heading', { name: 'How', level: 3 }).waitFor();
    const link = about.getByRole('link', { name: 'the guide' });
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
    await expect(page.getByRole('link', { name: 'MIT' })).toHaveAttribute(
      'href',
      'https://spdx.org/licenses/MIT.html',
    );
    const reach = page.getByRole('region', { name: 'What it can reach' });
    await expect(reach.getByText('Declared by the publisher, not checked.')).toHaveCount(1);
  },
);
