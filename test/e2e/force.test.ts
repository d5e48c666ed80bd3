import t from 'tap';
import { newAccount, openSignedUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN } from './support/own-product.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('force=1 asks for a new sign-in without ending the session first', async (t) => {
  const origin = await runningProduct(t, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {});
  const first = newAccount('First');
  await openSignedUp(page, origin, first);
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
  t.strictSame(complaints, []);
});
