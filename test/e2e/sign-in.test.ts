import t from 'tap';
import { addAccount } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('signing up, out and in', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('the page opened by itself signs in and goes to the home page', async (t) => {
    const page = await newPage(t);
    const account = await addAccount(product);
    await openPage(page, `${origin}/user/login?page=sign_up`);
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    const other = await page.context().newPage();
    await openPage(other, `${origin}/api/auth/login?return_to=/plugins/my-plugins`);
    await openPage(page, `${origin}/user/login`);
    await page.locator('input[name=account]').fill(account.email);
    await page.locator('input[name=password]').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `${account.name}’s account menu` }).waitFor();
    t.equal(new URL(page.url()).pathname, '/plugins/');
    await t.resolves(other.waitForURL(`${origin}/plugins/my-plugins`), 'a tab that waits for it goes on');
    for (const query of ['', '?page=sign_up']) {
      await page.goto(`${origin}/user/login${query}`);
      t.equal(page.url(), `${origin}/plugins/`, 'there is nothing to sign in to');
    }
    await page.setContent(`<a href="${origin}/user/login">Sign in</a>`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await t.resolves(page.waitForURL(`${origin}/plugins/`), 'nor for a link');
  });

  t.test('errors are shown at their fields', async (t) => {
    const page = await newPage(t, { expected: /status of 4\d\d/ });
    const account = await addAccount(product);
    await openPage(page, `${origin}/api/auth/login?return_to=/plugins/&page=sign_up`);

    await page.getByRole('button', { name: 'Create account' }).click();
    await t.resolves(
      page.waitForFunction(() => document.querySelectorAll('[aria-invalid=true]').length === 3),
      'three empty fields',
    );
    await t.resolves(page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email'));

    await page.locator('input[name=email]').fill('no address');
    await page.locator('input[name=nick_name]').fill('Somebody');
    await page.locator('input[name=password]').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a valid email address.').waitFor();
    await page.getByText(/The password needs at least \d+ characters/).waitFor();

    await page.locator('input[name=email]').fill(account.email);
    await page.locator('input[name=password]').fill('password1234');
    await page.keyboard.press('Enter');
    await page.getByText('This is one of the most common passwords. Choose another one.').waitFor();

    await page.locator('input[name=password]').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('There’s already an account with this email.').waitFor();

    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=account]').fill(account.email);
    await page.locator('input[name=password]').fill('something else');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Incorrect email/username or password.' }).waitFor();
    await expect(page.locator('input[name=password]')).toBeFocused();
    t.notMatch(page.url(), 'something', 'no input is in the address');

    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(page.locator('input[name=password]')).toHaveAttribute('type', 'text');
  });

  t.test('input before hydration is kept and sent only by the page’s script', async (t) => {
    const page = await newPage(t, { expected: /status of 401/ });
    const held = Promise.withResolvers<void>();
    await page.route('**/plugins/assets/main-*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${origin}/api/auth/login?return_to=/plugins/`, { waitUntil: 'commit' });
    await page.locator('input[name=account]').fill('somebody');
    await page.locator('input[name=password]').fill('something');
    await page.keyboard.press('Enter');
    held.resolve();
    await waitForHydration(page);
    await expect(page.locator('input[name=account]')).toHaveValue('somebody');
    await expect(page.locator('input[name=password]')).toBeFocused();
    // An effect after hydration enables the button; until then Enter does nothing.
    await page.locator('button[type=submit]:enabled').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Incorrect email/username or password.' }).waitFor();
  });

  t.test('a failed sign-in shows an error and can be retried', async (t) => {
    const page = await newPage(t, { expected: /status of 400/ });
    await page.goto(`${origin}/api/auth/callback?code=made-up&nonce=made-up`);
    const dialog = page.getByRole('dialog', { name: 'Couldn’t sign in' });
    await dialog.waitFor();
    await t.resolves(page.waitForURL(`${origin}/plugins/`), 'code and error are removed from the address');
    await dialog.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=account]').waitFor();
  });
});
