import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import t, { type Test } from 'tap';
import { selfSigned } from '../support/certificate.ts';
import { portOf } from '../support/port.ts';
import { until } from '../support/until.ts';
import { addAccount, newAccount } from './support/account.ts';
import { expect } from './support/expect.ts';
import { startHttpsFront } from './support/https-front.ts';
import { isHydrated, newPage, openPage } from './support/page.ts';
import { ownDemo } from './support/product.ts';

const CLIENT = new URL('../../packages/client/src/store-frame.ts', import.meta.url);

/** A design tool of another site, with the store in a panel. @returns its origin */
async function startTool(t: Test, site: string): Promise<string> {
  const page = `<!doctype html><title>Canvas</title><link rel="icon" href="data:,">
<iframe id="store" title="Store" style="width: 60rem; height: 40rem"></iframe>
<script type="module">
  import { connectStore } from '/store-frame.js';
  window.heard = [];
  window.store = connectStore(document.querySelector('iframe'), '${site}');
  window.store.setTheme('light');
  for (const name of ['installed', 'uninstalled', 'open'])
    window.store.on(name, (key) => window.heard.push(name + ' ' + key));
</script>`;
  const script = stripTypeScriptTypes(readFileSync(CLIENT, 'utf8'));
  const server = createServer(({ url }, response) => {
    const isScript = url === '/store-frame.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}`;
}

t.test('the store inside a design tool of another site', async (t) => {
  const front = await startHttpsFront(t, selfSigned());
  const tool = await startTool(t, front.publicUrl);
  const product = await ownDemo(t, { PUBLIC_URL: front.publicUrl, FRAME_ANCESTORS: `'self' ${tool}` });
  front.forwardTo(product.origin);
  const account = await addAccount(product, newAccount('Ines'));
  const page = await newPage(t, { ignoreHTTPSErrors: true, expected: /status of 40[13]/ });
  const tools = await page.context().newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
  const store = page.frameLocator('#store');
  const frameOf = () => page.frames().find((frame) => frame.url().startsWith(`${front.publicUrl}/plugins/`));
  const isReady = () =>
    until(
      async () =>
        (await frameOf()
          ?.evaluate(isHydrated)
          .catch(() => false)) ?? false,
    );
  const heard = () => page.evaluate<string[]>('window.heard');

  await t.test('it has a small header, no footer, and the colours of the tool', async () => {
    await page.goto(tool);
    await isReady();
    await expect(store.locator('html')).toHaveAttribute('data-theme', 'light');
    await store.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await expect(store.getByRole('contentinfo')).toHaveCount(0);
    await page.evaluate("window.store.setTheme('dark')");
    await expect(store.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  await t.test('a user signs in and installs, and the tool hears of it', async (t) => {
    const install = store.getByRole('button', { name: /^Install / }).first();
    await install.click();
    const form = store.getByRole('dialog').frameLocator('iframe');
    const title = await store.getByRole('dialog').getByRole('heading').innerText();
    const name = title.replace('Sign in to install ', '');
    await form.locator('input[name=account]').fill(account.email);
    await form.locator('input[name=password]').fill(account.password);
    await form.getByRole('button', { name: 'Sign in' }).click();
    await store.getByRole('status').getByText('Plugin installed').waitFor();
    t.match(await heard(), [/^installed [\w-]+$/]);
    await store
      .getByRole('button', { name: `Installed: ${name}` })
      .first()
      .waitFor();
    const cookies = await page.context().cookies();
    t.hasStrict(
      cookies.find(({ name }) => name === '__Host-Http-tool-session'),
      { sameSite: 'None', secure: true, httpOnly: true },
    );
    t.notOk(cookies.some(({ name }) => name === '__Host-Http-session'));
  });

  await t.test('the tool chooses the language, and the user stays signed in', async () => {
    await page.evaluate("window.store.setLanguage('ja-JP')");
    await expect(store.locator('html')).toHaveAttribute('lang', 'ja-JP');
    await isReady();
    await expect(store.locator('html'), 'it is told again').toHaveAttribute('data-theme', 'dark');
    await store.getByRole('button', { name: /Ines/ }).waitFor();
  });

  await t.test('the plugin is opened in the tool', async (t) => {
    const [key = ''] = (await heard()).map((text) => text.replace('installed ', ''));
    await frameOf()?.evaluate((path) => location.assign(path), `/plugins/plugin/${key}`);
    await store.getByRole('button', { name: 'エディターで開く' }).first().waitFor();
    await isReady();
    await store.getByRole('button', { name: 'エディターで開く' }).first().click();
    await until(async () => (await heard()).at(-1) === `open ${key}`);
    t.equal((await heard()).length, 2);
  });

  await t.test('nothing of it is there in a window of the store', async (t) => {
    const tab = await page.context().newPage();
    await openPage(tab, `${front.publicUrl}/plugins/`);
    await tab.getByRole('banner').getByRole('link', { name: 'Sign in' }).first().waitFor();
    t.pass('a visitor');
  });
});
