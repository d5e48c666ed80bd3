/** A publisher chooses a handle and writes about themselves; visitors see it, and an administrator hides it. */
import t from 'tap';
import { axeFindings } from './access/check-screen.ts';
import { adminPage, memberPage } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { loadUntil, newPage, openPage, waitForHydration } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const product = await sharedBackstage();
const { origin, reviewer } = product;
const PAGE = `${origin}/plugins/publisher/willow-works`;

t.test('the page of a publisher', async (t) => {
  const publisher = await memberPage(t, product, 'Willow', { expected: /status of (409|422)/ });
  const key = await publish(publisher, pluginPackage('Willow grid'));
  await reviewer.pass(key);

  t.test('the publisher chooses a handle and writes about themselves', async (t) => {
    await openPage(publisher, `${origin}/plugins/my-plugins`);
    await publisher.getByRole('link', { name: 'Publisher profile' }).click();
    const handle = publisher.getByLabel('Page address');
    await expect(handle).toHaveValue(/^p-[0-9a-f]{12}$/);
    await waitForHydration(publisher);
    await handle.fill('adm1n');
    await publisher.getByRole('button', { name: 'Save' }).click();
    await publisher.getByText('This address is reserved. Choose another one.').waitFor();
    await handle.fill('willow-works');
    await publisher.getByLabel('About you').fill('Grids for slow afternoons');
    await publisher.getByRole('textbox', { name: 'Links' }).fill('http://example.org');
    await publisher.getByRole('button', { name: 'Save' }).click();
    await publisher.getByText('Enter at most 5 addresses').waitFor();
    await publisher.getByRole('textbox', { name: 'Links' }).fill('https://example.org/willow');
    t.strictSame(await axeFindings(publisher), []);
    await publisher.getByRole('button', { name: 'Save' }).click();
    await publisher.getByText('Saved', { exact: true }).waitFor();
    const about = publisher.getByLabel('About you');
    const typed = Promise.withResolvers<void>();
    await publisher.route('**/publisher/profile', (route) => typed.promise.then(() => route.continue()), {
      times: 1,
    });
    await about.fill('Grids for slow mornings');
    await publisher.getByRole('button', { name: 'Save' }).click();
    await about.fill('Grids for slow afternoons');
    typed.resolve();
    await expect(publisher.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy', 'true');
    await expect(about, 'what is typed meanwhile stays').toHaveValue('Grids for slow afternoons');
    await publisher.getByRole('button', { name: 'Save' }).click();
    await expect(publisher.getByRole('button', { name: 'Save' })).toBeDisabled();
    await publisher.getByRole('link', { name: 'View your page' }).click();
    await publisher.getByRole('heading', { level: 1, name: 'Willow' }).waitFor();
    await publisher.getByRole('link', { name: 'Edit profile' }).waitFor();
  });

  t.test('a visitor gets there from a plugin, on a phone and in the dark', async (t) => {
    const visitor = await newPage(t, { viewport: { width: 375, height: 800 }, colorScheme: 'dark' });
    await loadUntil(visitor, `${origin}/plugins/plugin/${key}`, async () =>
      (await visitor.locator('header a').allInnerTexts()).includes('Willow'),
    );
    await waitForHydration(visitor);
    await visitor.getByRole('link', { name: 'Willow', exact: true }).first().click();
    await visitor.getByRole('heading', { level: 1, name: 'Willow' }).waitFor();
    await visitor.getByText('Grids for slow afternoons').waitFor();
    await visitor.getByText('1 plugin', { exact: true }).waitFor();
    await expect(visitor.getByRole('link', { name: 'example.org/willow' })).toHaveAttribute(
      'rel',
      'nofollow ugc noopener',
    );
    await visitor.getByRole('link', { name: 'Willow grid' }).waitFor();
    t.equal(await visitor.evaluate(() => document.documentElement.scrollWidth), 375);
    t.strictSame(await axeFindings(visitor), []);
    await visitor.getByRole('link', { name: 'Latest' }).click();
    await visitor.waitForURL(/\?sort=0$/);
    await visitor.getByRole('link', { name: 'Willow grid' }).waitFor();
  });

  t.test('a reported text is hidden by an administrator, with a reason', async (t) => {
    const reporter = await memberPage(t, product, 'Rowan', { path: '/plugins/publisher/willow-works' });
    await reporter.getByRole('button', { name: 'Report' }).click();
    const form = reporter.getByRole('dialog');
    await form.getByRole('radio', { name: 'It’s misleading' }).check();
    await form.getByLabel('Describe the problem').fill('Not their grids.');
    await form.getByRole('button', { name: 'Send report' }).click();
    await reporter.getByText('Report sent. Thank you.').waitFor();

    const admin = await adminPage(t, product);
    await openPage(admin, `${origin}/plugins/backstage-index/reports`);
    await admin.getByText('Not their grids.').waitFor();
    await openPage(admin, PAGE);
    await admin.getByRole('button', { name: 'Hide text and links…' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Taken from somebody else');
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
    await admin.getByRole('button', { name: 'Show text and links again' }).waitFor();

    const visitor = await newPage(t);
    await loadUntil(visitor, PAGE, async () => !(await visitor.content()).includes('slow afternoons'));
    await visitor.getByRole('heading', { level: 1, name: 'Willow' }).waitFor();
    await publisher.goto(`${origin}/plugins/my-plugins/profile`);
    await publisher.getByText('Taken from somebody else').waitFor();
  });
});
