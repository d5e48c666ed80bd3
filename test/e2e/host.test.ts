import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { addressesOf, serveHost, siteSettings } from '../../examples/host/serve.ts';
import { freePort } from '../support/port.ts';
import { until } from '../support/until.ts';
import { addAccount, adminPage, memberPage, newAccount, submitSignIn } from './support/account.ts';
import { decide, publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForFrames, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';

/** Where the client looks what is installed. */
const STATE = '**/api/cmt/plugin/user/state';

/** A plugin that says its version, draws, and goes on until it is stopped. */
const program = (version: string) =>
  `pixso.createRectangle().name = 'Made by ${version}'; pixso.showUI(__html__); pixso.notify('This is ${version}');`;

function pluginOf(name: string, version: string, allowedDomains = ['none']) {
  return {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: { name, main: 'main.js', ui: 'ui.html', networkAccess: { allowedDomains } },
    files: { 'main.js': program(version), 'ui.html': `<p>Panel of ${version}</p>` },
    listing: {
      name: { 'en-US': name },
      intro: { 'en-US': 'Draws.' },
      description: { 'en-US': 'Draws a rectangle.' },
      contact: 'help@example.com',
      version,
      versionNote: { 'en-US': 'New.' },
    },
  };
}

/**
 * Lets the look that belongs to the user's consent through, and holds later ones, which would bring the list up to date as well.
 *
 * @returns lets them go on
 */
async function holdChecksAfterConsent(tool: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isGiven = false;
  let looks = 0;
  tool.on('response', (answer) => {
    isGiven ||= answer.request().method() === 'PUT' && answer.url().endsWith('/api/cmt/plugin/user');
  });
  await tool.route(STATE, async (route) => {
    if (isGiven) looks += 1;
    if (looks > 1) await released;
    await route.continue();
  });
  return async () => {
    release();
    await tool.unroute(STATE);
  };
}

t.test('a design tool beside the store', async (t) => {
  const ports = { host: await freePort(), frames: await freePort() };
  const { host } = addressesOf(ports);
  const product = await ownProduct(t, siteSettings(ports));
  const { origin } = product;
  t.teardown(await serveHost(origin, ports));
  const account = await addAccount(product, newAccount('Ines'));
  const maker = await memberPage(t, product, 'Maker');
  const admin = await adminPage(t, product);
  async function approve(content: object, fields: Record<string, string> = {}): Promise<string> {
    const key = await publish(maker, content, fields);
    await decide(admin, key, { audit_status: 2 });
    return key;
  }
  const key = await approve(pluginOf('Ruler Mate', '1.0.0'));

  const tool = await newPage(t, { expected: /ERR_FAILED|status of 410|origin-keyed agent cluster/ });
  const button = (name: string) => tool.getByRole('button', { name, exact: true });
  const says = (text: string | RegExp) => tool.getByRole('status').getByText(text).waitFor();
  const item = tool.getByRole('listitem').filter({ hasText: 'Ruler Mate' });
  const isThere = (version: string) =>
    tool.getByRole('heading', { name: `Ruler Mate ${version}`, exact: true }).waitFor();

  await t.test('the user signs in from the tool', async (t) => {
    await tool.goto(host);
    await button('Sign in').click();
    await submitSignIn(tool, account);
    await tool.getByRole('heading', { level: 1, name: 'Connect Canvas' }).waitFor();
    await waitForHydration(tool);
    await button('Allow').click();
    await button('Sign out').waitFor();
    t.equal(tool.url(), `${host}/`, 'no code stays in the address');
  });

  await t.test('what they install in the store can be run in the tool', async (t) => {
    const store = await tool.context().newPage();
    await openPage(store, `${origin}/plugins/plugin/${key}`);
    await store.getByRole('button', { name: 'Install Ruler Mate' }).click();
    await store.getByRole('status').getByText('Plugin installed').waitFor();
    await store.close();
    await button('Check for updates').click();
    await says('Ruler Mate is here.');
    await expect(item).toContainText('May reach: nothing outside of the drawing');
    await button('Rectangle').click();
    await button('Run Ruler Mate').click();
    await says('Ruler Mate: This is 1.0.0');
    await button('Made by 1.0.0').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await tool.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page: tool }).exclude('iframe').analyze();
      t.strictSame(violations, [], colorScheme);
    }
    await button('Stop Ruler Mate').click();
    await expect(tool.locator('iframe')).toHaveCount(0);
  });

  await t.test('a check that finds nothing new leaves the buttons as they are', async () => {
    const run = button('Run Ruler Mate');
    await run.evaluate((element) => element.setAttribute('data-same', ''));
    const isChecked = tool.waitForResponse(STATE);
    await button('Check for updates').click();
    await isChecked;
    await waitForFrames(tool);
    await expect(run).toHaveAttribute('data-same');
  });

  await t.test('a version with more rights asks, and the one before goes on', async () => {
    await approve(pluginOf('Ruler Mate', '2.0.0', ['https://api.example.com']), { plugin_key: key });
    await button('Check for updates').click();
    await says('Ruler Mate has an update that asks for more.');
    await expect(item).toContainText('Version 2.0.0 also asks for: https://api.example.com');
    await isThere('1.0.0');
    const releaseChecks = await holdChecksAfterConsent(tool);
    await button('Allow and update Ruler Mate').click();
    await says('Ruler Mate was updated to 2.0.0.');
    await expect(item).toContainText('May reach: https://api.example.com');
    await releaseChecks();
  });

  await t.test('a package that was changed on its way is refused, and the one before goes on', async () => {
    await tool.route('**/api/cmt/package/*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('This is', 'This was');
      await route.fulfill({ response: answer, body });
    });
    await approve(pluginOf('Ruler Mate', '2.1.0', ['https://api.example.com']), { plugin_key: key });
    await button('Check for updates').click();
    await says('Ruler Mate 2.1.0 was refused: the package is not the one that was approved (DIGEST_WRONG).');
    await isThere('2.0.0');
    await tool.unroute('**/api/cmt/package/*');
  });

  await t.test('without the store the last state works, also after a reload', async () => {
    await tool.route(`${origin}/**`, (route) => route.abort());
    await tool.reload();
    await says('The store cannot be reached. Your plugins go on working.');
    await button('Run Ruler Mate').click();
    await says('Ruler Mate: This is 2.0.0');
    await tool.unroute(`${origin}/**`);
  });

  await t.test('withdrawing stops it while it runs', async () => {
    await button('Stop Ruler Mate').waitFor();
    await send(admin, 'PUT', 'manager/plugin/withdrawn', {
      plugin_key: key,
      is_withdrawn: true,
      reason: 'malware',
      text: { 'en-US': 'It sends files to a stranger.' },
      must_stop: true,
    });
    await until(async () => {
      await button('Check for updates').click();
      return (await item.getByText('Withdrawn').count()) > 0;
    });
    await says('Ruler Mate was withdrawn, because it is harmful.');
    await expect(tool.locator('iframe')).toHaveCount(0);
    await expect(button('Run Ruler Mate')).toHaveCount(0);
    await expect(item).toContainText('It sends files to a stranger.');
  });

  await t.test('after a sign-out nothing of them is left', async () => {
    await button('Sign out').click();
    await button('Sign in').waitFor();
    await expect(item).toHaveCount(0);
  });
});
