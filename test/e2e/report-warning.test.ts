/** The publisher gets the warning, the reporter the decision, and the report stores both texts. */
import t from 'tap';
import { ADMIN, adminPage, memberPage } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { sharedBackstage } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const WARNING = 'Name the host you send files to.\nYou have a week.';

const product = await sharedBackstage();
const { origin, reviewer } = product;

t.test('an administrator warns the publisher of a reported plugin', async (t) => {
  const publisher = await memberPage(t, product, 'Publisher');
  const key = await publish(publisher, pluginPackage('Swift grid'));
  await reviewer.pass(key);

  const reporter = await memberPage(t, product, 'Ronja', { path: `/plugins/plugin/${key}` });
  await reporter.getByRole('button', { name: 'Report' }).click();
  const form = reporter.getByRole('dialog');
  await form.getByRole('radio', { name: 'It’s misleading' }).check();
  await form.getByLabel('Describe the problem').fill('It sends my files away.');
  await form.getByRole('button', { name: 'Send report' }).click();
  await reporter.getByText('Report sent. Thank you.').waitFor();

  const page = await adminPage(t, product);
  await page.goto(`${origin}/plugins/backstage-index/reports`);
  await page.getByRole('button', { name: 'Decide' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Uphold and warn the publisher' }).check();
  await dialog.getByLabel('What the reporter is told').fill('We asked for a fix.');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await dialog.getByText('Write what you warn the publisher about.').waitFor();
  await dialog.getByLabel('What the publisher is told').fill(WARNING);
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await page.getByText('No open reports').waitFor();
  await page.getByRole('tab', { name: 'Upheld' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'It sends my files away.' });
  await card.getByText('To the publisher').waitFor();
  await card.getByText(WARNING).waitFor();
  await card.getByText('We asked for a fix.').waitFor();
  await card.getByText(ADMIN.name, { exact: true }).waitFor();
  await card.locator('time').nth(1).waitFor();

  await publisher.goto(`${origin}/plugins/notifications`);
  const notice = publisher
    .getByRole('listitem')
    .filter({ hasText: 'The administrators have warned you about “Swift grid”.' });
  await notice.getByText(WARNING).waitFor();
  await reporter.goto(`${origin}/plugins/notifications`);
  const decisionNotice = reporter
    .getByRole('listitem')
    .filter({ hasText: 'Your report about “Swift grid” was upheld.' });
  await decisionNotice.getByText('We asked for a fix.').waitFor();
  await expect(reporter.getByText('Name the host'), 'only the publisher sees the warning').toHaveCount(0);
  t.equal(
    (await reporter.request.get(`${origin}/plugins/plugin/${key}`)).status(),
    200,
    'the plugin stays published',
  );
});
