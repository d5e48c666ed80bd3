/** A report is upheld by withdrawing the plugin; with four eyes another administrator confirms that. */
import t from 'tap';
import { ROLE_SUPER_ADMIN } from '../../shared/constants.ts';
import { addAccount, adminPage, memberPage, newAccount, signedInPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

t.test('a report is upheld by withdrawing, which a second administrator confirms', async (t) => {
  const product = await ownProduct(t, { WITHDRAW_FOUR_EYES: 'yes' });
  const { origin, reviewer } = product;
  const maker = await memberPage(t, product, 'Maker');
  const key = await publish(maker, pluginPackage('Slow ruler'));
  await reviewer.pass(key);
  const reporter = await memberPage(t, product, 'Ronja');
  await send(reporter, 'POST', 'plugin/report', {
    plugin_key: key,
    kind: 'malicious',
    reason: 'It sends my files away.',
  });
  const status = async () => (await reporter.request.get(`${origin}/plugins/plugin/${key}`)).status();

  const admin = await adminPage(t, product);
  await openScreen(admin, origin, 'reports');
  await admin.getByRole('button', { name: 'Decide' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Uphold and withdraw the plugin' }).check();
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await dialog.getByText('Choose the reason.').last().waitFor();
  await dialog.getByRole('combobox', { name: 'Reason' }).click();
  await choose(admin.getByRole('option', { name: 'Harmful' }));
  await dialog.getByRole('tab', { name: 'English' }).click();
  await dialog.getByRole('textbox', { name: 'What everybody is told' }).fill('It sends files to a stranger.');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await admin.getByText('No open reports').waitFor();
  t.equal(await status(), 200, 'nothing happens yet');

  await openScreen(admin, origin, 'plugin-list');
  const own = admin.getByRole('region', { name: 'Waiting for a second administrator' });
  await own.getByRole('button', { name: 'Call off' }).waitFor();
  await expect(own.getByRole('button', { name: 'Confirm…' })).toHaveCount(0);

  const second = await addAccount(product, newAccount('Second'), { role: ROLE_SUPER_ADMIN });
  const other = await signedInPage(t, product, second);
  await openScreen(other, origin, 'audit-list');
  await other.getByRole('link', { name: 'Plugins 1 proposal to confirm' }).click();
  const waiting = other.getByRole('region', { name: 'Waiting for a second administrator' });
  await waiting.getByRole('heading', { name: 'Withdraw: Slow ruler' }).waitFor();
  await waiting.getByText('It sends files to a stranger.').waitFor();
  await waiting.getByRole('button', { name: 'Confirm…' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm…' }).click();
  await other.getByRole('status').getByText('Confirmed').waitFor();
  await expect(waiting).toHaveCount(0);
  t.equal(await status(), 410);
});
