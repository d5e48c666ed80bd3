import t from 'tap';
import { linkIn, startMailServer } from '../support/mail-server.ts';
import { newAccount, signIn, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { comeToLife, watchedPage } from './support/page.ts';

const NEW = 'seven quiet lanterns';
const HANDED = 'eight quiet lanterns';
const CHANGED = 'nine quiet lanterns';

t.test('a new password, by mail, by an administrator and on the account page', async (t) => {
  const mails = await startMailServer(t);
  const { host, port } = mails.server;
  const { origin } = await ownProduct(t, {
    SMTP_URL: `smtp://${host}:${port}?tls=none`,
    MAIL_FROM: 'Plugin Square <square@example.com>',
  });
  const browser = await openBrowser(t);
  const account = newAccount();

  t.test(
    'who forgot his password sets another by the mailed link, and is signed out elsewhere',
    async (t) => {
      const other = await watchedPage(browser, { expected: /status of 401/ });
      await other.page.goto(`${origin}/plugins/`);
      await comeToLife(other.page);
      await signUp(other.page, account);

      const { page, complaints } = await watchedPage(browser, { expected: /status of 4\d\d/ });
      await page.goto(`${origin}/plugins/`);
      await comeToLife(page);
      await page.locator('header a[href^="/api/auth/login"]').first().click();
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.waitForURL((url) => url.pathname === '/user/login/reset');
      await comeToLife(page);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByText('Enter your email or username.', { exact: true }).waitFor();
      await page.locator('input[name=account]').fill(account.email);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'If there is such an account' }).waitFor();

      const link = linkIn(await mails.mail(1));
      await page.goto(link);
      await page.locator('input[name=password]').waitFor();
      await comeToLife(page);
      t.equal(page.url(), `${origin}/user/login/reset`, 'the token is out of the address at once');
      await page.locator('input[name=password]').fill('Mei Lin 1990');
      await page.keyboard.press('Enter');
      await page.getByText('little more than a name').waitFor();
      await page.reload();
      await comeToLife(page);
      await page.locator('input[name=password]').fill(NEW);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'Your new password is set.' }).waitFor();
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.locator('input[name=account]').waitFor();
      await comeToLife(page);
      await page.locator('input[name=account]').fill(account.email);
      await page.locator('input[name=password]').fill(NEW);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Account menu of ${account.name}` }).waitFor();

      await other.page.reload();
      await other.page.getByRole('link', { name: 'Sign in' }).waitFor();
      await page.goto('about:blank');
      await page.goto(link);
      await comeToLife(page);
      await page.locator('input[name=password]').fill(HANDED);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'This link has been used' }).waitFor();
      t.strictSame(complaints, []);
      await page.context().close();
      await other.page.context().close();
    },
  );

  t.test('an administrator hands out a link, and the account page changes the password', async (t) => {
    const admin = await watchedPage(browser, {});
    await admin.page.goto(`${origin}/plugins/`);
    await comeToLife(admin.page);
    await signIn(admin.page, ADMIN);
    await admin.page.goto(`${origin}/plugins/backstage-index/members`);
    const row = admin.page.getByRole('row').filter({ hasText: account.email });
    await row.getByRole('button', { name: 'Password link' }).click();
    await admin.page.getByRole('button', { name: 'Make link' }).click();
    const shown = admin.page.getByRole('dialog').locator('code');
    const link = (await shown.textContent()) ?? '';
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Done' }).last().click();
    await shown.waitFor({ state: 'detached' });
    await admin.page.getByRole('cell', { name: 'Password link made' }).waitFor();
    t.notMatch(await admin.page.content(), new URL(link).hash.slice(1));

    const { page, complaints } = await watchedPage(browser, { expected: /status of 422/ });
    await page.goto(link);
    await comeToLife(page);
    await page.locator('input[name=password]').fill(HANDED);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Your new password is set.' }).waitFor();
    await page.goto(`${origin}/plugins/`);
    await comeToLife(page);
    await signIn(page, { ...account, password: HANDED });

    await page.goto(`${origin}/plugins/account`);
    await page.locator('input[name=current_password]').waitFor();
    await comeToLife(page);
    await page.locator('input[name=current_password]').fill('not this one');
    await page.locator('input[name=password]').fill(CHANGED);
    await page.keyboard.press('Enter');
    await page.getByText('This is not your current password.').waitFor();
    await page.locator('input[name=current_password]').fill(HANDED);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();
    while ((await page.locator('input[name=password]').inputValue()) !== '') await page.waitForTimeout(20);
    await page.reload();
    await page.getByRole('button', { name: `Account menu of ${account.name}` }).waitFor();
    t.strictSame([...complaints, ...admin.complaints], []);
    await page.context().close();
    await admin.page.context().close();
  });
});
