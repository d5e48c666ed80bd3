/** Notifications about a submission appear on any open page. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { newAccount, signIn, signUp } from './support/account.ts';
import { send } from './support/api.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { openPage, watchedPage } from './support/page.ts';
import { pluginPackage } from './support/publish-files.ts';

const PAGE = '/plugins/notifications';

const { origin } = await ownProduct(t, { PUBLISHERS: 'members' });
const browser = await openBrowser(t);
const bell = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

const open = (page: Page, path = '/plugins/') => openPage(page, origin + path);

t.test('an open page shows a rejection with its reason and a link to the form', async (t) => {
  const publisher = await watchedPage(browser, {});
  await open(publisher.page);
  t.equal(await publisher.page.getByRole('link', { name: /^Notifications/ }).count(), 0, 'not for visitors');
  await signUp(publisher.page, newAccount('Publisher'));
  await bell(publisher.page, 'Notifications').waitFor();

  const admin = await watchedPage(browser, {});
  await open(admin.page);
  await signIn(admin.page, ADMIN);
  await admin.page.getByRole('button', { name: 'Admin’s account menu' }).waitFor();

  const text = JSON.stringify(pluginPackage('Swift grid'));
  const { plugin_key } = await send(publisher.page, 'POST', 'plugin', text);
  await open(publisher.page);
  await bell(publisher.page, 'Notifications: 1 unread').waitFor();
  const reason = 'No <b>icon</b>, and it phones home';
  await send(admin.page, 'POST', 'plugin/audit/status', { plugin_key, audit_status: 3, reason });
  await bell(publisher.page, 'Notifications: 2 unread').waitFor();
  await publisher.page
    .locator('[aria-live=polite]')
    .filter({ hasText: 'Notifications: 2 unread' })
    .waitFor({ state: 'attached' });

  await bell(publisher.page, 'Notifications: 2 unread').focus();
  await publisher.page.keyboard.press('Enter');
  await publisher.page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  const rejected = row(publisher.page, '“Swift grid” 1.0.0 was rejected.');
  await rejected.getByText(reason, { exact: true }).waitFor();
  await row(publisher.page, 'was submitted and is waiting')
    .getByRole('button', { name: 'Mark as read' })
    .click();
  await bell(publisher.page, 'Notifications: 1 unread').waitFor();
  await rejected.getByRole('link', { name: 'Unread: “Swift grid” 1.0.0 was rejected.' }).click();
  await publisher.page.waitForURL(`**/publish-plugin/single?plugin_key=${plugin_key}`);
  await bell(publisher.page, 'Notifications').waitFor();

  await send(admin.page, 'POST', 'plugin/audit/status', {
    plugin_key,
    audit_status: 2,
    expected_status: 3,
  });
  await open(publisher.page, PAGE);
  await bell(publisher.page, 'Notifications: 1 unread').waitFor();
  await publisher.page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell(publisher.page, 'Notifications').waitFor();
  await t.resolves(
    publisher.page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' }),
  );
  await row(publisher.page, '“Swift grid” 1.0.0 was approved.').getByRole('link').click();
  await publisher.page.getByRole('heading', { level: 1, name: 'Swift grid' }).waitFor();

  await open(admin.page, PAGE);
  await admin.page.getByText('No notifications yet').waitFor();
  t.strictSame([...publisher.complaints, ...admin.complaints], []);
});

t.test('a list that fails to load shows an error and can be retried', async (t) => {
  const { page, complaints } = await watchedPage(browser, { expected: /status of 5/ });
  await open(page);
  await signUp(page, newAccount('Reader'));
  await bell(page, 'Notifications').waitFor();
  await page.route('**/api/cmt/notice/list*', (route) => route.fulfill({ status: 500, body: '' }));
  await bell(page, 'Notifications').click();
  await page.locator('main').getByRole('alert').waitFor();
  await page.unroute('**/api/cmt/notice/list*');
  await page.locator('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No notifications yet').waitFor();
  t.strictSame(complaints, []);
});

t.test('visitors are redirected to sign in', async () => {
  const { page } = await watchedPage(browser, {});
  await page.goto(origin + PAGE);
  await page.locator('input[name=account]').waitFor();
});
