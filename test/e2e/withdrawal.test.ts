import t from 'tap';
import { until } from '../support/until.ts';
import { adminPage, memberPage } from './support/account.ts';
import { decide, publish, send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

t.test('a withdrawn plugin, from the click of an administrator to its users', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;
  const maker = await memberPage(t, product, 'Culprit');
  const key = await publish(maker, pluginPackage('File Thief'));
  const admin = await adminPage(t, product);
  await decide(admin, key, { audit_status: 2 });
  const user = await memberPage(t, product, 'Victim');
  await send(user, 'POST', 'plugin/user', { plugin_key: key });

  await t.test('an administrator chooses reason, consequence and text', async () => {
    await openScreen(admin, origin, 'plugin-list?keyword=File+Thief');
    await admin
      .getByRole('button', { name: /File Thief/ })
      .first()
      .click();
    await choose(admin.getByRole('menuitem', { name: 'Withdraw or restore…' }));
    const dialog = admin.getByRole('dialog', { name: 'Withdraw or restore “File Thief”' });
    await dialog.getByRole('combobox', { name: 'What' }).click();
    await choose(admin.getByRole('option', { name: 'Everything of Culprit' }));
    await dialog.getByText('1 plugin with 1 install, deleted plugins included.').waitFor();
    await dialog.getByRole('combobox', { name: 'What' }).click();
    await choose(admin.getByRole('option', { name: 'The whole plugin' }));
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.getByText('Write the text in at least one language.').waitFor();
    await dialog.getByRole('combobox', { name: 'Reason' }).click();
    await choose(admin.getByRole('option', { name: 'Harmful' }));
    await dialog.getByRole('tab', { name: 'English' }).click();
    await dialog
      .getByRole('textbox', { name: 'What everybody is told' })
      .fill('It sends <b>files</b> to a stranger.');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('its page says what happened, and is gone for search engines', async () => {
    const page = await newPage(t, { expected: /status of 410/ });
    const answer = await page.goto(`${origin}/plugins/plugin/${key}`);
    t.equal(answer?.status(), 410);
    await page.getByRole('heading', { name: '“File Thief” has been withdrawn' }).waitFor();
    await page.getByText('It sends <b>files</b> to a stranger.').waitFor();
    await page.getByText('Remove it', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'See all removed plugins' }).click();
    await page.getByRole('heading', { level: 1, name: 'Removed plugins' }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'File Thief' });
    await expect(entry).toContainText('Harmful');
    const feed = await page.request.get(`${origin}/plugins/removed.atom`);
    t.match(await feed.text(), 'It sends &lt;b&gt;files&lt;/b&gt; to a stranger.');
  });

  await t.test('who has installed it is told, and what to do', async () => {
    await openPage(user, `${origin}/plugins/my-plugins?tab=installed`);
    const installed = user.getByRole('listitem').filter({ hasText: 'File Thief' });
    await expect(installed).toContainText('It sends <b>files</b> to a stranger.');
    await expect(installed).toContainText('stop using it and uninstall it');
    const notice = user.getByText('“File Thief”, which you have installed, was withdrawn. Remove it.');
    await until(async () => {
      await openPage(user, `${origin}/plugins/notifications`);
      return (await notice.count()) > 0;
    });
  });
});
