/** Collections: made from a plugin's page, put in order, shared, installed, reported and hidden. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage, memberPage } from './support/account.ts';
import { packageAsking, publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { loadUntil, newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { dialog as signInDialog } from './support/sign-in-dialog.ts';

const product = await sharedProduct();
const { origin, reviewer } = product;
const owner = await memberPage(t, product, 'Collector', { path: '/plugins/' });
const keys: string[] = [];
for (const [name, domain] of [
  ['First collected', 'api.example'],
  ['Second collected', 'img.example'],
] as const) {
  const key = await publish(owner, packageAsking(name, '1.0.0', { allowedDomains: [domain] }));
  await reviewer.pass(key);
  keys.push(key);
}
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true });
const pluginPage = (key: string | undefined) => `${origin}/plugins/plugin/${key}`;

t.test('are made, filled, put in order and shared', async (t) => {
  await openPage(owner, pluginPage(keys[0]));
  await button(owner, 'Add First collected to a collection').click();
  const adding = owner.getByRole('dialog', { name: 'Add “First collected” to' });
  await adding.getByText('You don’t have any collections yet.').waitFor();
  await adding.getByRole('button', { name: 'New collection' }).click();
  const form = owner.getByRole('dialog', { name: 'New collection' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a title.').waitFor();
  await form.getByRole('textbox', { name: 'Title' }).fill('Shared tools');
  await form.getByRole('radio', { name: 'Everyone' }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(adding.getByRole('checkbox', { name: 'Shared tools' })).toBeChecked();
  await adding.getByRole('button', { name: 'Close' }).click();

  await openPage(owner, pluginPage(keys[1]));
  await button(owner, 'Add Second collected to a collection').click();
  const second = owner.getByRole('dialog', { name: 'Add “Second collected” to' });
  const added = owner.waitForResponse('**/collection/plugin');
  await second.getByRole('checkbox', { name: 'Shared tools' }).click();
  await expect(second.getByRole('checkbox', { name: 'Shared tools' })).toBeChecked();
  await added;
  await second.getByRole('link', { name: 'Open “Shared tools”' }).click();
  await owner.getByRole('heading', { level: 1, name: 'Shared tools' }).waitFor();
  const rows = owner.getByRole('list', { name: 'Shared tools' }).getByRole('listitem');
  await expect(rows.first()).toContainText('First collected');
  const ordered = owner.waitForResponse('**/collection/order');
  await rows.first().getByRole('button', { name: 'Place 1: choose another place' }).click();
  const place = owner.getByRole('dialog', { name: 'Move “First collected”' });
  await place.getByRole('spinbutton').fill('2');
  await place.getByRole('button', { name: 'Move' }).click();
  await ordered;
  await owner.reload();
  await expect(rows.first()).toContainText('Second collected');
  t.strictSame((await new AxeBuilder({ page: owner }).include('main').analyze()).violations, []);
  await owner.setViewportSize({ width: 375, height: 812 });
  t.equal(await owner.evaluate(() => document.documentElement.scrollWidth), 375);
  await owner.setViewportSize({ width: 1280, height: 800 });

  await openPage(owner, `${origin}/plugins/my-plugins?tab=collections`);
  await expect(owner.getByRole('tabpanel').getByRole('heading')).toHaveText([
    'Liked plugins',
    'Shared tools',
  ]);
  t.strictSame((await new AxeBuilder({ page: owner }).include('main').analyze()).violations, []);
});

t.test('are read by visitors, and installed after one summary', async (t) => {
  const { collection_list } = await send(owner, 'GET', 'collection/list');
  const address = `${origin}/plugins/collection/${collection_list[0].collection_key}`;
  const visitor = await newPage(t, { baseURL: origin });
  await openPage(visitor, address);
  await visitor.getByText('by Collector').waitFor();
  await button(visitor, 'Install 2 plugins').click();
  await signInDialog(visitor).getByText('Sign in to install “Shared tools”').waitFor();

  const page = await memberPage(t, product, 'Reader', { path: new URL(address).pathname });
  await button(page, 'Install 2 plugins').click();
  const summary = page.getByRole('dialog', { name: 'Install 2 plugins?' });
  await expect(summary.getByRole('listitem')).toHaveText(['api.example', 'img.example']);
  await summary.getByRole('button', { name: 'Install 2 plugins' }).click();
  await button(page, 'Install 2 plugins').waitFor({ state: 'detached' });

  await button(page, 'Report').click();
  const report = page.getByRole('dialog', { name: 'Report “Shared tools”' });
  await report.getByRole('radio', { name: 'It’s offensive' }).check();
  await report.getByRole('textbox').fill('Look at its title');
  await report.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Report sent. Thank you.').waitFor();

  const admin = await adminPage(t, product, { path: '/plugins/backstage-index/reports' });
  const reported = admin.getByRole('region', { name: 'Reported collections' });
  await reported.getByText('Look at its title').waitFor();
  await reported.getByRole('button', { name: 'Hide' }).click();
  await admin.getByRole('region', { name: 'Hidden collections' }).getByText('Shared tools').waitFor();
  await openPage(page, `${origin}/plugins/my-plugins?tab=reports`);
  const outcome = page.getByRole('tabpanel').getByRole('listitem');
  await expect(outcome).toContainText('A collection you can no longer see');
  await expect(outcome).toContainText('Upheld');
  await page.goto(`${origin}/plugins/notifications`);
  await page.getByRole('link', { name: 'Unread: Your report about a collection was upheld.' }).waitFor();
  const missing = await newPage(t, { baseURL: origin, expected: /status of 404/ });
  const notFound = missing.getByRole('heading', { name: 'Collection not found' });
  await loadUntil(missing, address, async () => (await notFound.count()) > 0);
  await openPage(owner, address);
  await owner.getByText('Administrators have hidden this collection. Only you can see it.').waitFor();
});
