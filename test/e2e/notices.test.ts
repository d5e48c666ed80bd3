/** Notifications about a submission appear on any open page. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, newAccount, signedInPage, signInByCalls } from './support/account.ts';
import { decide, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { followRequests, newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const PAGE = '/plugins/notifications';

const product = await sharedProduct();
const { origin } = product;
const bell = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

const open = (page: Page, path = '/plugins/') => openPage(page, origin + path);

t.test('an open page shows a rejection with its reason and a link to the form', async (t) => {
  const publisher = await newPage(t, { baseURL: origin });
  await open(publisher);
  await expect(publisher.getByRole('link', { name: /^Notifications/ }), 'not for visitors').toHaveCount(0);
  await signInByCalls(publisher, origin, await addAccount(product, newAccount('Publisher')));
  await open(publisher);
  await bell(publisher, 'Notifications').waitFor();

  const reviewer = await addAccount(product, newAccount('Reviewer'), { role: ROLE_ADMIN });
  const admin = await signedInPage(t, product, reviewer);

  const plugin_key = await publish(publisher, pluginPackage('Swift grid'));
  await open(publisher);
  await bell(publisher, 'Notifications').waitFor();
  const reason = 'No <b>icon</b>, and it phones home';
  await decide(admin, plugin_key, { audit_status: 3, reason });
  await bell(publisher, 'Notifications: 1 unread').waitFor();
  await publisher
    .locator('[aria-live=polite]')
    .filter({ hasText: 'Notifications: 1 unread' })
    .waitFor({ state: 'attached' });

  await bell(publisher, 'Notifications: 1 unread').focus();
  await publisher.keyboard.press('Enter');
  await publisher.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  const rejected = row(publisher, '“Swift grid” 1.0.0 was rejected.');
  await rejected.getByText(reason, { exact: true }).waitFor();
  const own = row(publisher, 'was submitted and is waiting');
  await expect(own.getByRole('button', { name: 'Mark as read' }), 'one’s own action').toHaveCount(0);
  await rejected.getByRole('link', { name: 'Unread: “Swift grid” 1.0.0 was rejected.' }).click();
  await publisher.waitForURL(`**/publish-plugin/single?plugin_key=${plugin_key}`);
  await bell(publisher, 'Notifications').waitFor();

  await decide(admin, plugin_key, { audit_status: 2, expected_status: 3 });
  await decide(admin, plugin_key, { audit_status: 3, expected_status: 2, reason: 'Not yet' });
  await open(publisher, PAGE);
  await bell(publisher, 'Notifications: 2 unread').waitFor();
  const clicked = Promise.withResolvers<void>();
  await publisher.route('**/notice/list*', (route) => clicked.promise.then(() => route.continue()));
  await row(publisher, '“Swift grid” 1.0.0 was approved.')
    .getByRole('button', { name: 'Mark as read' })
    .click();
  await bell(publisher, 'Notifications: 1 unread').waitFor();
  // One row is still being read again: that does not swallow the click.
  await publisher.getByRole('button', { name: 'Mark all as read' }).click();
  clicked.resolve();
  await bell(publisher, 'Notifications').waitFor();
  await t.resolves(
    publisher.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' }),
  );
  await row(publisher, '“Swift grid” 1.0.0 was approved.').getByRole('link').click();
  await publisher.getByRole('heading', { level: 1, name: 'Swift grid' }).waitFor();

  await open(admin, PAGE);
  await admin.getByText('No notifications yet').waitFor();
});

t.test('an older count or list does not bring back a notice as unread', async (t) => {
  const account = await addAccount(product, newAccount('Reader'));
  const page = await signedInPage(t, product, account);
  await page.clock.install();
  const plugin_key = await publish(page, pluginPackage('Slow grid'));
  const reviewer = await addAccount(product, newAccount('Slow reviewer'), { role: ROLE_ADMIN });
  await decide(await signedInPage(t, product, reviewer), plugin_key, { audit_status: 3, reason: 'Slow' });
  await open(page, PAGE);
  await bell(page, 'Notifications: 1 unread').waitFor();
  const old = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route('**/notice/count*', async (route) => {
    const answer = await route.fetch();
    asked.resolve();
    await old.promise;
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
  await page.clock.runFor(20_000);
  await asked.promise;
  await row(page, 'was rejected.').getByRole('button', { name: 'Mark as read' }).click();
  await bell(page, 'Notifications').waitFor();
  const idle = followRequests(page);
  old.resolve();
  await idle();
  await expect(bell(page, 'Notifications'), 'the answer that was asked for earlier').toHaveCount(1);
});
