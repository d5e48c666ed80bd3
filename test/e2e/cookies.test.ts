import t from 'tap';
import { newAccount, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const PLUGIN = '/plugins/plugin/square-chart-kitchen';

t.test('the cookies of a session', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('the session is only in encrypted, httpOnly cookies', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 401/ });
    await openPage(page, origin + PLUGIN);
    await signUp(page, newAccount());
    const cookies = await page.context().cookies();
    for (const cookie of cookies.filter(({ name }) => name !== 'lang' && name !== 'theme')) {
      t.hasStrict(cookie, { httpOnly: true, path: '/' }, cookie.name);
      t.notMatch(Buffer.from(cookie.value, 'base64url').toString('latin1'), /eyJ|@example\.com/, 'encrypted');
    }
    const altered = cookies.map((cookie) =>
      cookie.name === 'session' ? { ...cookie, value: `${cookie.value.slice(0, -2)}AA` } : cookie,
    );
    await page.context().clearCookies();
    await page.context().addCookies(altered);
    const answer = await page.goto(`${origin}/plugins/`);
    t.equal(answer?.status(), 200, 'an altered cookie gives an anonymous page, not an error');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    t.notOk(
      (await page.context().cookies()).some(({ name }) => name === 'session'),
      'the altered cookie is cleared',
    );
    await page.context().close();
  });

  t.test('a failed sign-in shows an error and can be retried', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 400/ });
    await page.goto(`${origin}/api/auth/callback?code=made-up&nonce=made-up`);
    const dialog = page.getByRole('dialog', { name: 'Couldn’t sign in' });
    await dialog.waitFor();
    await t.resolves(page.waitForURL(`${origin}/plugins/`), 'code and error are removed from the address');
    await dialog.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=account]').waitFor();
    await page.context().close();
  });
});
