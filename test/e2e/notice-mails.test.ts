/** Notifications by email, which users choose in their account or by the link in each email. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { linkIn, partsOf, startMailServer } from '../support/mail-server.ts';
import { newAccount, signIn, signUpByMail } from './support/account.ts';
import { send } from './support/api.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { openPage, watchedPage } from './support/page.ts';
import { pluginPackage } from './support/publish-files.ts';

const smtp = await startMailServer(t);
const { host, port } = smtp.server;
const { origin } = await ownProduct(t, {
  PUBLISHERS: 'members',
  SMTP_URL: `smtp://${host}:${port}?tls=none`,
  MAIL_FROM: 'Plugin Square <square@example.com>',
});
const browser = await openBrowser(t);
const publisher = await watchedPage(browser, {});
const admin = await watchedPage(browser, {});

const open = (page: Page, path: string) => openPage(page, origin + path);

const choice = (name: string) => publisher.page.getByRole('switch', { name, exact: true });

const publish = (name: string): Promise<{ plugin_key: string }> =>
  send(publisher.page, 'POST', 'plugin', JSON.stringify(pluginPackage(name)));

const decide = (plugin_key: string, decision: object) =>
  send(admin.page, 'POST', 'plugin/audit/status', { plugin_key, ...decision });

t.before(async () => {
  await open(publisher.page, '/plugins/');
  await signUpByMail(publisher.page, newAccount('Publisher'), async () => linkIn(await smtp.mail(1)));
  await open(admin.page, '/plugins/');
  await signIn(admin.page, ADMIN);
});

t.test('only the kinds enabled in the account are sent by email', async (t) => {
  const { page } = publisher;
  await open(page, '/plugins/account');
  await choice('Rejected').focus();
  t.equal(await choice('Rejected').isChecked(), true);
  // The first page of a session also puts the user's language.
  const saved = page.waitForResponse((answer) => {
    const request = answer.request();
    return request.method() === 'PUT' && request.postData()?.includes('"kind"') === true;
  });
  await page.keyboard.press('Space');
  t.equal((await saved).status(), 200);
  await open(page, '/plugins/account');
  await choice('Rejected').waitFor();
  t.equal(await choice('Rejected').isChecked(), false);
  t.equal(await choice('Approved').isChecked(), true);

  const { plugin_key } = await publish('Quiet grid');
  await decide(plugin_key, { audit_status: 3, reason: 'No icon' });
  await decide(plugin_key, { audit_status: 2, expected_status: 3 });
  const approved = partsOf(await smtp.mailSaying(/“Quiet grid” 1\.0\.0 was approved\./));
  t.match(approved.text, `${origin}/plugins/unsubscribe?token=`);
  const texts = smtp.received.map((mail) => partsOf(mail).text).join();
  t.match(texts, '“Quiet grid” 1.0.0 was submitted');
  t.notMatch(texts, 'was rejected');
  t.strictSame(publisher.complaints, []);
});

t.test('the link in an email unsubscribes from its kind, also without a session', async (t) => {
  const mail = await smtp.mailSaying(/“Quiet grid” 1\.0\.0 was submitted/);
  const [link = ''] = /http\S+\/plugins\/unsubscribe\S+/.exec(partsOf(mail).text) ?? [];
  const stranger = await watchedPage(browser, { expected: /status of 400/ });
  const { page } = stranger;
  const unsubscribe = page.getByRole('button', { name: 'Unsubscribe' });
  for (const _ of ['first', 'again']) {
    await openPage(page, link);
    await unsubscribe.waitFor();
    await unsubscribe.click();
    await page.getByRole('status').filter({ hasText: 'You’ll get no more emails of this kind.' }).waitFor();
    await t.resolves(unsubscribe.waitFor({ state: 'detached' }));
  }
  await openPage(page, `${link.slice(0, -4)}AAAA`);
  await unsubscribe.click();
  await page.getByText('This link isn’t valid.').waitFor();
  t.equal(
    await page.getByRole('link', { name: 'Go to your account' }).getAttribute('href'),
    '/plugins/account',
  );
  t.strictSame(stranger.complaints, []);

  await open(publisher.page, '/plugins/account');
  await choice('Submitted for review').waitFor();
  t.equal(await choice('Submitted for review').isChecked(), false);
  const { plugin_key } = await publish('Loud grid');
  await decide(plugin_key, { audit_status: 2 });
  await smtp.mailSaying(/“Loud grid” 1\.0\.0 was approved\./);
  t.notMatch(smtp.received.map((mail) => partsOf(mail).text).join(), '“Loud grid” 1.0.0 was submitted');
});
