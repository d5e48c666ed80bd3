import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const HOUR = 3_600_000;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

function addSlot(page: Page, plugin_key: string) {
  return send(page, 'POST', 'plugin/resource_state', {
    plugin_key,
    start_at: new Date(Date.now() - HOUR).toISOString(),
    end_at: new Date(Date.now() + HOUR).toISOString(),
  });
}

/** The answer to a search for plugins: until it is shown, a click may miss, as the list changes under the pointer. */
const found = (page: Page, keyword: string) =>
  page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('keyword') === keyword);

/** Chooses an item in the menu of a plugin in the plugin management. */
async function inMenu(page: Page, name: string, item: string): Promise<void> {
  const answered = found(page, name);
  await page.getByRole('searchbox', { name: 'Search plugins' }).fill(name);
  await answered;
  await page.locator('[aria-busy] > table').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Actions for “${name}”` }).click();
  await choose(page.getByRole('menuitem', { name: item }));
}

t.test('changed and invalid resource slots', async (t) => {
  const product = await sharedBackstage();
  const { origin } = product;
  const page = await adminPage(t, product, { expected: /status of 409/ });
  const add = async (name: string) => {
    const plugin_key = await publish(page, pluginPackage(name));
    await product.reviewer.pass(plugin_key);
    return { name, plugin_key };
  };
  const [hidden, deleted, other] = [await add('Slot One'), await add('Slot Two'), await add('Slot Three')];
  await addSlot(page, hidden.plugin_key);
  await addSlot(page, deleted.plugin_key);

  t.test('an administrator changes link, plugin and end of a slot', async () => {
    await openScreen(page, origin, 'resource-state-list');
    await page.getByRole('button', { name: `Edit the slot of “${hidden.name}”` }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit resource slot' });
    await expect(dialog.getByRole('radio', { name: hidden.name, exact: true })).toBeChecked();
    await expect(dialog.getByLabel('Link'), 'empty for the plugin page').toHaveValue('');
    await dialog.getByLabel('Search plugins').press('Enter');
    await dialog.getByLabel('Link').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Wrong url. Please try again.').waitFor();
    await dialog.getByLabel('Link').fill('/community/home');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, hidden.name).getByText('/community/home').waitFor();
    await row(page, hidden.name).getByText('Active').waitFor();
  });

  t.test('reasons for invalid slots are shown, also when restoring', async () => {
    await openScreen(page, origin, 'plugin-list');
    await inMenu(page, hidden.name, 'Hide');
    await page.getByText('Hidden', { exact: true }).first().waitFor();
    await inMenu(page, deleted.name, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await openScreen(page, origin, 'resource-state-list');
    await row(page, hidden.name).getByText('Its plugin is hidden.').waitFor();
    await row(page, deleted.name).getByText('Its plugin was deleted.').waitFor();
    await expect(page.getByRole('link', { name: deleted.name }), 'a deleted plugin has no link').toHaveCount(
      0,
    );
    await page.getByRole('button', { name: `Invalidate the slot of “${hidden.name}”` }).click();
    await row(page, hidden.name).getByText('Turned off by an administrator.').waitFor();
    await page.getByRole('button', { name: `Restore the slot of “${hidden.name}”` }).click();
    await page.getByText('Restored, but still invalid: Its plugin is hidden.').waitFor();
    await page.getByRole('button', { name: `Restore the slot of “${deleted.name}”` }).click();
    await page.getByText('Can’t be restored: its plugin was deleted.').waitFor();
    await row(page, deleted.name).getByText('Invalid', { exact: true }).waitFor();
  });

  t.test('a slot of a deleted plugin is assigned to another one and restored', async () => {
    await page.getByRole('button', { name: `Edit the slot of “${deleted.name}”` }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit resource slot' });
    const answered = found(page, other.name);
    await dialog.getByLabel('Search plugins').fill(other.name);
    await answered;
    await dialog.locator('[role=radiogroup][aria-busy=false]').waitFor();
    await dialog.getByRole('radio', { name: other.name, exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Restore the slot of “${other.name}”` }).click();
    await row(page, other.name).getByText('Active').waitFor();
    await row(page, other.name).getByText(`/plugins/plugin/${other.plugin_key}`).waitFor();
    await openScreen(page, origin, 'audit-trail');
    await page.getByText('Changed a resource slot').first().waitFor();
  });
});
