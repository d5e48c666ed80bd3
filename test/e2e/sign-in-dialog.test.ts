import t from 'tap';
import { SIGNED_IN_MESSAGE } from '../../shared/constants.ts';
import { addAccount, fillSignUp, newAccount, signUp } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, waitForFrames, waitForHydration } from './support/page.ts';
import { PRIVATE, steadyProduct } from './support/product.ts';
import { dialog, form, heightAboveHint, likes, openMarkedHome } from './support/sign-in-dialog.ts';

t.test('signing in on the page itself', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const account = await addAccount(product, newAccount('Noor'));

  t.test('the dialog names the action, opens in its final size and takes the focus', async (t) => {
    for (const lang of ['en', 'zh-CN', 'ru']) {
      const page = await newPage(t, { viewport: { width: 1440, height: 900 } });
      await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
      await openMarkedHome(page, origin);
      const { promise: shown, resolve: show } = Promise.withResolvers<void>();
      await page.route('**/api/auth/login?*', async (route) => {
        await shown;
        await route.continue();
      });
      const card = page.locator('section[aria-labelledby=recommended] article').first();
      const name = await card.getByRole('heading').innerText();
      await card.locator('button').last().click();
      const expected = {
        en: `Sign in to install ${name}`,
        'zh-CN': `登录后安装“${name}”`,
        ru: `Войдите, чтобы установить «${name}»`,
      }[lang];
      await dialog(page).locator('[aria-busy=true] > [aria-hidden=true]').waitFor();
      const first = await heightAboveHint(page);
      show();
      await page.waitForFunction(() => {
        const frame = document.querySelector('iframe');
        return (
          frame === document.activeElement && frame?.contentDocument?.activeElement?.matches('[name=account]')
        );
      });
      await dialog(page).locator('[aria-busy=true] > [aria-hidden=true]').waitFor({ state: 'detached' });
      const last = await heightAboveHint(page);
      t.ok(Math.abs(last - first) <= 2, `${lang}: ${first} px, then ${last}`);
      const titles = dialog(page).getByRole('heading');
      await expect(titles).toHaveText([expected ?? ''], { useInnerText: true });
      const inner = page.frames()[1]?.locator('h1');
      const box = await inner?.boundingBox();
      t.ok((box?.height ?? 99) < 8, 'the form has no visible second heading');
    }
  });

  t.test('the dialog keeps its size on a phone too, in every language', async (t) => {
    for (const lang of ['en', 'zh-CN', 'jp', 'kr', 'ru', 'es']) {
      const page = await newPage(t, { viewport: { width: 375, height: 812 } });
      await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
      await openMarkedHome(page, origin);
      const { promise: shown, resolve: show } = Promise.withResolvers<void>();
      await page.route('**/api/auth/login?*', async (route) => {
        await shown;
        await route.continue();
      });
      await page.locator('section[aria-labelledby=recommended] article button').last().click();
      await dialog(page).locator('[aria-busy=true] > [aria-hidden=true]').waitFor();
      const first = await heightAboveHint(page);
      show();
      await dialog(page).locator('[aria-busy=true] > [aria-hidden=true]').waitFor({ state: 'detached' });
      const last = await heightAboveHint(page);
      t.ok(Math.abs(last - first) <= 2, `${lang}: ${first} px, then ${last}`);
      const colours = await page.evaluate(() => {
        const ground = document.querySelector('iframe')?.contentDocument?.querySelector('#root > *');
        return [document.querySelector('[role=dialog]'), ground].map(
          (element) => element && getComputedStyle(element).backgroundColor,
        );
      });
      t.equal(colours[1], colours[0], 'the form has the background of the dialog');
    }
  });

  t.test('the form stays while the sign-in is completed, and the title follows its steps', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    await likes(page).first().click();
    const title = dialog(page).getByRole('heading');
    await form(page).getByRole('link', { name: 'Create an account' }).click();
    await expect(title).toHaveText('Create your account', { useInnerText: true });
    const inner = await page.frames()[1]?.locator('h1').boundingBox();
    t.ok((inner?.height ?? 99) < 8, 'the form has no visible second heading');
    await form(page).getByRole('link', { name: 'Sign in' }).click();
    await expect(title).toHaveText(/^Sign in to like /, { useInnerText: true });
    const { promise: shown, resolve: show } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await page.route('**/api/auth/session*', async (route) => {
      ask();
      await shown;
      await route.continue();
    });
    const submit = form(page).locator('button[type=submit]:enabled');
    await submit.waitFor();
    await form(page).locator('input[name=account]').fill(account.email);
    await form(page).locator('input[name=password]').fill(account.password);
    await submit.click();
    await asked;
    await expect(submit, 'the page around it asks for the session').toHaveAttribute('aria-busy', 'true');
    await expect(form(page).locator('input[name=account]')).toHaveValue(account.email);
    show();
    await page.getByText('Liked', { exact: true }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
  });

  t.test('a slow form shows a message and a link to the sign-in page', async (t) => {
    const page = await newPage(t, { colorScheme: 'dark' });
    await openMarkedHome(page, origin);
    await page.clock.install();
    await page.route('**/api/auth/login?*', () => undefined);
    await likes(page).first().click();
    await dialog(page).getByText('Can’t sign in here?').waitFor();
    await page.clock.runFor(3000);
    await dialog(page).getByRole('status').filter({ hasText: 'Taking longer than usual…' }).waitFor();
    await expect(dialog(page).getByRole('link', { name: 'Open the sign-in page' })).toHaveCount(1);
    await page.clock.runFor(7000);
    const alert = dialog(page).getByRole('alert');
    await alert.filter({ hasText: 'Can’t show the sign-in form here.' }).waitFor();
    await expect(alert.locator('svg'), 'a failure has an icon').toHaveCount(1);
  });

  t.test('the sign-in page names the action', async (t) => {
    const page = await newPage(t);
    await page.goto(`${origin}/plugins/publish-plugin/single`);
    await page.getByRole('heading', { level: 1, name: 'Sign in to publish', exact: true }).waitFor();
    await page.goto(`${origin}/plugins/my-plugins`);
    await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor();
  });

  t.test('Escape inside the frame closes the dialog and drops the pending action', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    await likes(page).first().click();
    // The form handles keys after hydration.
    await form(page).locator('button[type=submit]:enabled').waitFor();
    await form(page).locator('input[name=account]').focus();
    t.match(await page.evaluate(() => sessionStorage.getItem('unfinished')), /like /);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    t.equal(await page.evaluate(() => sessionStorage.getItem('unfinished')), null);
    await signUp(page, newAccount('Ida'));
    await page.getByRole('button', { name: 'Ida’s account menu' }).waitFor();
    await page.waitForLoadState('networkidle');
    await expect(page.locator('main [aria-pressed=true]')).toHaveCount(0);
  });

  t.test('a failed sign-in inside the frame shows an error and links in the dialog', async (t) => {
    const page = await newPage(t, { expected: /status of 400/ });
    await openMarkedHome(page, origin);
    await page.route('**/api/auth/callback?*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/code=[^&]+/, 'code=no-such-code'),
      }),
    );
    await likes(page).first().click();
    await form(page).locator('input[name=account]').fill(account.email);
    await form(page).locator('input[name=password]').fill(account.password);
    await form(page).getByRole('button', { name: 'Sign in' }).click();
    await dialog(page).getByRole('heading', { name: 'Couldn’t sign in' }).waitFor();
    const proceed = dialog(page).getByRole('link', { name: 'Sign in' });
    await expect(proceed).toBeFocused();
    await page.unroute('**/api/auth/callback?*');
    await proceed.click();
    await page.locator('input[name=account]').fill(account.email);
    await waitForHydration(page);
    await page.locator('input[name=password]').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Liked', { exact: true }).waitFor();
  });

  t.test('an empty frame is given up', async (t) => {
    const page = await newPage(t, { expected: /ERR_FAILED/ });
    await openMarkedHome(page, origin);
    await page.route('**/api/auth/login?*', (route) => route.abort());
    await likes(page).first().click();
    await dialog(page).getByText('Can’t show the sign-in form here.').waitFor();
    await expect(dialog(page).getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', /page=sign_up/);
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  t.test('messages of other windows cannot fake a sign-in', async (t) => {
    const page = await newPage(t);
    await openMarkedHome(page, origin);
    await likes(page).first().click();
    await form(page).locator('input[name=account]').waitFor();
    await page.evaluate(() => {
      const other = document.createElement('iframe');
      other.name = 'other';
      other.src = '/plugins/?other';
      document.body.append(other);
    });
    await page.frameLocator('iframe[name=other]').locator('h1').waitFor();
    const windows = [page.mainFrame(), page.frame('other')];
    for (const window of windows)
      await window?.evaluate(
        (type) => parent.postMessage({ type, return_to: '/' }, location.origin),
        SIGNED_IN_MESSAGE,
      );
    // Messages arrive in order: after this one all others have been handled.
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          addEventListener('message', ({ data }) => data === 'last' && done());
          postMessage('last', location.origin);
        }),
    );
    await waitForFrames(page);
    await expect(dialog(page)).toHaveCount(1);
    t.match(page.url(), `${origin}/plugins/`);
  });

  t.test('it fits a narrow phone', async (t) => {
    const page = await newPage(t, { viewport: { width: 320, height: 640 }, hasTouch: true });
    await openMarkedHome(page, origin);
    await likes(page).first().tap();
    await form(page).getByRole('link', { name: 'Create an account' }).tap();
    const widths = await form(page)
      .locator('input[name=nick_name]')
      .evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    t.equal(widths[0], widths[1], 'no horizontal scrolling');
  });
});

t.test('private deployments open the sign-in page directly', async (t) => {
  const { origin } = await steadyProduct(PRIVATE);
  const page = await newPage(t);
  await openMarkedHome(page, origin);
  await likes(page).first().click();
  await page.locator('input[name=account]').waitFor();
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  const account = newAccount('Priya');
  await fillSignUp(page, account);
  await page.keyboard.press('Enter');
  await page.getByText('Liked', { exact: true }).waitFor();
  await t.resolves(page.locator('main [aria-pressed=true]').first().waitFor({ state: 'attached' }));
});
