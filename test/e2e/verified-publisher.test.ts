/** A publisher proves a domain by themselves; others see the mark, and an administrator takes it away. */
import t from 'tap';
import { fakeDns } from '../support/fake-dns.ts';
import { axeFindings } from './access/check-screen.ts';
import { adminPage, memberPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const DOMAIN = 'icons.example.com';
const RECORD = `_plugin-square.${DOMAIN}`;
const MARK = `Verified: ${DOMAIN}`;

t.test('the mark of a verified publisher', async (t) => {
  const records = new Map<string, readonly string[]>();
  const product = await ownProduct(t, { VERIFY_RESOLVER: await fakeDns(t, records) });
  const { origin, reviewer } = product;
  const publisher = await memberPage(t, product, 'Willow', { expected: /status of 422/ });
  const key = await publish(publisher, pluginPackage('Willow grid'));
  await reviewer.pass(key);
  const section = publisher.getByRole('region', { name: 'Verified publisher' });

  t.test('the publisher proves a domain', async (t) => {
    await openPage(publisher, `${origin}/plugins/my-plugins/profile`);
    await waitForHydration(publisher);
    const domain = section.getByLabel('Domain');
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('Enter a domain.').waitFor();
    await domain.fill('github.io');
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('Enter a domain of your own, such as example.com.').waitFor();
    await expect(domain, 'what was typed stays').toHaveValue('github.io');
    await domain.fill(`https://${DOMAIN}/`);
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText(RECORD, { exact: true }).waitFor();
    t.strictSame(await axeFindings(publisher), []);

    const value = (await section.getByText(/^plugin-square-verification=/).textContent()) ?? '';
    await section.getByRole('button', { name: 'Check now' }).click();
    await section.getByText('DNS: there is no such record.').waitFor();
    records.set(RECORD, [`plugin-square-verification=${'f'.repeat(32)}`]);
    await section.getByRole('button', { name: 'Check now' }).click();
    await section.getByText(`DNS: the record has another value: ${'f'.repeat(32)}`).waitFor();
    records.set(RECORD, [value]);
    await section.getByRole('button', { name: 'Check now' }).click();
    await section.getByText(`${DOMAIN} is yours.`).waitFor();
    await section.getByRole('img', { name: MARK }).waitFor();
    t.strictSame(await axeFindings(publisher), []);
  });

  t.test('visitors see the mark beside the name, on a phone and in the dark', async (t) => {
    const visitor = await newPage(t, { viewport: { width: 375, height: 800 }, colorScheme: 'dark' });
    await openPage(visitor, `${origin}/plugins/?keyword=willow`);
    await visitor.getByRole('article').getByRole('img', { name: MARK }).waitFor();
    t.equal(await visitor.evaluate(() => document.documentElement.scrollWidth), 375);
    await openPage(visitor, `${origin}/plugins/plugin/${key}`);
    await visitor.getByRole('img', { name: MARK }).first().waitFor();
    t.strictSame(await axeFindings(visitor), []);
    await waitForHydration(visitor);
    await visitor.getByRole('link', { name: 'Willow', exact: true }).first().click();
    await visitor.getByRole('heading', { level: 1, name: `Willow ${MARK}` }).waitFor();
    t.strictSame(await axeFindings(visitor), []);
  });

  t.test('the search field suggests the publisher, with the mark', async (t) => {
    const visitor = await newPage(t, { reducedMotion: 'reduce' });
    await openPage(visitor, `${origin}/plugins/`);
    await waitForHydration(visitor);
    await visitor.getByRole('combobox', { name: 'Search plugins' }).pressSequentially('willo');
    const suggested = visitor.getByRole('listbox').getByRole('group', { name: 'Publishers' });
    await suggested.getByRole('option', { name: `Willow ${MARK}` }).waitFor();
    t.strictSame(await axeFindings(visitor), []);
    await visitor.keyboard.press('ArrowDown');
    await visitor.keyboard.press('ArrowDown');
    await expect(suggested.getByRole('option')).toHaveAttribute('aria-selected', 'true');
    await visitor.keyboard.press('Enter');
    await t.resolves(visitor.getByRole('heading', { level: 1, name: `Willow ${MARK}` }).waitFor());
  });

  t.test('a plugin that is called so is told to its publisher and the administrators', async (t) => {
    const other = await memberPage(t, product, 'Oak');
    const similar = await publish(other, pluginPackage('Wіllow', { main: 'oak();' }));
    const { submission_id } = await send(other, 'GET', `plugin/edit?plugin_key=${similar}`);
    const words = 'The name resembles Willow, a verified publisher.';
    await openPage(other, `${origin}/plugins/my-plugins`);
    await waitForHydration(other);
    await other.getByRole('button', { name: /warning/ }).click();
    await other.getByText(words).waitFor();
    const admin = await adminPage(t, product);
    await openScreen(admin, origin, `audit-list/${submission_id}`);
    await admin.getByText(words).waitFor();
    t.strictSame(await axeFindings(admin), []);
    const link = { name: 'View publisher: Willow' };
    t.match(
      await admin.getByRole('link', link).getAttribute('href'),
      /^\/plugins\/publisher\/p-[0-9a-f]{12}$/,
    );
  });

  t.test('an administrator finds the publisher and takes the mark away', async (t) => {
    const admin = await adminPage(t, product);
    await openScreen(admin, origin, 'reports');
    const verified = admin.getByRole('region', { name: 'Verified publishers' });
    await verified.getByText(DOMAIN, { exact: true }).waitFor();
    await verified.getByRole('link', { name: 'Willow' }).click();
    await admin.getByRole('button', { name: 'Take mark away…' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Take away', exact: true }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('The domain was sold.');
    await dialog.getByRole('button', { name: 'Take away', exact: true }).click();
    await admin.getByText('The mark is taken away').waitFor();
    await admin.getByRole('button', { name: 'Verify…' }).waitFor();
    await openPage(publisher, `${origin}/plugins/my-plugins/profile`);
    await section.getByText('The administrators have taken your mark away: The domain was sold.').waitFor();
    await expect(section.getByRole('img', { name: MARK })).toHaveCount(0);
  });

  t.test('the publisher removes the domain', async () => {
    await waitForHydration(publisher);
    await section.getByRole('button', { name: 'Remove domain' }).click();
    await publisher.getByRole('dialog').getByRole('button', { name: 'Remove domain' }).click();
    await publisher.getByText('Domain removed').waitFor();
    await section.getByLabel('Domain').waitFor();
  });
});
