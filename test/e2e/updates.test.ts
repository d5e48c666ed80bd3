import t from 'tap';
import { memberPage } from './support/account.ts';
import { packageAsking, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { choose, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

t.test(
  'an update with more permissions is offered and applied after acceptance, and a pinned version stays',
  async (t) => {
    const product = await sharedProduct();
    const { origin, reviewer } = product;
    const page = await memberPage(t, product, 'Maker');
    const key = await publish(page, packageAsking('Ruler Mate', '1.0.0', { allowedDomains: ['none'] }));
    await reviewer.pass(key);
    const address = `${origin}/plugins/plugin/${key}`;
    await openPage(page, address);
    await page.getByRole('button', { name: 'Install Ruler Mate' }).click();
    await page.getByRole('status').getByText('Plugin installed').waitFor();
    const asks = { allowedDomains: ['https://api.example.com'], permissions: ['currentuser'] };
    await publish(page, packageAsking('Ruler Mate', '2.0.0', asks), { plugin_key: key });
    await reviewer.pass(key);

    const offer = page.getByRole('button', { name: 'Update available for Ruler Mate' });
    const dialog = page.getByRole('dialog', { name: 'Update “Ruler Mate” to 2.0.0?' });
    await openPage(page, address);
    await offer.click();
    await dialog.getByText('https://api.example.com', { exact: true }).waitFor();
    await dialog.getByText('currentuser', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Not now' }).last().click();
    await dialog.waitFor({ state: 'hidden' });

    await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
    const row = page.getByRole('listitem').filter({ hasText: 'Ruler Mate' });
    await row.getByText('1.0.0', { exact: true }).waitFor();
    await offer.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('status').getByText('Updated to 2.0.0').waitFor();
    await row.getByText('2.0.0', { exact: true }).waitFor();
    await expect(offer).toHaveCount(0);

    const updates = page.getByRole('button', { name: 'Updates of Ruler Mate' });
    const pin = page.getByRole('menuitemcheckbox', { name: 'Pin version 2.0.0' });
    await updates.click();
    await pin.click();
    await page.getByRole('status').getByText('This version stays, on all your devices.').waitFor();
    await row.getByText('Pinned to 2.0.0', { exact: true }).waitFor();
    await publish(page, packageAsking('Ruler Mate', '2.0.1', asks), { plugin_key: key });
    await reviewer.pass(key);
    await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
    await row.getByText('Pinned to 2.0.0', { exact: true }).waitFor();

    await openPage(page, address);
    await updates.click();
    await expect(pin).toBeChecked();
    await pin.click();
    await page.getByRole('status').getByText('Updates are on again.').waitFor();
    await openPage(page, `${origin}/plugins/my-plugins?tab=installed`);
    await row.getByText('2.0.1', { exact: true }).waitFor();
    await expect(row.getByText('Pinned to')).toHaveCount(0);

    await page.getByRole('combobox', { name: 'New versions come' }).click();
    await choose(page.getByRole('option', { name: 'After 7 days' }));
    await page.getByRole('status').getByText('Saved').waitFor();
    await row.getByText('2.0.0', { exact: true }).waitFor();
    await row.getByText(/^2\.0\.1 comes on /).waitFor();

    await updates.click();
    await choose(page.getByRole('menuitem', { name: 'Pin another version…' }));
    const versions = page.getByRole('dialog', { name: 'Pin a version of “Ruler Mate”' });
    await versions.getByRole('combobox', { name: 'Version' }).click();
    await choose(page.getByRole('option', { name: /^1\.0\.0/ }));
    await versions.getByRole('button', { name: 'Pin' }).click();
    await row.getByText('Pinned to 1.0.0', { exact: true }).waitFor();
  },
);
