import t from 'tap';
import { SEARCH_DELAY } from '../../shared/constants.ts';
import { adminPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose, moveByKeyboard } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';

t.test('management of all plugins', async (t) => {
  const product = await sharedBackstage();
  const { origin } = product;
  const page = await adminPage(t, product);
  const names = () => page.getByRole('rowheader').getByRole('link').allTextContents();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  t.test('search, filters and order are stored in the address', async (t) => {
    await openScreen(page, origin, 'plugin-list');
    await page.getByRole('rowheader').first().waitFor();
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    const answered = page.waitForResponse(/\/plugin\/.*sort=installs/);
    await choose(page.getByRole('option', { name: 'Most installs' }));
    await answered;
    await page.waitForURL(/sort=installs/);
    await page.locator('[aria-busy] > table').waitFor({ state: 'detached' });
    const installs = await page.getByRole('row').locator('td[data-label=Installs]').allTextContents();
    const counts = installs.map((text) => Number(text.replaceAll(',', '')));
    t.ok(counts.length > 1);
    t.strictSame(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    const [first = ''] = await names();
    await page.getByRole('searchbox', { name: 'Search plugins' }).fill(first);
    await page.waitForURL(/keyword=/);
    await page.reload();
    await row(first).waitFor();
    await expect(page.getByRole('searchbox', { name: 'Search plugins' })).toHaveValue(first);
    await page.getByRole('searchbox', { name: 'Publisher' }).fill('nobody of that name');
    await page.getByText('No plugins found').waitFor();
  });

  t.test('two filters changed at the same time are both applied', async () => {
    await openScreen(page, origin, 'plugin-list');
    await page.getByRole('rowheader').first().waitFor();
    const fields = await Promise.all(
      ['Search plugins', 'Publisher'].map((name) => page.getByRole('searchbox', { name }).elementHandle()),
    );
    // Blocking the thread past both delays runs both searches before a frame is drawn.
    await page.evaluate(
      ({ both, delay }) => {
        for (const field of both) {
          if (!(field instanceof HTMLInputElement)) continue;
          field.focus();
          document.execCommand('insertText', false, 'of');
        }
        const typed = performance.now();
        while (performance.now() <= typed + delay);
      },
      { both: fields, delay: SEARCH_DELAY },
    );
    await page.waitForURL(/\?(?=.*keyword=of)(?=.*publisher=of)/);
  });

  t.test('a default install is confirmed first', async () => {
    await openScreen(page, origin, 'plugin-list');
    await page.getByRole('rowheader').first().waitFor();
    const [name = ''] = await names();
    const silent = page.getByRole('switch', { name: `Install “${name}” by default` });
    await silent.click();
    await page.getByRole('dialog').getByText('People who uninstall it don’t get it again.').waitFor();
    await expect(
      page.getByRole('switch', { name: `Install “${name}” by default`, includeHidden: true }),
    ).not.toBeChecked();
    await page.getByRole('button', { name: 'Install by default' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: `Install “${name}” by default`, checked: true }).waitFor();
    await page.reload();
    await silent.waitFor();
    await expect(silent).toBeChecked();
  });

  t.test('a plugin is hidden and shown again', async () => {
    const [name = ''] = await names();
    const menu = page.getByRole('button', { name: `Actions for “${name}”` });
    await menu.click();
    await choose(page.getByRole('menuitem', { name: 'Hide' }));
    await row(name).getByText('Hidden', { exact: true }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await menu.click();
    const edit = page.getByRole('menuitem', { name: 'Edit' });
    await expect(edit).toHaveAttribute('href', /^\/plugins\/publish-plugin\/single\?plugin_key=/);
    await choose(page.getByRole('menuitem', { name: 'Unhide' }));
    await row(name).getByText('Live', { exact: true }).waitFor();
  });

  t.test('recommended plugins are ordered by keyboard and one is removed', async (t) => {
    await page.getByRole('tab', { name: 'Recommended' }).click();
    const list = page.getByRole('list', { name: 'Recommended' });
    await list.waitFor();
    const order = () => list.getByRole('listitem').getByRole('link').allTextContents();
    const [first = '', second, ...others] = await order();
    await moveByKeyboard(page, first, 'ArrowDown', ['1 of', '2 of']);
    await page.getByText('The order is saved.').waitFor();
    await page.reload();
    await list.waitFor();
    t.strictSame(await order(), [second, first, ...others]);
    await page.getByRole('button', { name: `Remove “${first}” from recommended plugins` }).click();
    await page.getByRole('button', { name: `Move “${first}”`, exact: true }).waitFor({ state: 'detached' });
    t.strictSame(await order(), [second, ...others]);
  });
});
