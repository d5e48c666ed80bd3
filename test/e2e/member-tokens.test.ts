import type { Page } from 'playwright-core';
import t from 'tap';
import { newAccount, signUp } from './support/account.ts';
import { CHIEF, CHIEF_SETTINGS, openScreen, pageOf } from './support/administrators.ts';
import { send } from './support/api.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

async function createToken(page: Page, name: string): Promise<string> {
  return (await send(page, 'POST', 'plugin/token', { name })).secret;
}

/** A dry run without a package: 422 or 400 with a valid token, 401 with a revoked one. */
async function isAccepted(origin: string, secret: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/cmt/plugin?dry_run=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: new FormData(),
  });
  await answer.body?.cancel();
  return answer.status !== 401;
}

t.test('publish tokens of members', async (t) => {
  const origin = await runningProduct(t, { ...CHIEF_SETTINGS, PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const member = await watchedPage(browser, {});
  await openPage(member.page, `${origin}/plugins/`);
  const account = newAccount('Rita');
  await signUp(member.page, account);
  const secrets = [
    await createToken(member.page, 'Build server'),
    await createToken(member.page, 'Laptop'),
    await createToken(member.page, 'Nightly'),
  ];
  const acceptedTokens = () => Promise.all(secrets.map((secret) => isAccepted(origin, secret)));
  t.strictSame(await acceptedTokens(), [true, true, true]);

  const { page, complaints } = await pageOf(browser, origin, CHIEF);
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /Rita/ });
  const dialog = page.getByRole('dialog', { name: 'Publish tokens of Rita' });
  const token = (name: string) => dialog.getByRole('heading', { name, level: 3 });
  const names = () => dialog.getByRole('heading', { level: 3 }).allTextContents();

  t.test('one of them is revoked after a confirmation', async (t) => {
    await openScreen(page, origin, 'members');
    await row.getByRole('button', { name: '3 tokens of Rita' }).click();
    await token('Build server').waitFor();
    t.strictSame(await names(), ['Nightly', 'Laptop', 'Build server']);
    await dialog.getByText('All of the owner’s plugins and new ones').first().waitFor();
    await dialog.getByRole('button', { name: 'Revoke Laptop' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Laptop”?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Laptop” revoked').waitFor();
    await token('Laptop').waitFor({ state: 'detached' });
    t.strictSame(await names(), ['Nightly', 'Build server']);
    t.strictSame(await acceptedTokens(), [true, false, true]);
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: '2 tokens of Rita' }).waitFor();
    t.strictSame(complaints, []);
  });

  t.test('a cancelled confirmation revokes nothing', async (t) => {
    await row.getByRole('button', { name: '2 tokens of Rita' }).click();
    await dialog.getByRole('button', { name: 'Revoke Nightly' }).click();
    await page.getByRole('dialog', { name: 'Revoke “Nightly”?' }).getByText('Cancel').click();
    await token('Nightly').waitFor();
    t.strictSame(await acceptedTokens(), [true, false, true]);
  });

  t.test('all of them are revoked', async (t) => {
    await dialog.getByRole('button', { name: 'Revoke all' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke all publish tokens of Rita?' });
    await question.getByRole('button', { name: 'Revoke all' }).click();
    await dialog.getByText('No active tokens.').waitFor();
    t.strictSame(await acceptedTokens(), [false, false, false]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await t.resolves(row.locator('[data-label="Tokens"]', { hasText: /^0$/ }).waitFor());
    t.strictSame(complaints, []);
  });

  t.test('the audit trail shows who revoked them', async (t) => {
    await openScreen(page, origin, 'audit-trail');
    const entries = page.getByRole('row').filter({ hasText: 'Revoked a publish token' });
    await entries.first().waitFor();
    t.equal(await entries.count(), 3);
    t.match(await entries.last().textContent(), /Admin.*Laptop · Rita/);
    t.strictSame(complaints, []);
  });

  t.test('with an external user service the tokens of all users are listed and revoked', async (t) => {
    secrets.splice(0, 3, await createToken(member.page, 'Elsewhere'));
    const external = await pageOf(browser, origin, CHIEF, { expected: /status of 404/ });
    await external.page.route('**/user/member/list*', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/json',
        body: '{"code":"NOT_FOUND","message":"Nothing was found here."}',
      }),
    );
    await openScreen(external.page, origin, 'members');
    await external.page.getByText('Members are managed elsewhere').waitFor();
    const list = external.page.getByRole('region', { name: 'Publish tokens' });
    await list.getByRole('listitem').getByText('Rita').waitFor();
    await list.getByRole('button', { name: 'Revoke Elsewhere' }).click();
    await external.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await list.getByText('No active tokens.').waitFor();
    t.strictSame(await acceptedTokens(), [false]);
    t.strictSame(external.complaints, []);
    await external.page.context().close();
  });

  t.test('disabling an account revokes its tokens', async (t) => {
    secrets.splice(0, 1, await createToken(member.page, 'Once more'));
    t.strictSame(await acceptedTokens(), [true]);
    await openScreen(page, origin, 'members');
    await row.getByRole('button', { name: '1 token of Rita' }).waitFor();
    await row.getByRole('button', { name: 'Actions for “Rita”' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const question = page.getByRole('dialog', { name: 'Disable Rita?' });
    await question.getByText('Its publish tokens stop working for good.').waitFor();
    await question.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
    await row.locator('[data-label="Tokens"]', { hasText: /^0$/ }).waitFor();
    t.strictSame(await acceptedTokens(), [false]);
    t.strictSame(complaints, []);
    await page.context().close();
    await member.page.context().close();
  });
});
