import type { Page } from 'playwright-core';
import t from 'tap';
import { CLIENT, openIdProvider } from '../support/openid-provider.ts';
import { freePort } from '../support/port.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage, waitForHydration } from './support/page.ts';
import { ownDemo } from './support/product.ts';
import { startSamlIdp } from './support/saml-provider.ts';

/** Avatars on a site that the policy blocks, and a provider without an icon. */
const FOREIGN = /pictures\.example|favicon\.ico/;

t.test('users of external identity providers', async (t) => {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const openid = await openIdProvider(t, publicUrl, {
    callbackPath: '/user/sso/oidc/callback',
  });
  await openid.start();
  const saml = await startSamlIdp(t, 'sam-1');
  const methods = [
    {
      method: 'oidc',
      label: 'Ada ID',
      issuer: openid.issuer,
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      provider_logout: true,
    },
    {
      method: 'saml',
      label: 'Campus',
      idp_entity_id: saml.entityId,
      idp_sso_url: saml.urlFor(publicUrl),
      idp_certificates: [saml.cert],
    },
  ];
  const { origin } = await ownDemo(
    t,
    { DEPLOY_TYPE: 'pri', IDENTITY_METHODS: JSON.stringify(methods) },
    { port },
  );

  const install = async (page: Page): Promise<void> => {
    await openPage(page, `${origin}/plugins/`);
    await page
      .locator('main')
      .getByRole('button', { name: /^Install/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === '/user/login');
    await waitForHydration(page);
  };
  const arrived = async (page: Page, name: string): Promise<void> => {
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: `${name}’s account menu` }).waitFor();
  };
  const signOut = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: `${name}’s account menu` }).click();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
  };
  const isSignedOut = (page: Page) =>
    page.locator('header a[href^="/api/auth/login"]').first().waitFor({ state: 'attached' });

  t.test('OpenID Connect: sign-in, and sign-out at the provider too', async (t) => {
    const page = await newPage(t, { expected: FOREIGN });
    await install(page);
    await page.getByRole('button', { name: 'Continue with Ada ID' }).click();
    await arrived(page, 'ada Lovelace');
    await signOut(page, 'ada Lovelace');
    await page.waitForURL((url) => url.origin === openid.issuer);
    t.notMatch(page.url(), 'id_token_hint');
  });

  t.test('SAML: the response is posted from another site', async (t) => {
    const page = await newPage(t);
    await install(page);
    await page.getByRole('button', { name: 'Continue with Campus' }).click();
    await page.getByRole('button', { name: 'Let me in' }).click();
    await arrived(page, 'Sam Saml');
    await signOut(page, 'Sam Saml');
    await isSignedOut(page);
  });

  t.test('an unknown user at the provider returns with an error', async (t) => {
    const page = await newPage(t);
    await install(page);
    const target = new URL(page.url());
    target.searchParams.set('sso_error', 'SSO_REFUSED');
    await page.goto(target.href);
    await page.getByText('The sign-in service didn’t confirm who you are. Try again.').waitFor();
    await expect(page.getByRole('button', { name: 'Continue with Campus' })).toHaveCount(1);
  });
});
