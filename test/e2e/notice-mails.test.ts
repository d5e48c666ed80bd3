/** Notifications by email, which users choose in their account or by the link in each email. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage, memberPage } from './support/account.ts';
import { decide as decideBy, publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { sharedMailSite } from './support/mail-site.ts';
import { followRequests, newPage, openPage } from './support/page.ts';
import { pluginPackage } from './support/publish-files.ts';

const site = await sharedMailSite();
const { origin } = site;
const publisher = await memberPage(t, site, 'Publisher');
const admin = await adminPage(t, site);

const open = (page: Page, path: string) => openPage(page, origin + path);

const choiceOn = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });
const choice = (name: string) => choiceOn(publisher, name);

const decide = (plugin_key: string, decision: object) => decideBy(admin, plugin_key, decision);

t.test('only the kinds enabled in the account are sent by email', async (t) => {
  const page = publisher;
  await open(page, '/plugins/account');
  await choice('Rejected').focus();
  await expect(choice('Rejected')).toBeChecked();
  // The first page of a session also puts the user's language.
  const saved = page.waitForResponse((answer) => {
    const request = answer.request();
    return request.method() === 'PUT' && request.postData()?.includes('"kind"') === true;
  });
  await page.keyboard.press('Space');
  t.equal((await saved).status(), 200);
  await open(page, '/plugins/account');
  await choice('Rejected').waitFor();
  await expect(choice('Rejected')).not.toBeChecked();
  await expect(choice('Approved')).toBeChecked();

  const plugin_key = await publish(publisher, pluginPackage('Quiet grid'));
  await decide(plugin_key, { audit_status: 3, reason: 'No icon' });
  await decide(plugin_key, { audit_status: 2, expected_status: 3 });
  const approved = await site.mailSaying(/“Quiet grid” 1\.0\.0 was approved\./);
  t.match(approved.text, `${origin}/plugins/unsubscribe?token=`);
  const texts = site.received.map((mail) => mail.text).join();
  t.match(texts, '“Quiet grid” 1.0.0 was submitted');
  t.notMatch(texts, 'was rejected');
});

t.test('the link in an email unsubscribes from its kind, also without a session', async (t) => {
  const mail = await site.mailSaying(/“Quiet grid” 1\.0\.0 was submitted/);
  const [link = ''] = /http\S+\/plugins\/unsubscribe\S+/.exec(mail.text) ?? [];
  const stranger = await newPage(t, { expected: /status of 400/ });
  const page = stranger;
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
  await expect(page.getByRole('link', { name: 'Go to your account' })).toHaveAttribute(
    'href',
    '/plugins/account',
  );

  await open(publisher, '/plugins/account');
  await choice('Submitted for review').waitFor();
  await expect(choice('Submitted for review')).not.toBeChecked();
  const plugin_key = await publish(publisher, pluginPackage('Loud grid'));
  await decide(plugin_key, { audit_status: 2 });
  await site.mailSaying(/“Loud grid” 1\.0\.0 was approved\./);
  t.notMatch(site.received.map((mail) => mail.text).join(), '“Loud grid” 1.0.0 was submitted');
});

t.test('switches keep the latest choice, however late an earlier answer is', async (t) => {
  const page = await memberPage(t, site, 'Switcher');
  await open(page, '/plugins/account');
  await choiceOn(page, 'Rejected').waitFor();
  const first = Promise.withResolvers<void>();
  let count = 0;
  await page.route('**/user/account/mails*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    count += 1;
    const answer = await route.fetch();
    if (count === 1) await first.promise;
    await route.fulfill({ response: answer });
  });
  await choiceOn(page, 'Rejected').press('Space');
  await choiceOn(page, 'Approved').press('Space');
  await expect(choiceOn(page, 'Rejected'), 'both show their choice while they wait').not.toBeChecked();
  await expect(choiceOn(page, 'Approved')).not.toBeChecked();
  const idle = followRequests(page);
  first.resolve();
  await idle();
  await expect(choiceOn(page, 'Rejected')).not.toBeChecked();
  await expect(choiceOn(page, 'Approved')).not.toBeChecked();
});
