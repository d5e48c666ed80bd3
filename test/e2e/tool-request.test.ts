import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchProtectedResource,
  getDPoPHandle,
  None,
  randomDPoPKeyPair,
  randomPKCECodeVerifier,
  refreshTokenGrant,
} from 'openid-client';
import t from 'tap';
import { TOOL } from '../support/tool.ts';
import { addAccount, newAccount, submitSignIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { waitingTool } from './support/tool.ts';

t.test('a user connects a design tool', async (t) => {
  const product = await ownProduct(t, { OAUTH_CLIENTS: JSON.stringify([TOOL]) });
  const { origin } = product;
  const account = await addAccount(product, newAccount('Ines'));
  const page = await newPage(t, { baseURL: origin, expected: /status of 40[01]/ });
  const config = await discovery(new URL(origin), TOOL.client_id, undefined, None(), {
    execute: [allowInsecureRequests],
  });
  const redirect_uri = await waitingTool(t);

  async function begin() {
    const verifier = randomPKCECodeVerifier();
    const address = buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'plugins:read plugins:install',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { verifier, address: address.href };
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await t.test('who is signed out signs in first, sees what it asks, and may refuse', async (t) => {
    await page.goto((await begin()).address);
    await submitSignIn(page, account);
    await page.getByRole('heading', { level: 1, name: 'Connect Canvas' }).waitFor();
    await expect(page.getByRole('main')).toContainText('It asks to use the account of Ines.');
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      'See the plugins that you have installed, liked and published',
      'Install, update and remove plugins for you',
    ]);
    await waitForHydration(page);
    await button('Don’t allow').click();
    await page.getByText('Back in the tool.').waitFor();
    t.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  });

  await t.test('who allows it finds it among their connected apps, and disconnects it there', async (t) => {
    const { verifier, address } = await begin();
    await page.goto(address);
    await waitForHydration(page);
    await button('Allow').click();
    await page.getByText('Back in the tool.').waitFor();
    const tokens = await authorizationCodeGrant(config, new URL(page.url()), { pkceCodeVerifier: verifier });
    t.equal(tokens.scope, 'plugins:read plugins:install');
    const next = await refreshTokenGrant(config, tokens.refresh_token ?? '');
    await page.goto(`${origin}/plugins/account`);
    await waitForHydration(page);
    const apps = page.getByRole('region', { name: 'Connected apps' });
    await expect(apps).toContainText('Install, update and remove plugins for you');
    await page.setViewportSize({ width: 375, height: 800 });
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375, 'nothing is cut off');
    await button('Disconnect Canvas').press('Enter');
    await page
      .getByRole('dialog', { name: 'Disconnect Canvas?' })
      .getByRole('button', { name: 'Disconnect' })
      .click();
    await apps.getByText('No apps are connected.').waitFor();
    const refused = await refreshTokenGrant(config, next.refresh_token ?? '').catch(
      (error: unknown) => error,
    );
    t.match(refused, { error: 'invalid_grant' });
  });

  await t.test('a tool binds its tokens to a key, and calls with proofs', async (t) => {
    const { verifier, address } = await begin();
    await page.goto(address);
    await waitForHydration(page);
    await button('Allow').click();
    await page.getByText('Back in the tool.').waitFor();
    const DPoP = getDPoPHandle(config, await randomDPoPKeyPair());
    const checks = { pkceCodeVerifier: verifier };
    const { access_token, token_type } = await authorizationCodeGrant(
      config,
      new URL(page.url()),
      checks,
      undefined,
      { DPoP },
    );
    t.equal(token_type, 'dpop');
    const url = new URL(`${origin}/api/cmt/plugin/user/list?page=1&page_size=10`);
    const answer = await fetchProtectedResource(config, access_token, url, 'GET', undefined, undefined, {
      DPoP,
    });
    t.match(await answer.json(), { code: 0, data: { total: 0 } });
    const stolen = await fetch(url, { headers: { authorization: `Bearer ${access_token}` } });
    t.equal(stolen.status, 401);
    t.equal(stolen.headers.get('www-authenticate'), 'DPoP error="invalid_token"');
  });

  await t.test('a request that is over, or not valid, says so', async () => {
    await page.goto(`${origin}/plugins/oauth?request=unknown`);
    await page.getByRole('heading', { level: 1, name: 'This request has expired' }).waitFor();
    await page.goto(`${origin}/oauth/authorize?client_id=unknown&response_type=code`);
    await page.getByRole('heading', { level: 1, name: 'This tool can’t connect' }).waitFor();
  });
});
