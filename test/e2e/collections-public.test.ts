/** Collections of the editors and public ones: made in the backstage, found by visitors, filled from cards. */
import t from 'tap';
import { axeFindings } from './access/check-screen.ts';
import { addAccount, adminPage, memberPage, newAccount } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { loadUntil, newPage, openPage } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';
import { dialog as signInDialog, form as signInForm } from './support/sign-in-dialog.ts';

const product = await sharedBackstage();
const { origin, reviewer } = product;
const publisher = await memberPage(t, product, 'Curated', { path: '/plugins/' });
let key = '';
for (const name of ['Picked one', 'Picked two']) {
  key = await publish(publisher, pluginPackage(name));
  await reviewer.pass(key);
}
const admin = await adminPage(t, product, {
  path: '/plugins/backstage-index/collections',
  expected: /status of 409/,
});
const PAGE = `${origin}/plugins/collections/picked-tools`;

t.test('administrators make a collection, fill it, put it in order and publish it', async (t) => {
  for (const attempt of ['new', 'taken']) {
    await admin.getByRole('button', { name: 'Add a collection' }).click();
    const form = admin.getByRole('dialog', { name: 'Add a collection' });
    if (attempt === 'new') {
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Enter a title in at least one language.').waitFor();
    }
    await form.getByRole('textbox', { name: 'Title' }).fill('Picked tools');
    await form.getByRole('textbox', { name: 'Address of its page' }).fill('picked-tools');
    await form.getByRole('textbox', { name: 'Description' }).fill('What goes well together');
    if (attempt === 'new') t.strictSame(await axeFindings(admin), []);
    await form.getByRole('button', { name: 'Save' }).click();
    if (attempt === 'taken') {
      await form.getByText('Another collection has this address.').waitFor();
      await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('Picked tools');
      await form.getByText('Cancel', { exact: true }).click();
    }
    await form.waitFor({ state: 'detached' });
  }
  const row = admin.getByRole('listitem').filter({ hasText: 'picked-tools' });
  await row.getByText('Not published').waitFor();
  await row.getByRole('link', { name: 'Plugins of “Picked tools”' }).click();
  for (const name of ['Picked one', 'Picked two']) {
    await admin.getByRole('button', { name: 'Add a plugin' }).click();
    const adding = admin.getByRole('dialog', { name: 'Add a plugin' });
    await adding.getByRole('searchbox').fill(name);
    await adding.getByRole('radio', { name }).check();
    await adding.getByRole('button', { name: 'Add a plugin' }).click();
    await adding.waitFor({ state: 'detached' });
  }
  const rows = admin.getByRole('list', { name: 'Picked tools' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  const ordered = admin.waitForResponse('**/collection/order');
  await rows.first().getByRole('button', { name: 'Place 1: choose another place' }).click();
  const place = admin.getByRole('dialog', { name: 'Move “Picked one”' });
  await place.getByRole('spinbutton').fill('2');
  await place.getByRole('button', { name: 'Move' }).click();
  await ordered;
  t.strictSame(await axeFindings(admin), []);
  await admin.getByRole('link', { name: 'Back to the collections' }).click();
  const published = admin.waitForResponse('**/manager/collection/editors');
  await row.getByRole('switch', { name: 'Publish “Picked tools”' }).click();
  await published;
  await row.getByText('Published', { exact: true }).waitFor();
  t.strictSame(await axeFindings(admin), []);
});

t.test('people put plugins into collections from cards', async (t) => {
  const member = await memberPage(t, product, 'Sharer', { path: '/plugins/?keyword=picked' });
  await member.locator('main').getByRole('button', { name: 'Add Picked one to a collection' }).press('Enter');
  const adding = member.getByRole('dialog', { name: 'Add “Picked one” to' });
  await adding.getByRole('button', { name: 'New collection' }).click();
  const form = member.getByRole('dialog', { name: 'New collection' });
  await form.getByRole('textbox', { name: 'Title' }).fill('Shared by a member');
  await form.getByRole('radio', { name: 'Everyone' }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(adding.getByRole('checkbox', { name: 'Shared by a member' })).toBeChecked();
  await adding.getByRole('button', { name: 'Close' }).click();
  await expect(
    member.locator('main').getByRole('button', { name: 'Add Picked one to a collection' }),
  ).toBeFocused();
});

t.test('visitors find both, and are asked to sign in to collect', async (t) => {
  const visitor = await newPage(t, { baseURL: origin, viewport: { width: 375, height: 812 } });
  const list = visitor.getByRole('link', { name: 'Shared by a member' });
  await loadUntil(visitor, `${origin}/plugins/collections`, async () => (await list.count()) > 0);
  const headings = visitor.locator('main').getByRole('heading');
  await expect(headings).toContainText([
    'Collections',
    'Editors’ collections',
    'Picked tools',
    'From the community',
  ]);
  t.strictSame(await axeFindings(visitor), []);
  t.equal(await visitor.evaluate(() => document.documentElement.scrollWidth), 375);
  await visitor.getByRole('link', { name: 'Picked tools' }).click();
  await visitor.waitForURL(PAGE);
  await visitor.getByText('What goes well together').waitFor();
  await expect(visitor.locator('main article h3')).toHaveText(['Picked two', 'Picked one']);
  t.strictSame(await axeFindings(visitor), []);
  t.equal(await visitor.evaluate(() => document.documentElement.scrollWidth), 375);
  await visitor.getByRole('button', { name: 'Add Picked two to a collection' }).click();
  await signInDialog(visitor).getByText('Sign in to add Picked two to a collection').waitFor();

  const home = visitor.getByRole('region', { name: 'Editors’ collections' });
  await loadUntil(visitor, `${origin}/plugins/`, async () => (await home.count()) > 0);
  await home.getByRole('link', { name: 'Picked tools' }).waitFor();
  await openPage(visitor, PAGE);
  await expect(visitor.locator('link[rel=canonical]')).toHaveAttribute('href', PAGE);
  t.match(
    await visitor.locator('script[type="application/ld+json"]').textContent(),
    '"@type":"CollectionPage"',
  );
  await visitor.getByRole('link', { name: 'Picked two' }).first().click();
  const named = visitor.getByRole('region', { name: 'In these collections' });
  await named.getByRole('link', { name: 'Picked tools' }).waitFor();
});

for (const [what, path, button, opened, shown] of [
  ['collect a plugin', PAGE, 'Add Picked two to a collection', 'Add “Picked two” to', 'New collection'],
  ['install a collection', PAGE, 'Install 2 plugins', 'Install 2 plugins?', 'Install 2 plugins'],
  ['report one', `${origin}/plugins/plugin/${key}`, 'Report', 'Report “Picked two”', 'Send report'],
] as const)
  t.test(`who signs in to ${what} then goes on with it, once`, async (t) => {
    const account = await addAccount(product, newAccount('Collector'));
    const page = await newPage(t);
    await openPage(page, path);
    await page.getByRole('button', { name: button }).click();
    const form = signInForm(page);
    await form.locator('input[name=account]').fill(account.email);
    await form.locator('input[name=password]').fill(account.password);
    await form.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: opened });
    await dialog.getByRole('button', { name: shown }).waitFor();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await expect(page.locator('iframe[title="Sign in"]')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await page.getByRole('button', { name: `${account.name}’s account menu` }).waitFor();
    await expect(dialog).toHaveCount(0);
  });
