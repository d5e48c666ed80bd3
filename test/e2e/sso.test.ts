import type { Page } from 'playwright-core';
import t from 'tap';
import { CLIENT, openIdProvider } from '../support/openid-provider.ts';
import { freePort } from '../support/port.ts';
import { NO_SLAPD, SERVICE, slapdProgram, startSlapd } from '../system/peers/slapd.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, waitForHydration, watchedPage } from './support/page.ts';
import { startPortal, startSamlIdp } from './support/portals.ts';
import { runningProduct } from './support/product.ts';

/** Avatars on a site that the policy blocks, and a provider without an icon. */
const FOREIGN = /pictures\.example|favicon\.ico/;

const PEOPLE = `dn: uid=lena,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: lena
cn: Lena
sn: Ldap
displayName: Lena Ldap
userPassword: lena-password
`;

const program = slapdProgram();

t.test('users of external identity providers', { skip: program === undefined && NO_SLAPD }, async (t) => {
  if (program === undefined) return;
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const slapd = await startSlapd(t, program, PEOPLE);
  const openid = await openIdProvider(t, publicUrl, {
    callbackPath: '/user/sso/oidc/callback',
    otherPaths: ['/user/sso/oauth2/callback'],
  });
  await openid.start();
  const portal = await startPortal(t, { sub: 'p-1', name: 'Pat Portal' });
  const saml = await startSamlIdp(t, 'sam-1');
  const methods = [
    {
      method: 'ldap',
      url: slapd.ldapsUrl,
      ca_file: slapd.caFile,
      bind_dn: SERVICE.dn,
      bind_password: SERVICE.password,
      base_dn: 'ou=people,dc=example,dc=org',
      filter: '(uid={account})',
    },
    {
      method: 'oidc',
      label: 'Ada ID',
      issuer: openid.issuer,
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      provider_logout: true,
    },
    {
      method: 'oauth2',
      label: 'Ada OAuth',
      authorization_url: `${openid.issuer}/auth`,
      token_url: `${openid.issuer}/token`,
      userinfo_url: `${openid.issuer}/me`,
      issuer: openid.issuer,
      scope: 'openid profile',
      fields: { subject: 'sub' },
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
    },
    {
      method: 'saml',
      label: 'Campus',
      idp_entity_id: saml.entityId,
      idp_sso_url: saml.urlFor(publicUrl),
      idp_certificates: [saml.cert],
    },
    {
      method: 'custom_sso',
      label: 'Portal',
      login_url: portal.url,
      issuer: 'portal',
      audience: 'square',
      public_key: portal.publicKey,
      logout_mode: 1,
      logout_url: `${publicUrl}/plugins/protocol`,
    },
  ];
  const origin = await runningProduct(
    t,
    { DEPLOY_TYPE: 'pri', IDENTITY_METHODS: JSON.stringify(methods) },
    { port },
  );
  const browser = await openBrowser(t);

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
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const isSignedOut = (page: Page) =>
    page.locator('header a[href^="/api/auth/login"]').first().waitFor({ state: 'attached' });

  t.test('LDAP: form, installation and sign-out', async () => {
    const { page } = await watchedPage(browser, { expected: /status of 401/ });
    await install(page);
    await page.locator('input[name=account]').fill('lena');
    await page.locator('input[name=password]').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect email/username or password.').waitFor();
    await page.locator('input[name=password]').fill('lena-password');
    await page.keyboard.press('Enter');
    await arrived(page, 'Lena Ldap');
    await signOut(page, 'Lena Ldap');
    await isSignedOut(page);
    await page.context().close();
  });

  t.test('OpenID Connect: sign-in, and sign-out at the provider too', async (t) => {
    const { page } = await watchedPage(browser, { expected: FOREIGN });
    await install(page);
    await page.getByRole('button', { name: 'Continue with Ada ID' }).click();
    await arrived(page, 'ada Lovelace');
    await signOut(page, 'ada Lovelace');
    await page.waitForURL((url) => url.origin === openid.issuer);
    t.notMatch(page.url(), 'id_token_hint');
    await page.context().close();
  });

  t.test('OAuth 2: sign-in, installation and sign-out', async () => {
    const { page } = await watchedPage(browser, { expected: FOREIGN });
    await install(page);
    await page.getByRole('button', { name: 'Continue with Ada OAuth' }).click();
    await arrived(page, 'ada Lovelace');
    await signOut(page, 'ada Lovelace');
    await isSignedOut(page);
    await page.context().close();
  });

  t.test('SAML: the response is posted from another site', async () => {
    const { page } = await watchedPage(browser, {});
    await install(page);
    await page.getByRole('button', { name: 'Continue with Campus' }).click();
    await page.getByRole('button', { name: 'Let me in' }).click();
    await arrived(page, 'Sam Saml');
    await signOut(page, 'Sam Saml');
    await isSignedOut(page);
    await page.context().close();
  });

  t.test('a portal: sign-in by token, and its own page after sign-out', async () => {
    const { page } = await watchedPage(browser, {});
    await install(page);
    await page.getByRole('button', { name: 'Continue with Portal' }).click();
    await arrived(page, 'Pat Portal');
    await signOut(page, 'Pat Portal');
    await page.waitForURL(`${origin}/plugins/protocol`);
    await page.context().close();
  });

  t.test('an unknown user at the provider returns with an error', async (t) => {
    const { page } = await watchedPage(browser, {});
    await install(page);
    const target = new URL(page.url());
    target.searchParams.set('sso_error', 'SSO_REFUSED');
    await page.goto(target.href);
    await page.getByText('The sign-in service didn’t confirm who you are. Try again.').waitFor();
    t.equal(await page.getByRole('button', { name: 'Continue with Campus' }).count(), 1);
    await page.context().close();
  });
});
