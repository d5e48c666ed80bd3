import AxeBuilder from '@axe-core/playwright';
import type { Locator } from 'playwright-core';
import t from 'tap';
import { freePort } from '../support/port.ts';
import { until } from '../support/until.ts';
import { adminPage, memberPage } from './support/account.ts';
import { publish } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo, steadyProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

/** Said of frame documents with a sandbox, though they get the process that they ask for. */
const ORIGIN_KEYED = /origin-keyed agent cluster/;
const pagePath = (slug: string) => `/plugins/plugin/square-${slug}`;

t.test('a plugin is tried on its page', async (t) => {
  const port = await freePort();
  const playground = `http://127.0.0.1:${port}`;
  const demo = await ownDemo(t, { PLAYGROUND_ORIGIN: playground }, { port });
  const { origin } = demo;

  t.test('without a playground there is no button', async (t) => {
    const product = await steadyProduct();
    const page = await newPage(t);
    await openPage(page, product.origin + pagePath('contrast-compass'));
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    await expect(page.getByRole('button', { name: 'Try it' })).toHaveCount(0);
  });

  t.test('it runs on the sample, without installing and not before it is asked to', async (t) => {
    const page = await newPage(t, { expected: ORIGIN_KEYED });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openPage(page, origin + pagePath('contrast-compass'));
    const button = page.getByRole('button', { name: 'Try it' });
    await button.waitFor();
    const isOfTrial = (url: string) => url.startsWith(playground) || url.includes('/api/cmt/package/');
    t.strictSame(asked.filter(isOfTrial), []);
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Try “/ });
    await expect(dialog.getByText('Finished')).toBeVisible();
    await expect(dialog.getByText(/^Contrast \d+\.\d\d : 1$/)).toBeVisible();
    t.equal(asked.filter(isOfTrial).length, 2, 'the package and the frame document');
    await expect(dialog.getByText('It has no network access.')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
    t.strictSame(
      violations.map(({ id }) => id),
      [],
    );
    // It asks for two layers.
    await dialog.getByRole('checkbox', { name: 'Title' }).uncheck();
    await dialog.getByRole('button', { name: 'Run again' }).click();
    await expect(dialog.getByText('Select a text and what lies behind it')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(
      page
        .locator('header')
        .getByRole('button', { name: /^Install / })
        .first(),
    ).toBeVisible();
  });

  t.test('its changes are drawn, and the sample comes back', async (t) => {
    const page = await newPage(t, {
      expected: ORIGIN_KEYED,
      viewport: { width: 375, height: 800 },
      colorScheme: 'dark',
    });
    await openPage(page, origin + pagePath('chart-kitchen'));
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog', { name: /^Try “/ });
    await expect(dialog.getByRole('checkbox', { name: 'Chart' })).toBeChecked();
    t.notOk(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth));
    await dialog.getByRole('button', { name: 'Reset sample' }).click();
    await expect(dialog.getByRole('checkbox', { name: 'Chart' })).toHaveCount(0);
    await expect(dialog.getByRole('checkbox', { name: 'Card' })).toBeChecked();
  });

  t.test('a reviewer tries a submission before it is public', async () => {
    const maker = await memberPage(t, demo, 'Maker');
    await publish(maker, pluginPackage('Greeter', { main: "pixso.closePlugin('Hello reviewer');" }));
    const admin = await adminPage(t, demo, { expected: ORIGIN_KEYED });
    await openScreen(admin, origin, 'audit-list?keyword=Greeter');
    await admin.getByRole('link', { name: /Greeter/ }).click();
    await admin.getByRole('button', { name: 'Try it' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Try “Greeter”' });
    await dialog.getByText('Hello reviewer').waitFor();
  });

  t.test('selections of the sample are as wide as its texts in any script', async (t) => {
    for (const [locale, name] of [
      ['zh-CN', '试用'],
      ['ru-RU', 'Попробовать'],
    ] as const) {
      const page = await newPage(t, { expected: ORIGIN_KEYED, locale });
      await openPage(page, origin + pagePath('contrast-compass'));
      await page.getByRole('button', { name, exact: true }).click();
      const title = page.getByRole('dialog').locator('svg text').first();
      await title.waitFor();
      const widthOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().width);
      const drawn = await widthOf(title);
      const marked = await widthOf(title.locator('xpath=following-sibling::*[1]'));
      t.ok(marked > drawn * 0.9 && marked < drawn * 1.3, `${locale}: ${marked} for ${drawn}`);
    }
  });

  t.test('a plugin that makes too many layers is stopped before they are drawn', async (t) => {
    const page = await newPage(t);
    const body = `<script>onmessage = ({ ports: [port] }) => {
      port.postMessage({ kind: 'ready' });
      const rest = { type: 'ELLIPSE', parent: null, name: 'Many', x: 0, y: 0, width: 9, height: 9, rotation: 0, opacity: 1,
        visible: true, locked: false, fills: [], strokes: [], strokeWeight: 1 };
      const nodes = Array.from({ length: 1000 }, (_, index) => ({ kind: 'create', node: { id: 'n' + index, ...rest } }));
      port.postMessage({ kind: 'changes', changes: nodes });
    };</script>`;
    await page.route(`${playground}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await openPage(page, origin + pagePath('contrast-compass'));
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog', { name: /^Try “/ });
    await expect(dialog.getByText('Stopped because it sent too much at once')).toBeVisible();
    await expect(dialog.getByRole('checkbox', { name: 'Many' })).toHaveCount(0);
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  t.test('calls that are not here are named', async (t) => {
    const page = await newPage(t, { expected: ORIGIN_KEYED });
    await openPage(page, origin + pagePath('token-courier'));
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog', { name: /^Try “/ });
    await expect(dialog.getByText('Stopped by an error')).toBeVisible();
    await expect(dialog.getByRole('listitem')).toHaveText(['getLocalPaintStyles']);
  });

  t.test('a package that cannot be had, or is another, does not run', async (t) => {
    const page = await newPage(t, { expected: /status of (?:410|503)/ });
    const answers = [
      { status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: '' } },
      { status: 200, body: '{"manifest":{"main":"main.js"},"files":{"main.js":"pixso.closePlugin()"}}' },
      { status: 410, json: { code: 'PLUGIN_WITHDRAWN', message: '' } },
    ];
    await page.route('**/api/cmt/package/*', (route) => route.fulfill(answers.shift() ?? { status: 500 }));
    await openPage(page, origin + pagePath('contrast-compass'));
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog', { name: /^Try “/ });
    const failure = dialog.getByRole('alert').getByText('Couldn’t load the plugin');
    for (const left of [2, 1]) {
      await until(() => answers.length === left);
      await failure.waitFor();
      await dialog.getByRole('button', { name: 'Try again' }).click();
    }
    await expect(
      dialog.getByText('This plugin has been withdrawn and can no longer be tried.'),
    ).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  t.test('only this site may frame the playground', async (t) => {
    const page = await newPage(t, { expected: /frame-ancestors|ERR_/ });
    const address = `${playground}/?version=1`;
    const failed = page.waitForEvent('requestfailed', (request) => request.url() === address);
    await page.setContent(`<iframe src="${address}"></iframe>`);
    t.equal((await failed).failure()?.errorText, 'net::ERR_BLOCKED_BY_RESPONSE');
  });
});
