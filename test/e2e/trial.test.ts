import t from 'tap';
import { memberPage } from './support/account.ts';
import { packageAsking, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

t.test('a plugin in review is marked, and its publisher can try it', async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer } = product;
  const page = await memberPage(t, product, 'Maker');
  const asks = { allowedDomains: ['https://api.example.com'], permissions: ['currentuser'] };
  const key = await publish(page, packageAsking('Compass Rose', '1.0.0', asks));
  const address = `${origin}/plugins/plugin/${key}`;

  await openPage(page, address);
  await page.getByRole('heading', { name: 'Waiting for review' }).waitFor();
  await page.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
  const facts = page.getByRole('complementary');
  for (const fact of ['currentuser', '1.0.0']) {
    await expect(facts.getByText(fact, { exact: true }), fact).toHaveCount(1);
  }
  const reach = facts.getByRole('region', { name: 'What it can reach' });
  for (const part of ['https://api.example.com', 'Your name and picture', 'The publisher hasn’t said.']) {
    await expect(reach.getByText(part, { exact: true }), part).toHaveCount(1);
  }
  await expect(page.getByText('No network access')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Like Compass Rose' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Test install' }).click();
  await page.getByRole('status').getByText('Plugin installed').waitFor();

  await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
  const row = page.getByRole('listitem').filter({ hasText: 'Compass Rose' });
  await row.getByText('Not reviewed yet.', { exact: false }).waitFor();
  await reviewer.pass(key);
  await page.reload();
  await row.getByRole('link', { name: 'Compass Rose' }).waitFor();
  await expect(row.getByText('Test install'), 'an ordinary install').toHaveCount(0);
  await openPage(page, address);
  await page.getByRole('button', { name: 'Like Compass Rose' }).waitFor();
  await expect(page.getByRole('heading', { name: 'Waiting for review' })).toHaveCount(0);
});
