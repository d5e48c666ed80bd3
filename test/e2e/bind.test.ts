import type { Page } from 'playwright-core';
import t from 'tap';
import { startStub, stubAnswer } from '../support/stub-upstream.ts';
import { scriptUserService } from '../support/user-service.ts';
import { newAccount } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { comeToLife, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const BIND = 'POST /3rd-party/bind';

const confirm = (page: Page) => page.getByRole('button', { name: 'Link accounts' });

t.test('binding an account of a third party at a user service', async (t) => {
  const identity = await startStub(t);
  scriptUserService(identity);
  identity.on('GET /login', ({ query }) => {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'good');
    return stubAnswer(302, '', { location: back.href });
  });
  const origin = await runningProduct(t, {
    IDENTITY_URL: identity.url,
    LOGIN_URL: `${identity.url}/login`,
    SITE_URL: 'https://design.example',
  });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, { expected: /status of (?:4|5)\d\d/ });
  await page.route('https://design.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>The wider site</title>' }),
  );
  const open = async (query: Record<string, string>): Promise<void> => {
    await page.goto(`${origin}/user/login/bind?${new URLSearchParams(query)}`);
    await confirm(page).waitFor();
    await comeToLife(page);
  };

  t.test('who is not signed in does so first and comes back with everything', async (t) => {
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
    t.equal(identity.seen(BIND).length, 0, 'nothing is bound unasked');

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

  t.test('refusals are told, and only what may help is offered again', async (t) => {
    for (const [answer, words] of [
      [stubAnswer(409, { code: 40901, message: 'bound to another' }), 'already linked to another one'],
      [stubAnswer(400, { code: 400 }), 'no longer valid'],
      [stubAnswer(403, {}), 'may not be linked'],
      [stubAnswer(200, { code: 409, message: 'no' }), 'already linked to another one'],
    ] as const) {
      identity.on(BIND, () => answer);
      await open({ id: 'wx_2', mainUrl: '/plugins/' });
      await confirm(page).click();
      await page.getByRole('alert').getByText(words).waitFor();
      t.equal(await page.locator('main button').count(), 0, words);
      t.equal(await page.getByRole('link', { name: 'Continue' }).getAttribute('href'), `${origin}/plugins/`);
    }
    identity.on(BIND, () => stubAnswer(500, 'oops'));
    await open({ id: 'wx_3' });
    await confirm(page).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    identity.on(BIND, () => ({}));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Your accounts are linked.').waitFor();
    await page.getByRole('link', { name: 'Back to home' }).click();
    await page.waitForURL(`${origin}/plugins/`);
  });

  t.test('it goes on to known origins alone', async (t) => {
    for (const mainUrl of [
      'https://design.example@evil.example/',
      '/\\evil.example/',
      'javascript:alert(1)',
    ]) {
      await open({ id: 'wx_4', mainUrl });
      const onward = await page.locator('main a').getAttribute('href');
      t.equal(onward, '/plugins/', mainUrl);
      await confirm(page).click();
      await page.getByText('Your accounts are linked.', { exact: true }).waitFor();
      await page.waitForTimeout(1600);
      t.equal(new URL(page.url()).pathname, '/user/login/bind', mainUrl);
    }
    await open({ id: 'wx_5', mainUrl: 'https://design.example/app?x=1' });
    await confirm(page).click();
    await page.waitForURL('https://design.example/app?x=1');
  });

  t.test('an address without an account says so', async (t) => {
    await page.goto(`${origin}/user/login/bind?mainUrl=/plugins/`);
    await page.getByRole('heading', { name: 'There is nothing to link' }).waitFor();
    t.equal(await page.locator('main button').count(), 0);
  });
  t.strictSame(complaints, []);
});

t.test('binding where our own identity service keeps the accounts', async (t) => {
  const origin = await runningProduct(t);
  const { page } = await watchedPage(await openBrowser(t), {
    viewport: { width: 320, height: 640 },
    expected: /status of 400/,
  });
  await page.goto(`${origin}/user/login/bind?id=${'x'.repeat(300)}`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  const account = newAccount('Uma');
  await page.locator('input[name=email]').fill(account.email);
  await comeToLife(page);
  await page.locator('input[name=nick_name]').fill(account.name);
  await page.locator('input[name=password]').fill(account.password);
  await page.keyboard.press('Enter');
  await confirm(page).click();
  await page.getByRole('alert').filter({ hasText: 'This link is no longer valid' }).waitFor();
  t.equal(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    true,
    'a long name does not widen the page',
  );
});
