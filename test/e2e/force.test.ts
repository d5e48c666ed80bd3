import t from 'tap';
import { ADMIN, memberPage } from './support/account.ts';
import { openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('force=1 asks for a new sign-in without ending the session first', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const page = await memberPage(t, product, 'First', { path: '/plugins/' });
  const menuOf = (name: string) => page.getByRole('button', { name: `${name}’s account menu` });
  await menuOf('First').waitFor();

  await page.goto(`${origin}/plugins/?sort=1&code=no-such-code&force=1`);
  t.equal(new URL(page.url()).pathname, '/user/login');
  t.notMatch(page.url(), 'force');
  t.notMatch(page.url(), 'no-such-code');
  await page.goto(`${origin}/plugins/`);
  await menuOf('First').waitFor();

  await openPage(page, `${origin}/plugins/?sort=1&force=1`);
  await page.locator('input[name=account]').fill(ADMIN.email);
  await page.locator('input[name=password]').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await menuOf(ADMIN.name).waitFor();
  await t.resolves(page.waitForURL(`${origin}/plugins/?sort=1`));
});
