import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../support/until.ts';
import { memberPage, proveIn } from './support/account.ts';
import { packageAsking, publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const PAGE = '/plugins/my-plugins';
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

async function open(page: Page, origin: string, query = ''): Promise<void> {
  await openPage(page, `${origin}${PAGE}${query}`);
  await page.getByRole('tablist').waitFor();
}

t.test("a publisher's own plugins", async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer } = product;

  t.test('the account menu links to this page and to publishing', async (t) => {
    const page = await memberPage(t, product, 'Menu', { path: '/plugins/' });
    const menu = page.getByRole('button', { name: 'Menu’s account menu' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Publish a plugin' }).waitFor();
    await choose(page.getByRole('menuitem', { name: 'My plugins' }));
    await page.waitForURL(`${origin}${PAGE}`);
    await page.getByRole('heading', { level: 1, name: 'My plugins' }).waitFor();
  });

  t.test('others see the history without controls, in their language or an existing one', async (t) => {
    const publisher = await memberPage(t, product, 'Historian');
    const key = await publish(publisher, pluginPackage('Well told', { main: 'eval("1");' }));
    await reviewer.refuse(key, 'Please leave eval out.');
    await publish(publisher, pluginPackage('Well told', { version: '1.1.0' }), { plugin_key: key });
    await reviewer.pass(key);
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/plugin/${key}`);
    const history = page.locator('section[aria-labelledby=versions]');
    await history.getByText('1.1.0').waitFor();
    await expect(page.getByRole('link', { name: 'Manage versions' })).toHaveCount(0);
    await expect(history).toContainText(/Faster\./);
    await expect(history).not.toContainText(/Unapproved|1\.0\.0/, { useInnerText: true });
    await page.context().addCookies([{ name: 'lang', value: 'ru', url: origin }]);
    await page.reload();
    await expect(history).toContainText(/Faster\.\s+Язык текста: английский/, { useInnerText: true });
  });

  t.test('a deprecated plugin names its successor, and one click moves to it', async (t) => {
    const publisher = await memberPage(t, product, 'Successor');
    const old = await publish(publisher, pluginPackage('Worn Ruler'));
    await reviewer.pass(old);
    const successor = await publish(
      publisher,
      packageAsking('Sharp Ruler', '1.0.0', { allowedDomains: ['none'] }),
    );
    await reviewer.pass(successor);
    const user = await memberPage(t, product, 'Mover');
    await send(user, 'POST', 'plugin/user', { plugin_key: old });

    await open(publisher, origin);
    await publisher.getByRole('button', { name: 'More actions for Worn Ruler' }).click();
    await choose(publisher.getByRole('menuitem', { name: 'Deprecation…' }));
    const dialog = publisher.getByRole('dialog', { name: 'Deprecate “Worn Ruler”' });
    await dialog.getByRole('searchbox', { name: 'Find a successor' }).fill('Sharp Ruler');
    await dialog.getByRole('radio', { name: 'Sharp Ruler' }).check();
    await dialog.getByRole('textbox', { name: 'What its users are told' }).fill('Same marks, new edge.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card(publisher, 'Worn Ruler').getByText('Deprecated', { exact: true }).waitFor();

    const visitor = await newPage(t);
    await openPage(visitor, `${origin}/plugins/plugin/${old}`);
    const notice = visitor.getByRole('region', { name: 'No longer maintained' });
    await expect(notice).toContainText('Same marks, new edge.');
    await notice.getByRole('link', { name: 'Sharp Ruler' }).click();
    await visitor.getByRole('heading', { level: 1, name: 'Sharp Ruler' }).waitFor();

    const told = user.getByText('“Worn Ruler”, which you have installed, is no longer maintained.');
    await until(async () => {
      await openPage(user, `${origin}/plugins/notifications`);
      return (await told.count()) > 0;
    });
    await open(user, origin, '?tab=installed');
    await card(user, 'Worn Ruler').getByRole('button', { name: 'Move to Sharp Ruler' }).click();
    await toast(user, '“Sharp Ruler” is installed, “Worn Ruler” is uninstalled').waitFor();
    await expect(card(user, 'Worn Ruler')).toHaveCount(0);
    await card(user, 'Sharp Ruler').waitFor();

    await publish(
      publisher,
      packageAsking('Sharp Ruler', '2.0.0', { allowedDomains: ['https://edge.example.com'] }),
      {
        plugin_key: successor,
      },
    );
    await reviewer.pass(successor);
    await send(user, 'DELETE', 'plugin/user', { plugin_key: successor });
    await send(user, 'POST', 'plugin/user', { plugin_key: old });
    await open(user, origin, '?tab=installed');
    await card(user, 'Worn Ruler').getByRole('button', { name: 'Move to Sharp Ruler' }).click();
    const consent = user.getByRole('dialog', { name: 'Move to “Sharp Ruler”?' });
    await expect(consent).toContainText('edge.example.com');
    await consent.getByRole('button', { name: 'Accept' }).click();
    await card(user, 'Sharp Ruler').waitFor();
  });

  t.test('a deleted plugin keeps working for its users', async (t) => {
    const publisher = await memberPage(t, product, 'Leaver');
    const key = await publish(publisher, pluginPackage('Leaving'));
    await reviewer.pass(key);
    const user = await memberPage(t, product, 'User');
    await send(user, 'POST', 'plugin/user', { plugin_key: key });

    const page = publisher;
    await open(page, origin);
    await page.getByRole('button', { name: 'More actions for Leaving' }).click();
    await choose(page.getByRole('menuitem', { name: 'Delete' }));
    const dialog = page.getByRole('dialog', { name: 'Delete “Leaving”?' });
    await expect(dialog).toContainText(/1 person has it installed and can keep using it/);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('You haven’t published anything yet').waitFor();

    await open(user, origin, '?tab=installed');
    const installed = card(user, 'Leaving');
    await installed.getByText('No longer available').waitFor();
    const download = user.waitForEvent('download');
    await installed.getByRole('button', { name: 'Download package of Leaving' }).click();
    t.equal((await download).suggestedFilename(), `${key}.json`);
    await installed.getByRole('button', { name: 'Uninstall Leaving' }).click();
    const last = user.getByRole('dialog', { name: 'Uninstall “Leaving”?' });
    await expect(last).toContainText(/can’t be installed again/);
    await last.getByRole('button', { name: 'Uninstall' }).click();
    await toast(user, 'Plugin uninstalled').waitFor();
    await open(user, origin, '?tab=installed');
    await user.getByText('Nothing installed yet').waitFor();
  });

  t.test('an accidental uninstall can be undone in place', async (t) => {
    const page = await memberPage(t, product, 'Careless', { expected: /ERR_FAILED/ });
    const key = await publish(page, pluginPackage('Boomerang'));
    await reviewer.pass(key);
    await send(page, 'POST', 'plugin/user', { plugin_key: key });
    await open(page, origin, '?tab=installed');
    const installed = card(page, 'Boomerang');
    await installed.getByRole('button', { name: 'Uninstall Boomerang' }).click();
    await toast(page, 'Plugin uninstalled').waitFor();
    await installed.getByRole('button', { name: 'Install again: Boomerang' }).click();
    await toast(page, 'Plugin installed').waitFor();
    await open(page, origin, '?tab=installed');
    await installed.getByRole('button', { name: 'Uninstall Boomerang' }).waitFor();
    await page.route('**/api/cmt/plugin/user', (route) => route.abort());
    await installed.getByRole('button', { name: 'Uninstall Boomerang' }).click();
    await toast(page, 'Uninstall failed. Network error').waitFor();
    await installed.getByRole('button', { name: 'Uninstall Boomerang' }).waitFor();
  });

  t.test('a token publishes from outside the browser until it is revoked', async (t) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await memberPage(t, product, 'Builder', { permissions });
    const key = await publish(page, pluginPackage('Built'));
    await reviewer.pass(key);
    await open(page, origin, '?tab=tokens');
    await page.getByText('No publish tokens yet').waitFor();
    const clicked = Promise.withResolvers<void>();
    await page.route('**/user/account/proof', (route) => clicked.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create token' });
    // Before the page knows what proves it.
    await dialog.getByRole('button', { name: 'Create token' }).click();
    clicked.resolve();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Nightly build');
    await dialog.getByRole('combobox', { name: 'Valid for' }).click();
    await choose(page.getByRole('option', { name: 'Only Built' }));
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Enter your password.').waitFor();
    await proveIn(dialog);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const created = page.getByRole('region', { name: 'Copy “Nightly build” now' });
    await created.and(page.locator(':focus')).waitFor();
    await created.getByRole('button', { name: 'Copy' }).first().click();
    await created.getByText('Copied').waitFor();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    await expect(created).toContainText(`plugin_key=${key}`, { useInnerText: true });
    await expect(created).toContainText(`${origin}/api/cmt/plugin?dry_run=1`, { useInnerText: true });
    await created.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.reload();
    t.notMatch(await page.content(), secret, 'the secret is shown only once');

    const sendWithToken = async (
      query: string,
      version: string,
    ): Promise<{ status: number; body: string }> => {
      const form = new FormData();
      form.append('plugin_key', key);
      form.append('version', version);
      form.append('version_note', 'By the build');
      form.append('code', new Blob([JSON.stringify(pluginPackage('Built', { version, main: 'c();' }))]));
      const answer = await fetch(`${origin}/api/cmt/plugin${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: form,
      });
      return { status: answer.status, body: await answer.text() };
    };
    const checked = await sendWithToken('?dry_run=1', '1.1.0');
    t.equal(checked.status, 200, checked.body);
    await open(page, origin);
    await expect(card(page, 'Built'), 'nothing was stored').not.toContainText(/1\.1\.0/, {
      useInnerText: true,
    });
    const sent = await sendWithToken('', '1.1.0');
    t.equal(sent.status, 200, sent.body);
    await open(page, origin);
    await card(page, 'Built').getByText('1.1.0 submitted').waitFor();

    await tab(page, 'Publish tokens').click();
    const row = card(page, 'Nightly build');
    await row.getByText(/^Last used/).waitFor();
    await row.getByRole('button', { name: 'Revoke Nightly build' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await toast(page, '“Nightly build” revoked').waitFor();
    await page.getByRole('button', { name: '1 token no longer works' }).click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    t.equal((await sendWithToken('?dry_run=1', '1.2.0')).status, 401);
  });

  t.test('tabs and menus work by keyboard', async (t) => {
    const page = await memberPage(t, product, 'Keys');
    await publish(page, pluginPackage('By keys'));
    await open(page, origin);
    await tab(page, 'Published').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Nothing installed yet').waitFor();
    await expect(page.locator('[role=tab][tabindex="0"]'), 'one tab is in the tab order').toHaveCount(1);
    await expect(tab(page, 'Installed'), 'the chosen one').toHaveAttribute('tabindex', '0');
    await page.keyboard.press('ArrowLeft');
    await card(page, 'By keys').waitFor();
    await page.getByRole('button', { name: 'More actions for By keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    // The open menu takes the focus in the next frame.
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]'));
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete “By keys”?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect(card(page, 'By keys')).toHaveCount(1);
  });
});

t.test('without JavaScript the page says so', async (t) => {
  const product = await sharedProduct();
  for (const path of ['/plugins/my-plugins', '/plugins/account', '/plugins/publish-plugin/single']) {
    const page = await memberPage(t, product, undefined, { javaScriptEnabled: false });
    await page.goto(`${product.origin}${path}`);
    await page.getByText('This page needs JavaScript. Turn it on, then reload.', { exact: true }).waitFor();
  }
});
