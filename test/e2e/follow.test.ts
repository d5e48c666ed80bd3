/** Following plugins, tags and publishers, and hearing of what is new. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { memberPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';
import { dialog } from './support/sign-in-dialog.ts';

const product = await sharedProduct();
const { origin, reviewer } = product;

const publisher = await memberPage(t, product, 'Ada Maker', { path: '/plugins/' });
const key = await publish(publisher, pluginPackage('Newsworthy grid'));
await reviewer.pass(key);
const row = (page: Page, name: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: name });
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true });

t.test('a visitor is asked to sign in', async (t) => {
  const page = await newPage(t, { baseURL: origin });
  await openPage(page, `${origin}/plugins/plugin/${key}`);
  await button(page, 'Follow Newsworthy grid').click();
  await dialog(page).getByText('Sign in to follow Newsworthy grid').waitFor();
});

t.test('a plugin, its publisher and a tag, with news of the plugin', async (t) => {
  const page = await memberPage(t, product, 'Follower', { path: `/plugins/plugin/${key}` });
  await button(page, 'Follow Newsworthy grid').click();
  await page.getByRole('status').getByText('Following Newsworthy grid', { exact: true }).last().waitFor();
  await button(page, 'Following Newsworthy grid').waitFor();
  await button(page, 'Follow Ada Maker').click();
  await button(page, 'Following Ada Maker').waitFor();
  await expect(page.getByRole('link', { name: 'Feed of this publisher' })).toHaveAttribute(
    'href',
    /^\/plugins\/publisher\.atom\?publisher_id=\d+$/,
  );
  await page.locator('main').getByRole('link', { name: 'Ada Maker', exact: true }).first().click();
  await page.waitForURL('**/plugins/publisher/*');
  await button(page, 'Following Ada Maker').waitFor();
  const { tag_list } = await send(page, 'GET', 'plugin/tag/list');
  await openPage(page, `${origin}/plugins/?tag_id=${tag_list[0].id}`);
  const tag = await page.locator('#results').innerText();
  await button(page, `Follow ${tag}`).click();
  await button(page, `Following ${tag}`).waitFor();

  await openPage(page, `${origin}/plugins/my-plugins?tab=followed`);
  await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(3);
  const plugin = row(page, 'Newsworthy grid');
  await plugin.getByRole('button', { name: 'Unfollow Newsworthy grid' }).click();
  await plugin.getByRole('button', { name: 'Follow again: Newsworthy grid' }).click();
  await plugin.getByRole('button', { name: 'Unfollow Newsworthy grid' }).waitFor();
  t.strictSame((await new AxeBuilder({ page }).include('main').analyze()).violations, []);
  await page.setViewportSize({ width: 375, height: 812 });
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  const choice = page.getByRole('switch', { name: 'New versions of plugins' });
  await expect(choice).toBeChecked();
  const saved = page.waitForResponse('**/notice/preferences');
  await choice.click();
  await saved;
  await page.reload();
  await expect(page.getByRole('switch', { name: 'New versions of plugins' })).not.toBeChecked();
});

t.test('a new plugin of a followed publisher is a notice', async (t) => {
  const page = await memberPage(t, product, 'Second follower', { path: '/plugins/' });
  const { publisher: maker } = await send(page, 'GET', `plugin?plugin_key=${key}`);
  await send(page, 'PUT', 'follow', { publisher_id: maker.user_id, is_followed: true });
  const fresh = await publish(publisher, pluginPackage('Fresh grid'));
  await reviewer.pass(fresh);
  await page.getByRole('link', { name: 'Notifications: 1 unread', exact: true }).waitFor();
  await openPage(page, `${origin}/plugins/notifications`);
  await page.getByRole('link', { name: /A publisher you follow has published “Fresh grid”/ }).click();
  await page.waitForURL(`**/plugins/plugin/${fresh}`);
});
