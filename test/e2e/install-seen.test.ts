import t from 'tap';
import { memberPage } from './support/account.ts';
import { packageAsking, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { openPage, waitForHydration } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

t.test('new permissions since the page was opened are shown before the installation', async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer } = product;
  const page = await memberPage(t, product, 'Maker', { expected: /status of 409/ });
  const key = await publish(page, packageAsking('Plumb Line', '1.0.0', { allowedDomains: ['none'] }));
  await reviewer.pass(key);
  await openPage(page, `${origin}/plugins/plugin/${key}`);
  await page.getByRole('heading', { name: 'No network access' }).waitFor();
  const asks = { allowedDomains: ['https://api.example.com'] };
  await publish(page, packageAsking('Plumb Line', '2.0.0', asks), { plugin_key: key });
  await reviewer.pass(key);

  const install = page.getByRole('button', { name: 'Install Plumb Line' });
  await install.focus();
  await page.keyboard.press('Enter');
  await page
    .getByText('The latest version needs more access. Review it, then install.', { exact: true })
    .waitFor();
  await page.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
  await page.getByRole('complementary').getByText('2.0.0', { exact: true }).waitFor();
  await install.click();
  await page.getByRole('status').getByText('Plugin installed').waitFor();
  await page.reload();
  await waitForHydration(page);
  await page
    .getByRole('button', { name: 'Uninstall Plumb Line' })
    .or(page.getByText('Installed', { exact: true }))
    .first()
    .waitFor();
  await expect(
    page.getByRole('button', { name: /^Update available/ }),
    'the shown permissions were accepted',
  ).toHaveCount(0);
});

t.test('installing again from My plugins accepts no unseen permissions', async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer } = product;
  const page = await memberPage(t, product, 'Maker', { expected: /status of 409/ });
  const key = await publish(page, packageAsking('Spirit Level', '1.0.0', { allowedDomains: ['none'] }));
  await reviewer.pass(key);
  await openPage(page, `${origin}/plugins/plugin/${key}`);
  const install = page.getByRole('button', { name: 'Install Spirit Level' });
  await install.click();
  await page.getByRole('status').getByText('Plugin installed').waitFor();
  await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
  const row = page.getByRole('listitem').filter({ hasText: 'Spirit Level' });
  const again = row.getByRole('button', { name: 'Install again: Spirit Level' });
  await row.getByRole('button', { name: 'Uninstall Spirit Level' }).click();
  await again.click();
  await row.getByRole('button', { name: 'Uninstall Spirit Level' }).click();
  await again.waitFor();
  const asks = { allowedDomains: ['https://api.example.com'] };
  await publish(page, packageAsking('Spirit Level', '2.0.0', asks), { plugin_key: key });
  await reviewer.pass(key);

  await again.click();
  await page
    .getByText('The latest version needs more access. Review it, then install.', { exact: true })
    .waitFor();
  await row.getByRole('link', { name: 'Spirit Level' }).click();
  await page.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
  await install.waitFor();
});
