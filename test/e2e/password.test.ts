import { TOTP } from 'otpauth';
import t from 'tap';
import { linkIn } from '../support/mail-server.ts';
import { until } from '../support/until.ts';
import {
  type Account,
  ADMIN,
  addAccount,
  adminPage,
  newAccount,
  proveIn,
  signedInPage,
  signInByCalls,
  signUpByMail,
  submitSignIn,
} from './support/account.ts';
import { expect } from './support/expect.ts';
import { sharedMailSite } from './support/mail-site.ts';
import { choose, newPage, openPage, waitForHydration } from './support/page.ts';

const NEW = 'seven quiet lanterns';
const BY_ADMINISTRATOR = 'eight quiet lanterns';
const CHANGED = 'nine quiet lanterns';

t.test('a new password by email, by an administrator and on the account page', async (t) => {
  const site = await sharedMailSite();
  const { origin } = site;
  const account = await addAccount(site);
  const linkTo = async ({ email }: Account, place = 1): Promise<string> =>
    linkIn(await site.mailTo(email, place));

  t.test(
    'sign-up by email: name and password are set at the link; an existing account gets an email',
    async (t) => {
      const page = await newPage(t, { expected: /status of 4\d\d/ });
      await openPage(page, `${origin}/plugins/`);
      const newcomer = newAccount('Ada Lund');
      await signUpByMail(page, newcomer, async () => {
        const link = await linkTo(newcomer);
        await openPage(page, link);
        await t.resolves(
          page.waitForURL(`${origin}/user/login/sign-up`),
          'the token is removed from the address',
        );
        await page.keyboard.press('Tab');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByText('Enter a name.', { exact: true }).waitFor();
        await expect(page.locator('input[name=nick_name]')).toBeFocused();
        await page.locator('input[name=nick_name]').fill(newcomer.name);
        await page.locator('input[name=password]').fill('password123');
        await page.keyboard.press('Enter');
        await page.getByText('This is one of the most common passwords. Choose another one.').waitFor();
        return link;
      });
      await page.getByRole('button', { name: `${newcomer.name}’s account menu` }).waitFor();
      await page.goto(`${origin}/plugins/account`);
      await page.getByText('Confirmed', { exact: true }).waitFor();

      const other = await newPage(t);
      await openPage(other, `${origin}/plugins/`);
      await other.locator('header a[href*="page=sign_up"]').click();
      await other.locator('input[name=email]').waitFor();
      await waitForHydration(other);
      await other.locator('input[name=email]').fill(newcomer.email);
      await other.keyboard.press('Enter');
      await other.getByRole('status').filter({ hasText: 'We’ve emailed a link' }).waitFor();
      t.match((await site.mailTo(newcomer.email, 2)).text, 'you already have an account');
    },
  );

  t.test('a forgotten password is reset by email, and other sessions are revoked', async (t) => {
    const other = await signedInPage(t, site, account, { path: '/plugins/', expected: /status of 401/ });

    const page = await newPage(t, { expected: /status of 4\d\d/ });
    await openPage(page, `${origin}/plugins/`);
    await page.locator('header a[href^="/api/auth/login"]').first().click();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.waitForURL((url) => url.pathname === '/user/login/reset');
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('Enter your email or username.', { exact: true }).waitFor();
    await page.locator('input[name=account]').fill(account.email);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'If an account exists' }).waitFor();

    const link = await linkTo(account);
    await page.goto(link);
    await page.locator('input[name=password]').waitFor();
    await waitForHydration(page);
    await t.resolves(page.waitForURL(`${origin}/user/login/reset`), 'the token is removed from the address');
    await page.locator('input[name=password]').fill('Mei Lin 1990');
    await page.keyboard.press('Enter');
    await page.getByText('too similar to your name').waitFor();
    await page.reload();
    await waitForHydration(page);
    await page.locator('input[name=password]').fill(NEW);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Your new password is set.' }).waitFor();
    await page.getByRole('heading', { name: 'You’ve been signed out on 1 device.' }).waitFor();
    await page.getByRole('heading', { name: /^Chrome/ }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await submitSignIn(page, { ...account, password: NEW });
    await page.getByRole('button', { name: `${account.name}’s account menu` }).waitFor();

    await other.reload();
    await other.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto('about:blank');
    await openPage(page, link);
    await page.locator('input[name=password]').fill(BY_ADMINISTRATOR);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'This link has expired or was already used' }).waitFor();
  });

  t.test('an administrator creates a reset link, and the account page changes the password', async (t) => {
    const admin = await adminPage(t, site);
    await admin.goto(`${origin}/plugins/backstage-index/members`);
    const row = admin.getByRole('row').filter({ hasText: account.email });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await choose(admin.getByRole('menuitem', { name: 'Password reset link' }));
    await proveIn(admin.getByRole('dialog'));
    await admin.getByRole('button', { name: 'Create link' }).click();
    const shown = admin.getByRole('dialog').locator('code');
    const link = (await shown.textContent()) ?? '';
    await admin.getByRole('dialog').getByRole('button', { name: 'Done' }).last().click();
    await shown.waitFor({ state: 'detached' });
    await admin.getByRole('cell', { name: 'Created a password reset link' }).waitFor();
    t.notMatch(await admin.content(), new URL(link).hash.slice(1));

    const page = await newPage(t, { expected: /status of 422/ });
    await openPage(page, link);
    await page.locator('input[name=password]').fill(BY_ADMINISTRATOR);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Your new password is set.' }).waitFor();
    await signInByCalls(page, origin, { ...account, password: BY_ADMINISTRATOR });

    await page.goto(`${origin}/plugins/account`);
    await page.locator('input[name=current_password]').waitFor();
    await waitForHydration(page);
    await page.locator('input[name=current_password]').fill('not this one');
    await page.locator('input[name=password]').fill(CHANGED);
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect current password.').waitFor();
    await page.locator('input[name=current_password]').fill(BY_ADMINISTRATOR);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();
    await until(async () => (await page.locator('input[name=password]').inputValue()) === '');
    await page.reload();
    await page.getByRole('button', { name: `${account.name}’s account menu` }).waitFor();
  });

  t.test('a reset keeps the second factor, and a recovery code removes it', async (t) => {
    const owner = await addAccount(site, newAccount('Noa'));
    const page = await signedInPage(t, site, owner, { path: '/plugins/account', expected: /status of 422/ });
    // By keyboard: sections above that arrive late move the button away from a pointer.
    await page.getByRole('button', { name: 'Turn on' }).press('Enter');
    const key = page.locator('code', { hasText: /^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/ });
    const secret = (await key.innerText()).replaceAll(' ', '');
    await page.locator('input[name=code]').fill(new TOTP({ secret }).generate());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const [recovery = ''] = await page.locator('li > code').allInnerTexts();

    await openPage(page, `${origin}/user/login/reset`);
    await page.locator('input[name=account]').fill(owner.email);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'If an account exists' }).waitFor();
    await page.goto(await linkTo(owner));
    await page.locator('input[name=password]').waitFor();
    await waitForHydration(page);
    await page.locator('input[name=password]').fill(NEW);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Two-step verification is still on' }).waitFor();
    await page.getByText('ask an administrator to remove it').waitFor();
    await page.getByRole('button', { name: 'Remove two-step verification' }).click();
    await page.locator('input[name=code]').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong or was already used.').waitFor();
    await page.locator('input[name=code]').fill(recovery);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Two-step verification is off.' }).waitFor();
  });

  t.test('a user confirms their address by a link, and no other user can use it', async (t) => {
    const unproved = await addAccount(site, newAccount('Kim Park'), { isConfirmed: false });
    const page = await signedInPage(t, site, unproved, { expected: /status of 400/ });
    await openPage(page, `${origin}/plugins/account`);
    await page.getByText('Not confirmed', { exact: true }).waitFor();
    // By keyboard, for the same reason as "Turn on".
    await page.getByRole('button', { name: 'Send confirmation link' }).press('Enter');
    await page.getByRole('status').filter({ hasText: unproved.email }).waitFor();
    const link = await linkTo(unproved);

    const stranger = await newPage(t, { expected: /status of 400/ });
    await openPage(stranger, link);
    await t.resolves(
      stranger.waitForURL(`${origin}/user/login/verify`),
      'the token is removed from the address',
    );
    await stranger.getByText('Sign in with the account you want to confirm.').waitFor();
    await stranger.getByRole('link', { name: 'Sign in' }).click();
    await submitSignIn(stranger, ADMIN);
    await stranger.getByText('You’re signed in as Admin.').waitFor();
    await stranger.getByRole('button', { name: 'Confirm address' }).click();
    await stranger.getByRole('alert').filter({ hasText: 'belongs to another account' }).waitFor();

    await openPage(page, link);
    await page.getByText('You’re signed in as Kim Park.').waitFor();
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('status').filter({ hasText: 'Your email address is confirmed.' }).waitFor();
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });
});
