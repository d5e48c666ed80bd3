import type { Page } from 'playwright-core';
import t from 'tap';
import { TOAST_DURATION } from '../../shared/constants.ts';
import { startMailServer } from '../support/mail-server.ts';
import { CLIENT, openIdProvider } from '../support/openid-provider.ts';
import { freePort } from '../support/port.ts';
import { startStub, stubAnswer } from '../support/stub-upstream.ts';
import { scriptUserService } from '../support/user-service.ts';
import { addAccount, newAccount, signedInPage, submitSignIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { ownDemo } from './support/product.ts';

const BIND = 'POST /3rd-party/bind';
const BIND_PAGE = '/user/login/bind';
/** The provider has no icon. */
const FOREIGN = /favicon/;

const confirm = (page: Page) => page.getByRole('button', { name: 'Link accounts' });

t.test('binding a third-party account at a user service', async (t) => {
  const identity = await startStub(t);
  scriptUserService(identity);
  identity.on('GET /login', ({ query }) => {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'good');
    return stubAnswer(302, '', { location: back.href });
  });
  const { origin } = await ownDemo(t, {
    IDENTITY_URL: identity.url,
    LOGIN_URL: `${identity.url}/login`,
    SITE_URL: 'https://design.example',
  });
  const page = await newPage(t, { expected: /status of (?:4|5)\d\d/ });
  await page.route('https://design.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>The wider site</title>' }),
  );
  const open = async (query: Record<string, string>): Promise<void> => {
    await page.goto(`${origin}/user/login/bind?${new URLSearchParams(query)}`);
    await confirm(page).waitFor();
    await waitForHydration(page);
  };

  t.test('visitors sign in first and return with all parameters', async (t) => {
    identity.on(BIND, () => ({ bound: true }));
    await open({ id: 'wx_1', mainUrl: '/plugins/?sort=1', txDocFolderId: 'f1' });
    const address = new URL(page.url());
    t.equal(address.pathname, '/user/login/bind');
    t.strictSame(Object.fromEntries(address.searchParams), {
      id: 'wx_1',
      mainUrl: '/plugins/?sort=1',
      txDocFolderId: 'f1',
    });
    const text = await page.locator('main').innerText();
    for (const shown of ['Ada', 'ada@example.org', 'Tencent Docs account', 'wx_1', 'Folder f1'])
      t.match(text, shown);
    t.equal(identity.seen(BIND).length, 0, 'nothing is bound without confirmation');

    await confirm(page).click();
    await page.getByRole('status').getByText('Your accounts are linked.').waitFor();
    await page.waitForURL(`${origin}/plugins/?sort=1`);
    const [sent] = identity.seen(BIND);
    t.strictSame(JSON.parse(String(sent?.body)), {
      id: 'wx_1',
      mainUrl: '/plugins/?sort=1',
      txDocFolderId: 'f1',
    });
    t.match(sent?.headers.authorization, /^Bearer /);
  });

  t.test('refusals are shown, and a retry is offered only where it may help', async () => {
    identity.on(BIND, () => stubAnswer(409, { code: 40901, message: 'bound to another' }));
    await open({ id: 'wx_2', mainUrl: '/plugins/' });
    await confirm(page).click();
    await page.getByRole('alert').getByText('already linked to a different account').waitFor();
    await expect(page.locator('main button')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', `${origin}/plugins/`);
    identity.on(BIND, () => stubAnswer(500, 'oops'));
    await open({ id: 'wx_3' });
    await confirm(page).click();
    await page.getByRole('alert').getByText('isn’t responding').waitFor();
    identity.on(BIND, () => ({}));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Your accounts are linked.').waitFor();
    await page.getByRole('link', { name: 'Back to home' }).click();
    await page.waitForURL(`${origin}/plugins/`);
  });

  t.test('it redirects only to known origins', async (t) => {
    await open({ id: 'wx_4', mainUrl: 'https://design.example@evil.example/' });
    await page.clock.install();
    await expect(page.locator('main a')).toHaveAttribute('href', '/plugins/');
    await confirm(page).click();
    await page.getByText('Your accounts are linked.', { exact: true }).waitFor();
    await page.clock.runFor(TOAST_DURATION * 2);
    t.equal(new URL(page.url()).pathname, '/user/login/bind');
    await open({ id: 'wx_5', mainUrl: 'https://design.example/app?x=1' });
    await confirm(page).click();
    await page.waitForURL('https://design.example/app?x=1');
  });

  t.test('an address without an account shows an error', async () => {
    await page.goto(`${origin}/user/login/bind?mainUrl=/plugins/`);
    await page.getByRole('heading', { name: 'Nothing to link' }).waitFor();
    await expect(page.locator('main button')).toHaveCount(0);
  });
});

t.test('binding with our own identity service', async (t) => {
  const port = await freePort();
  const openid = await openIdProvider(t, `http://localhost:${port}`, {
    callbackPath: '/user/sso/oidc/callback',
  });
  await openid.start();
  const methods = [
    { method: 'local' },
    {
      method: 'oidc',
      label: 'Ada ID',
      issuer: openid.issuer,
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
    },
  ];
  // Only a site with mail knows that an address is confirmed.
  const { server } = await startMailServer(t);
  const product = await ownDemo(
    t,
    {
      IDENTITY_METHODS: JSON.stringify(methods),
      SMTP_URL: `smtp://${server.host}:${server.port}?tls=none`,
      MAIL_FROM: 'Plugin Square <square@example.com>',
    },
    { port },
  );
  const { origin } = product;
  const account = await addAccount(product, { ...newAccount('Ada'), email: 'ada@example.org' });

  /** Signs in at the provider with the email address of the account; returns the link to the binding page. */
  const openBinding = async (page: Page): Promise<string> => {
    const led = page.waitForRequest((request) => new URL(request.url()).pathname === BIND_PAGE);
    await page.goto(`${origin}/api/auth/login?return_to=/plugins/%3Fsort=1`);
    await page.getByRole('button', { name: 'Continue with Ada ID' }).waitFor();
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Continue with Ada ID' }).click();
    const link = (await led).url();
    await page.waitForURL((url) => url.pathname === '/user/login');
    return link;
  };

  t.test('a link from another browser shows an error and links nothing', async (t) => {
    const attacker = await newPage(t, { expected: FOREIGN });
    const link = await openBinding(attacker);
    const cookies = await attacker.context().cookies();
    t.hasStrict(
      cookies.filter(({ name }) => name === 'bind'),
      [{ httpOnly: true, sameSite: 'Strict', path: '/' }],
    );
    const page = await signedInPage(t, product, account, { expected: /status of 403/ });
    await page.goto(link);
    await page.getByRole('alert').getByText('This link doesn’t work here').waitFor();
    await expect(page.locator('main button')).toHaveCount(0);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${origin}${BIND_PAGE}?id=${'x'.repeat(300)}`);
    await page.getByRole('alert').getByText('This link doesn’t work here').waitFor();
    await expect(page.locator('main button')).toHaveCount(0);
    t.equal(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      true,
      'a long name does not widen the page',
    );
  });

  t.test(
    'the page shows both accounts and asks for the password; the account page unlinks them',
    async (t) => {
      const page = await newPage(t, {
        viewport: { width: 375, height: 800 },
        expected: /status of 422|favicon/,
      });
      await openBinding(page);
      await submitSignIn(page, account);
      await confirm(page).waitFor();
      await waitForHydration(page);
      const address = new URL(page.url());
      t.match(address.searchParams.get('id'), /^[\w-]{32}$/);
      t.equal(address.searchParams.get('mainUrl'), '/plugins/?sort=1');
      const [own, other] = await page.locator('main li').allInnerTexts();
      t.match(own, /Your account\s+Ada\s+ada@example.org/);
      t.match(other, /Account at Ada ID\s+ada Lovelace\s+ada@example.org/);
      await expect(page.locator('main img'), 'no picture from another site').toHaveCount(0);
      await confirm(page).click();
      await page.getByText('Enter your password.').waitFor();
      await page.getByLabel('Password of your account here').fill('wrong');
      await confirm(page).click();
      await page.getByText('Incorrect password.').waitFor();
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      await page.getByLabel('Password of your account here').fill(account.password);
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Your accounts are linked.').waitFor();
      await page.waitForURL(`${origin}/plugins/?sort=1`);

      await openPage(page, `${origin}/plugins/account`);
      const section = page.getByRole('region', { name: 'Linked accounts' });
      const row = section.getByRole('listitem').filter({ hasText: 'ada Lovelace' });
      await expect(row).toContainText(/With Ada ID\s+ada@example.org\s+Linked /, { useInnerText: true });
      // By keyboard: a section above that arrives late moves it away from a pointer.
      await row.getByRole('button', { name: 'Unlink ada Lovelace' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Unlink ada Lovelace?' });
      await dialog.getByRole('button', { name: 'Unlink' }).click();
      await dialog.getByText('Enter your password.').waitFor();
      await dialog.getByLabel('Password of your account here').fill('wrong');
      await dialog.getByRole('button', { name: 'Unlink' }).click();
      await dialog.getByText('Incorrect password.').waitFor();
      await dialog.getByLabel('Password of your account here').fill(account.password);
      await dialog.getByRole('button', { name: 'Unlink' }).click();
      await page.getByText('The account is unlinked').waitFor();
      await section.waitFor({ state: 'detached' });
    },
  );
});
