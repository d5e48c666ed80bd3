import type { Page } from 'playwright-core';
import t from 'tap';
import { addAccount, memberPage, newAccount, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage, waitForHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';
import { field, openForm, PUBLISH_PAGE } from './support/publish-form.ts';

/** What a browser says about requests that find no network or no file. */
const NO_NETWORK =
  /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to (?:fetch|load)|imported module|preload CSS/;

const PLUGIN_CALL = '**/api/cmt/plugin?plugin_key=*';
/** Milliseconds: a navigation shows its page before all data is there, but not without a network. */
const LATER_THAN_A_LOADER = 1000;

t.test('code, data and connections that fail', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const card = (page: Page) => page.locator('main article h3 a[href^="/plugins/plugin/"]').first();
  const offline = (page: Page) => page.locator('strong').getByText('You’re offline.', { exact: true });
  const leave = (page: Page) =>
    page.locator('header').first().getByRole('link', { name: 'Plugin Square' }).click();

  t.test('a form asks before it is left, also without a network', async (t) => {
    const page = await memberPage(t, product, 'Ada', { expected: NO_NETWORK });
    await openForm(page, origin);
    await field(page, 'Name').fill('Typed for an hour');
    await page.context().setOffline(true);
    await leave(page);
    await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).last().click();
    await expect(field(page, 'Name')).toHaveValue('Typed for an hour');
    t.match(page.url(), PUBLISH_PAGE);
  });

  t.test('code that fails twice is tried a third time', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    await openPage(page, `${origin}/plugins/`);
    await page.route('**/menu-popup-*.js', (route) => route.abort(), { times: 2 });
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemcheckbox', { name: '日本語' }).waitFor();
  });

  t.test('a page whose style is gone takes no other part with it', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    const failed = page.waitForEvent('requestfailed', (request) =>
      /plugin-parts-.*\.css$/.test(request.url()),
    );
    await page.route('**/plugins/assets/plugin-parts-*.css', (route) => route.abort());
    await openPage(page, `${origin}/plugins/`);
    await failed;
    const began = await page.evaluate(() => performance.timeOrigin);
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemcheckbox', { name: '日本語' }).waitFor();
    t.equal(await page.evaluate(() => performance.timeOrigin), began, 'the page is not loaded again');
  });

  t.test('every style sheet that failed is asked for again', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    const failed = page.waitForEvent('requestfailed', (request) =>
      /plugin-parts-.*\.css$/.test(request.url()),
    );
    await page.route('**/plugins/assets/*.css', (route) => route.abort());
    await openPage(page, `${origin}/plugins/`);
    await failed;
    await page.unroute('**/plugins/assets/*.css');
    await card(page).click();
    await page.locator('article h1').waitFor();
    await expect(page.locator('main > div')).toHaveCSS('padding-top', '20px');

    await page.context().setOffline(true);
    // By key: the page still grows, and a mouse may miss what is at its end.
    await page.getByRole('link', { name: 'Removed plugins' }).press('Enter');
    await offline(page).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Removed plugins' }).waitFor();
    await expect(page.locator('main > div')).toHaveCSS('padding-top', '32px');
  });

  t.test('code that is gone reloads the page once, and then only says so', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    await openPage(page, `${origin}/plugins/`);
    await page.route('**/menu-popup-*.js', (route) => route.abort());
    const reloaded = page.waitForEvent('domcontentloaded');
    const menu = page.getByRole('button', { name: /^Language/ });
    await menu.click();
    await reloaded;
    await waitForHydration(page);
    await menu.click();
    await page
      .getByRole('status')
      .getByText(/Couldn’t load this/)
      .waitFor();
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    await expect(page.locator('h1')).toBeVisible();
    await page.unroute('**/menu-popup-*.js');
    await menu.click();
    await page.getByRole('menuitemcheckbox', { name: '日本語' }).waitFor();
  });

  t.test('a reload for code brings the draft of a form back', async (t) => {
    const page = await memberPage(t, product, 'Bea', { expected: NO_NETWORK });
    await openForm(page, origin);
    await field(page, 'Name').fill('Kept over a release');
    await page.getByText(/Draft saved/).waitFor();
    await page.route('**/menu-popup-*.js', (route) => route.abort());
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByText('Draft from').waitFor();
    await expect(field(page, 'Name')).toHaveValue('Kept over a release');
  });

  t.test('without a network a click keeps the page, and is followed when there is one', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    await page.clock.install();
    await openPage(page, `${origin}/plugins/`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    const [called, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(PLUGIN_CALL, async (route) => {
      called.resolve();
      await failing.promise;
      await route.abort('internetdisconnected');
    });
    await card(page).click();
    await called.promise;
    await page.clock.runFor(LATER_THAN_A_LOADER);
    failing.resolve();
    await offline(page).waitFor();
    await expect(page).toHaveURL(`${origin}/plugins/`);
    await expect(card(page)).toBeVisible();
    await page.unroute(PLUGIN_CALL);
    await page.context().setOffline(false);
    await page.waitForURL(/\/plugins\/plugin\//);
    await page.locator('article h1').waitFor();
    await expect(offline(page)).toHaveCount(0);
  });

  t.test('so does a click that opens another document, and one on a page of members', async (t) => {
    const page = await newPage(t, { expected: NO_NETWORK });
    await openPage(page, `${origin}/plugins/`);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await offline(page).waitFor();
    await page.context().setOffline(false);
    await page.locator('input[name=account]').waitFor();

    const member = await memberPage(t, product, 'Cleo', { path: '/plugins/', expected: NO_NETWORK });
    await member.getByRole('button', { name: 'Cleo’s account menu' }).click();
    await member.getByRole('menuitem', { name: 'My plugins' }).waitFor();
    await member.context().setOffline(true);
    await choose(member.getByRole('menuitem', { name: 'My plugins' }));
    await offline(member).waitFor();
    await expect(card(member)).toBeVisible();
    await member.context().setOffline(false);
    await member.waitForURL(/my-plugins/);
  });

  t.test('a like that fails says why', async (t) => {
    const page = await memberPage(t, product, 'Dora', { path: '/plugins/', expected: NO_NETWORK });
    await page.waitForLoadState('networkidle');
    const like = page
      .locator('main article')
      .first()
      .getByRole('button', { name: /^Like / });
    await page.context().setOffline(true);
    await like.click();
    await page.getByRole('status').getByText('Like failed. You’re offline.', { exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.route('**/plugin/user/praise', (route) => route.abort());
    await like.click();
    await page.getByRole('status').getByText('Like failed. Network error', { exact: true }).waitFor();
  });

  t.test('a start that fails says so', async (t) => {
    for (const file of ['main-*.js', 'plugin-page-*.js']) {
      const page = await newPage(t, { expected: NO_NETWORK });
      await page.goto(`${origin}/plugins/`);
      const path = await card(page).getAttribute('href');
      await page.route(`**/${file}`, (route) => route.abort());
      await page.goto(`${origin}${path}`);
      await page.getByText('This page didn’t load completely').waitFor();
      await page.unroute(`**/${file}`);
      await page.getByRole('link', { name: 'Reload' }).click();
      await page.waitForFunction(() => document.getElementById('start') === null);
      await page.context().close();
    }
  });

  t.test('a change of language reaches other tabs; one with input is told', async (t) => {
    const account = await addAccount(product, newAccount('Edith'));
    const page = await signedInPage(t, product, account, { path: '/plugins/' });
    const other = await page.context().newPage();
    await openPage(other, `${origin}/plugins/`);
    const form = await page.context().newPage();
    await openForm(form, origin);
    await field(form, 'Name').fill('Half a sentence');
    await page.getByRole('button', { name: /^Language/ }).click();
    await choose(page.getByRole('menuitemcheckbox', { name: 'Español' }));
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
    await expect(other.locator('html')).toHaveAttribute('lang', 'es-ES');
    await form.getByText('The language was changed in another tab').last().waitFor();
    await expect(field(form, 'Name')).toHaveValue('Half a sentence');
    await expect(form.locator('html')).toHaveAttribute('lang', 'en-US');
  });
});
