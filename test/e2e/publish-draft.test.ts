import t, { type Test } from 'tap';
import { type Account, addAccount, memberPage, signedInPage } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { choose } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { packageFile, pluginPackage } from './support/publish-files.ts';
import { field, fileInput, fillTexts, openForm, PUBLISH_PAGE, submit } from './support/publish-form.ts';
import { form } from './support/sign-in-dialog.ts';

t.test('the publishing form stores drafts', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;
  /** Changes the same plugin from another browser. */
  const submitFromOtherBrowser = async (t: Test, account: Account, key: string, intro: string) => {
    const page = await signedInPage(t, product, account);
    await openForm(page, origin, `?plugin_key=${key}`);
    await field(page, 'Intro').fill(intro);
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  };

  t.test('a draft survives a reload, without its files, and can be discarded', async (t) => {
    const page = await memberPage(t, product);
    page.on('dialog', (dialog) => void dialog.accept());
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile());
    // The button appears when the package has been read: only then is it in the draft.
    await page.getByRole('button', { name: 'Remove frame-counter.json' }).waitFor();
    await fillTexts(page, 'Kept in mind');
    await page.getByRole('tab', { name: '日本語' }).first().click();
    await field(page, 'Name').fill('覚え書き');
    await page.reload();
    await page.getByText('Draft from').waitFor();
    await page.getByText('Choose them again: frame-counter.json').waitFor();
    await expect(field(page, 'Name')).toHaveValue('Kept in mind');
    await page.getByRole('tab', { name: '日本語' }).first().click();
    await expect(field(page, 'Name')).toHaveValue('覚え書き');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('tab', { name: 'English' }).first().click();
    await expect(field(page, 'Name')).toHaveValue('');
    await page.reload();
    await submit(page).waitFor();
    await expect(page.getByText('Draft from')).toHaveCount(0);
  });

  t.test('leaving with unsent changes needs a confirmation', async (t) => {
    const page = await memberPage(t, product);
    await openForm(page, origin);
    await field(page, 'Name').fill('Unsent');
    await page.locator('header').first().getByRole('link', { name: 'Plugin Square' }).click();
    await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).last().click();
    t.match(page.url(), PUBLISH_PAGE);
    await page.locator('header').first().getByRole('link', { name: 'Plugin Square' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.waitForURL(`${origin}/plugins/`);
  });

  t.test('so does a change from editing one plugin to publishing another', async (t) => {
    const page = await memberPage(t, product);
    const key = await publish(page, pluginPackage('Half Done'));
    await openForm(page, origin, `?plugin_key=${key}`);
    await field(page, 'Contact').fill('unsent@example.com');
    await page.getByRole('button', { name: /account menu$/ }).click();
    await choose(page.getByRole('menuitem', { name: 'Publish a plugin' }));
    await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).last().click();
    t.match(page.url(), `?plugin_key=${key}`);
    await expect(field(page, 'Contact')).toHaveValue('unsent@example.com');
  });

  t.test('after an expired session and a new sign-in the form goes on, files included', async (t) => {
    const account = await addAccount(product);
    const page = await signedInPage(t, product, account, { expected: /status of 401/ });
    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Long Thought' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Long Thought');
    await page.context().clearCookies();
    await submit(page).click();
    const dialog = page.getByRole('dialog', { name: 'You’re signed out' });
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await form(page).locator('input[name=account]').fill(account.email);
    await form(page).locator('input[name=password]').fill(account.password);
    await form(page).getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(field(page, 'Name')).toHaveValue('Long Thought');
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  });

  t.test('after a concurrent change the own changes can be kept, also when the network fails', async (t) => {
    const account = await addAccount(product);
    const page = await signedInPage(t, product, account, { expected: /status of 409|ERR_FAILED/ });
    const key = await publish(page, pluginPackage('Two Hands'));
    await openForm(page, origin, `?plugin_key=${key}`);
    await field(page, 'Contact').fill('mine@example.com');
    await submitFromOtherBrowser(t, account, key, 'Theirs.');

    await submit(page).click();
    await page.getByRole('dialog', { name: 'Someone else changed this plugin' }).waitFor();
    await page.route('**/api/cmt/plugin/edit?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await page.unroute('**/api/cmt/plugin/edit?*');
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(field(page, 'Intro')).toHaveValue('Theirs.');
    await expect(field(page, 'Contact')).toHaveValue('mine@example.com');
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  });

  t.test('or the newer version is loaded, and the own changes become a draft', async (t) => {
    const account = await addAccount(product);
    const page = await signedInPage(t, product, account, { expected: /status of 409/ });
    const key = await publish(page, pluginPackage('Four Hands'));
    await openForm(page, origin, `?plugin_key=${key}`);
    await field(page, 'Contact').fill('mine@example.com');
    await submitFromOtherBrowser(t, account, key, 'Newer.');
    await submit(page).click();
    await page.getByRole('button', { name: 'Load the newer one' }).click();
    await page.getByText('You have a draft from').waitFor();
    await expect(field(page, 'Intro')).toHaveValue('Newer.');
    await expect(field(page, 'Contact')).toHaveValue('help@example.com');
    await page.getByRole('button', { name: 'Use the draft' }).click();
    await expect(field(page, 'Contact')).toHaveValue('mine@example.com');
  });
});
