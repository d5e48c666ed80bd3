import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import t from 'tap';
import { linkIn } from '../support/mail-server.ts';
import { addAccount, newAccount, proveIn, signedInPage, submitSignIn } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { sharedMailSite } from './support/mail-site.ts';
import { followRequests, loadUntil, newPage, openPage, waitForHydration } from './support/page.ts';
import { pluginPackage } from './support/publish-files.ts';

const ACCOUNT = '/plugins/account';

t.test('a user changes, downloads and deletes their account', async (t) => {
  const site = await sharedMailSite();
  const { origin, reviewer } = site;
  const account = await addAccount(site, newAccount('Ada'), { isConfirmed: false });
  const page = await signedInPage(t, site, account, { expected: /status of 4\d\d/ });
  const key = await publish(page, pluginPackage('Tidy grids'));
  await reviewer.pass(key);
  const pluginPage = `${origin}/plugins/plugin/${key}`;

  const requestsEnded = followRequests(page);
  /** Opens a page and waits for all of its sections: one that arrives during a click moves the button away. */
  const open = async (path = ACCOUNT) => {
    await openPage(page, origin + path);
    await requestsEnded();
  };
  /** Reloads the plugin page of a visitor until the publisher has this name and picture. */
  const seenByOthers = async (text: string, picture?: string | null) => {
    // For some seconds caches still name the page of a publisher who is deleted.
    const visitor = await newPage(t, { expected: /status of 404/ });
    const publisher = visitor.getByRole('listitem').filter({ hasText: text }).first();
    const shown = picture ? publisher.locator(`img[src="${picture}"]`) : publisher;
    await loadUntil(visitor, pluginPage, async () => (await shown.count()) > 0);
    await visitor.context().close();
  };

  t.test('name and picture change immediately in the header, and soon on the plugin', async (t) => {
    await open();
    const section = page.getByRole('region', { name: 'Name and picture' });
    await section.getByLabel('Name', { exact: true }).fill('  ');
    await section.getByRole('button', { name: 'Save name' }).click();
    await section.getByText('Enter a name of up to 40 characters.').waitFor();
    await section.getByLabel('Name', { exact: true }).fill('Ada Lund');
    await page.keyboard.press('Enter');
    await page.getByText('Name changed').waitFor();
    await page.getByRole('button', { name: 'Ada Lund’s account menu' }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await section.getByRole('button', { name: 'Change picture' }).click();
    const files = await chooser;
    await files.setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await section.getByText('Incorrect image format!').waitFor();
    const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#c60' } })
      .png()
      .toBuffer();
    const again = page.waitForEvent('filechooser');
    await section.getByRole('button', { name: 'Change picture' }).click();
    await (await again).setFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByText('Picture changed').waitFor();
    const picture = await page.locator('header img[src^="/api/cmt/media/"]').getAttribute('src');
    t.match(picture, /^\/api\/cmt\/media\//);
    await seenByOthers('by Ada Lund', picture);
    await section.getByRole('button', { name: 'Remove picture' }).click();
    await page.getByText('Picture removed').waitFor();
    await t.resolves(section.getByRole('button', { name: 'Remove picture' }).waitFor({ state: 'detached' }));
  });

  t.test('the address changes when the link in the new mailbox is opened', async (t) => {
    await open();
    const section = page.getByRole('region', { name: 'Email address' });
    const email = `new-${account.email}`;
    await section.getByRole('button', { name: 'Change address' }).click();
    await section.getByLabel('New email address').fill(email);
    await section.getByLabel('Password of your account here').fill('wrong');
    await section.getByRole('button', { name: 'Send link' }).click();
    await section.getByText('Incorrect password.').waitFor();
    await section.getByLabel('Password of your account here').fill(account.password);
    await page.keyboard.press('Enter');
    await section.getByText(`Open the link we sent to ${email} in this browser.`).waitFor();
    await expect(section, 'unchanged before that').toContainText(account.email, { useInnerText: true });
    const mail = await site.mailTo(email);
    await openPage(page, linkIn(mail));
    await page.getByRole('button', { name: /Confirm/ }).click();
    await page.getByRole('status').filter({ hasText: 'Your email address is confirmed.' }).waitFor();
    const changeNotice = await site.mailSaying(/email address of your .* was changed/);
    t.strictSame(changeNotice.to, [account.email]);
    account.email = email;
    await open();
    await section.getByText(email, { exact: true }).waitFor();
  });

  t.test('one file has all data', async (t) => {
    await open();
    const saving = page.waitForEvent('download');
    // By keyboard: a section above that arrives late moves it away from a pointer.
    await page.getByRole('button', { name: 'Download your data' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your data' });
    await proveIn(dialog);
    await dialog.getByRole('button', { name: 'Download your data' }).click();
    const saved = await saving;
    t.equal(saved.suggestedFilename(), 'account.json');
    const file = JSON.parse(await readFile(await saved.path(), 'utf8'));
    t.hasStrict(file, {
      account: { profile: { nick_name: 'Ada Lund', email: account.email } },
      plugins: [{ plugin_key: key, versions: [{ audit_status: 2 }] }],
    });
  });

  t.test('the account is deleted after a warning and a confirmation by name and password', async (t) => {
    await open();
    await page.getByRole('link', { name: 'Delete account…' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Delete your account' }).waitFor();
    const published = page.getByRole('region', { name: '1 published plugin' });
    await published.getByRole('link', { name: 'Tidy grids' }).waitFor();
    await expect(published.getByRole('radio', { name: /Keep it available/ })).toBeChecked();
    await page.getByText('It happens right away and can’t be undone.').waitFor();
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const typeIn = async (name: string) => {
      await dialog.getByLabel('Type your name to confirm: Ada Lund').fill(name);
      await dialog.getByLabel('Password of your account here').fill(account.password);
      await dialog.getByRole('button', { name: 'Delete account' }).click();
    };
    await typeIn('Ada');
    await dialog.getByText('This isn’t your name.').waitFor();
    await typeIn('Ada Lund');
    await page.getByText('Your account is deleted.').waitFor();
    await site.mailSaying(/“Ada Lund” was deleted on/);
    await page.getByRole('link', { name: 'Back to home' }).click();
    await waitForHydration(page);
    await page.locator('header a[href^="/api/auth/login"]').first().click();
    await submitSignIn(page, account);
    await page.getByRole('alert').waitFor();
    t.match(page.url(), '/user/login');
    await seenByOthers('Deleted account');
  });
});
