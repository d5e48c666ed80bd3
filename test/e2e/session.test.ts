import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('the session in the page', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('a page opened from another site requests the session once', async (t) => {
    const page = await memberPage(t, product, 'Ana');
    const sessionRequests: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/session')) sessionRequests.push(request.url());
    });
    await page.route('http://elsewhere.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${origin}/plugins/">To the plugins</a>` }),
    );
    await page.goto('http://elsewhere.test/');
    await page.getByRole('link', { name: 'To the plugins' }).click();
    await page.getByRole('button', { name: 'Ana’s account menu' }).waitFor();
    await page.waitForLoadState('networkidle');
    t.equal(sessionRequests.length, 1);
  });

  t.test('after sign-out no call needs a session', async (t) => {
    const page = await memberPage(t, product, 'Olga');
    await openPage(page, `${origin}/plugins/my-plugins`);
    await page.waitForLoadState('networkidle');
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 401) refused.push(answer.url());
    });
    await page.getByRole('button', { name: 'Olga’s account menu' }).click();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
    await page.locator('input[name=account]').waitFor();
    t.strictSame(refused, []);
  });

  t.test('a failed sign-out keeps the session and shows an error', async (t) => {
    const page = await memberPage(t, product, 'Yuki', { path: '/plugins/', expected: /ERR_FAILED/ });
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Yuki’s account menu' }).click();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
    await page.getByText('Couldn’t sign out. Please try again.').waitFor();
    await expect(page.getByRole('button', { name: 'Yuki’s account menu' })).toHaveCount(1);
  });

  t.test('a page whose code is gone is opened as a document, and can be reloaded', async (t) => {
    const page = await newPage(t, { expected: /ERR_FAILED|imported module|preload CSS/ });
    await page.route('**/plugins/assets/plugin-page-*', (route) => route.abort());
    await openPage(page, `${origin}/plugins/`);
    await page.locator('main a[href^="/plugins/plugin/"]').first().click();
    await page.getByText('This page didn’t load completely').waitFor();
    await expect(page.locator('article h1'), 'the page is shown').toBeVisible();
    await page.unroute('**/plugins/assets/plugin-page-*');
    await page.getByRole('link', { name: 'Reload' }).click();
    await page.waitForFunction(() => document.getElementById('start') === null);
    t.match(page.url(), /\/plugins\/plugin\//);
  });
});
