/** A product without the demo, from its first administrator to an installed plugin. */
import t from 'tap';
import { ADMIN, fillSignUp, newAccount, signIn, signUp } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, loadUntil, newPage, openPage } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { packageFile, pictureFile } from './support/publish-files.ts';
import { fileInput, fillTexts, submit } from './support/publish-form.ts';

const { origin, pool } = await ownProduct(t, {}, { isFirstStart: true });
const admin = await newPage(t);
const publisher = await newPage(t);
const visitor = await newPage(t);

/** Opens a screen of the backstage by its navigation. */
async function screen(name: string): Promise<void> {
  // The number of open submissions follows the name once there are some, which is asked every minute.
  await admin
    .getByRole('navigation', { name: 'Admin navigation' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  await admin.getByRole('heading', { level: 1, name }).waitFor();
}

t.test('the first administrator signs in and finds the backstage', async (t) => {
  const page = admin;
  await openPage(page, `${origin}/`);
  await page.getByText('No plugins yet').waitFor();
  await signIn(page, ADMIN);
  const start = page.getByRole('region', { name: 'Fill your marketplace' });
  await start.getByRole('heading').waitFor();
  const ways = start.getByRole('link');
  await ways.first().waitFor();
  t.strictSame(
    await ways.evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')])),
    [
      ['Import packages', '/plugins/publish-plugin/batch'],
      ['Publish a plugin', '/plugins/publish-plugin/single'],
      ['Set up', '/plugins/backstage-index'],
    ],
  );
  await expect(page.getByText('Published plugins will appear here.')).toHaveCount(0);
  await expect(page.getByText('Built a plugin?'), 'nothing stands above it').toHaveCount(0);
  await openPage(visitor, `${origin}/plugins/`);
  await visitor.getByText('Published plugins will appear here.').waitFor();
  await visitor.getByText('Built a plugin?').waitFor();
  await expect(visitor.getByText('Fill your marketplace')).toHaveCount(0);
  await page.getByRole('button', { name: 'Admin’s account menu' }).click();
  const opened = page.waitForEvent('popup');
  await choose(page.getByRole('menuitem', { name: 'Admin' }));
  await (await opened).close();
  await page.goto(`${origin}/plugins/backstage-index`);
  await page.getByText('Nothing has been submitted yet').waitFor();
  const checklist = page.getByRole('region', { name: 'Set up this site' });
  await checklist.getByText('First plugin').waitFor();
  const first = await checklist.getByRole('listitem').allInnerTexts();
  t.strictSame(first.map((text) => text.split('\n')[0]).slice(0, 6), [
    'First plugin',
    'Members',
    'Name, color and logo',
    'Mail',
    'Main site',
    'Design tool',
  ]);
  await checklist.getByRole('link', { name: 'Import packages' }).waitFor();
  await checklist.getByRole('link', { name: 'Members' }).waitFor();
  await t.resolves(page.waitForURL((url) => url.pathname === '/plugins/backstage-index/audit-list'));
});

t.test('what adds plugins shows its progress, until it is over', async () => {
  const page = visitor;
  const show = (done: number) =>
    pool.query(
      `insert into setting (name, value) values ('filling', $1)
         on conflict (name) do update set value = excluded.value, updated_at = now()`,
      [{ done, total: 65 }],
    );
  await show(8);
  const note = page.getByText('Plugins are being added: 8 of 65');
  await loadUntil(page, `${origin}/plugins/`, async () => (await note.count()) > 0);
  await show(21);
  await page.getByText('Plugins are being added: 21 of 65').waitFor();
  await pool.query("delete from setting where name = 'filling'");
  await page.getByText('Plugins are being added').waitFor({ state: 'detached' });
});

t.test('a tag is added to the ten existing ones', async () => {
  const page = admin;
  await screen('Tags');
  await page.getByRole('button', { name: 'Add a tag' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code').fill('maps');
  await dialog.getByLabel('English', { exact: true }).fill('Maps');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Maps' }).getByText('maps · 0 plugins').waitFor();
});

t.test('a help article is written beside the first five', async (t) => {
  const page = admin;
  await screen('Help center');
  const articles = page.getByRole('link', {
    name: /^(Find and install|Report a|Publish a|What reviewers|Manage your)/,
  });
  await articles.first().waitFor();
  t.equal(await articles.count(), 5);
  await page.getByRole('link', { name: 'Write an article' }).click();
  await page.getByLabel('Title').fill('Installing a plugin');
  await page
    .getByLabel('Text', { exact: true })
    .fill('## In three steps\n\n1. Find it\n2. Press **Install**\n3. Open it');
  await page
    .getByRole('region', { name: 'Preview' })
    .getByRole('heading', { name: 'In three steps' })
    .waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The article is published').waitFor();
});

t.test('a banner leads to it', async () => {
  const page = admin;
  await screen('Banners');
  await page.getByRole('button', { name: 'Add a banner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(await pictureFile('banner.png', 1200, 300));
  await dialog.getByLabel('Link').fill('/help/');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('New here?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('list', { name: 'Banners' }).getByText('New here?').waitFor();
});

t.test('a user signs up and publishes with the form', async () => {
  const page = publisher;
  await openPage(page, `${origin}/plugins/`);
  await signUp(page, newAccount('Ada Maker'));
  await page.getByRole('button', { name: /account menu$/ }).click();
  await choose(page.getByRole('menuitem', { name: 'My plugins' }));
  await page.getByText('You haven’t published anything yet').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Publish a plugin' }).first().click();
  await submit(page).waitFor();
  await fileInput(page, 'code').setInputFiles(
    packageFile({ name: { 'en-US': 'Compass Rose' }, tags: ['maps'] }),
  );
  await page.getByText('Filled in from the package').waitFor();
  await fileInput(page, 'icon').setInputFiles(await pictureFile('icon.png', 64, 64));
  await fileInput(page, 'cover').setInputFiles(await pictureFile('cover.png', 1280, 720));
  await fileInput(page, 'media').setInputFiles([await pictureFile('one.png', 960, 540)]);
  await page.locator('[data-field=media] img').waitFor();
  await fillTexts(page, 'Compass Rose');
  await page.getByRole('button', { name: 'Maps', pressed: true }).waitFor();
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
});

t.test('the administrator reviews and approves it', async () => {
  const page = admin;
  await screen('Plugin review');
  await page.getByRole('link', { name: 'Compass Rose' }).first().waitFor();
  await page.getByRole('link', { name: 'Compass Rose' }).first().click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('“Compass Rose” is approved.').waitFor();
});

t.test('a slot shows it on the home page', async () => {
  const page = admin;
  await screen('Resource slots');
  await page.getByRole('button', { name: 'Add a resource slot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Compass Rose' }).check();
  await dialog.locator('.rdp-day:not(.rdp-disabled):not(.rdp-outside) button').first().click();
  await dialog.getByLabel('End time').fill('23:59');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Applied successfully.').waitFor();
});

t.test('a visitor finds it, reads the help and installs it', async () => {
  const page = visitor;
  const home = '/plugins/';
  const featured = page.getByRole('region', { name: 'Featured' }).getByText('Compass Rose');
  const tag = page.getByRole('navigation', { name: 'Filter by tag' }).getByRole('link', { name: 'Maps' });
  const banner = page.locator('main a[href$="/help/"]').first();
  await loadUntil(page, `${origin}${home}`, async () => {
    const shown = [featured, tag, banner].map((part) => part.count());
    return (await Promise.all(shown)).every((count) => count > 0);
  });
  await banner.click();
  await page.getByRole('link', { name: 'Installing a plugin' }).click();
  await page.getByRole('heading', { name: 'In three steps' }).waitFor();
  await openPage(page, `${origin}${home}`);
  await tag.click();
  await page.locator('main').getByRole('link', { name: 'Compass Rose' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Compass Rose' }).waitFor();
  await page
    .getByRole('button', { name: /^Install/ })
    .first()
    .click();
  const frame = page.frameLocator('iframe[title="Sign in"]');
  await frame.getByRole('link', { name: 'Create an account' }).click();
  await fillSignUp(frame, newAccount('Grace'));
  await frame.locator('input[name=password]').press('Enter');
  await page.getByText('Plugin installed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Grace’s account menu' }).click();
  await choose(page.getByRole('menuitem', { name: 'My plugins' }));
  await page.getByRole('tab', { name: /^Installed/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'Compass Rose' }).waitFor();
});
