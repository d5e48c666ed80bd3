import { readFile } from 'node:fs/promises';
import t from 'tap';
import { checkPackage } from '../../shared/package/check-package.ts';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const FIRST = 'section[aria-labelledby=results] article h3 a';

t.test('the documentation for developers', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('a plugin page links to it, and its sample passes the checks', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    await page.locator(FIRST).first().click();
    await page.getByRole('link', { name: 'Developer documentation' }).click();
    await page.waitForURL(`${origin}/plugins/docs/`);
    await page.getByRole('heading', { level: 1, name: 'Developer documentation' }).waitFor();
    await t.resolves(page.waitForFunction(() => document.title.startsWith('Developer documentation · ')));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the sample' }).click(),
    ]);
    t.equal(download.suggestedFilename(), 'sample.json');
    t.strictSame(checkPackage(await readFile(await download.path())).findings, []);
    await page.getByRole('navigation', { name: 'Contents' }).getByText('How review works').click();
    await page.waitForFunction(() => location.hash !== '' && scrollY > 0);
  });

  t.test('a visitor finds the way to publish in header, drawer, home and footer', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    t.strictSame(
      await page.locator('header nav a').allInnerTexts(),
      ['Plugins', 'Help center', 'Publish'],
      'a header of single links has no menus',
    );
    await expect(page.locator('header nav button')).toHaveCount(0);
    await expect(page.locator('footer a[href="/plugins/publishing"]')).toHaveText('Publish a plugin');
    await page.getByRole('main').getByRole('link', { name: 'See how to publish it here' }).click();
    await page.getByRole('heading', { level: 1, name: 'Publish your plugin here' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download hello world' }).click(),
    ]);
    t.strictSame(checkPackage(await readFile(await download.path())).findings, []);
    await expect(page.getByRole('link', { name: 'Sign in to publish' })).toBeVisible();
    await page.setViewportSize({ width: 375, height: 760 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Publish' })).toHaveAttribute(
      'href',
      '/plugins/publishing',
    );
  });

  t.test(
    'a signed-in member goes on to the form; where only administrators publish, it says so',
    async (t) => {
      const page = await memberPage(t, product, 'Mei Lin', { path: '/plugins/publishing' });
      await expect(page.getByRole('main').getByRole('link', { name: 'Publish a plugin' })).toHaveAttribute(
        'href',
        '/plugins/publish-plugin/single',
      );
      await page.route('**/api/cmt/manager/verify*', async (route) => {
        const answer = await route.fetch();
        const { data, ...rest } = await answer.json();
        await route.fulfill({ json: { ...rest, data: { ...data, may_publish: false } } });
      });
      await openPage(page, `${origin}/plugins/publishing`);
      await page.getByText('On this site, administrators publish plugins.').waitFor();
    },
  );

  t.test('every finding has an anchor in each language', async (t) => {
    const page = await newPage(t, { locale: 'ja-JP' });
    await page.goto(`${origin}/plugins/docs/#finding-JSON_TRAILING_COMMA`);
    await page.waitForFunction(() => scrollY > 0);
    const heading = page.getByRole('heading', { name: 'JSON_TRAILING_COMMA' });
    const { top, header } = await heading.evaluate((node) => ({
      top: node.getBoundingClientRect().top,
      header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
    }));
    t.ok(top >= header && top < 720, `visible below the header: ${top}`);
    const main = page.getByRole('main');
    await expect(main).toContainText('最後の項目の後のカンマを削除してください。');
    await expect(main).toContainText('"editorType": ["pixso",]');
    await expect(page.locator('link[rel=canonical]'), 'canonical address').toHaveAttribute(
      'href',
      `${origin}/plugins/docs/`,
    );
    await expect(page.locator('link[rel=alternate][hreflang]')).toHaveCount(7);
    t.match(await page.getAttribute('meta[name=description]', 'content'), 'プラグインのパッケージ化');
  });
});
