import {
  allowInsecureRequests,
  discovery,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
} from 'openid-client';
import t from 'tap';
import { DEVICE_CODE_GRANT } from '../../shared/tool-metadata.ts';
import { TOOL } from '../support/tool.ts';
import { checkScreen } from './access/check-screen.ts';
import { addAccount, newAccount, submitSignIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { followRequests, newPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';

t.test('a user connects a device that has no browser', async (t) => {
  const tool = { ...TOOL, grant_types: [DEVICE_CODE_GRANT] };
  const product = await ownProduct(t, { OAUTH_CLIENTS: JSON.stringify([tool]) });
  const { origin } = product;
  const account = await addAccount(product, newAccount('Ines'));
  const page = await newPage(t, {
    baseURL: origin,
    expected: /status of 40[01]/,
    reducedMotion: 'reduce',
  });
  const config = await discovery(new URL(origin), TOOL.client_id, undefined, None(), {
    execute: [allowInsecureRequests],
  });
  const begin = () => initiateDeviceAuthorization(config, { scope: 'plugins:read' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = page.getByLabel('Code');

  await t.test('who is signed out signs in first, and the code is kept', async () => {
    const started = await begin();
    await page.goto(String(started.verification_uri_complete));
    await submitSignIn(page, account);
    await page.getByRole('heading', { level: 1, name: 'Connect a device' }).waitFor();
    await expect(field).toHaveValue(started.user_code);
    await expect(page.getByRole('main')).toContainText('Did somebody send you this code?');
    await waitForHydration(page);
    await button('Continue').click();
    await page.getByRole('heading', { level: 1, name: 'Connect Canvas' }).waitFor();
    await expect(page.getByRole('main')).toContainText('Did somebody send you this code?');
    await button('Allow').click();
    await page.getByText('Connected. You can go back to your device.').waitFor();
    const tokens = await pollDeviceAuthorizationGrant(config, started);
    t.equal(tokens.scope, 'plugins:read');
  });

  await t.test('a code is typed in any way, a wrong one is said so, and the user may refuse', async () => {
    const started = await begin();
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(started.verification_uri);
    await waitForHydration(page);
    await field.fill('bbbb bbbb');
    await button('Continue').click();
    await page.getByText('This code is wrong or has expired.').waitFor();
    await expect(field).toHaveValue('bbbb bbbb');
    await field.fill(started.user_code.toLowerCase().replace('-', ''));
    await button('Continue').click();
    await page.getByRole('heading', { level: 1, name: 'Connect Canvas' }).waitFor();
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375, 'nothing is cut off');
    await button('Don’t allow').click();
    await page.getByText('Nothing was connected.').waitFor();
    const refused = await pollDeviceAuthorizationGrant(config, started).catch((error: unknown) => error);
    t.match(refused, { error: 'access_denied' });
  });

  await t.test('the page is accessible', async (t) => {
    const waitForIdle = followRequests(page);
    const url = `${origin}/plugins/device?user_code=BBBB-BBBB`;
    const { findings } = await checkScreen(page, { url, schemes: ['light', 'dark'], waitForIdle });
    t.strictSame(findings, []);
  });
});
