/** Onboarding kits: made in the backstage, and installed for who signs in. */
import { AxeBuilder } from '@axe-core/playwright';
import t from 'tap';
import { adminPage, memberPage } from './support/account.ts';
import { packageAsking, publish } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { moveByKeyboard, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

const product = await sharedProduct();
const { origin, reviewer } = product;
const publisher = await memberPage(t, product, 'Toolmaker', { path: '/plugins/' });
for (const [name, domain] of [
  ['Kit ruler', 'api.example'],
  ['Kit palette', 'img.example'],
] as const)
  await reviewer.pass(await publish(publisher, packageAsking(name, '1.0.0', { allowedDomains: [domain] })));
const admin = await adminPage(t, product);
const main = admin.locator('main');

t.test('an administrator makes a kit for a department, and then for everyone', async (t) => {
  await openScreen(admin, origin, 'kits');
  await main.getByText('No kits yet').waitFor();
  await main.getByRole('button', { name: 'Add a kit' }).click();
  const form = admin.getByRole('dialog', { name: 'Add a kit' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a name.').waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('First day');
  await form.getByRole('radio', { name: 'An enterprise or one of its departments' }).check();
  await form.getByRole('textbox', { name: 'Enterprise number' }).fill('0');
  await form.getByRole('textbox', { name: 'Department' }).fill('Design');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a whole number from 1.').waitFor();
  await form.getByRole('textbox', { name: 'Enterprise number' }).fill('3');
  await form.getByRole('button', { name: 'Save' }).click();
  await main.getByRole('heading', { level: 1, name: 'First day' }).waitFor();
  await main.getByText('For Design in enterprise 3').waitFor();
  await main.getByText('No plugins in this kit yet').waitFor();

  for (const name of ['Kit ruler', 'Kit palette']) {
    await main.getByRole('button', { name: 'Add a plugin' }).click();
    const adding = admin.getByRole('dialog', { name: 'Add a plugin' });
    await adding.getByRole('searchbox').fill(name);
    await adding.getByRole('radio', { name }).check();
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await main.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  const rows = main.getByRole('list', { name: 'First day' }).getByRole('listitem');
  await expect(rows.first()).toContainText('Kit ruler');
  const ordered = admin.waitForResponse('**/kit/order');
  await moveByKeyboard(admin, 'Kit ruler', 'ArrowDown', ['1 of', '2 of']);
  await ordered;
  await admin.reload();
  await expect(rows.first()).toContainText('Kit palette');
  const reach = main.getByRole('region', { name: 'What these plugins may reach' });
  await expect(reach.getByRole('listitem')).toHaveText(['api.example', 'img.example']);
  t.strictSame((await new AxeBuilder({ page: admin }).include('main').analyze()).violations, []);
  await admin.setViewportSize({ width: 375, height: 812 });
  t.equal(await admin.evaluate(() => document.documentElement.scrollWidth), 375);
  await admin.setViewportSize({ width: 1280, height: 800 });

  const stranger = await memberPage(t, product, 'Stranger', { path: '/plugins/my-plugins?tab=installed' });
  await stranger.getByRole('tabpanel').waitFor();
  await expect(stranger.getByRole('heading', { name: 'Kit palette' })).toHaveCount(0);

  await main.getByRole('button', { name: 'Edit' }).click();
  const editing = admin.getByRole('dialog', { name: 'Edit “First day”' });
  await editing.getByRole('radio', { name: 'Everyone who signs in' }).check();
  await editing.getByRole('button', { name: 'Save' }).click();
  await main.getByText('For everyone').waitFor();
  await main.getByRole('link', { name: 'All kits' }).click();
  await main.getByRole('listitem').filter({ hasText: 'First day' }).getByText('2 plugins').waitFor();
  t.strictSame((await new AxeBuilder({ page: admin }).include('main').analyze()).violations, []);
});

t.test('a new member has its plugins in their order; what they uninstall does not come back', async () => {
  const page = await memberPage(t, product, 'Newcomer', { path: '/plugins/my-plugins?tab=installed' });
  const names = page.getByRole('tabpanel').getByRole('heading', { level: 2 });
  await expect(names).toHaveText(['Kit palette', 'Kit ruler']);
  const ruler = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Kit ruler' });
  const uninstalled = page.waitForResponse(
    (response) => response.request().method() === 'DELETE' && response.url().endsWith('/plugin/user'),
  );
  await ruler.getByRole('button', { name: /Uninstall/ }).click();
  await uninstalled;
  // The page notes that it has asked once all lists are loaded again.
  await page.waitForFunction(() => sessionStorage.getItem('default_installs') !== null);
  await page.evaluate(() => sessionStorage.clear());
  const asked = page.waitForResponse('**/plugin/user/new/silent');
  await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
  await asked;
  await expect(names).toHaveText(['Kit palette']);

  await openScreen(admin, origin, 'kits');
  await main.getByRole('button', { name: 'Delete “First day”' }).click();
  await admin.getByRole('dialog').getByText('Existing installs stay.').waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await main.getByText('No kits yet').waitFor();
  await page.reload();
  await expect(names).toHaveText(['Kit palette']);
});
