import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage, memberPage, PASSWORD, proveIn } from './support/account.ts';
import { send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { choose } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

async function createToken(page: Page, name: string): Promise<string> {
  return (await send(page, 'POST', 'plugin/token', { name, password: PASSWORD })).secret;
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
  const product = await sharedProduct();
  const { origin } = product;
  const member = await memberPage(t, product, 'Tova');
  const secrets = [
    await createToken(member, 'Build server'),
    await createToken(member, 'Laptop'),
    await createToken(member, 'Nightly'),
  ];
  const acceptedTokens = () => Promise.all(secrets.map((secret) => isAccepted(origin, secret)));
  t.strictSame(await acceptedTokens(), [true, true, true]);

  const page = await adminPage(t, product);
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /Tova/ });
  const dialog = page.getByRole('dialog', { name: 'Publish tokens of Tova' });
  const token = (name: string) => dialog.getByRole('heading', { name, level: 3 });
  const names = () => dialog.getByRole('heading', { level: 3 }).allTextContents();

  const openMember = async () => {
    await openScreen(page, origin, 'members');
    await page.getByLabel('Search by name or email').fill('Tova');
  };

  t.test('one of them is revoked after a confirmation', async (t) => {
    await openMember();
    await row.getByRole('button', { name: '3 tokens of Tova' }).click();
    await token('Build server').waitFor();
    t.strictSame(await names(), ['Nightly', 'Laptop', 'Build server']);
    await dialog.getByText('All of the owner’s plugins and new ones').first().waitFor();
    await dialog.getByRole('button', { name: 'Revoke Laptop' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Laptop”?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Laptop” revoked').waitFor();
    // Below a question nothing has a role.
    await question.waitFor({ state: 'detached' });
    await token('Nightly').waitFor();
    await token('Laptop').waitFor({ state: 'detached' });
    t.strictSame(await names(), ['Nightly', 'Build server']);
    t.strictSame(await acceptedTokens(), [true, false, true]);
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: '2 tokens of Tova' }).waitFor();
  });

  t.test('the audit log shows who revoked it', async (t) => {
    await openScreen(page, origin, 'audit-trail');
    const entries = page.getByRole('row').filter({ hasText: 'Laptop · Tova' });
    await entries.first().waitFor();
    t.match(await entries.allTextContents(), [/Admin.*Revoked a publish token/]);
  });

  t.test('with an external user service the tokens of all users are listed and revoked', async (t) => {
    secrets.push(await createToken(member, 'Elsewhere'));
    const external = await adminPage(t, product, { expected: /status of 404/ });
    await external.route('**/user/member/list*', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/json',
        body: '{"code":"NOT_FOUND","message":"Nothing was found here."}',
      }),
    );
    await openScreen(external, origin, 'members');
    await external.getByText('Members are managed elsewhere').waitFor();
    const list = external.getByRole('region', { name: 'Publish tokens' });
    await list.getByRole('listitem').getByText('Tova').first().waitFor();
    await list.getByRole('button', { name: 'Revoke Elsewhere' }).click();
    await external.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await external.getByText('“Elsewhere” revoked').waitFor();
    t.strictSame(await acceptedTokens(), [true, false, true, false]);
  });

  t.test('disabling an account revokes its tokens', async (t) => {
    await openMember();
    await row.getByRole('button', { name: '2 tokens of Tova' }).waitFor();
    await row.getByRole('button', { name: 'Actions for “Tova”' }).click();
    await choose(page.getByRole('menuitem', { name: 'Disable' }));
    const question = page.getByRole('dialog', { name: 'Disable Tova?' });
    await question.getByText('Its publish tokens stop working for good.').waitFor();
    await proveIn(question);
    await question.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
    await row.locator('[data-label="Tokens"]', { hasText: /^0$/ }).waitFor();
    t.strictSame(await acceptedTokens(), [false, false, false, false]);
  });
});
