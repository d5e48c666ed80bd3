import t from 'tap';
import { newAccount, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('the session as the page knows it', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('a page opened from another site asks once who is looking', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    const account = newAccount('Ana');
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await signUp(page, account);

    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/session')) asked.push(request.url());
    });
    await page.route('http://elsewhere.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${origin}/plugins/">To the plugins</a>` }),
    );
    await page.goto('http://elsewhere.test/');
    await page.getByRole('link', { name: 'To the plugins' }).click();
    await page.getByRole('button', { name: 'Ana’s account menu' }).waitFor();
    t.equal(asked.length, 1);
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('a session that ended elsewhere is noticed by the first call that needs it', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 401/ });
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await signUp(page, newAccount('Ivan'));
    await page.getByRole('button', { name: 'Ivan’s account menu' }).waitFor();
    await page.context().clearCookies();
    const install = page.getByRole('button', { name: /^Install/ }).first();
    await install.click();
    await page.getByRole('dialog', { name: 'Sign in to install Icon Harbor' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Ivan’s account menu' }).count(), 0);
    await page.context().close();
  });

  t.test('after signing out nothing is asked that needs a session', async (t) => {
    const { page } = await watchedPage(browser, {});
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await signUp(page, newAccount('Olga'));
    await page.goto(`${origin}/plugins/my-plugins`);
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 401) refused.push(answer.url());
    });
    await page.getByRole('button', { name: 'Olga’s account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.locator('input[name=account]').waitFor();
    t.strictSame(refused, []);
    await page.context().close();
  });

  t.test('a sign-out that fails leaves the session as it is and says so', async (t) => {
    const { page } = await watchedPage(browser, { expected: /ERR_FAILED/ });
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await signUp(page, newAccount('Yuki'));
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Yuki’s account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Couldn’t sign out. Please try again.').waitFor();
    t.equal(await page.getByRole('button', { name: 'Yuki’s account menu' }).count(), 1);
    await page.context().close();
  });

  t.test('a page whose code cannot be had says so inside the frame and loads again on request', async (t) => {
    const { page } = await watchedPage(browser, { expected: /ERR_FAILED|imported module|preload CSS/ });
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await page.route('**/plugins/assets/plugin-page-*', (route) => route.abort());
    await page.locator('main a[href^="/plugins/plugin/"]').first().click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    t.equal(await page.locator('header').count(), 1, 'the frame is still there');
    await page.unroute('**/plugins/assets/plugin-page-*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => document.querySelector('h1')?.textContent !== 'Something went wrong');
    t.match(page.url(), /\/plugins\/plugin\//);
    await page.context().close();
  });
});
