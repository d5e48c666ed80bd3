import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomPKCECodeVerifier,
} from 'openid-client';
import t from 'tap';
import { TOOL } from '../support/tool.ts';
import { until } from '../support/until.ts';
import { checkScreen } from './access/check-screen.ts';
import { addAccount, adminPage, newAccount, proveIn, submitSignIn } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { followRequests, newPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { waitingTool } from './support/tool.ts';

t.test('an administrator registers a design tool, and removes it', async (t) => {
  const product = await ownProduct(t, { OAUTH_CLIENTS: JSON.stringify([TOOL]) });
  const { origin } = product;
  const admin = await adminPage(t, product, { expected: /status of 4\d\d/, reducedMotion: 'reduce' });
  const redirect_uri = await waitingTool(t);
  const row = (name: string) =>
    admin.getByRole('table', { name: 'Tools' }).getByRole('row', { name: new RegExp(name) });
  const dialog = (name: string) => admin.getByRole('dialog', { name });
  const field = (name: string) => dialog('Register a tool').getByLabel(name, { exact: true });
  let access = '';
  let refresh = '';
  const config = () =>
    discovery(new URL(origin), 'easel', undefined, None(), { execute: [allowInsecureRequests] });
  const call = () =>
    fetch(`${origin}/api/cmt/plugin/user/list?page=1&page_size=10`, {
      headers: { authorization: `Bearer ${access}` },
    });

  await t.test('a wrong form loses nothing, and says what is wrong', async () => {
    await openScreen(admin, origin, 'tools');
    await expect(row('Canvas')).toContainText('From the settings');
    t.equal(await row('Canvas').getByRole('button').count(), 0, 'it is only shown');
    await admin.getByRole('button', { name: 'Register a tool' }).click();
    await dialog('Register a tool').getByRole('button', { name: 'Register', exact: true }).click();
    await dialog('Register a tool').getByText('Enter a name.').waitFor();
    await dialog('Register a tool').getByText('Enter at least one address.').waitFor();
    await field('Name').fill('Easel');
    await field('Client ID').fill('canvas');
    await field('Redirect addresses').fill(`http://easel.example/back\n${redirect_uri}`);
    await proveIn(dialog('Register a tool'));
    await dialog('Register a tool').getByRole('button', { name: 'Register', exact: true }).click();
    await dialog('Register a tool')
      .getByText('The tool can’t be sent back to http://easel.example/back.')
      .waitFor();
    await field('Redirect addresses').fill(redirect_uri);
    await dialog('Register a tool').getByRole('button', { name: 'Register', exact: true }).click();
    await dialog('Register a tool').getByText('There’s already a tool with this client ID.').waitFor();
    await expect(field('Name')).toHaveValue('Easel');
  });

  await t.test('it is registered, and its users are counted', async (t) => {
    await field('Client ID').fill('easel');
    await dialog('Register a tool').getByRole('button', { name: 'Register', exact: true }).click();
    await expect(row('Easel')).toContainText('Nobody');
    const account = await addAccount(product, newAccount('Ines'));
    const page = await newPage(t, { baseURL: origin, expected: /status of 40[01]/ });
    const verifier = randomPKCECodeVerifier();
    const address = buildAuthorizationUrl(await config(), {
      redirect_uri,
      scope: 'plugins:read',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    await page.goto(address.href);
    await submitSignIn(page, account);
    await page.getByRole('heading', { level: 1, name: 'Connect Easel' }).waitFor();
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Back in the tool.').waitFor();
    const tokens = await authorizationCodeGrant(await config(), new URL(page.url()), {
      pkceCodeVerifier: verifier,
    });
    access = tokens.access_token;
    refresh = tokens.refresh_token ?? '';
    t.equal((await call()).status, 200);
    await openScreen(admin, origin, 'tools');
    await expect(row('Easel')).toContainText('1 person');
    const changes = admin.getByRole('table', { name: 'Recent changes' });
    await expect(changes).toContainText('Registered a tool');
  });

  await t.test('the screen is accessible, and fits a phone', async (t) => {
    const waitForIdle = followRequests(admin);
    const url = `${origin}/plugins/backstage-index/tools`;
    const { findings } = await checkScreen(admin, { url, schemes: ['light', 'dark'], waitForIdle });
    t.strictSame(findings, []);
    await admin.setViewportSize({ width: 375, height: 800 });
    t.equal(await admin.evaluate(() => document.documentElement.scrollWidth), 375);
    await admin.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('removed, it can do nothing more', async (t) => {
    await openScreen(admin, origin, 'tools');
    await waitForHydration(admin);
    await row('Easel').getByRole('button', { name: 'Remove Easel' }).click();
    const question = dialog('Remove Easel?');
    await question.getByText('1 person is disconnected from it immediately.').waitFor();
    await proveIn(question);
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    // Behind the open dialog no row can be found by its role.
    await question.waitFor({ state: 'detached' });
    await row('Easel').waitFor({ state: 'detached' });
    const form = { client_id: 'easel', grant_type: 'refresh_token', refresh_token: refresh };
    const refused = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    t.match(await refused.json(), { error: 'invalid_client' });
    await until(async () => (await call()).status === 401);
  });

  await t.test('where accounts are elsewhere, there is no such screen', async (t) => {
    const address = `${origin}/plugins/backstage-index/tools`;
    await admin.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"own_accounts":true', '"own_accounts":false');
      await route.fulfill({ response, body });
    });
    await admin.goto(address);
    await admin.getByText('This page doesn’t exist, or your account isn’t allowed to see it.').waitFor();
    const navigation = admin.getByRole('navigation', { name: 'Admin navigation' });
    t.equal(await navigation.getByRole('link', { name: 'Audit log' }).count(), 1);
    t.equal(await navigation.getByRole('link', { name: 'Tools' }).count(), 0);
  });
});
