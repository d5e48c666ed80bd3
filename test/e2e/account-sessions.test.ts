import t from 'tap';
import { newAccount, signIn, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';

t.test('a person signs the other browsers out', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);
  const account = newAccount('Ines');
  const { page: here, complaints } = await watchedPage(browser, {});
  await here.goto(`${origin}/plugins/`);
  await hydrated(here);
  await signUp(here, account);

  const signedInThere = async () => {
    const { page } = await watchedPage(browser, { userAgent: FIREFOX, expected: /status of 401/ });
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await signIn(page, account);
    await page.goto(`${origin}/plugins/my-plugins`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const section = here.getByRole('region', { name: 'Where you’re signed in' });
  const others = section.getByRole('listitem').filter({ hasText: 'Firefox · Linux' });
  const isOut = async (page: typeof here) => {
    await page.reload();
    await page.locator('input[name=account]').waitFor();
    t.match(page.url(), '/user/login');
    await page.context().close();
  };

  t.test('one of them, after being asked', async (t) => {
    const there = await signedInThere();
    await here.getByRole('button', { name: 'Ines’s account menu' }).click();
    await here.getByRole('menuitem', { name: 'Account' }).click();
    await section.getByText('This device').waitFor();
    t.equal(await section.getByRole('listitem').count(), 2);
    t.match(await section.getByRole('listitem').first().innerText(), /This device[\s\S]*Active now/);
    const button = others.getByRole('button', { name: 'Sign out Firefox · Linux' });
    await button.click();
    const dialog = here.getByRole('dialog', { name: 'Sign out Firefox · Linux?' });
    await dialog.getByText('Cancel').click();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await others.count(), 1);
    await button.click();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await here.getByText('Signed out.').waitFor();
    await others.waitFor({ state: 'detached' });
    t.equal(await section.getByRole('button').count(), 0, 'there is no other one left');
    await isOut(there);
  });

  t.test('all of them at once', async () => {
    const there = [await signedInThere(), await signedInThere()];
    await here.reload();
    await others.nth(1).waitFor();
    await hydrated(here);
    await section.getByRole('button', { name: 'Sign out everywhere else' }).click();
    const dialog = here.getByRole('dialog', { name: 'Sign out everywhere else?' });
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await here.getByText('Signed out 2 devices.').waitFor();
    await others.first().waitFor({ state: 'detached' });
    for (const page of there) await isOut(page);
  });

  t.test('a list that cannot be had says so and comes on request', async (t) => {
    const { page } = await watchedPage(browser, {
      storageState: await here.context().storageState(),
      expected: /ERR_FAILED/,
    });
    await page.route('**/user/session/list', (route) => route.abort());
    await page.goto(`${origin}/plugins/account`);
    const own = page.getByRole('region', { name: 'Where you’re signed in' });
    const retry = own.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/user/session/list');
    await hydrated(page);
    await retry.click();
    await own.getByText('This device').waitFor();
    t.equal(await retry.count(), 0);
    await page.context().close();
  });

  t.strictSame(complaints, []);
});
