import type { Page } from 'playwright-core';
import t from 'tap';
import { send } from '../support/browser.ts';
import { CLIENT, openIdProvider } from '../support/openid-provider.ts';
import { freePort } from '../support/port.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { ownDemo } from './support/product.ts';

/** Avatars on a site that the policy blocks, and a provider without an icon. */
const FOREIGN = /pictures\.example|favicon\.ico/;
const DOCS = { ux_from: 'tencent_docs', login_source_id: 'docs' };

/** Id of the signed-in user. */
const whoIsThere = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const headers = { 'x-requested-with': 'plugin-square' };
    const { data } = await (await fetch('/api/auth/session', { headers })).json();
    return data.user?.user_id;
  });

t.test('a document service whose users have accounts here', async (t) => {
  const port = await freePort();
  const openid = await openIdProvider(t, `http://localhost:${port}`, {
    callbackPath: '/user/sso/oidc/callback',
    otherPaths: ['/user/sso/docs/callback'],
  });
  await openid.start();
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
  const methods = [
    {
      method: 'oauth2',
      source: 'docs',
      authorization_url: `${openid.issuer}/auth`,
      token_url: `${openid.issuer}/token`,
      userinfo_url: `${openid.issuer}/me`,
      issuer: openid.issuer,
      scope: 'openid profile email',
      fields: { subject: 'sub' },
      document_service: { app_name: 'Tencent Docs' },
      e_id: 7,
      e_name: 'Nordlys Studio',
      ...client,
    },
    { method: 'oidc', label: 'Ada ID', issuer: openid.issuer, e_id: 8, ...client },
  ];
  const { origin } = await ownDemo(
    t,
    { DEPLOY_TYPE: 'pri', IDENTITY_METHODS: JSON.stringify(methods) },
    { port },
  );
  const page = await newPage(t, { expected: FOREIGN });
  const start = `${origin}/api/auth/login?${new URLSearchParams({
    ...DOCS,
    bind_other: 'bind',
    return_to: '/plugins/?sort=1',
    txDocFolderId: 'f1',
  })}`;

  t.test('the sign-in page redirects to the only provider without a form', async (t) => {
    const { pathname, search } = new URL(start);
    const begun = await send(origin, pathname + search, { headers: { accept: 'text/html' } });
    const html = await (await fetch(begun.headers.location ?? '')).text();
    t.match(html, 'Taking you to Ada ID');
    t.match(html, 'Then you can link your Tencent Docs account to it.');
    t.notMatch(html, '<form');
    t.notMatch(html, 'current-password');
  });

  t.test('bind_other: sign in, prove the other account, link both, continue', async (t) => {
    await page.goto(start);
    await page.getByText('Next, sign in to your Tencent Docs account').waitFor();
    t.strictSame(Object.fromEntries(new URL(page.url()).searchParams), {
      ...DOCS,
      mainUrl: '/plugins/?sort=1',
      txDocFolderId: 'f1',
    });
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Continue with Tencent Docs' }).click();
    await page.getByRole('button', { name: 'Link accounts' }).waitFor();
    await waitForHydration(page);
    const shown = await page.locator('main').innerText();
    for (const words of ['Account at Tencent Docs', 'ada Lovelace', 'ada@example.org', 'Folder f1'])
      t.match(shown, words);
    t.match(new URL(page.url()).searchParams.get('id'), /^[\w-]{32}$/);
    const foreign = await newPage(t, { expected: /status of 403/ });
    await foreign
      .context()
      .addCookies((await page.context().cookies()).filter(({ name }) => name === 'session'));
    await foreign.goto(page.url());
    await foreign.getByRole('alert').getByText('This link doesn’t work here').waitFor();
    await page.getByRole('button', { name: 'Link accounts' }).click();
    await page.getByRole('status').getByText('Your accounts are linked.').waitFor();
    await page.waitForURL(`${origin}/plugins/?sort=1`);
    const bound = await whoIsThere(page);
    const other = await newPage(t, { expected: FOREIGN });
    await openPage(other, `${origin}/api/auth/login?${new URLSearchParams(DOCS)}`);
    await other.getByText('Sign in to continue to Tencent Docs.').waitFor();
    await other.getByRole('button', { name: 'Continue with Tencent Docs' }).click();
    await other.waitForURL(`${origin}/plugins/`);
    t.type(bound, 'number');
    t.equal(await whoIsThere(other), bound);

    await other.goto(`${origin}/plugins/account`);
    const section = other.getByRole('region', { name: 'Enterprises' });
    await section.getByRole('listitem').filter({ hasText: 'Enterprise 8' }).getByText('Current').waitFor();
    await waitForHydration(other);
    // By keyboard: a section above that arrives late moves it away from a pointer.
    await section.getByRole('button', { name: 'Switch to Nordlys Studio' }).press('Enter');
    await other.getByText('You now work in Nordlys Studio').waitFor();
    await section.getByRole('listitem').filter({ hasText: 'Nordlys Studio' }).getByText('Current').waitFor();
  });

  t.test('a failed sign-in stays on its page and shows the error', async (t) => {
    const page = await newPage(t);
    await page.goto(`${origin}/plugins/my-plugins?login_error=CODE_INVALID`);
    await page.getByRole('heading', { name: 'Couldn’t sign in' }).first().waitFor();
    await page.waitForURL(`${origin}/plugins/my-plugins`);
    await page.goto(`${origin}/plugins/backstage-index/audit-list?login_error=UPSTREAM_TIMEOUT`);
    await page.getByText('The sign-in service isn’t responding right now.').waitFor();
    const link = page.getByRole('link', { name: 'Sign in' });
    await expect(link).toHaveAttribute(
      'href',
      '/api/auth/login?return_to=%2Fplugins%2Fbackstage-index%2Faudit-list&ux_mode=redirect',
    );
  });
});
